//! The scene asked for.

use crate::args::SceneArgs;
use crate::failure::{Failure, usage};
use linkwork::scenes::{Scene, all_scenes, scene};
use serde_json::{Map, Value};

/// Build the scene.
pub fn build(args: &SceneArgs) -> Result<Scene, Failure> {
    let set: Vec<(&str, f64)> = args.set.iter().map(|(n, v)| (n.as_str(), *v)).collect();
    scene(&args.scene, &set).map_err(usage)
}

/// Every parameter of the scene with the value it was built with.
pub fn parameters(args: &SceneArgs) -> Map<String, Value> {
    let entries = all_scenes().iter().filter(|e| e.name == args.scene);
    entries
        .flat_map(|e| e.params)
        .map(|p| {
            // The last of several settings counts, as in `Params`.
            let set = args.set.iter().rev().find(|(name, _)| name == p.name);
            let value = set.map_or(p.default, |(_, value)| *value);
            (p.name.to_owned(), value.into())
        })
        .collect()
}

/// The parameters that were set, as text.
pub fn set_text(args: &SceneArgs) -> String {
    let mut text = String::new();
    for (name, value) in &args.set {
        text += &format!("  {name}={value}");
    }
    text
}
