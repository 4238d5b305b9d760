//! Residuals against iterations, recomputed from the problem.

use linkwork_solve::{Problem, Solution, SolveReport, Solver, SolverSettings, Status};

/// How much longer each run is than the one before.
const GROWTH: f64 = 1.4;

/// Makes a solver.
pub(super) type Build = fn(SolverSettings) -> Box<dyn Solver>;

/// The reports of runs with more and more iterations from λ = 0, the last of which converged, stalled or reached
/// `settings.max_iterations`.
///
/// A solver returns its answer only at its end, and its own residual is not used. Its answer depends on the problem
/// alone, so a run with fewer iterations is the beginning of the long one.
pub(super) fn history(
    build: Build,
    problem: &Problem,
    settings: SolverSettings,
) -> Vec<SolveReport> {
    let mut reports = Vec::new();
    let mut iterations = 1;
    loop {
        let mut solver = build(SolverSettings {
            max_iterations: iterations,
            ..settings
        });
        let report = solver.solve(problem, &mut Solution::default(), &mut ());
        reports.push(report);
        if report.status != Status::IterationLimit || iterations >= settings.max_iterations {
            return reports;
        }
        let next = (GROWTH * iterations as f64).ceil() as usize;
        iterations = next.min(settings.max_iterations);
    }
}
