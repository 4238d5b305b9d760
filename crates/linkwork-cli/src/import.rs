//! Model files as scenes.

use crate::args::{ControlArgs, FileArgs, Policy, SceneArgs};
use crate::controls;
use crate::failure::{Failure, usage};
use crate::limited::Limited;
use crate::mesh_progress::MeshProgress;
use crate::pilot::Pilot;
use crate::table::number;

use linkwork::assemble::Contradiction;
use linkwork::model::{Keyframe, Model};
use linkwork::{Scene, Settings, State};
use linkwork_import::{Cache, Imported, Notices, Options, Severity, load, suggest};
use linkwork_scenes::all_scenes;
use linkwork_view::live::Overrides;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

/// Whether a name is that of a file and of no scene.
pub fn is_file(name: &str) -> bool {
    let scene = all_scenes().iter().any(|e| e.name == name);
    let path = Path::new(name);
    !scene && (path.extension().is_some() || path.components().count() > 1 || path.is_file())
}

/// The name of a file without its folder, as reports and recordings call it.
pub fn file_name(path: &str) -> String {
    let name = Path::new(path).file_name();
    name.map_or_else(|| path.to_owned(), |n| n.to_string_lossy().into_owned())
}

/// Whether a file's name ends as that of a model file.
pub fn is_model(file: &Path) -> bool {
    linkwork_import::is_known(file)
}

/// Read a model file.
pub fn open(file: &Path, args: &FileArgs) -> Result<Imported, Failure> {
    fits(file, args)?;
    let progress = MeshProgress::start();
    let mut options = Options::default();
    options.assets.clone_from(&args.assets);
    options.packages.clone_from(&args.packages);
    options.soft = args.soft;
    options.decompose = args.decompose;
    options.visuals = !args.no_visuals;
    options.loops.clone_from(&args.loops);
    options.floating = args.floating;
    options.cache = Cache::of_user();
    options.progress = progress.as_ref().map(MeshProgress::told);
    load(file, &options).map_err(usage)
}

/// Refuse options that the format of the file does not know.
fn fits(file: &Path, args: &FileArgs) -> Result<(), Failure> {
    let end = file.extension().unwrap_or_default().to_string_lossy();
    let end = end.to_lowercase();
    let (urdf, mjcf): (&[&str], &[&str]) = (&["urdf"], &["xml", "mjcf"]);
    let (described, foreign) = (
        &["urdf", "sdf", "world"][..],
        !["toml", "json"].contains(&&*end),
    );
    let only = [
        (
            args.loops.is_some(),
            "--loops",
            urdf.contains(&&*end),
            "URDF",
        ),
        (args.floating, "--floating", urdf.contains(&&*end), "URDF"),
        (args.soft, "--soft", mjcf.contains(&&*end), "MJCF"),
        (
            !args.packages.is_empty(),
            "--package",
            described.contains(&&*end),
            "URDF and SDF",
        ),
        (args.decompose, "--decompose", foreign, "MJCF, URDF and SDF"),
        (
            args.no_visuals,
            "--no-visuals",
            foreign,
            "MJCF, URDF and SDF",
        ),
    ];
    let without_effect = only.iter().find(|(given, _, fits, _)| *given && !fits);
    match without_effect {
        Some((_, option, _, formats)) => Err(usage(format!(
            "{option} is for {formats} files; '{}' is none",
            file.display()
        ))),
        None => Ok(()),
    }
}

/// The settings for a mechanism from a file. A failed step is repeated in halves, because such a mechanism may pass
/// dead points; the user should be informed of a failure and not see its effect.
pub fn settings(model: &Model) -> Settings {
    Settings::with(|s| {
        s.dt = model.timestep().unwrap_or(Settings::default().dt);
        s.failure = Policy::Substep.into();
    })
}

/// A model file ready to run.
pub struct Robot {
    /// The mechanism as it runs.
    pub model: Arc<Model>,
    /// The settings that suit it.
    pub settings: Settings,
    /// What drives it.
    pub pilot: Pilot,
}

impl Robot {
    /// The scene, and controls that override the pilot's where they are set.
    pub fn scene(&self, overrides: Option<Overrides>) -> Result<Scene, Failure> {
        let model = self.model.clone();
        Ok(Scene {
            script: self
                .pilot
                .clone()
                .script(&model, overrides)
                .map_err(usage)?,
            model,
            settings: self.settings.clone(),
        })
    }
}

/// The requested model file: closed, at the requested state, with its actuators driven. A file without actuators gets
/// motors if it is to be `driven`. Messages go to standard error.
pub fn robot(args: &SceneArgs, controls: &ControlArgs, driven: bool) -> Result<Robot, Failure> {
    if !args.set.is_empty() {
        return Err(usage(
            "--set is for built-in scenes; change the file instead",
        ));
    }
    let imported = open(Path::new(&args.scene), &args.file)?;
    tell(&imported.notices, args.file.notices);
    let model = imported.model;
    let (state, start) = start(&model, &args.file)?;
    let model = assembled(&model, &state, &args.scene)?;
    let settings = settings(&model);
    let (model, mut pilot) = piloted(model, &start.controls, controls, driven)?;
    pilot.activations = start.activations;
    Ok(Robot {
        model,
        settings,
        pilot,
    })
}

