//! Bursts of ADMM, refined by the proximal Newton method of [`super::newton`].
//!
//! Newton reaches round-off in a few factorisations but finds the active set only from nearby. ADMM approaches the
//! solution cheaply from any start but then converges slowly. They therefore alternate on the same λ: a burst of ADMM,
//! then Newton passes as long as they succeed. Where Newton fails, ADMM continues from its last iterate in longer
//! bursts, and Newton may use a larger δ next time. The combination is not from a paper.
//!
//! Joints are treated like any other row. Where they are many or redundant, they should be eliminated first:
//! [`super::Condensed`] does so, and passes on large problems without joints (heaps, FCLIB problems).

mod plan;

use super::admm::{Admm, AdmmSettings};
use super::direct::DirectCore;
use super::ends::{Counts, Grader};
use super::newton::{NewtonCore, PassEnd, is_idle};
use super::{Observer, PenaltyRule, Solver, SolverSettings, Unsupported};
use crate::delassus::OperatorChoice;
use crate::problem::{Problem, Solution, SolveReport, Status};
use crate::residuals::ContactModel;
use plan::{Turn, TurnSchedule};

/// Rounds without gain before the solve ends: 40 are too few for two arches of FCLIB and `RockPile_tob1`.
const IDLE_LIMIT: usize = 300;

/// The solver; see the module documentation.
pub struct Hybrid {
    settings: SolverSettings,
    direct: DirectCore,
    admm: Admm,
    newton: NewtonCore,
    /// The answer of a burst of ADMM.
    iterate: Solution,
    grader: Grader,
}

impl Hybrid {
    /// With the given settings.
    pub fn new(settings: SolverSettings) -> Self {
        // Short bursts, often from a warm start: stiffer and with a shorter memory than ADMM alone.
        let admm = AdmmSettings {
            common: settings,
            initial_penalty: 0.1,
            penalty: PenaltyRule::Spectral {
                step: 0.05,
                ratio: 10.0,
            },
            anderson: 5,
            ..AdmmSettings::default()
        };
        Self {
            settings,
            direct: DirectCore::new(OperatorChoice::Auto),
            admm: Admm::new(admm),
            newton: NewtonCore::default(),
            iterate: Solution::default(),
            grader: Grader::default(),
        }
    }

    fn run(
        &mut self,
        problem: &Problem,
        x: &mut Solution,
        observer: &mut dyn Observer,
    ) -> (Status, Counts) {
        let SolverSettings {
            tolerance,
            max_iterations,
        } = self.settings;
        let mut count = Counts::default();
        self.admm.restart();
        let mut least = self.newton.start(problem, x);
        let mut plan = TurnSchedule::new(least);
        while least > tolerance {
            if count.iterations >= max_iterations {
                return (Status::IterationLimit, count);
            }
            if plan.idle == IDLE_LIMIT {
                return (Status::Stalled, count);
            }
            let end = match plan.turn {
                Turn::Admm => {
                    let burst = plan.burst.min(max_iterations - count.iterations);
                    self.admm_burst(problem, burst, plan.resume, &mut count, observer)
                }
                Turn::Newton | Turn::Lagged { .. } => {
                    let effort = plan.effort(tolerance, least);
                    self.newton.pass(problem, effort, &mut count, observer)
                }
            };
            let mut size = self.newton.measure(problem);
            let idle = end == PassEnd::Done && is_idle(size, least);
            if idle && plan.turn == Turn::Newton {
                size = self.newton.stride(problem);
            }
            plan.next(end, size, least);
            if size < least {
                least = size;
                x.lambda.clone_from(&self.newton.centre);
            }
            if end == PassEnd::Interrupted {
                return (Status::Interrupted, count);
            }
        }
        if least.is_nan() {
            return (Status::NumericalFailure, count);
        }
        (Status::Converged, count)
    }

    /// λᵏ ← some iterations of ADMM from it, or from where the last burst ended.
    fn admm_burst(
        &mut self,
        problem: &Problem,
        burst: usize,
        resume: bool,
        count: &mut Counts,
        observer: &mut dyn Observer,
    ) -> PassEnd {
        self.iterate.lambda.clone_from(&self.newton.centre);
        let x = &mut self.iterate;
        let report = self.admm.burst(problem, x, observer, burst, resume);
        count.iterations += report.iterations;
        count.factorizations += report.factorizations;
        self.newton.centre.clone_from(&x.lambda);
        match report.status {
            Status::Interrupted => PassEnd::Interrupted,
            _ => PassEnd::Better,
        }
    }
}

impl Solver for Hybrid {
    fn name(&self) -> &'static str {
        "hybrid"
    }

    fn model(&self) -> ContactModel {
        ContactModel::Ncp
    }

    fn supports(&self, _problem: &Problem) -> Result<(), Unsupported> {
        Ok(())
    }

    fn set_operator(&mut self, operator: OperatorChoice) {
        self.direct = DirectCore::new(operator);
        self.admm.set_operator(operator);
    }

    fn solve(
        &mut self,
        problem: &Problem,
        x: &mut Solution,
        observer: &mut dyn Observer,
    ) -> SolveReport {
        if problem.sets.all_free() {
            return self.direct.solve(problem, x, self.settings.tolerance);
        }
        let (status, count) = self.run(problem, x, observer);
        let tolerance = self.settings.tolerance;
        self.grader
            .report(problem, x, ContactModel::Ncp, tolerance, status, count)
    }

    fn resolve(
        &mut self,
        problem: &Problem,
        x: &mut Solution,
        observer: &mut dyn Observer,
    ) -> SolveReport {
        if problem.sets.all_free() {
            return self.direct.resolve(problem, x, self.settings.tolerance);
        }
        self.solve(problem, x, observer)
    }
}
