//! The passes: chord iteration, and Anderson acceleration if it does not contract.

use super::{Closure, Violation, tolerance};
use crate::integrate::Motion;
use crate::math::Pose;
use crate::rows::Rows;
use linkwork_solve::{Solution, SolveReport, Solver, Status};

/// A pass contracts if the remaining violation is below this share of the previous one.
const CONTRACTS: f64 = 0.7;
/// Number of passes without contraction after which refinement stops.
const MAX_VAIN: usize = 6;
/// Passes that the acceleration remembers.
pub(super) const SECANTS: usize = 5;

/// What came out of the passes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Refined {
    /// Violation left.
    pub violation: Violation,
    /// Number of passes.
    pub passes: usize,
    /// Whether the joints are closed.
    pub closed: bool,
}

/// A pass: its biases, its solution and where that leads.
#[derive(Clone, Debug, Default)]
pub(super) struct Kept {
    bias: Vec<f64>,
    lambda: Vec<f64>,
    u_plus: Vec<f64>,
    sigma: Vec<f64>,
    end: Vec<f64>,
    end_poses: Vec<Pose>,
}

impl Closure {
    /// Iterates until the joints are closed; returns the remaining violation and adds to the report.
    ///
    /// If the chord iteration does not contract, as in a step across a singular configuration (where a few directions
    /// reverse within the step), it continues with Anderson acceleration, which is a secant method in these directions.
    /// Each row may be left open by its tolerance, and these errors add up along a chain of bodies. They also add up in
    /// redundant rows: those follow from the others, and no impulse closes them better. Passes that no longer contract
    /// within that have reached the accuracy limit of the mechanism, and the joints count as closed.
    pub fn refine(
        &mut self,
        motion: &Motion,
        rows: &mut Rows,
        solver: &mut dyn Solver,
        x: &mut Solution,
        report: &mut SolveReport,
    ) -> Refined {
        let settings = motion.settings;
        let locked = motion.model.locked_rows() as f64;
        let floor = locked * tolerance(motion, rows.problem.dt);
        let mut passes = 0;
        let mut least = Violation {
            change: f64::INFINITY,
            ..Violation::default()
        };
        let mut status = report.status;
        let mut vain = 0;
        loop {
            let violation = self.evaluate(motion, rows, x);
            let contracts = violation.change < CONTRACTS * least.change;
            let better = violation.change < least.change;
            let closed = violation.open <= 1.0;
            let lost = report.status == Status::NumericalFailure || violation.change.is_nan();
            // Secants through solves that failed lead anywhere.
            let solved = report.status.is_solved() || solver.met_contradictions();
            let astray = !contracts && !solved;
            let at_floor = !contracts && least.change <= floor;
            // A pass that the solver considered solved already would be followed by the same.
            let idle = passes > 0 && !better && self.kept.u_plus == x.u_plus;
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
                    self.keep(rows, x);
                }
            }
            let ends = closed || lost || astray || at_floor || idle;
            if ends || vain > MAX_VAIN || passes == settings.closure.max_passes {
                // Nothing is kept if the first solution was not finite.
                if !better && least.change.is_finite() {
                    self.restore(rows, x);
                    report.status = status;
                }
                let violation = if least.change.is_finite() {
                    least
                } else {
                    violation
                };
                return Refined {
                    violation,
                    passes,
                    closed: violation.open <= 1.0 || violation.change <= floor,
                };
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

    /// Replaces the biases of the next pass by those that are expected to close, based on the passes so far.
    fn accelerate(&mut self, bias: &[f64]) {
        self.step.clear();
        let next = self.next_bias.iter().zip(bias);
        self.step.extend(next.map(|(n, b)| n - b));
        self.secant.accelerate(&mut self.next_bias, &self.step);
    }

    /// Keep this pass.
    fn keep(&mut self, rows: &Rows, x: &Solution) {
        let kept = &mut self.kept;
        kept.bias.clone_from(&rows.problem.v_bias);
        kept.lambda.clone_from(&x.lambda);
        kept.u_plus.clone_from(&x.u_plus);
        kept.sigma.clone_from(&x.sigma);
        kept.end.clone_from(&self.end);
        kept.end_poses.clone_from(&self.end_poses);
    }

    /// Return to the pass kept.
    fn restore(&mut self, rows: &mut Rows, x: &mut Solution) {
        let kept = &self.kept;
        rows.problem.v_bias.copy_from_slice(&kept.bias);
        x.lambda.copy_from_slice(&kept.lambda);
        x.u_plus.copy_from_slice(&kept.u_plus);
        x.sigma.copy_from_slice(&kept.sigma);
        self.end.copy_from_slice(&kept.end);
        self.end_poses.copy_from_slice(&kept.end_poses);
        self.end_places.clear();
    }
}