/// The mechanism, with its motors replaced by servos if they are to follow a path, and its control inputs.
pub fn piloted(
    model: Arc<Model>,
    start: &[f64],
    args: &ControlArgs,
    driven: bool,
) -> Result<(Arc<Model>, Pilot), Failure> {
    let (model, mut pilot) = match args.track {
        None => {
            let model = if driven || args.drives() {
                model.with_motors().map_err(usage)?
            } else {
                model
            };
            let pilot = Pilot::new(&model, start, args.actuate);
            (model, pilot)
        }
        Some(amplitude) => {
            let model = model.with_servos().map_err(usage)?;
            let pilot = Pilot::tracking(&model, start, amplitude);
            (model, pilot)
        }
    };
    controls::apply(&mut pilot, &model, args)?;
    Ok((model, pilot))
}

/// The state to start from, and the stored state with the controls that go with it.
pub fn start(model: &Model, args: &FileArgs) -> Result<(State, Keyframe), Failure> {
    let Some(name) = &args.key else {
        return Ok((model.initial_state(), Keyframe::default()));
    };
    let found = model.keyframe_named(name);
    let keyframe: &Keyframe = found.ok_or_else(|| {
        let names: Vec<_> = model.keyframes().iter().map(|k| &*k.name).collect();
        let known = match names.as_slice() {
            [] => "the file has none".to_owned(),
            names => suggest::remedy(name, names),
        };
        usage(format!("there is no stored state '{name}'; {known}"))
    })?;
    let mut state = model.keyframe_state(keyframe);
    // Runs begin at 0.
    state.time = 0.0;
    Ok((state, keyframe.clone()))
}

/// The mechanism closed and within its limits from `state`, and lines if it was not.
fn assembled(model: &Model, state: &State, file: &str) -> Result<Arc<Model>, Failure> {
    let closed = model.closed(state).map_err(|e| {
        Failure::Run(format!(
            "the loops do not close: {e}; `linkwork check {file}` lists them"
        ))
    })?;
    if !closed.moved.is_empty() && (closed.worst.is_some() || closed.outside.is_empty()) {
        let [m, rad] = closed.before.map(number);
        let far = closed.moved.iter().fold(0.0, |a: f64, m| a.max(m.distance));
        let far = number(far);
        note(&format!(
            "assembled: joints were open by {m} m and {rad} rad; bodies were moved by up to {far} m"
        ));
    }
    for limited in Limited::all(model, &closed) {
        note(&format!("limits: {limited}"));
    }
    if let Some(contradiction) = &closed.contradiction {
        note(&contradicting(model, contradiction));
    }
    model.started(&closed).map_err(usage)
}

/// A message about loops that contradict each other.
pub fn contradicting(model: &Model, contradiction: &Contradiction) -> String {
    let [m, rad] = contradiction.open.map(number);
    let joints = contradiction.joints.iter();
    let joints = joints.map(|j| model.joint(*j).name.clone());
    let couplings = contradiction.couplings.iter();
    let couplings = couplings.map(|c| model.couplings()[c.index()].name.clone());
    let names: Vec<_> = joints.chain(couplings).collect();
    let (names, tolerance) = (names.join(", "), number(contradiction.tolerance));
    format!(
        "loops contradict each other within the digits of the file: closed in the least-squares sense they stay open by {m} m and {rad} rad; {names} yield by {tolerance} m under the weight of the mechanism"
    )
}

/// Maximum number of warnings that are listed individually.
const MOST_WARNINGS: usize = 8;

/// How much there is to know of an import, or all of it.
pub fn tell(notices: &Notices, all: bool) {
    if notices.all().is_empty() {
        return;
    }
    if all {
        for notice in notices.all() {
            note(&format!("{}: {notice}", word(notice.severity)));
        }
        return;
    }
    let warnings = || {
        notices
            .all()
            .iter()
            .filter(|n| n.severity == Severity::Warning)
    };
    for warning in warnings().take(MOST_WARNINGS) {
        note(&format!("warning: {warning}"));
    }
    let counts = [Severity::Warning, Severity::Ignored, Severity::Choice].map(|severity| {
        let n = notices
            .all()
            .iter()
            .filter(|n| n.severity == severity)
            .count();
        format!("{n} {}", word(severity))
    });
    note(&format!(
        "import: {}; --notices lists them",
        counts.join(", ")
    ));
}

/// How a notice is meant, in a word.
pub fn word(severity: Severity) -> &'static str {
    match severity {
        Severity::Warning => "warning",
        Severity::Ignored => "ignored",
        Severity::Choice => "chosen",
    }
}

/// A line on standard error; a closed one is ignored.
pub fn note(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}
