//! One solver on one problem, timed, and judged from outside.

use crate::spread::Spread;
use linkwork_solve::{
    ContactModel, Measures, Observer, Problem, Solution, SolveReport, SolverEntry, SolverSettings,
    Status, relative_residual, residuals,
};
use serde::Serialize;
use std::borrow::Cow;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// Solves shorter than this are repeated, s.
const SHORT: f64 = 5e-3;
/// How often a short solve is run.
const RUNS: usize = 3;
/// Most points of a history.
const HISTORY: usize = 60;

/// Text for a problem that a solver does not support.
pub const UNSUPPORTED: &str = "unsupported";

/// The conditions under which every solver is tried.
#[derive(Clone, Copy, Debug)]
pub struct Trial {
    settings: SolverSettings,
    /// Residual at which a problem counts as solved.
    tolerance: f64,
    absolute: bool,
    limit: Duration,
    reduced: bool,
}

/// What came of a trial.
#[derive(Clone, Debug)]
pub struct Judgement {
    /// The solver's own status, or [`UNSUPPORTED`].
    pub claimed: &'static str,
    /// Whether the recomputed residual meets the tolerance.
    pub solved: bool,
    /// The report of the solver; `None` if it does not support the problem.
    pub effort: Option<Effort>,
    /// Why it cannot.
    pub reason: Option<String>,
}

/// Cost and result of a solve. Residuals are recomputed outside the solver, in the units of the solve.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Effort {
    /// Scaled natural map, as impulse or velocity, the larger.
    pub residual_scaled: f64,
    /// Natural map with one step for all rows, relative to the free velocity.
    pub residual_rel: f64,
    /// Natural map with unit step.
    pub residual_unit: f64,
    /// The deciding residual, but always under the exact law.
    pub residual_ncp: f64,
    /// The papers' measures.
    #[serde(flatten)]
    pub measures: Measures,
    /// Whether the stopping test of the paper held, for solvers that stop on one.
    pub own_test: Option<bool>,
    /// Iterations.
    pub iterations: usize,
    /// Factorisations.
    pub factorizations: usize,
    /// Wall time, ms: the minimum of several runs for short solves.
    pub wall_ms: f64,
}

impl Effort {
    /// The residual that decides whether a problem is solved.
    pub fn judged(&self, absolute: bool) -> f64 {
        match absolute {
            true => self.residual_scaled,
            false => self.residual_rel,
        }
    }
}

impl Judgement {
    /// Claimed converged, but the recomputed residual is above the tolerance.
    pub fn is_false(&self) -> bool {
        self.claimed == claim(Status::Converged) && !self.solved
    }
}

/// A status in the words of the comparison: only the clock interrupts here.
pub fn claim(status: Status) -> &'static str {
    match status {
        Status::Interrupted => "time limit",
        other => other.name(),
    }
}

impl Trial {
    /// Solve to `tolerance` within `limit_s` seconds of wall time: with `absolute` in N s and m/s, else
    /// in the problem's own units, relative to the free velocity.
    ///
    /// In a problem's own units the judge is the natural map with one step for all rows, and the
    /// solver's goal the one with a step for each block. For the map F_γ with step γ, ‖F_γ‖ grows and
    /// ‖F_γ‖/γ shrinks with γ, so that in 2-norm and for either size of block step the solver's larger
    /// residual, as impulse or velocity, bounds the judge's. The residuals are ∞-norms: a block of
    /// three rows may differ by √3, by which the solver's goal is lower.
    pub fn new(tolerance: f64, absolute: bool, limit_s: f64, max_iterations: usize) -> Self {
        let margin = if absolute { 1.0 } else { 3f64.sqrt() };
        Self {
            settings: SolverSettings {
                tolerance: tolerance / margin,
                max_iterations,
            },
            tolerance,
            absolute,
            limit: Duration::try_from_secs_f64(limit_s).unwrap_or(Duration::MAX),
            reduced: false,
        }
    }

    /// Whether solvers work on the problems without their joints.
    pub fn reduced(mut self, reduced: bool) -> Self {
        self.reduced = reduced;
        self
    }

