//! Bursts of ADMM, polished by the proximal Newton method of [`super::newton`].
//!
//! Newton reaches round-off in a handful of factorisations but finds the active set only from nearby; ADMM
//! gets near anything cheaply and then crawls. So they take turns on the same λ: a burst of ADMM, then
//! Newton passes for as long as they succeed. Where Newton gets stuck, ADMM goes on from where it was, in
//! longer bursts, and Newton may next time work harder (larger δ) before it gives up. None of the papers
//! has it.

use super::admm::{Admm, AdmmSettings};
use super::direct::DirectCore;
use super::ends::{Counts, Grader};
use super::newton::{Effort, NewtonCore, PassEnd};
use super::{Observer, Solver, SolverSettings, Unsupported};
use crate::delassus::OperatorChoice;
use crate::problem::{Problem, Solution, SolveReport, Status};
use crate::residuals::ContactModel;

/// Least δ, and the greatest in the first and in the last rounds.
const NEAR_PROXIMAL: f64 = 1e-6;
const LEAST_PROXIMAL: f64 = 1e-11;
const FIRST_REACH: f64 = 1e-3;
const LAST_REACH: f64 = 10.0;
/// Newton steps in one pass while δ is small, and beyond.
const QUICK_STEPS: usize = 8;
const PATIENT_STEPS: usize = 20;
/// Iterations of the first and of the longest burst of ADMM.
const FIRST_BURST: usize = 25;
const MAX_BURST: usize = 400;
/// Scaled residual below which a guess is worth polishing at once.
const SMALL: f64 = 1e-3;
/// Passes and bursts without gain before it gives up, and Newton passes that succeed and gain nothing.
const VAIN_LIMIT: usize = 300;
const FLAT_LIMIT: usize = 12;

/// The solver; see the module documentation.
pub struct Hybrid {
    settings: SolverSettings,
    direct: DirectCore,
    admm: Admm,
    newton: NewtonCore,
    grader: Grader,
}

impl Hybrid {
    /// With the given settings.
    pub fn new(settings: SolverSettings) -> Self {
        let admm = AdmmSettings {
            common: settings,
            ..AdmmSettings::default()
        };
        Self {
            settings,
            direct: DirectCore::new(OperatorChoice::Auto),
            admm: Admm::new(admm),
            newton: NewtonCore::default(),
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
        // A guess that is nearly right goes straight to Newton.
        let mut turn = if least < SMALL {
            Turn::Newton
        } else {
            Turn::Admm
        };
        let (mut delta, mut reach, mut burst) = (FIRST_REACH, FIRST_REACH, FIRST_BURST);
        // Whether ADMM goes on where it was: unless Newton has moved λᵏ since.
        let mut resume = false;
        let (mut vain, mut flat) = (0, 0);
        let mut iterate = Solution::default();
        while least > tolerance {
            if count.iterations >= max_iterations {
                return (Status::IterationLimit, count);
            }
            if vain == VAIN_LIMIT || flat == FLAT_LIMIT {
                return (Status::Stalled, count);
            }
            let before = least;
            let mut end = PassEnd::Stuck;
            match turn {
                Turn::Newton => {
                    let effort = Effort {
                        delta,
                        goal: 0.3 * tolerance.max(1e-3 * least),
                        steps: if vain > 4 { PATIENT_STEPS } else { QUICK_STEPS },
                    };
                    end = self.newton.pass(problem, effort, &mut count, observer);
                    // Small δ gains more a pass, large δ is easier.
                    if end == PassEnd::Done {
                        resume = false;
                        delta = (0.1 * delta).max(if flat > 1 {
                            LEAST_PROXIMAL
                        } else {
                            NEAR_PROXIMAL
                        });
                    } else if delta < 0.99 * reach {
                        delta *= 10.0;
                    } else {
                        turn = Turn::Admm;
                        reach = (10.0 * reach).min(LAST_REACH);
                    }
                }
                Turn::Admm => {
                    let left = max_iterations - count.iterations;
                    iterate.lambda.clone_from(&self.newton.centre);
                    let limit = burst.min(left);
                    let report = self
                        .admm
                        .burst(problem, &mut iterate, observer, limit, resume);
                    if report.status == Status::Interrupted {
                        end = PassEnd::Interrupted;
                    }
                    count.iterations += report.iterations;
                    count.factorizations += report.factorizations;
                    self.newton.centre.clone_from(&iterate.lambda);
                    resume = true;
                    burst = (2 * burst).min(MAX_BURST);
                    turn = Turn::Newton;
                    delta = FIRST_REACH;
                }
            }
            let size = self.newton.measure(problem);
            if size < least {
                least = size;
                x.lambda.clone_from(&self.newton.centre);
            }
            if end == PassEnd::Interrupted {
                return (Status::Interrupted, count);
            }
            vain = if least < 0.5 * before { 0 } else { vain + 1 };
            // Newton solves its equations and the residual stays: rows that contradict each other.
            let idle = end == PassEnd::Done && size > 0.8 * before;
            flat = if idle { flat + 1 } else { 0 };
        }
        (Status::Converged, count)
    }
}

/// Whose turn it is.
#[derive(Clone, Copy)]
enum Turn {
    Newton,
    Admm,
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
