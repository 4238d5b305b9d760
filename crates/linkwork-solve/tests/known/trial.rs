//! One solver on one problem, held to what every solver promises.

use linkwork_solve::*;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// What a solver made of a problem.
pub struct Trial {
    pub x: Solution,
    pub report: SolveReport,
    pub model: ContactModel,
}

impl Trial {
    pub fn converged(&self) -> bool {
        self.report.status == Status::Converged
    }
}

/// Stops a solve at a given time, and counts how often it was asked to stop.
struct Deadline {
    at: Instant,
    breaks: usize,
}

impl Observer for Deadline {
    fn iteration(&mut self, _: usize, _: f64) -> ControlFlow<()> {
        if self.breaks == 0 && Instant::now() < self.at {
            return ControlFlow::Continue(());
        }
        self.breaks += 1;
        ControlFlow::Break(())
    }
}

/// Solve from no guess; `None` where the solver refuses the problem, which it must explain.
///
/// Panics if the status is not honest: converged exactly where the recomputed residuals meet the
/// tolerance, interrupted only where it was, and residuals reported as they are.
pub fn attempt(
    entry: &SolverEntry,
    problem: &Problem,
    settings: SolverSettings,
    limit: Duration,
) -> Option<Trial> {
    let name = entry.name;
    let mut solver = (entry.build)(settings);
    if let Err(refusal) = solver.supports(problem) {
        assert!(refusal.solver == name && !refusal.reason.is_empty());
        return None;
    }
    let mut deadline = Deadline {
        at: Instant::now() + limit,
        breaks: 0,
    };
    let mut x = Solution::default();
    let report = solver.solve(problem, &mut x, &mut deadline);
    assert!(
        deadline.breaks <= 1,
        "{name} went on after it was told to end"
    );
    assert_eq!(x.lambda.len(), problem.rows(), "{name}");
    let model = solver.model();
    let seen = residuals(problem, &x, model);
    let claim = report.status == Status::Converged;
    assert_eq!(
        claim,
        seen.meets(settings.tolerance),
        "{name} ended as {} at {seen:?}",
        report.status
    );
    let (told, seen) = (report.residuals.scaled(), seen.scaled());
    // Written so that NaN, which a failed solve may well report, equals NaN.
    assert!(
        told == seen || (told - seen).abs() <= 1e-9 * seen || told.is_nan() && seen.is_nan(),
        "{name} reports {told}, left {seen}"
    );
    if report.status == Status::Interrupted {
        assert_eq!(deadline.breaks, 1, "{name} was not interrupted");
    }
    Some(Trial { x, report, model })
}
