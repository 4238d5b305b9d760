//! The scene or model file asked for.

use crate::args::SceneArgs;
use crate::failure::{Failure, usage};
use crate::import;
use linkwork::scenes::{Scene, all_scenes, scene};
use linkwork_record::Source;

/// Build the scene, and tell where it comes from.
pub fn build(args: &SceneArgs) -> Result<(Scene, Source), Failure> {
    if import::is_file(&args.scene) {
        let (scene, pilot) = import::scene(args)?;
        let source = Source {
            scene: import::file_name(&args.scene),
            parameters: Default::default(),
            pilot: Some(serde_json::to_value(pilot)?),
        };
        return Ok((scene, source));
    }
    let set: Vec<(&str, f64)> = args.set.iter().map(|(n, v)| (n.as_str(), *v)).collect();
    let scene = scene(&args.scene, &set).map_err(usage)?;
    Ok((scene, source(args)))
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

/// The scene that a recording says it is of.
pub fn rebuild(source: &Source) -> Result<Scene, linkwork::scenes::SceneError> {
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
