//! Solvers with their law, family and stroke.

use crate::report::svg::Stroke;
use linkwork_solve::{ContactModel, SolverSettings, known_solvers};
use std::ops::Deref;

/// Families by the beginnings of names, with the colour their curves share; what fits none is "other".
const FAMILIES: [(&str, &[&str]); 7] = [
    ("ADMM", &["admm"]),
    ("Newton", &["condensed", "hybrid", "newton"]),
    ("Gauss-Seidel", &["nbgs", "pgs", "prox"]),
    ("RaiSim bisection", &["raisim"]),
    ("convex optimisation", &["sap", "clarabel"]),
    ("pivoting, implicit", &["lcp", "implicit"]),
    ("factorisation", &["direct"]),
];

/// A solver as the report knows it.
#[derive(Clone, Debug)]
pub struct Solver {
    /// Name in the registry.
    pub name: String,
    /// A description in one line.
    pub summary: String,
    /// Contact law it solves; `None` for one this version does not know.
    pub law: Option<ContactModel>,
    /// Its heading.
    pub family: &'static str,
    /// Its colour and dash in every plot.
    pub stroke: Stroke,
}

impl Solver {
    /// Whether it solves the convex relaxation.
    pub fn is_convex(&self) -> bool {
        self.law == Some(ContactModel::Ccp)
    }

    /// Name of its law.
    pub fn law_name(&self) -> &'static str {
        match self.law {
            Some(ContactModel::Ncp) => "NCP",
            Some(ContactModel::Ccp) => "CCP",
            None => "?",
        }
    }
}

/// All solvers; an index is a key of the page.
pub struct Solvers(Vec<Solver>);

impl Solvers {
    /// Those of this version, then `others` with results.
    pub fn with<'a>(others: impl Iterator<Item = &'a str>) -> Self {
        let known = known_solvers().map(|entry| {
            let law = (entry.build)(SolverSettings::default()).model();
            (entry.name, entry.summary, Some(law))
        });
        let mut all = Self(Vec::new());
        for (name, summary, law) in known.chain(others.map(|name| (name, "", None))) {
            if all.index(name).is_none() {
                all.push(name, summary, law);
            }
        }
        all
    }

    /// Index of a solver.
    pub fn index(&self, name: &str) -> Option<usize> {
        self.iter().position(|s| s.name == name)
    }

    /// Solvers of `keys` in two groups, with headings: exact law, and convex relaxation.
    pub fn by_law(&self, keys: &[usize]) -> [(&'static str, Vec<usize>); 2] {
        let (convex, exact) = keys.iter().partition(|k| self[**k].is_convex());
        [
            ("exact law (NCP)", exact),
            ("convex relaxation (CCP)", convex),
        ]
    }

    fn push(&mut self, name: &str, summary: &str, law: Option<ContactModel>) {
        // The paper before the slash of a printed solver does not determine its family.
        let method = name.rsplit('/').next().unwrap_or(name);
        let fits = |starts: &[&str]| starts.iter().any(|start| method.starts_with(start));
        let found = FAMILIES.iter().position(|(_, starts)| fits(starts));
        let family = found.map_or("other", |i| FAMILIES[i].0);
        self.0.push(Solver {
            name: name.to_owned(),
            summary: summary.to_owned(),
            law,
            family,
            stroke: Stroke {
                colour: found.unwrap_or(FAMILIES.len()),
                dash: self.iter().filter(|s| s.family == family).count(),
            },
        });
    }
}

impl Deref for Solvers {
    type Target = [Solver];

    fn deref(&self) -> &[Solver] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_solver_has_its_own_stroke_and_a_law() {
        let solvers = Solvers::with(["stranger", "hybrid"].into_iter());
        assert_eq!(solvers.len(), known_solvers().count() + 1);
        let strokes: BTreeSet<_> = solvers
            .iter()
            .map(|s| (s.stroke.colour, s.stroke.dash))
            .collect();
        assert_eq!(strokes.len(), solvers.len());
        assert!(
            solvers
                .iter()
                .filter(|s| s.law.is_none())
                .all(|s| s.name == "stranger")
        );
        assert!(solvers.iter().any(Solver::is_convex));
    }
}
