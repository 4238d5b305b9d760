//! `linkwork bench score`: every solver on every sample and FCLIB problem, judged from outside.

mod failures;
mod ledger;
mod subject;

use crate::class::Class;
use crate::error::BenchError;
use crate::folder::Folder;
use crate::lines::Appender;
use crate::machine::stamp;
use crate::pin::pinned;
use crate::progress::Progress;
use crate::results::{Score, Start};
use crate::suite::System;
use crate::trial::Trial;
use failures::Failures;
use ledger::{Ledger, record};
use linkwork_solve::SolverEntry;
use std::path::PathBuf;
use std::time::Instant;
use subject::{Subject, subjects};

/// Only the clock and the solver itself end a solve.
const MAX_ITERATIONS: usize = 1_000_000_000;

/// What is scored.
pub struct ScoreOptions {
    /// The solvers.
    pub solvers: Vec<&'static SolverEntry>,
    /// Cold, warm or both; FCLIB problems have no warm start.
    pub starts: Vec<Start>,
    /// Residual at which a problem counts as solved, N s and m/s; FCLIB: relative to |q|.
    pub tolerance: f64,
    /// Wall time for a solve, s.
    pub limit_s: f64,
    /// Systems whose samples are scored.
    pub systems: Vec<&'static System>,
    /// Classes of samples that are scored.
    pub classes: Vec<Class>,
    /// Files and folders with FCLIB problems.
    pub fclib: Vec<PathBuf>,
    /// Samples of each class for which residual histories are kept.
    pub histories: usize,
    /// When to leave the rest for another session.
    pub deadline: Option<Instant>,
}

/// What a session did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Jobs that were there already.
    pub earlier: usize,
    /// Jobs done now.
    pub done: usize,
    /// Jobs left at the deadline.
    pub left: usize,
}

/// Computes missing scores; every score is on disk as soon as it is known.
pub fn score(
    folder: &Folder,
    options: &ScoreOptions,
    progress: &dyn Progress,
) -> Result<Tally, BenchError> {
    let subjects = subjects(folder, options, progress)?;
    let (mut file, earlier) = Appender::open(&folder.scores())?;
    stamp(folder, progress)?;
    let mut failures = Failures::after(folder, &earlier);
    let ledger = Ledger::of(&earlier);
    let mut jobs = Vec::new();
    for subject in &subjects {
        for &start in options.starts.iter().filter(|s| subject.can(**s)) {
            jobs.extend(options.solvers.iter().map(|&entry| (subject, start, entry)));
        }
    }
    let all = jobs.len();
    jobs.retain(|(subject, start, entry)| !ledger.has(&subject.name, entry, *start, options));
    let mut tally = Tally {
        earlier: all - jobs.len(),
        ..Tally::default()
    };
    progress.stage("score", all, tally.earlier);
    pinned(|| {
        for (i, &(subject, start, entry)) in jobs.iter().enumerate() {
            if options.deadline.is_some_and(|end| Instant::now() > end) {
                tally.left = jobs.len() - i;
                break;
            }
            progress.job(&format!("{}  {}", entry.name, subject.name));
            let score = solve(subject, start, entry, options);
            failures.see(&score, subject)?;
            file.push(&score)?;
            tally.done += 1;
            progress.done();
        }
        Ok(())
    })?;
    Ok(tally)
}

/// One job.
fn solve(
    subject: &Subject,
    start: Start,
    entry: &'static SolverEntry,
    options: &ScoreOptions,
) -> Score {
    let (tolerance, limit) = (options.tolerance, options.limit_s);
    let trial = Trial::new(tolerance, subject.absolute(), limit, MAX_ITERATIONS);
    let problem = trial.prepare(&subject.problem);
    let guess: &[f64] = match start {
        Start::Cold => &[],
        Start::Warm => &subject.guess,
    };
    let mut score = record(subject, start, entry.name, options);
    let came = trial.run(&problem, guess, entry);
    score.claimed = came.claimed.to_owned();
    score.solved = came.solved;
    score.false_convergence = came.is_false();
    if let Some(effort) = came.effort {
        score.residual = effort.judged(subject.absolute());
        score.residual_ncp = effort.residual_ncp;
        score.measures = Some(effort.measures);
        score.own_test = effort.own_test;
        score.wall_s = 1e-3 * effort.wall_ms;
        score.iterations = effort.iterations;
        score.factorizations = effort.factorizations;
    }
    if subject.keep_history {
        score.history = trial.history(&problem, guess, entry);
    }
    score
}
