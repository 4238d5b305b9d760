//! A score for tests.

use crate::results::{Score, Start};

/// A cold solve; one that is not solved was claimed to be.
pub fn score(problem: &str, solver: &str, wall_s: f64, solved: bool) -> Score {
    Score {
        problem: problem.to_owned(),
        system: "s".to_owned(),
        class: None,
        solver: solver.to_owned(),
        start: Start::Cold,
        tolerance: 1e-6,
        limit_s: 1.0,
        claimed: "converged".to_owned(),
        solved,
        false_convergence: !solved,
        residual: 0.0,
        residual_ncp: 0.0,
        measures: None,
        own_test: None,
        wall_s,
        iterations: 1,
        factorizations: 1,
        bodies: 1,
        rows: 3,
        contacts: 1,
        history: Vec::new(),
    }
}
