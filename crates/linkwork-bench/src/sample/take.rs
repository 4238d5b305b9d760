//! Runs a system and keeps some of its problems.

use super::choose::shares;
use super::{Sample, SampleOptions};
use crate::class::{Class, Counts};
use crate::error::BenchError;
use crate::facts::Facts;
use crate::progress::Progress;
use crate::results::SampleInfo;
use crate::spread::{Spread, evenly};
use crate::suite::System;
use linkwork::rows::RowSource;
use linkwork::scenes::scene;
use linkwork::{Moment, Run};
use linkwork_solve::Problem;
use std::collections::BTreeMap;
use std::ops::ControlFlow;

/// A problem that may become a sample.
struct Candidate {
    step: u64,
    time: f64,
    problem: Problem,
    sources: Vec<RowSource>,
    guess: Vec<f64>,
}

/// Samples of a run with the scene's own settings, in the order of time: from every class that occurs
/// about as many, all of a rare one, evenly spread over its steps.
pub(super) fn take(
    system: &System,
    options: &SampleOptions,
    progress: &dyn Progress,
) -> Result<Vec<Sample>, BenchError> {
    let mut run = Run::of(scene(system.name, &[])?)?;
    let mut kinds: BTreeMap<Class, Spread<Candidate>> = BTreeMap::new();
    let summary = run.time(options.time_s, |moment| {
        if let Some(kind) = kind(moment) {
            let spread = kinds.entry(kind);
            let spread = spread.or_insert_with(|| Spread::new(2 * options.most));
            spread.offer(|| candidate(moment));
        }
        ControlFlow::Continue(())
    });
    if let Some(error) = summary.error {
        return Err(error.into());
    }
    if summary.solves_failed > 0 {
        let (failed, steps) = (summary.solves_failed, summary.steps);
        let text = format!("{}: {failed} of {steps} solves failed", system.name);
        progress.note(&text);
    }
    let kinds: Vec<Vec<Candidate>> = kinds.into_values().map(Spread::into_items).collect();
    let counts: Vec<usize> = kinds.iter().map(Vec::len).collect();
    let mut samples = Vec::new();
    for (candidates, share) in kinds.into_iter().zip(shares(&counts, options.most)) {
        let mut candidates: Vec<Option<Candidate>> = candidates.into_iter().map(Some).collect();
        for i in evenly(candidates.len(), share) {
            samples.extend(candidates[i].take().and_then(|c| measure(system, c)));
        }
    }
    samples.sort_by_key(|s| s.info.step);
    Ok(samples)
}

/// The class as far as it is known without the rank, which costs more than the step: problems of joints
/// alone count as one kind.
fn kind(moment: &Moment) -> Option<Class> {
    moment.report?;
    let simulator = moment.simulator;
    let counts = Counts::of(simulator.problem(), simulator.row_sources());
    counts.class(counts.joint_rows)
}

fn candidate(moment: &Moment) -> Candidate {
    let simulator = moment.simulator;
    Candidate {
        step: moment.step,
        time: simulator.state().time,
        problem: simulator.problem().clone(),
        sources: simulator.row_sources().to_vec(),
        guess: simulator.warm_guess().to_vec(),
    }
}

fn measure(system: &System, c: Candidate) -> Option<Sample> {
    let facts = Facts::of(&c.problem, &c.sources)?;
    Some(Sample {
        info: SampleInfo {
            name: format!("{}/step{:05}", system.name, c.step),
            system: system.name.to_owned(),
            step: c.step,
            time: c.time,
            facts,
        },
        problem: c.problem,
        guess: c.guess,
    })
}
