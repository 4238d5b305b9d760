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
use linkwork::{Moment, Run};
use linkwork_solve::{ContactModel, Problem, Solution, Status, residuals};
use std::collections::BTreeMap;
use std::ops::ControlFlow;

/// How a problem went in its run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Course {
    /// The solve failed.
    Failed,
    /// Something had to be found.
    Moving,
    /// The impulses of the step before solve it, as in a mechanism at rest.
    Settled,
}

/// A problem whose residual at λ = 0 is at most this is no sample, N s and m/s.
const TRIVIAL: f64 = 1e-9;
/// A problem that the impulses of the step before solve to this residual counts as at rest, N s and m/s.
const SETTLED: f64 = 1e-6;

/// A problem that may become a sample.
struct Candidate {
    step: u64,
    time: f64,
    problem: Problem,
    sources: Vec<RowSource>,
    guess: Vec<f64>,
}

/// Samples of a run with the scene's own settings, in order of time: about the same number of every kind that occurs,
/// all of a rare one, evenly spread over its steps.
pub(super) fn take(
    system: &System,
    options: &SampleOptions,
    progress: &dyn Progress,
) -> Result<Vec<Sample>, BenchError> {
    let mut run = Run::of(system.scene()?)?;
    let mut kinds: BTreeMap<(Class, Course), Spread<Candidate>> = BTreeMap::new();
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

/// The key over which samples are spread: the class as far as it is known without the rank, which costs more than the
/// step (problems of joints alone are of one kind), and the course of the step. Otherwise rest, which lasts long, would
/// leave little room for motion, and rare failures would be missing.
///
/// `None` if there is no class, and for problems without anything to solve (free fall), which every solver would have
/// solved before it starts.
fn kind(moment: &Moment) -> Option<(Class, Course)> {
    let status = moment.report?.status;
    let simulator = moment.simulator;
    let problem = simulator.problem();
    let counts = Counts::of(problem, simulator.row_sources());
    let class = counts.class(counts.joint_rows)?;
    let solved_by = |lambda: Vec<f64>, tolerance| {
        let x = Solution {
            lambda,
            ..Solution::default()
        };
        residuals(problem, &x, ContactModel::Ncp).meets(tolerance)
    };
    let trivial = solved_by(vec![0.0; problem.rows()], TRIVIAL);
    let guess = simulator.warm_guess();
    let settled = guess.len() == problem.rows() && solved_by(guess.to_vec(), SETTLED);
    let course = match status {
        Status::Converged if settled => Course::Settled,
        Status::Converged => Course::Moving,
        _ => Course::Failed,
    };
    (!trivial).then_some((class, course))
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
