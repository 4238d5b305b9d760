//! What has been scored, and how a score begins.

use super::ScoreOptions;
use super::subject::Subject;
use crate::results::{Score, Start};
use linkwork_solve::SolverEntry;
use std::collections::HashSet;

/// What makes two jobs the same: problem, solver, start, and the bits of tolerance and limit.
type Key = (String, String, Start, u64, u64);

/// The jobs that are done.
pub(super) struct Ledger(HashSet<Key>);

impl Ledger {
    /// Those of earlier scores.
    pub fn of(scores: &[Score]) -> Self {
        let key = |s: &Score| {
            let (tolerance, limit) = (s.tolerance.to_bits(), s.limit_s.to_bits());
            (
                s.problem.clone(),
                s.solver.clone(),
                s.start,
                tolerance,
                limit,
            )
        };
        Self(scores.iter().map(key).collect())
    }

    /// Whether a job is done.
    pub fn has(
        &self,
        problem: &str,
        entry: &SolverEntry,
        start: Start,
        options: &ScoreOptions,
    ) -> bool {
        let (tolerance, limit) = (options.tolerance.to_bits(), options.limit_s.to_bits());
        let (problem, solver) = (problem.to_owned(), entry.name.to_owned());
        self.0.contains(&(problem, solver, start, tolerance, limit))
    }
}

/// A score with only the job filled in.
pub(super) fn record(
    subject: &Subject,
    start: Start,
    solver: &str,
    options: &ScoreOptions,
) -> Score {
    Score {
        problem: subject.name.clone(),
        system: subject.system.clone(),
        class: subject.class,
        solver: solver.to_owned(),
        start,
        tolerance: options.tolerance,
        limit_s: options.limit_s,
        claimed: String::new(),
        solved: false,
        false_convergence: false,
        residual: f64::NAN,
        residual_ncp: f64::NAN,
        measures: None,
        own_test: None,
        wall_s: 0.0,
        iterations: 0,
        factorizations: 0,
        bodies: subject.problem.bodies(),
        rows: subject.problem.rows(),
        contacts: subject.contacts,
        history: Vec::new(),
    }
}
