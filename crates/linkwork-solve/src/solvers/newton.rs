//! Proximal semismooth Newton on the exact contact law [math.md §5].
//!
//! Around the multiplier λᵏ with σᵏ = σ(λᵏ), the impulse of every block after a change d of the velocities is a
//! function of τ = λᵏ − (σᵏ + J d)/(R + ε), ε = δ w with the block weight w
//! ([`ImpulseSet::respond`](crate::ImpulseSet::respond)). A contact follows Alart-Curnier: λ_N = max(0, τ_N), and λ_T
//! is nearest to τ_T in the disk of radius μ λ_N. At a fixed point λ = λᵏ this is exactly Signorini-Coulomb with
//! compliance R, without a De Saxcé shift. A pass solves F(d) = M d − Jᵀ (λ(d) − λᵏ) = 0 by Newton with the generalised
//! Jacobian M + Jᵀ G J, G = −∂λ/∂v, which is not symmetric where contacts slide, and a line search for a zero of pᵀF
//! along the step p; then λᵏ ← λ(d). This is a proximal-point iteration that reduces the error by the factor δ/(δ + d)
//! per pass, d an eigenvalue of the scaled D. Large δ makes a pass easy, small δ makes it reduce the error more. δ
//! falls after a successful pass and rises after a failed one, which globalises the method. Because F is written in the
//! change d, round-off is relative to the change, and passes improve the answer down to the precision of σ.

mod core;
mod rows;
mod space;
#[cfg(test)]
mod tests;

pub(super) use core::{Effort, NewtonCore, PassEnd};

use super::direct::DirectCore;
use super::ends::{Counts, Grader};
use super::{Observer, Solver, SolverSettings, Unsupported};
use crate::delassus::OperatorChoice;
use crate::problem::{Problem, Solution, SolveReport, Status};
use crate::residuals::ContactModel;
use crate::sets::Friction;

/// Accuracy of a pass, relative to the residual at its start.
const PASS_SHARE: f64 = 0.1;

/// Settings of the proximal Newton method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NewtonSettings {
    /// Tolerance and iteration limit; an iteration is a Newton step.
    pub common: SolverSettings,
    /// Least and greatest δ, relative to the block weights; nominal 1e-8 … 1e3.
    pub proximal: (f64, f64),
    /// δ of the first pass.
    pub first_proximal: f64,
    /// Newton steps in one pass; nominal 5 … 50.
    pub steps: usize,
    /// Passes without gain after which it gives up.
    pub patience: usize,
}

impl Default for NewtonSettings {
    fn default() -> Self {
        Self {
            common: SolverSettings::default(),
            proximal: (1e-6, 10.0),
            first_proximal: 1.0,
            steps: 20,
            patience: 40,
        }
    }
}

/// The solver; see the module documentation.
pub struct Newton {
    settings: NewtonSettings,
    direct: DirectCore,
    core: NewtonCore,
    grader: Grader,
}

impl Newton {
    /// With the given settings.
    pub fn new(settings: NewtonSettings) -> Self {
        Self {
            settings,
            direct: DirectCore::new(OperatorChoice::Auto),
            core: NewtonCore::default(),
            grader: Grader::default(),
        }
    }

    fn run(
        &mut self,
        problem: &Problem,
        x: &mut Solution,
        observer: &mut dyn Observer,
    ) -> (Status, Counts) {
        let s = self.settings;
        let tolerance = s.common.tolerance;
        let mut count = Counts::default();
        let mut least = self.core.start(problem, x);
        let (mut delta, mut idle) = (s.first_proximal, 0);
        while least > tolerance {
            if count.iterations >= s.common.max_iterations {
                return (Status::IterationLimit, count);
            }
            if idle == s.patience {
                return (Status::Stalled, count);
            }
            let effort = Effort {
                delta,
                goal: 0.3 * tolerance.max(PASS_SHARE * least),
                steps: s.steps,
                friction: Friction::Exact,
                patient: true,
            };
            let end = self.core.pass(problem, effort, &mut count, observer);
            if end == PassEnd::Interrupted {
                return (Status::Interrupted, count);
            }
            delta *= match end {
                PassEnd::Done => 0.1,
                PassEnd::Better => 1.0,
                _ => 10.0,
            };
            delta = delta.clamp(s.proximal.0, s.proximal.1);
            let mut size = self.core.measure(problem);
            if end == PassEnd::Done && is_idle(size, least) {
                size = self.core.stride(problem);
            }
            idle = if size < 0.9 * least { 0 } else { idle + 1 };
            if size < least {
                least = size;
                x.lambda.clone_from(&self.core.centre);
            }
            if size.is_nan() {
                return (Status::NumericalFailure, count);
            }
        }
        if least.is_nan() {
            return (Status::NumericalFailure, count);
        }
        (Status::Converged, count)
    }
}

/// Whether a pass has not reduced the residual.
pub(super) fn is_idle(size: f64, before: f64) -> bool {
    size > 0.8 * before && size < 1.2 * before
}

impl Solver for Newton {
    fn name(&self) -> &'static str {
        "newton"
    }

    fn model(&self) -> ContactModel {
        ContactModel::Ncp
    }

    fn supports(&self, _problem: &Problem) -> Result<(), Unsupported> {
        Ok(())
    }

    fn set_operator(&mut self, operator: OperatorChoice) {
        // What it factors itself is M + JᵀGJ; D only where all rows are free.
        self.direct = DirectCore::new(operator);
    }

    fn solve(
        &mut self,
        problem: &Problem,
        x: &mut Solution,
        observer: &mut dyn Observer,
    ) -> SolveReport {
        let tolerance = self.settings.common.tolerance;
        if problem.sets.all_free() {
            return self.direct.solve(problem, x, tolerance);
        }
        let (status, count) = self.run(problem, x, observer);
        self.grader
            .report(problem, x, ContactModel::Ncp, tolerance, status, count)
    }
}
