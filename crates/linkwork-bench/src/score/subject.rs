//! What is scored: samples of the suite and FCLIB problems.

use super::ScoreOptions;
use crate::class::Class;
use crate::error::BenchError;
use crate::folder::Folder;
use crate::inputs::find;
use crate::progress::Progress;
use crate::results::Start;
use crate::sample::{Sample, load_index, load_samples};
use crate::spread::evenly;
use linkwork_solve::Problem;
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// A problem to score.
pub(super) struct Subject {
    pub name: String,
    /// Its system, or the folder of an FCLIB file.
    pub system: String,
    /// `None` for FCLIB.
    pub class: Option<Class>,
    pub problem: Problem,
    /// The warm start; empty where there is none.
    pub guess: Vec<f64>,
    pub contacts: usize,
    pub keep_history: bool,
}

impl Subject {
    /// Samples are solved in N s and m/s; FCLIB problems, which have various units, in their own.
    pub fn absolute(&self) -> bool {
        self.class.is_some()
    }

    /// Whether it can be solved from `start`.
    pub fn can(&self, start: Start) -> bool {
        start == Start::Cold || self.guess.len() == self.problem.rows()
    }
}

/// Everything to score: the first sample of every system, then the second, and so on, so that scores of
/// an interrupted session are of all systems; then FCLIB.
pub(super) fn subjects(
    folder: &Folder,
    options: &ScoreOptions,
    progress: &dyn Progress,
) -> Result<Vec<Subject>, BenchError> {
    let index = load_index(folder)?;
    let sampled: BTreeSet<&str> = index.iter().map(|info| info.system.as_str()).collect();
    let wanted = options.systems.iter().map(|s| s.name);
    let systems: Vec<&str> = wanted.filter(|s| sampled.contains(s)).collect();
    let loaded: Result<Vec<_>, _> = systems
        .par_iter()
        .map(|&system| load_samples(folder, system))
        .collect();
    let mut samples: Vec<(usize, Sample)> = Vec::new();
    for of_system in loaded? {
        let chosen = |s: &Sample| options.classes.contains(&s.info.facts.class);
        let chosen = of_system.into_iter().filter(chosen);
        samples.extend(chosen.enumerate());
    }
    let told = histories(&samples, options.histories);
    let mut subjects: Vec<(usize, Subject)> = Vec::new();
    for (
        place,
        Sample {
            info,
            problem,
            guess,
        },
    ) in samples
    {
        let subject = Subject {
            keep_history: told.contains(&info.name),
            name: info.name,
            system: info.system,
            class: Some(info.facts.class),
            contacts: info.facts.contacts,
            problem,
            guess,
        };
        subjects.push((place, subject));
    }
    subjects.sort_by_key(|s| s.0);
    let mut subjects: Vec<Subject> = subjects.into_iter().map(|s| s.1).collect();
    for path in &options.fclib {
        subjects.extend(fclib(path, progress)?);
    }
    match subjects.is_empty() {
        false => Ok(subjects),
        true => Err(BenchError::Missing {
            what: format!("no samples to score in '{}'", folder.root().display()),
            remedy: "take some with 'linkwork bench sample', or name FCLIB problems with --fclib"
                .to_owned(),
        }),
    }
}

/// Names of samples whose histories are kept: of each class a few, from small and large systems.
fn histories(samples: &[(usize, Sample)], of_each: usize) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for class in Class::ALL {
        let of_class = samples.iter().map(|s| &s.1.info);
        let of_class: Vec<_> = of_class.filter(|i| i.facts.class == class).collect();
        let chosen = evenly(of_class.len(), of_each).into_iter();
        names.extend(chosen.map(|i| of_class[i].name.clone()));
    }
    names
}

/// The problems in an FCLIB folder; unreadable ones are reported and skipped.
fn fclib(path: &PathBuf, progress: &dyn Progress) -> Result<Vec<Subject>, BenchError> {
    let mut subjects = Vec::new();
    for input in find(std::slice::from_ref(path))? {
        let problem = match input.load() {
            Ok((problem, _)) => problem,
            Err(bad) => {
                progress.note(&bad.error);
                continue;
            }
        };
        let folder = input.name.rsplit_once('/').map_or("fclib", |(f, _)| f);
        subjects.push(Subject {
            system: folder.to_owned(),
            class: None,
            guess: Vec::new(),
            contacts: problem.sets.contacts(),
            keep_history: false,
            problem,
            name: input.name,
        });
    }
    Ok(subjects)
}
