//! `linkwork run`.

use crate::args::RunArgs;
use crate::failure::{Failure, usage};
use crate::scene;
use crate::session::{Session, simulate};
use linkwork::{Run, Settings, Simulator};
use std::io::Write;

/// Simulate a scene and report.
pub fn run(out: &mut dyn Write, args: &RunArgs) -> Result<(), Failure> {
    let scene = scene::build(&args.scene)?;
    let settings = settings(args, scene.settings);
    let simulator = Simulator::new(scene.model, settings).map_err(usage)?;
    let session = Session {
        source: scene::source(&args.scene),
        remark: scene::set_text(&args.scene),
        time: args.time,
        first_step: 0,
        output: &args.output,
    };
    simulate(out, Run::new(simulator, scene.script), &session)
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
