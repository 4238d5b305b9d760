//! Clarabel with an observer.

use crate::residuals::larger;
use crate::solvers::Observer;
use clarabel::solver::{DefaultInfo, DefaultSolver, IPSolver, SolverStatus};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::mpsc::{channel, sync_channel};
use std::thread;

/// Iterations without a halving of the path parameter after which a run is stopped. The parameter falls tenfold per
/// iteration until round-off stops it, and Clarabel itself would continue to its limit.
const PATIENCE: u32 = 8;

/// How a run of Clarabel ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum End {
    /// By itself, with this status.
    Own(SolverStatus),
    /// The observer asked to stop.
    Interrupted,
    /// The iteration limit was reached.
    Limit,
    /// It panicked.
    Failed,
}

/// Solves and reports every interior-point iteration to `observer`, counted from `before` up to `limit`; `unit`
/// converts Clarabel's residuals to velocities or impulses.
///
/// Clarabel's callback must be `'static` and the observer is borrowed, so Clarabel runs on its own thread and waits in
/// every iteration for the decision of this one.
pub(super) fn solve_watched(
    solver: &mut DefaultSolver<f64>,
    observer: &mut dyn Observer,
    (before, limit): (usize, usize),
    unit: f64,
) -> End {
    let (tell, told) = sync_channel(0);
    let (decide, decided) = channel();
    let decided = Mutex::new(decided);
    let (mut least, mut at) = (f64::INFINITY, 0);
    solver.set_termination_callback(move |info: &DefaultInfo<f64>| {
        let residual = larger(larger(info.res_primal, info.res_dual), info.gap_abs.sqrt());
        let sent = tell.send((info.iterations as usize, unit * residual));
        let verdict = decided.lock().ok().and_then(|d| d.recv().ok());
        if info.mu < 0.5 * least {
            (least, at) = (info.mu, info.iterations);
        }
        sent.is_err() || verdict.unwrap_or(true) || info.iterations > at + PATIENCE
    });
    let mut end = None;
    let status = thread::scope(|scope| {
        let run = scope.spawn(|| {
            let run = catch_unwind(AssertUnwindSafe(|| solver.solve()));
            // Dropping the callback closes the channel and ends the loop below, after a panic too.
            solver.unset_termination_callback();
            run.map(|()| solver.solution.status)
        });
        for (iteration, residual) in told {
            let iteration = before + iteration;
            if observer.iteration(iteration, residual).is_break() {
                end = Some(End::Interrupted);
            } else if iteration >= limit {
                end = Some(End::Limit);
            }
            if decide.send(end.is_some()).is_err() {
                break;
            }
        }
        run.join()
    });
    match (end, status) {
        (Some(end), _) => end,
        (None, Ok(Ok(status))) => End::Own(status),
        (None, _) => End::Failed,
    }
}
