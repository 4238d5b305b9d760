//! `linkwork run`.

use crate::args::RunArgs;
use crate::failure::{Failure, usage};
use crate::recorder::RunRecorder;
use crate::replay::Keeper;
use crate::scene;
use crate::session::{Session, check_time, simulate};
use crate::view::{self, Watched};
use linkwork::scenes::Script;
use linkwork::{Run, Settings, Simulator};
use linkwork_record::Source;
use std::io::Write;

/// Time that is simulated where none is given, s.
const DEFAULT_TIME: f64 = 10.0;

/// Simulate a scene and report, or show it.
pub fn run(out: &mut dyn Write, args: &RunArgs) -> Result<(), Failure> {
    let (scene, source) = scene::build(&args.scene)?;
    let settings = settings(args, scene.settings);
    let simulator = Simulator::new(scene.model, settings).map_err(usage)?;
    if args.view {
        return watch(out, args, simulator, scene.script, &source);
    }
    let session = Session {
        source,
        remark: scene::set_text(&args.scene),
        time: args.time.unwrap_or(DEFAULT_TIME),
        first_step: 0,
        output: &args.output,
    };
    simulate(out, Run::new(simulator, scene.script), &session)
}

/// Show the run instead of reporting on it.
fn watch(
    out: &mut dyn Write,
    args: &RunArgs,
    simulator: Simulator,
    script: Option<Script>,
    source: &Source,
) -> Result<(), Failure> {
    if let Some(time) = args.time {
        check_time(time, simulator.settings().dt)?;
    }
    let recorder = RunRecorder::create(&args.output.recording, &simulator, source, 0)?;
    let watched = Watched {
        title: args.scene.scene.clone(),
        simulator,
        script,
        time: args.time,
        recorder,
        keeper: Keeper::new(args.output.replay.as_deref(), source, 0),
    };
    view::live(out, watched, &args.viewing)
}

/// The scene's settings with those of the command line.
fn settings(args: &RunArgs, mut settings: Settings) -> Settings {
    settings.dt = args.dt.unwrap_or(settings.dt);
    settings.integrator = args.integrator.unwrap_or(settings.integrator);
    if let Some(solver) = &args.solver {
        settings.solver.clone_from(solver);
    }
    settings.reduced |= args.reduced;
    let solve = &mut settings.solve;
    solve.tolerance = args.tolerance.unwrap_or(solve.tolerance);
    if let Some(n) = args.max_iterations {
        solve.max_iterations = n as usize;
    }
    settings.threads = args.threads.map_or(settings.threads, usize::from);
    settings.failure = args.policy.map_or(settings.failure, Into::into);
    let impacts = &mut settings.contact.impacts;
    *impacts = args.impacts.map_or(*impacts, Into::into);
    settings
}
