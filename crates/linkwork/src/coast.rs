//! What is done when a solve failed and its impulses would tear the mechanism apart.
//!
//! Near a singular configuration (a dead point of a linkage without stops) no small velocity closes the
//! joints to first order: J u = −C/dt then asks for velocities of 1/σ_min, the solve does not converge,
//! and its last iterate would feed energy into the bodies in step after step. J u = 0, without the part
//! that closes, always has a solution, and ideal joints do not drive: the step is solved again so. Open
//! joints are closed by later steps, where that is possible.
//!
//! If that solve fails too, its impulses are shortened to the share that leaves the least kinetic
//! energy: they stay in their cones, the momentum balance stays exact, and they cannot drive. The step
//! is reported as failed either way.

use crate::integrate::Motion;
use crate::math::Twist;
use crate::report::StepReport;
use crate::simulator::Simulator;

/// Constraints that do more work in a failed step than this share of the kinetic energy of the free
/// motion are not trusted.
const MAY_GAIN: f64 = 1e-3;

impl Simulator {
    /// Look at a failed step; if its constraints drive the mechanism, take impulses that do not.
    ///
    /// From rest they may: joints that were never assembled, or contradict each other, are pulled as near
    /// together as they get.
    pub(crate) fn coast_if_driven(&mut self, report: &mut StepReport) {
        let at_rest = self.state.twists.iter().all(|t| *t == Twist::zero());
        if at_rest || !self.is_driven() {
            return;
        }
        let locked = self.model.locked_rows();
        self.rows.problem.v_bias[..locked].fill(0.0);
        self.solution.lambda.clear();
        let solve = self
            .solver
            .solve(&self.rows.problem, &mut self.solution, &mut ());
        report.iterations += solve.iterations;
        report.factorizations += solve.factorizations;
        if self.is_driven() {
            self.shorten();
        }
        report.residuals = self.grade();
        let motion = Motion {
            model: &self.model,
            state: &self.state,
            settings: &self.settings,
            momenta: &self.momenta,
        };
        let violation = self.closure.evaluate(&motion, &self.rows, &self.solution);
        report.closure_linear = violation.linear;
        report.closure_angular = violation.angular;
        report.limit_violation = violation.limit;
    }

    /// Whether joints, limits, friction and contacts do work that they cannot do.
    fn is_driven(&mut self) -> bool {
        let work = self.measure_work();
        let done = [work.joints, work.limits + work.friction, work.contacts];
        let bound = MAY_GAIN * self.free_energy();
        // Work that is not a number is not to be trusted either.
        !done.iter().all(|w| *w <= bound)
    }

    /// Kinetic energy of the free motion, J.
    fn free_energy(&self) -> f64 {
        let (mass, _, u_free) = self.rows.bodies();
        0.5 * mass.product(u_free, u_free)
    }

    /// λ ← α λ with the α in [0, 1] that leaves the least kinetic energy:
    /// α = −u_fᵀ M Δ / Δᵀ M Δ, Δ = u⁺ − u_f.
    fn shorten(&mut self) {
        let (mass, _, u_free) = self.rows.bodies();
        let change: Vec<f64> = self
            .solution
            .u_plus
            .iter()
            .zip(u_free)
            .map(|(u, f)| u - f)
            .collect();
        let least = -mass.product(u_free, &change) / mass.product(&change, &change);
        let share = if least.is_finite() {
            least.clamp(0.0, 1.0)
        } else {
            0.0
        };
        for lambda in &mut self.solution.lambda {
            // Not 0 · λ, which an infinite λ would survive.
            *lambda = if share > 0.0 { share * *lambda } else { 0.0 };
        }
        let mut scratch = Vec::new();
        let (x, problem) = (&mut self.solution, &self.rows.problem);
        problem.velocity(&x.lambda, &mut x.u_plus, &mut scratch);
        problem.sigma(&x.lambda, &mut x.sigma, &mut scratch);
    }
}
