//! The passes: chord iteration, and Anderson acceleration where it does not contract.

use super::{Closure, Violation};
use crate::model::Model;
use crate::rows::Rows;
use crate::settings::Settings;
use crate::state::State;
use linkwork_solve::{Solution, SolveReport, Solver, Status};

/// A pass that leaves less than this share of what was open before contracts.
const CONTRACTS: f64 = 0.7;
/// Passes that did not contract after which refinement gives up.
const MAX_VAIN: usize = 6;
/// Passes that the acceleration remembers.
pub(super) const SECANTS: usize = 5;

/// A pass: its biases and solution.
#[derive(Clone, Debug, Default)]
pub(super) struct Kept {
    bias: Vec<f64>,
    lambda: Vec<f64>,
    u_plus: Vec<f64>,
    sigma: Vec<f64>,
}

impl Kept {
    fn save(&mut self, rows: &Rows, x: &Solution) {
        self.bias.clone_from(&rows.problem.v_bias);
        self.lambda.clone_from(&x.lambda);
        self.u_plus.clone_from(&x.u_plus);
        self.sigma.clone_from(&x.sigma);
    }

    fn restore(&self, rows: &mut Rows, x: &mut Solution) {
        rows.problem.v_bias.copy_from_slice(&self.bias);
        x.lambda.copy_from_slice(&self.lambda);
        x.u_plus.copy_from_slice(&self.u_plus);
        x.sigma.copy_from_slice(&self.sigma);
    }
}

impl Closure {
    /// Iterate until the joints are closed; returns the violation left and adds to the report.
    ///
    /// Where the chord iteration does not contract, as in a step across a singular configuration (its few
    /// bad directions turn around within the step), it goes on with Anderson acceleration, which is a secant
    /// method in these directions.
    pub fn refine(
        &mut self,
        (model, state, settings): (&Model, &State, &Settings),
        rows: &mut Rows,
        solver: &mut dyn Solver,
        x: &mut Solution,
        report: &mut SolveReport,
    ) -> (Violation, usize) {
        let mut passes = 0;
        let mut least = Violation {
            change: f64::INFINITY,
            ..Violation::default()
        };
        let mut status = report.status;
        let mut vain = 0;
        loop {
            let violation = self.evaluate((model, state, settings), rows, x);
            let contracts = violation.change < CONTRACTS * least.change;
            let better = violation.change < least.change;
            let closed = violation.change <= settings.closure.tolerance;
            let lost = report.status == Status::NumericalFailure || violation.change.is_nan();
            // Secants through solves that failed lead anywhere.
            let astray = !contracts && report.status != Status::Converged;
            if vain == 0 && !contracts {
                self.secant.clear();
            }
            if !contracts {
                vain += 1;
            }
            if better {
                least = violation;
                status = report.status;
                if !closed {
                    self.kept.save(rows, x);
                }
            }
            if closed || lost || astray || vain > MAX_VAIN || passes == settings.closure.max_passes
            {
                // Nothing is kept if the first solution was no number already.
                if better || least.change.is_infinite() {
                    return (violation, passes);
                }
                self.kept.restore(rows, x);
                report.status = status;
                return (least, passes);
            }
            if vain > 0 {
                self.accelerate(&rows.problem.v_bias);
            }
            rows.problem.v_bias.copy_from_slice(&self.next_bias);
            let again = solver.resolve(&rows.problem, x, &mut ());
            report.iterations += again.iterations;
            report.factorizations += again.factorizations;
            report.residuals = again.residuals;
            report.status = again.status;
            passes += 1;
        }
    }

    /// Replace the biases of the next pass by those which the passes so far let expect to close.
    fn accelerate(&mut self, bias: &[f64]) {
        self.step.clear();
        let next = self.next_bias.iter().zip(bias);
        self.step.extend(next.map(|(n, b)| n - b));
        self.secant.accelerate(&mut self.next_bias, &self.step);
    }
}
