//! One solver in one system.

use super::SimulateOptions;
use super::course::Course;
use crate::error::BenchError;
use crate::results::Simulation;
use crate::suite::System;
use linkwork::{FailurePolicy, Run, RunSummary, Simulator, StepError};
use linkwork_solve::{SolverEntry, larger};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// Message for a run ended by the time limit of `limit_s` seconds.
pub(super) fn time_limit(limit_s: f64) -> String {
    format!("time limit of {limit_s} s")
}

/// The run, and the record of it before it began.
pub(super) fn prepare(
    system: &System,
    entry: &SolverEntry,
    options: &SimulateOptions,
) -> Result<(Run, Simulation), BenchError> {
    let mut scene = system.scene()?;
    entry.name.clone_into(&mut scene.settings.solver);
    scene.settings.solve.tolerance = options.tolerance;
    // Threads of its own would leave the core the run is pinned to.
    scene.settings.threads = 1;
    // A solver's failed solves are its own: no step is repeated for it.
    scene.settings.failure = FailurePolicy::Accept;
    let dt = scene.settings.dt;
    let run = Run::new(Simulator::new(scene.model, scene.settings)?, scene.script);
    let record = Simulation {
        system: system.name.to_owned(),
        solver: entry.name.to_owned(),
        tolerance: options.tolerance,
        dt,
        steps: run.steps_in(options.time_s),
        steps_done: 0,
        ended: String::new(),
        failures: 0,
        r_pen_max: 0.0,
        closure_max: 0.0,
        penetration_max: 0.0,
        limit_max: 0.0,
        residual_max: 0.0,
        energy_drift: 0.0,
        iterations_mean: 0.0,
        wall_s: 0.0,
        phases_s: [0.0; 5],
        course: Vec::new(),
    };
    Ok((run, record))
}

/// Run it to its end, the time limit, or a step that is refused.
pub(super) fn simulate_one(
    system: &System,
    entry: &SolverEntry,
    options: &SimulateOptions,
) -> Result<Simulation, BenchError> {
    let (mut run, mut record) = prepare(system, entry, options)?;
    let limit = Duration::try_from_secs_f64(options.limit_s).unwrap_or(Duration::MAX);
    let start = Instant::now();
    let mut course = Course::new();
    let mut late = false;
    let summary = run.steps(record.steps, |moment| {
        course.add(moment);
        late = start.elapsed() > limit && moment.step < record.steps;
        match late {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    });
    record.ended = match &summary.error {
        None if late => time_limit(options.limit_s),
        None => String::new(),
        Some(StepError::NotFinite { .. }) => format!("not finite: {}", reason(&summary)),
        Some(_) => format!("refused: {}", reason(&summary)),
    };
    record.course = course.finish(summary.penetration_end_m);
    fill(&mut record, &summary);
    Ok(record)
}

fn reason(summary: &RunSummary) -> String {
    summary
        .error
        .as_ref()
        .map(ToString::to_string)
        .unwrap_or_default()
}

fn fill(record: &mut Simulation, s: &RunSummary) {
    let worst = |values: &[f64]| values.iter().copied().fold(0.0, larger);
    record.steps_done = s.steps;
    record.failures = s.solves_failed;
    record.closure_max = worst(&[s.closure_max_m, s.closure_max_rad]);
    record.penetration_max = s.penetration_max_m;
    record.limit_max = s.limit_violation_max;
    record.r_pen_max = worst(&[record.closure_max, s.penetration_max_m, record.limit_max]);
    record.residual_max = worst(&[s.residual_max, s.residual_velocity_max]);
    record.energy_drift = s.energy_drift;
    record.iterations_mean = s.iterations_mean;
    record.wall_s = s.wall_s;
    let t = &s.timings;
    record.phases_s = [t.collision, t.rows, t.solve, t.closure, t.integrate];
}
