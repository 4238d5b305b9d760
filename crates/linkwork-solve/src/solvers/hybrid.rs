//! Bursts of ADMM, polished by the proximal Newton method of [`super::newton`].
//!
//! Newton reaches round-off in a handful of factorisations but finds the active set only from nearby; ADMM
//! gets near anything cheaply and then crawls. So they take turns on the same λ: a burst of ADMM, then
//! Newton passes for as long as they succeed. Where Newton gets stuck, ADMM goes on from where it was, in
//! longer bursts, and Newton may next time work harder (larger δ) before it gives up. None of the papers
//! has it.
//!
//! A guess can lead to a corner that neither leaves (flat feet on a floor, where the impulses of the step
//! before belong to another distribution), and soft loops under contact are beyond any δ. When all that
//! stalls, the joints are eliminated ([`super::old_condensed`]) and the rest is solved in the same way; if that
//! does not help, ADMM alone starts once more from zero.

mod plan;

use super::admm::{Admm, AdmmSettings};
use super::direct::DirectCore;
use super::ends::{Counts, Grader};
use super::newton::{NewtonCore, PassEnd, is_idle};
use super::old_condensed::{self, Condensed};
use super::{Observer, PenaltyRule, Solver, SolverSettings, Unsupported};
use crate::delassus::OperatorChoice;
use crate::problem::{Problem, Solution, SolveReport, Status};
use crate::residuals::ContactModel;
use plan::{Plan, Turn};

/// Turns without gain before it gives up; fewer where joints take part, for in a redundant loop they
/// contradict each other by the round-off of their closure, and no patience helps.
const VAIN_LIMIT: usize = 300;
const JOINTED_LIMIT: usize = 80;
/// Turns without gain after which it is worth while to eliminate the joints.
const SOFT_LIMIT: usize = 10;
/// The same where few rows would remain.
const FEW_LIMIT: usize = 3;
const FEW_ROWS: usize = 40;
/// How often a row of passes that gain nothing may send it back to ADMM, where joints take part.
const FLAT_ROUNDS: usize = 4;
/// Solves of the problem without joints, each about the last: the first is off by the errors of S.
const CONDENSED_PASSES: usize = 6;

/// Iterations of the last resort: a solve that fails must end too.
const LAST_ITERATIONS: usize = 5000;

/// The solver; see the module documentation.
pub struct Hybrid {
    settings: SolverSettings,
    direct: DirectCore,
    admm: Admm,
    newton: NewtonCore,
    /// The problem without its joints, where the two stall.
    condensed: Condensed,
    /// Starts afresh where that stalls too.
    last_resort: Admm,
    /// The answer of a burst of ADMM.
    iterate: Solution,
    grader: Grader,
}

