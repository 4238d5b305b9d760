//! What came of one solver on one problem.

use linkwork_bench::{Effort, Judgement, claim};
use linkwork_solve::{Problem, Status};
use serde::Serialize;

/// One row of the comparison.
#[derive(Clone, Debug, Serialize)]
pub struct Outcome {
    pub problem: String,
    pub solver: &'static str,
    pub tolerance: f64,
    /// The solver's own status.
    pub claimed: &'static str,
    /// Whether the recomputed residual meets the tolerance.
    pub solved: bool,
    /// The report of the solver; `None` if it does not support the problem.
    #[serde(flatten)]
    pub effort: Option<Effort>,
    pub rows: usize,
    pub contacts: usize,
    /// Why the solver cannot take the problem.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl Outcome {
    /// What came of `solver` on the problem called `name`.
    pub fn new(
        name: &str,
        problem: &Problem,
        solver: &'static str,
        tolerance: f64,
        came: Judgement,
    ) -> Self {
        Self {
            problem: name.to_owned(),
            solver,
            tolerance,
            claimed: came.claimed,
            solved: came.solved,
            effort: came.effort,
            rows: problem.rows(),
            contacts: problem.sets.contacts(),
            reason: came.reason,
        }
    }

    /// Claimed converged, but the recomputed residual is above the tolerance.
    pub fn is_false(&self) -> bool {
        self.claimed == claim(Status::Converged) && !self.solved
    }
}
