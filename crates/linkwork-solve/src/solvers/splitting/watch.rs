//! Evaluates the true residual from time to time, keeps the best λ, and decides when to stop.

use super::sweep::Sweeper;
use crate::problem::Problem;
use crate::residuals::{ContactModel, natural_map};

/// Sweeps between two evaluations of the true residual if the sweeps' own estimate stays above the tolerance.
const INTERVAL: usize = 10;

/// Result of an evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Solved,
    Broken,
    GivenUp,
    Grew,
    GoOn,
}

/// The record of a solve.
#[derive(Clone, Debug, Default)]
pub(super) struct Watch {
    /// The λ of least residual.
    pub best: Vec<f64>,
    tolerance: f64,
    patience: usize,
    /// Residual of `best`, and of the last look.
    least: f64,
    last: f64,
    /// The residual that counts as progress, and the sweep that last made any.
    goal: f64,
    gained: usize,
    /// Look where the estimate is below this.
    threshold: f64,
    sigma: Vec<f64>,
    scratch: Vec<f64>,
}

impl Watch {
    /// A solve begins: up to `patience` sweeps may pass without gain.
    pub fn start(&mut self, tolerance: f64, patience: usize) {
        self.tolerance = tolerance;
        self.threshold = tolerance;
        self.patience = patience;
        self.best.clear();
        (self.least, self.last, self.goal) = (f64::INFINITY, f64::INFINITY, f64::INFINITY);
        self.gained = 0;
    }

    /// Whether to evaluate now, after `sweep` sweeps with the estimate `residual`.
    pub fn is_due(&self, sweep: usize, residual: f64) -> bool {
        residual <= self.threshold || sweep.is_multiple_of(INTERVAL)
    }

    /// Recompute the residual, and the velocities a sweep keeps.
    pub fn look(
        &mut self,
        problem: &Problem,
        sweeper: &mut Sweeper,
        model: ContactModel,
        sweep: usize,
    ) -> Verdict {
        let Sweeper {
            lambda,
            state,
            weights,
            ..
        } = sweeper;
        state.refresh(problem, lambda);
        problem.sigma(lambda, &mut self.sigma, &mut self.scratch);
        let residual = natural_map(problem, lambda, &self.sigma, weights, model).scaled();
        if residual < self.least || self.best.is_empty() {
            self.least = residual;
            self.best.clone_from(lambda);
        }
        let grew = residual > self.last;
        self.last = residual;
        if residual.is_nan() {
            return Verdict::Broken;
        }
        if residual <= self.tolerance {
            return Verdict::Solved;
        }
        // The estimate was too optimistic: require more next time.
        self.threshold = (0.7 * self.threshold).max(0.1 * self.tolerance);
        if residual <= self.goal {
            self.goal = 0.99 * residual;
            self.gained = sweep;
        }
        if sweep >= self.gained + self.patience {
            return Verdict::GivenUp;
        }
        if grew { Verdict::Grew } else { Verdict::GoOn }
    }
}