    /// The problem in the units it is solved in.
    pub fn prepare<'a>(&self, problem: &'a Problem) -> Cow<'a, Problem> {
        match self.absolute {
            true => Cow::Borrowed(problem),
            false => Cow::Owned(problem.normalised().0),
        }
    }

    /// Try a solver on a prepared problem from `guess`; an empty guess is a cold start.
    pub fn run(&self, problem: &Problem, guess: &[f64], entry: &SolverEntry) -> Judgement {
        let solver = entry.make(self.settings, self.reduced);
        if let Err(unsupported) = solver.supports(problem) {
            return Judgement {
                claimed: UNSUPPORTED,
                solved: false,
                effort: None,
                reason: Some(unsupported.reason),
            };
        }
        let (x, (report, own_test), mut wall) = self.solve(problem, guess, entry, &mut |_, _| {});
        let mut runs = 1;
        while wall < SHORT && runs < RUNS {
            let again = self.solve(problem, guess, entry, &mut |_, _| {}).2;
            wall = wall.min(again);
            runs += 1;
        }
        let (judged, relative) = self.judge(problem, &x, solver.model());
        let exact = self.judge(problem, &x, ContactModel::Ncp);
        let effort = Effort {
            residual_scaled: judged.scaled(),
            residual_rel: relative,
            residual_unit: judged.natural_unit,
            residual_ncp: if self.absolute {
                exact.0.scaled()
            } else {
                exact.1
            },
            measures: Measures::of(problem, &x.lambda),
            own_test,
            iterations: report.iterations,
            factorizations: report.factorizations,
            wall_ms: 1e3 * wall,
        };
        Judgement {
            claimed: claim(report.status),
            solved: effort.judged(self.absolute) <= self.tolerance,
            effort: Some(effort),
            reason: None,
        }
    }

    /// (wall time in s, residual) over a solve of its own: the solver's estimates at iterations spread
    /// over it, and the recomputed residual at its end. Empty where the problem is not supported.
    pub fn history(
        &self,
        problem: &Problem,
        guess: &[f64],
        entry: &SolverEntry,
    ) -> Vec<(f64, f64)> {
        let solver = entry.make(self.settings, self.reduced);
        if solver.supports(problem).is_err() {
            return Vec::new();
        }
        let mut kept = Spread::new(HISTORY);
        let note = &mut |wall: f64, residual: f64| kept.offer(|| (wall, residual));
        let (x, _, wall) = self.solve(problem, guess, entry, note);
        let mut history = kept.into_items();
        let (judged, relative) = self.judge(problem, &x, solver.model());
        let end = if self.absolute {
            judged.scaled()
        } else {
            relative
        };
        history.push((wall, end));
        // JSON has no NaN, and a NaN residual contains no information.
        history.retain(|point| point.1.is_finite());
        history
    }

    fn judge(
        &self,
        problem: &Problem,
        x: &Solution,
        model: ContactModel,
    ) -> (linkwork_solve::Residuals, f64) {
        let relative = relative_residual(problem, &x.lambda, model);
        (residuals(problem, x, model), relative)
    }

    /// Solves with a fresh solver, so that data kept between solves cannot help. Returns the answer, the report with
    /// the solver's own test, and the wall time in s.
    fn solve(
        &self,
        problem: &Problem,
        guess: &[f64],
        entry: &SolverEntry,
        note: &mut dyn FnMut(f64, f64),
    ) -> (Solution, (SolveReport, Option<bool>), f64) {
        let mut solver = entry.make(self.settings, self.reduced);
        let mut x = Solution {
            lambda: guess.to_vec(),
            ..Solution::default()
        };
        let start = Instant::now();
        let mut clock = Clock {
            start,
            limit: self.limit,
            note,
        };
        let report = solver.solve(problem, &mut x, &mut clock);
        let wall = start.elapsed().as_secs_f64();
        (x, (report, solver.own_test()), wall)
    }
}

/// Stops a solve at the time limit, and reports every iteration.
struct Clock<'a> {
    start: Instant,
    limit: Duration,
    note: &'a mut dyn FnMut(f64, f64),
}

impl Observer for Clock<'_> {
    fn iteration(&mut self, _: usize, residual: f64) -> ControlFlow<()> {
        let elapsed = self.start.elapsed();
        (self.note)(elapsed.as_secs_f64(), residual);
        if elapsed < self.limit {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    }
}
