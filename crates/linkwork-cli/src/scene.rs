//! The requested scene or model file.

use crate::args::{ControlArgs, SceneArgs};
use crate::failure::{Failure, usage};
use crate::import::{self, Robot};
use linkwork::Scene;
use linkwork_import::suggest;
use linkwork_record::Source;
use linkwork_scenes::{SceneError, all_scenes, scene};

/// What is to be simulated.
pub struct Built {
    /// Its source.
    pub source: Source,
    /// What it is.
    pub subject: Subject,
}

/// A scene, or a model file with what goes beyond a scene.
pub enum Subject {
    /// A built-in scene.
    Scene(Box<Scene>),
    /// A model file.
    File(Box<Robot>),
}

impl Built {
    /// The scene.
    pub fn scene(self) -> Result<Scene, Failure> {
        match self.subject {
            Subject::Scene(scene) => Ok(*scene),
            Subject::File(robot) => robot.scene(None),
        }
    }
}

/// Builds what the command line requests, with the controls of its actuators. A file without actuators gets motors if
/// it is to be `driven`.
pub fn build(args: &SceneArgs, controls: &ControlArgs, driven: bool) -> Result<Built, Failure> {
    if import::is_file(&args.scene) {
        let robot = import::robot(args, controls, driven)?;
        let source = Source {
            scene: import::file_name(&args.scene),
            parameters: Default::default(),
            pilot: Some(serde_json::to_value(&robot.pilot)?),
        };
        let subject = Subject::File(Box::new(robot));
        return Ok(Built { source, subject });
    }
    let set: Vec<(&str, f64)> = args.set.iter().map(|(n, v)| (n.as_str(), *v)).collect();
    let scene = scene(&args.scene, &set).map_err(unknown)?;
    if let Some(option) = args.file.given().or_else(|| controls.given()) {
        return Err(usage(format!(
            "{option} is for model files; '{}' is a built-in scene, whose parameters `linkwork scenes` lists",
            args.scene
        )));
    }
    Ok(Built {
        source: source(args),
        subject: Subject::Scene(Box::new(scene)),
    })
}

/// Message for a scene that cannot be built, with the nearest name.
fn unknown(error: SceneError) -> Failure {
    let scenes = all_scenes().iter();
    let (what, near) = match &error {
        SceneError::UnknownScene { name, .. } => {
            let near = suggest::nearest(name, scenes.map(|e| e.name));
            (format!("there is no scene '{name}'"), near)
        }
        SceneError::UnknownParam { scene, name, .. } => {
            let params = scenes.filter(|e| e.name == *scene).flat_map(|e| e.params);
            let near = suggest::nearest(name, params.map(|p| p.name));
            (format!("scene '{scene}' has no parameter '{name}'"), near)
        }
        _ => return usage(error),
    };
    match near {
        Some(near) => usage(format!(
            "{what}; did you mean '{near}'? `linkwork scenes` lists all"
        )),
        None => usage(error),
    }
}

/// The scene's name and every parameter with the value it was built with.
fn source(args: &SceneArgs) -> Source {
    let entries = all_scenes().iter().filter(|e| e.name == args.scene);
    let parameters = entries.flat_map(|e| e.params).map(|p| {
        // The last of several settings counts, as in `Params`.
        let set = args.set.iter().rev().find(|(name, _)| name == p.name);
        let value = set.map_or(p.default, |(_, value)| *value);
        (p.name.to_owned(), value)
    });
    Source {
        scene: args.scene.clone(),
        parameters: parameters.collect(),
        pilot: None,
    }
}

/// The scene named in a recording.
pub fn rebuild(source: &Source) -> Result<Scene, linkwork_scenes::SceneError> {
    let set: Vec<(&str, f64)> = source
        .parameters
        .iter()
        .map(|(n, v)| (n.as_str(), *v))
        .collect();
    scene(&source.scene, &set)
}

/// The parameters that were set, as text.
pub fn set_text(args: &SceneArgs) -> String {
    let mut text = String::new();
    for (name, value) in &args.set {
        text += &format!("  {name}={value}");
    }
    text
}
