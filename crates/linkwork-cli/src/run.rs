//! `linkwork run`.

use crate::args::RunArgs;
use crate::failure::{Failure, usage};
use crate::recorder::RunRecorder;
use crate::replay::Keeper;
use crate::scene::{self, Built};
use crate::session::{Session, check_time, simulate};
use crate::view::{self, Watched};
use linkwork::{Run, Simulator};
use std::io::Write;

/// Time that is simulated where none is given, s.
const DEFAULT_TIME: f64 = 10.0;

/// Simulate a scene and report, or show it.
pub fn run(out: &mut dyn Write, args: &RunArgs) -> Result<(), Failure> {
    let built = scene::build(&args.scene, &args.controls, args.view)?;
    if args.view {
        return watch(out, args, built);
    }
    if let Some(option) = args.viewing.given() {
        return Err(usage(format!(
            "{option} is for runs that are shown; add --view"
        )));
    }
    let (source, scene) = (built.source.clone(), built.scene()?);
    let settings = args.physics.apply(scene.settings).map_err(usage)?;
    let simulator = Simulator::new(scene.model, settings).map_err(usage)?;
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
fn watch(out: &mut dyn Write, args: &RunArgs, built: Built) -> Result<(), Failure> {
    let mut watched = Watched::new(args.scene.scene.clone(), built, &args.physics)?;
    watched.time = args.time;
    if let Some(time) = args.time {
        check_time(time, watched.simulator.settings().dt)?;
    }
    let (recording, simulator) = (&args.output.recording, &watched.simulator);
    let (source, signals) = (&watched.source, watched.signals.clone());
    watched.recorder = RunRecorder::create(recording, simulator, source, signals, 0)?;
    watched.keeper = Keeper::new(args.output.replay.as_deref(), &watched.source, 0);
    view::live(out, watched, &args.viewing)
}
