//! One solver on one problem, from a cold start, timed and judged.

use super::outcome::{Effort, Outcome, UNSUPPORTED, claim};
use crate::args::SolveArgs;
use linkwork_solve::{
    Observer, Problem, Solution, SolveReport, Solver, SolverEntry, SolverSettings,
    relative_residual, residuals,
};
use std::borrow::Cow;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// Solves shorter than this are repeated, s.
const SHORT: f64 = 5e-3;
/// How often a short solve is run.
const RUNS: usize = 3;

/// The conditions under which every solver is tried.
pub struct Trial {
    settings: SolverSettings,
    /// Residual at which a problem counts as solved.
    tolerance: f64,
    absolute: bool,
    limit: Duration,
}

impl Trial {
    /// As the command line has it.
    ///
    /// In a problem's own units the judge is the natural map with one step for all rows, and the
    /// solver's goal the one with a step for each block. For the map F_γ with step γ, ‖F_γ‖ grows and
    /// ‖F_γ‖/γ shrinks with γ, so that in 2-norm and for either size of block step the solver's larger
    /// residual, as impulse or velocity, bounds the judge's. The residuals are ∞-norms: a block of
    /// three rows may differ by √3, by which the solver's goal is lower.
    pub fn new(args: &SolveArgs) -> Self {
        let margin = if args.absolute { 1.0 } else { 3f64.sqrt() };
        Self {
            settings: SolverSettings {
                tolerance: args.tolerance / margin,
                max_iterations: args.max_iterations as usize,
            },
            tolerance: args.tolerance,
            absolute: args.absolute,
            limit: Duration::try_from_secs_f64(args.limit).unwrap_or(Duration::MAX),
        }
    }

    /// The problem in the units it is solved in.
    pub fn prepare<'a>(&self, problem: &'a Problem) -> Cow<'a, Problem> {
        match self.absolute {
            true => Cow::Borrowed(problem),
            false => Cow::Owned(problem.normalised().0),
        }
    }

    /// Try a solver on a prepared problem called `name`.
    pub fn run(&self, name: &str, problem: &Problem, entry: &SolverEntry) -> Outcome {
        let mut outcome = Outcome {
            problem: name.to_owned(),
            solver: entry.name,
            tolerance: self.tolerance,
            claimed: UNSUPPORTED,
            solved: false,
            effort: None,
            rows: problem.rows(),
            contacts: problem.sets.contacts(),
            reason: None,
        };
        let mut solver = (entry.build)(self.settings);
        if let Err(unsupported) = solver.supports(problem) {
            outcome.reason = Some(unsupported.reason);
            return outcome;
        }
        let (x, report, mut wall) = self.solve(&mut *solver, problem);
        let mut runs = 1;
        while wall < SHORT && runs < RUNS {
            // A fresh solver: what it keeps between solves must not help.
            let again = self.solve(&mut *(entry.build)(self.settings), problem).2;
            wall = wall.min(again);
            runs += 1;
        }
        let judged = residuals(problem, &x, solver.model());
        let effort = Effort {
            residual_scaled: judged.scaled(),
            residual_rel: relative_residual(problem, &x.lambda, solver.model()),
            residual_unit: judged.natural_unit,
            iterations: report.iterations,
            factorizations: report.factorizations,
            wall_ms: 1e3 * wall,
        };
        outcome.claimed = claim(report.status);
        outcome.solved = effort.judged(self.absolute) <= self.tolerance;
        outcome.effort = Some(effort);
        outcome
    }

    /// Solve from λ = 0; the answer, the report and the wall time in s.
    fn solve(&self, solver: &mut dyn Solver, problem: &Problem) -> (Solution, SolveReport, f64) {
        let mut x = Solution::default();
        let start = Instant::now();
        let mut clock = Clock {
            start,
            limit: self.limit,
        };
        let report = solver.solve(problem, &mut x, &mut clock);
        (x, report, start.elapsed().as_secs_f64())
    }
}

/// Stops a solve at the time limit.
struct Clock {
    start: Instant,
    limit: Duration,
}

impl Observer for Clock {
    fn iteration(&mut self, _: usize, _: f64) -> ControlFlow<()> {
        if self.start.elapsed() < self.limit {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    }
}
