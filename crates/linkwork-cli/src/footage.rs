//! Steps to be shown without a live simulation: from a recording, or of a scene that is simulated for it.

use crate::args::{LookArgs, SceneArgs, TargetArgs};
use crate::failure::{Failure, usage};
use crate::import;
use crate::instruments::Instruments;
use crate::scene;
use linkwork::{Run, Simulator};
use linkwork_import::suggest;
use linkwork_record::{Recording, Signals, StepRecord};
use linkwork_view::clip::{Clip, Sampler};
use linkwork_view::hello::{Hello, Mode};
use linkwork_view::replay;
use std::ops::ControlFlow;
use std::path::Path;

/// Time of a scene that is simulated where none is given, s.
const SCENE_TIME: f64 = 10.0;

/// What a command was asked to show.
pub enum Footage {
    /// A recording, with the name of its file.
    Recording(Box<Recording>, String),
    /// A scene, or a model file.
    Scene(SceneArgs),
}

impl Footage {
    /// A recording if it has that extension or is not a model file, otherwise a model file or a scene.
    pub fn find(args: &TargetArgs) -> Result<Self, Failure> {
        let target = &args.target;
        let path = Path::new(target);
        let recording = path.extension().is_some_and(|e| e == "lwrec")
            || path.is_file() && !import::is_model(path);
        if !recording {
            return Ok(Self::Scene(SceneArgs {
                scene: target.to_owned(),
                set: args.set.clone(),
                file: args.file.clone(),
            }));
        }
        if let Some(option) = args.given() {
            return Err(usage(format!(
                "{option} is for scenes and model files; a recording cannot be changed"
            )));
        }
        let recording = Recording::open(path).map_err(usage)?;
        if recording.is_empty() {
            return Err(usage(format!("'{target}' has no steps to show")));
        }
        let name = path.file_name().unwrap_or(path.as_os_str());
        let name = name.to_string_lossy().into_owned();
        Ok(Self::Recording(Box::new(recording), name))
    }

    /// The last time to show, s: the requested one, or 10 s of a scene; `None` is the end of a recording.
    pub fn end(&self, from: f64, to: Option<f64>) -> Result<Option<f64>, Failure> {
        let end = match self {
            Self::Recording(..) => to,
            Self::Scene(_) => Some(to.unwrap_or(SCENE_TIME)),
        };
        match end.filter(|end| *end < from) {
            Some(end) => Err(usage(format!("--from {from} is after the end at {end} s"))),
            None => Ok(end),
        }
    }

    /// The frames requested by `frames`, and the corresponding hello.
    pub fn clip(&self, args: &TargetArgs, frames: &Frames) -> Result<(Clip, Hello), Failure> {
        let mut clip = Clip::new(frames.limit_mb);
        let hello = match self {
            Self::Recording(recording, name) => {
                cut(recording, frames, &mut clip)?;
                replay::hello(recording, Mode::Embedded, name)
            }
            Self::Scene(scene) => film(scene, args, frames, &mut clip)?,
        };
        if clip.times().is_empty() {
            return Err(usage("there are no steps in the requested time"));
        }
        Ok((clip, hello))
    }
}

/// Refuse a camera or body that the model does not have.
pub fn check_names(hello: &Hello, look: &LookArgs) -> Result<(), Failure> {
    let model = hello.model();
    let cameras: Vec<&str> = model
        .cameras
        .iter()
        .map(|c| c.frame.name.as_str())
        .collect();
    let bodies: Vec<&str> = model.bodies.iter().map(|b| b.name.as_str()).collect();
    for (kind, name, known) in [
        ("camera", &look.camera, cameras),
        ("body", &look.follow, bodies),
    ] {
        let Some(name) = name.as_deref().filter(|n| !known.contains(n)) else {
            continue;
        };
        let remedy = match suggest::nearest(name, known.iter().copied()) {
            Some(near) => format!("did you mean '{near}'?"),
            None if known.is_empty() => "it has none".to_owned(),
            None => format!("it has: {}", known.join(", ")),
        };
        return Err(usage(format!("the model has no {kind} '{name}'; {remedy}")));
    }
    Ok(())
}

/// Which frames.
pub struct Frames {
    /// Per second of simulated time.
    pub fps: f64,
    /// First time, s.
    pub from: f64,
    /// Last time, s; of a recording its end if `None`.
    pub to: Option<f64>,
    /// Most MB they may take as text.
    pub limit_mb: f64,
}

/// Frames of a recording, the last one always.
fn cut(recording: &Recording, frames: &Frames, clip: &mut Clip) -> Result<(), Failure> {
    let to = frames.to.unwrap_or(f64::INFINITY);
    let mut sampler = Sampler::new(frames.fps, frames.from, to);
    let last = recording.index_at(to + 1e-9);
    for (i, &time) in recording.times().iter().enumerate().take(last + 1) {
        let wanted = sampler.takes(time) || (i == last && time >= frames.from);
        if wanted {
            let step = recording.step(i).map_err(usage)?;
            clip.push(recording.model(), &step).map_err(usage)?;
        }
    }
    Ok(())
}

/// Frames of a scene, run until the last one.
fn film(
    scene: &SceneArgs,
    args: &TargetArgs,
    frames: &Frames,
    clip: &mut Clip,
) -> Result<Hello, Failure> {
    let built = scene::build(scene, &args.controls, false)?;
    let scene = built.scene()?;
    let signals = Instruments::of(&scene.model);
    let settings = args.physics.apply(scene.settings).map_err(usage)?;
    let mut hello = Hello::new(Mode::Embedded, &args.target, &scene.model, &settings);
    hello.signals = signals.infos().to_vec();
    let model = scene.model.clone();
    let simulator = Simulator::new(scene.model, settings).map_err(usage)?;
    let mut run = Run::new(simulator, scene.script);
    let Some(to) = frames.to else {
        return Err(usage("a scene needs a time to simulate"));
    };
    let steps = run.steps_in(to);
    let mut sampler = Sampler::new(frames.fps, frames.from, f64::INFINITY);
    let mut full = None;
    let summary = run.steps(steps, |moment| {
        let time = moment.simulator.state().time;
        if sampler.takes(time) || moment.step == steps {
            full = clip
                .push(&model, &StepRecord::with(moment, &*signals))
                .err();
        }
        match full {
            Some(_) => ControlFlow::Break(()),
            None => ControlFlow::Continue(()),
        }
    });
    match (full, summary.error) {
        (Some(full), _) => Err(usage(full)),
        (_, Some(error)) => Err(Failure::Run(error.to_string())),
        _ => Ok(hello),
    }
}
