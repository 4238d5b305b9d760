//! `linkwork bench sample`: problems from the runs of the suite, spread over time and classes.

mod choose;
mod store;
mod take;

pub use store::{Sample, load_index, load_samples};

use crate::error::BenchError;
use crate::folder::Folder;
use crate::lines::{read_lines, write_lines};
use crate::progress::Progress;
use crate::results::{SampleInfo, Score};
use crate::suite::System;
use linkwork_scenes::all_scenes;
use rayon::prelude::*;
use store::{Store, Taken};

/// What is sampled.
#[derive(Clone, Debug)]
pub struct SampleOptions {
    /// The systems.
    pub systems: Vec<&'static System>,
    /// How long each is run, s.
    pub time_s: f64,
    /// Most samples of a system.
    pub most: usize,
    /// Skips systems that were already sampled in the same way.
    pub reuse: bool,
}

/// Samples every system that has a scene, several at a time (nothing is timed), and returns their index. The same
/// options lead to the same bytes.
pub fn sample(
    folder: &Folder,
    options: &SampleOptions,
    progress: &dyn Progress,
) -> Result<Vec<SampleInfo>, BenchError> {
    let (systems, missing): (Vec<&System>, Vec<&System>) = options
        .systems
        .iter()
        .partition(|s| all_scenes().iter().any(|scene| scene.name == s.name));
    for system in missing {
        progress.note(&format!(
            "there is no scene '{}' yet: left out",
            system.name
        ));
    }
    let store = Store::open(folder)?;
    let mut due = Vec::new();
    for &system in &systems {
        let wanted = Taken::of(system, options)?;
        if !(options.reuse && store.holds(system, &wanted)) {
            due.push((system, wanted));
        }
    }
    progress.stage("sample", systems.len(), systems.len() - due.len());
    // The large systems are last in the suite: starting them first avoids waiting for them at the end.
    due.reverse();
    let changed: Result<Vec<_>, BenchError> = due
        .into_par_iter()
        .with_max_len(1)
        .map(|(system, taken)| {
            progress.job(system.name);
            let samples = take::take(system, options, progress)?;
            let changed = store.put(system, taken, &samples)?;
            progress.done();
            Ok(changed.then_some(system.name))
        })
        .collect();
    let changed: Vec<&str> = changed?.into_iter().flatten().collect();
    forget_scores(folder, &changed, progress)?;
    let mut index = load_index(folder)?;
    index.retain(|info| systems.iter().any(|s| s.name == info.system));
    Ok(index)
}

/// Scores of samples that were replaced belong to other problems of the same name: remove them.
fn forget_scores(
    folder: &Folder,
    systems: &[&str],
    progress: &dyn Progress,
) -> Result<(), BenchError> {
    let scores: Vec<Score> = read_lines(&folder.scores())?;
    let stays = |s: &&Score| s.class.is_none() || !systems.contains(&s.system.as_str());
    let kept: Vec<&Score> = scores.iter().filter(stays).collect();
    if kept.len() < scores.len() {
        let gone = scores.len() - kept.len();
        progress.note(&format!(
            "{gone} scores of samples that changed are removed"
        ));
        write_lines(&folder.scores(), &kept)?;
    }
    Ok(())
}
