//! `linkwork run`.

use crate::args::RunArgs;
use crate::csv::Trajectory;
use crate::dump::Dump;
use crate::failure::{Failure, usage};
use crate::report::Report;
use crate::scene;
use crate::view::{self, Watched};
use indicatif::{ProgressBar, ProgressStyle};
use linkwork::scenes::Script;
use linkwork::{Run, Settings, Simulator};
use linkwork_solve::{Status, solver_by_name};
use std::io::{IsTerminal, Write};
use std::ops::ControlFlow;

/// Time that is simulated where none is given, s.
const DEFAULT_TIME: f64 = 10.0;
/// More steps than this are taken for a slip of the keyboard.
const MAX_STEPS: f64 = 1e10;

/// Simulate a scene and report.
pub fn run(out: &mut dyn Write, args: &RunArgs) -> Result<(), Failure> {
    let scene = scene::build(&args.scene)?;
    let model = scene.model.clone();
    let settings = settings(args, scene.settings);
    let time = args.time.unwrap_or(DEFAULT_TIME);
    check_time(time, settings.dt)?;
    let solver = solver_by_name(&settings.solver, settings.solve).map_err(usage)?;
    let simulator = Simulator::new(scene.model, settings).map_err(usage)?;
    if args.view {
        return watch(out, args, simulator, scene.script);
    }
    let mut run = Run::new(simulator, scene.script);
    let steps = run.steps_in(time);

    let mut csv = None;
    if let Some(path) = &args.out {
        let refused = |e| usage(format!("cannot write '{}': {e}", path.display()));
        csv = Some(Trajectory::create(path, &model).map_err(refused)?);
    }
    let mut dump = args.dump.as_ref().map(|_| Dump::create(args)).transpose()?;
    let bar = progress(steps);
    let (mut write_error, mut refusal, mut dump_error) = (None, None, None);
    let summary = run.steps(steps, |moment| {
        if let Some(bar) = &bar {
            bar.set_position(moment.step);
        }
        if let Some(Err(error)) = csv.as_mut().map(|csv| csv.row(moment)) {
            write_error = Some(error);
        }
        if let Some(Err(error)) = dump.as_mut().map(|dump| dump.step(moment)) {
            dump_error = Some(error);
        }
        // A solver that cannot take the problem at all was the wrong choice, not a bad run.
        if moment.report.is_some_and(|r| r.status != Status::Converged) {
            refusal = solver.supports(moment.simulator.problem()).err();
        }
        if write_error.is_some() || refusal.is_some() || dump_error.is_some() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    if let Some(Err(error)) = csv.map(Trajectory::finish) {
        write_error.get_or_insert(error);
    }
    if let (Some(error), Some(path)) = (write_error, &args.out) {
        let message = format!("writing '{}' failed: {error}", path.display());
        return Err(Failure::Run(message));
    }

    if let Some(error) = dump_error {
        return Err(error);
    }

    // A refused step is not observed, but its problem is still there.
    if summary.error.is_some() {
        refusal = refusal.or_else(|| solver.supports(run.simulator().problem()).err());
    }
    if let Some(refusal) = refusal {
        return Err(usage(refusal));
    }
    let settings = run.simulator().settings();
    let report = Report::new(args, settings, &summary);
    if args.json {
        serde_json::to_writer(&mut *out, &report)?;
        writeln!(out)?;
    } else {
        report.print(out)?;
    }
    match summary.error {
        Some(error) => Err(Failure::Run(error.to_string())),
        None => dump.map_or(Ok(()), Dump::finish),
    }
}

/// Show the run instead of reporting on it.
fn watch(
    out: &mut dyn Write,
    args: &RunArgs,
    simulator: Simulator,
    script: Option<Script>,
) -> Result<(), Failure> {
    let watched = Watched {
        title: args.scene.scene.clone(),
        simulator,
        script,
        time: args.time,
        witness: None,
    };
    view::live(out, watched, &args.viewing)
}

/// The scene's settings with those of the command line.
fn settings(args: &RunArgs, mut settings: Settings) -> Settings {
    settings.dt = args.dt.unwrap_or(settings.dt);
    if let Some(solver) = &args.solver {
        settings.solver.clone_from(solver);
    }
    let solve = &mut settings.solve;
    solve.tolerance = args.tolerance.unwrap_or(solve.tolerance);
    if let Some(n) = args.max_iterations {
        solve.max_iterations = n as usize;
    }
    settings.threads = args.threads.map_or(settings.threads, usize::from);
    settings.failure = args.policy.map_or(settings.failure, Into::into);
    settings
}

fn check_time(time: f64, dt: f64) -> Result<(), Failure> {
    if dt > time {
        return Err(usage(format!(
            "a step of {dt} s is longer than the run of {time} s; shorten --dt or lengthen --time"
        )));
    }
    let steps = time / dt;
    if steps > MAX_STEPS {
        return Err(usage(format!(
            "{time} s in steps of {dt} s are {steps:.1e} steps, more than {MAX_STEPS:e}; shorten --time or lengthen --dt"
        )));
    }
    Ok(())
}

/// A bar on a terminal, nothing elsewhere.
fn progress(steps: u64) -> Option<ProgressBar> {
    if !std::io::stderr().is_terminal() {
        return None;
    }
    let template = "{bar:40} {percent:>3} %  {human_pos} of {human_len} steps  {eta} left";
    let style = ProgressStyle::with_template(template);
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
    Some(ProgressBar::new(steps).with_style(style))
}
