//! What came of one solver on one problem.

use linkwork_solve::Status;
use serde::Serialize;

/// One row of the comparison.
#[derive(Clone, Debug, Serialize)]
pub struct Outcome {
    pub problem: String,
    pub solver: &'static str,
    pub tolerance: f64,
    /// How the solver says it ended.
    pub claimed: &'static str,
    /// Whether the recomputed residual meets the tolerance.
    pub solved: bool,
    /// What the solver did; `None` where it cannot take the problem.
    #[serde(flatten)]
    pub effort: Option<Effort>,
    pub rows: usize,
    pub contacts: usize,
    /// Why the solver cannot take the problem.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// What a solve cost and reached. Residuals are recomputed outside the solver, in the units solved in.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Effort {
    pub residual_scaled: f64,
    pub residual_rel: f64,
    pub residual_unit: f64,
    pub iterations: usize,
    pub factorizations: usize,
    pub wall_ms: f64,
}

impl Effort {
    /// The residual that decides whether a problem is solved.
    pub fn judged(&self, absolute: bool) -> f64 {
        match absolute {
            true => self.residual_scaled,
            false => self.residual_rel,
        }
    }
}

impl Outcome {
    /// Claimed converged, but the recomputed residual is above the tolerance.
    pub fn is_false(&self) -> bool {
        self.claimed == claim(Status::Converged) && !self.solved
    }
}

/// What is said of a problem a solver cannot take.
pub const UNSUPPORTED: &str = "unsupported";

/// A status in the words of the comparison: nothing but the clock interrupts here.
pub fn claim(status: Status) -> &'static str {
    match status {
        Status::Converged => "converged",
        Status::IterationLimit => "iteration limit",
        Status::Stalled => "stalled",
        Status::NumericalFailure => "numerical failure",
        Status::Interrupted => "time limit",
        Status::RayTermination => "ray termination",
    }
}
