//! Common parts of every solver: the projected guess, counters, and the residuals of the answer.

use crate::problem::{Problem, Solution, SolveReport, Status};
use crate::residuals::{ContactModel, ResidualBuffers, residuals_with};

/// The guess in `x`, or 0 where there is none, projected on the impulse sets, into `lambda`.
pub(super) fn projected_guess(problem: &Problem, x: &Solution, lambda: &mut Vec<f64>) {
    lambda.clear();
    if x.lambda.len() == problem.rows() {
        lambda.extend_from_slice(&x.lambda);
    } else {
        lambda.resize(problem.rows(), 0.0);
    }
    for (set, rows) in problem.sets.iter() {
        set.project(&mut lambda[rows]);
    }
}

/// Cost of a solve so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    pub iterations: usize,
    pub factorizations: usize,
    /// Number of times a more robust method was needed.
    pub escalations: u64,
}

/// Writes the answer and computes its residuals.
#[derive(Clone, Debug, Default)]
pub(super) struct Grader {
    scratch: Vec<f64>,
    buffers: ResidualBuffers,
}

impl Grader {
    /// u⁺ and σ of `x.lambda`, and the report. `status` is the solver's own; whether the tolerance is met depends on
    /// the recomputed residuals alone.
    pub fn report(
        &mut self,
        problem: &Problem,
        x: &mut Solution,
        model: ContactModel,
        tolerance: f64,
        status: Status,
        count: Counts,
    ) -> SolveReport {
        problem.velocity(&x.lambda, &mut x.u_plus, &mut self.scratch);
        problem.sigma(&x.lambda, &mut x.sigma, &mut self.scratch);
        let residuals = residuals_with(problem, x, model, &mut self.buffers);
        SolveReport {
            status: match status {
                _ if residuals.meets(tolerance) => Status::Converged,
                Status::Converged => Status::Stalled,
                other => other,
            },
            iterations: count.iterations,
            factorizations: count.factorizations,
            residuals,
        }
    }
}