impl Hybrid {
    /// With the given settings.
    pub fn new(settings: SolverSettings) -> Self {
        // Short bursts, often from a warm start: stiffer and with less to remember than ADMM alone.
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
            condensed: Condensed::default(),
            last_resort: Admm::new(AdmmSettings {
                common: SolverSettings {
                    max_iterations: settings.max_iterations.min(LAST_ITERATIONS),
                    ..settings
                },
                ..AdmmSettings::default()
            }),
            iterate: Solution::default(),
            grader: Grader::default(),
        }
    }

    fn run(
        &mut self,
        problem: &Problem,
        x: &mut Solution,
        (patience, tolerance): (usize, f64),
        observer: &mut dyn Observer,
    ) -> (Status, Counts) {
        let max_iterations = self.settings.max_iterations;
        let mut count = Counts::default();
        self.admm.restart();
        let mut least = self.newton.start(problem, x);
        let mut plan = Plan::new(least);
        let jointed = problem.sets.iter().any(|(set, _)| set.is_free());
        while least > tolerance {
            if count.iterations >= max_iterations {
                return (Status::IterationLimit, count);
            }
            if plan.vain == patience || (jointed && plan.given_up >= FLAT_ROUNDS) {
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
        (Status::Converged, count)
    }

    /// Solve for contacts, limits and friction with the joints eliminated, from the guess in `x`; the best
    /// answer stays in `x`.
    fn without_joints(
        &mut self,
        problem: &Problem,
        x: &mut Solution,
        count: &mut Counts,
        observer: &mut dyn Observer,
    ) -> Option<Status> {
        let tolerance = self.settings.tolerance;
        // Its rows have weights of their own, and the joints take their part of the tolerance.
        let share = 0.1 * tolerance;
        let rows = old_condensed::rows(problem, false);
        let mut trial = x.clone();
        for _ in 0..CONDENSED_PASSES {
            self.condensed.centre(problem, &mut trial, tolerance)?;
            let none = Counts::default();
            let status = Status::Stalled;
            let ncp = ContactModel::Ncp;
            let report = self
                .grader
                .report(problem, &mut trial, ncp, tolerance, status, none);
            if report.status == Status::Converged {
                *x = trial;
                return Some(Status::Converged);
            }
            let small = self.condensed.problem.take()?;
            self.iterate.lambda.clear();
            self.iterate
                .lambda
                .extend(rows.iter().map(|&r| trial.lambda[r]));
            let mut answer = std::mem::take(&mut self.iterate);
            let (status, cost) = self.run(&small, &mut answer, (VAIN_LIMIT, share), observer);
            self.condensed.problem = Some(small);
            count.iterations += cost.iterations;
            count.factorizations += cost.factorizations;
            for (&row, lambda) in rows.iter().zip(&answer.lambda) {
                trial.lambda[row] = *lambda;
            }
            self.iterate = answer;
            if status == Status::Interrupted {
                return Some(status);
            }
            if status == Status::Converged && cost.iterations == 0 {
                // Nothing is left to do here: what is open are joints that contradict each other.
                *x = trial;
                return Some(Status::Stalled);
            }
        }
        None
    }

    /// ADMM from zero; its answer is taken if it is one.
    fn start_afresh(
        &mut self,
        problem: &Problem,
        x: &mut Solution,
        count: &mut Counts,
        observer: &mut dyn Observer,
    ) -> Status {
        self.iterate.lambda.clear();
        let report = self.last_resort.solve(problem, &mut self.iterate, observer);
        count.iterations += report.iterations;
        count.factorizations += report.factorizations;
        match report.status {
            Status::Converged => {
                x.lambda.clone_from(&self.iterate.lambda);
                Status::Converged
            }
            Status::Interrupted => Status::Interrupted,
            _ => Status::Stalled,
        }
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

    fn solve(
        &mut self,
        problem: &Problem,
        x: &mut Solution,
        observer: &mut dyn Observer,
    ) -> SolveReport {
        if problem.sets.all_free() {
            return self.direct.solve(problem, x, self.settings.tolerance);
        }
        let tolerance = self.settings.tolerance;
        let jointed = problem.sets.iter().any(|(set, _)| set.is_free());
        self.condensed.problem = None;
        let constrained = problem.sets.iter().filter(|(set, _)| !set.is_free());
        let patience = match constrained.map(|(_, rows)| rows.len()).sum() {
            _ if !jointed => VAIN_LIMIT,
            0..FEW_ROWS => FEW_LIMIT,
            _ => SOFT_LIMIT,
        };
        let (mut status, mut count) = self.run(problem, x, (patience, tolerance), observer);
        let mut found = None;
        if status == Status::Stalled && self.condensed.make(problem).is_some() {
            found = self.without_joints(problem, x, &mut count, observer);
            status = found.unwrap_or(status);
        }
        if found.is_none() && status == Status::Stalled && jointed {
            let (end, cost) = self.run(problem, x, (JOINTED_LIMIT, tolerance), observer);
            status = end;
            count.iterations += cost.iterations;
            count.factorizations += cost.factorizations;
        }
        if found.is_none() && status == Status::Stalled {
            status = self.start_afresh(problem, x, &mut count, observer);
        }
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
        // Without its joints the last problem was solved: only v* has changed.
        if self.condensed.problem.is_some() && x.lambda.len() == problem.rows() {
            let mut count = Counts::default();
            let found = self.without_joints(problem, x, &mut count, observer);
            if let Some(status) = found {
                let (model, tolerance) = (ContactModel::Ncp, self.settings.tolerance);
                return self
                    .grader
                    .report(problem, x, model, tolerance, status, count);
            }
        }
        self.solve(problem, x, observer)
    }
}
