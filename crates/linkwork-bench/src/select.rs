//! Selection by name.

use crate::class::Class;
use crate::error::BenchError;
use crate::suite::{SYSTEMS, System, system};
use linkwork_solve::{
    SolverEntry, UnknownSolver, all_solvers, known_solvers, printed_solvers, solver_entry,
};

/// The solvers called `names`, each once, in the given order: `own` for Linkwork's, `printed` for those exactly as in a
/// paper, `all` for both; `default` if none is named.
pub fn solvers_named(
    names: &[String],
    default: &[&str],
) -> Result<Vec<&'static SolverEntry>, UnknownSolver> {
    let names: Vec<&str> = match names {
        [] => default.to_vec(),
        names => names.iter().map(|n| n.trim()).collect(),
    };
    let mut found: Vec<&SolverEntry> = Vec::new();
    for name in names {
        let entries: Vec<&SolverEntry> = match name {
            "all" => known_solvers().collect(),
            "own" => all_solvers().iter().collect(),
            "printed" => printed_solvers().iter().collect(),
            name => vec![solver_entry(name)?],
        };
        for entry in entries {
            if !found.iter().any(|e| e.name == entry.name) {
                found.push(entry);
            }
        }
    }
    Ok(found)
}

/// The systems called `names`, in the order of the suite; all where none is named.
pub fn systems_named(names: &[String]) -> Result<Vec<&'static System>, BenchError> {
    if names.is_empty() {
        return Ok(SYSTEMS.iter().collect());
    }
    let asked: Result<Vec<_>, _> = names.iter().map(|n| system(n.trim())).collect();
    let asked = asked?;
    let wanted = |s: &&System| asked.iter().any(|a| a.name == s.name);
    Ok(SYSTEMS.iter().filter(wanted).collect())
}

/// The classes called `names`, in the order of the paper; all where none is named. A name has `_`, `-`
/// or blanks between its words.
pub fn classes_named(names: &[String]) -> Result<Vec<Class>, BenchError> {
    if names.is_empty() {
        return Ok(Class::ALL.to_vec());
    }
    let mut asked = Vec::new();
    for name in names {
        let words = name.trim().replace(['_', '-'], " ");
        let found = Class::ALL.into_iter().find(|c| c.name() == words);
        let all = Class::ALL.map(|c| c.name().replace(' ', "-"));
        asked.push(found.ok_or_else(|| {
            BenchError::unknown("class", name, &all.each_ref().map(|n| n.as_str()))
        })?);
    }
    asked.sort();
    asked.dedup();
    Ok(asked)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn owned(names: &[&str]) -> Vec<String> {
        names.iter().map(|&n| n.to_owned()).collect()
    }

    #[test]
    fn names_are_found_and_wrong_ones_refused_with_those_there_are() {
        let systems = systems_named(&owned(&["figure54", "nunchuk", "nunchuk"])).unwrap();
        let names: Vec<_> = systems.iter().map(|s| s.name).collect();
        assert_eq!(names, ["nunchuk", "figure54"]);
        assert_eq!(systems_named(&[]).unwrap().len(), 13);
        let error = systems_named(&owned(&["nunchaku"])).unwrap_err();
        assert!(error.to_string().contains("nunchuk"), "{error}");

        let classes = classes_named(&owned(&["dense-contacts", "single_contact"])).unwrap();
        assert_eq!(classes, [Class::SingleContact, Class::DenseContacts]);
        let error = classes_named(&owned(&["hard"])).unwrap_err();
        assert!(error.to_string().contains("dense-joints"), "{error}");

        let solvers = solvers_named(&owned(&["newton", " hybrid", "newton"]), &[]).unwrap();
        assert_eq!(solvers.len(), 2);
        assert!(solvers_named(&owned(&["fast"]), &[]).is_err());
        let own = solvers_named(&[], &["own"]).unwrap();
        assert_eq!(own.len(), all_solvers().len());
        let all = solvers_named(&owned(&["printed", "all"]), &[]).unwrap();
        assert_eq!(all[0].name, printed_solvers()[0].name);
        assert_eq!(all.len(), own.len() + printed_solvers().len());
    }
}
