//! Models from other files in the place of `<include>`.

use super::text::{need_word, word};
use crate::robot::Paths;
use crate::xml::{self, Attribute, Element};
use crate::{Fault, ImportError, Notices};
use std::path::{Path, PathBuf};

/// Deepest nesting of includes.
const MAX_DEPTH: usize = 16;
/// Most includes in all.
const MAX_INCLUDES: usize = 1000;

/// The file with every `<include>` replaced by the model it names.
pub(super) fn expand(
    root: Element,
    paths: &mut Paths,
    notices: &mut Notices,
) -> Result<Element, ImportError> {
    let mut left = MAX_INCLUDES;
    inside(root, paths, notices, 0, &mut left)
}

fn inside(
    mut element: Element,
    paths: &mut Paths,
    notices: &mut Notices,
    depth: usize,
    left: &mut usize,
) -> Result<Element, ImportError> {
    // Nothing else contains models.
    if !matches!(element.name.as_str(), "sdf" | "world" | "model") {
        return Ok(element);
    }
    let mut children = Vec::with_capacity(element.children.len());
    for child in element.children {
        if child.name != "include" {
            children.push(inside(child, paths, notices, depth, left)?);
            continue;
        }
        if depth >= MAX_DEPTH || *left == 0 {
            let what = "files include each other without end, or more than 1000 times";
            return Err(child.error(Fault::Cycle, what, "remove the cycle"));
        }
        *left -= 1;
        let model = fetch(&child, paths, notices)?;
        let model = inside(model, paths, notices, depth + 1, left)?;
        children.push(placed(model, &child));
    }
    element.children = children;
    Ok(element)
}

/// The model that an `<include>` names: an SDF file, or a folder with a `model.config`.
fn fetch(
    include: &Element,
    paths: &mut Paths,
    notices: &mut Notices,
) -> Result<Element, ImportError> {
    let uri = need_word(include, "uri")?;
    let mut found = paths.resolve(uri, &include.place, notices)?;
    if found.is_dir() {
        found = in_folder(include, &found, paths)?;
    }
    let bytes = paths.assets().read_text(&found, &include.place)?;
    let root = xml::parse(&found, &bytes)?;
    let models: Vec<Element> = root
        .children
        .into_iter()
        .filter(|c| c.name == "model")
        .collect();
    let count = models.len();
    let mut models = models.into_iter();
    match (models.next(), count) {
        (Some(model), 1) => Ok(model),
        _ => {
            let what = format!("'{}' has {count} models", found.display());
            Err(include.error(Fault::Unsupported, what, "include a file with one model"))
        }
    }
}

/// The SDF file that a folder's `model.config` names last, which is the newest.
fn in_folder(include: &Element, folder: &Path, paths: &Paths) -> Result<PathBuf, ImportError> {
    let config = paths
        .assets()
        .find(folder, "model.config", &include.place)?;
    let root = xml::parse(&config, &paths.assets().read_text(&config, &include.place)?)?;
    let Some(last) = root.all("sdf").last() else {
        let what = format!("'{}' names no SDF file", config.display());
        return Err(root.error(Fault::Missing, what, "add <sdf>FILE</sdf>"));
    };
    paths.assets().find(folder, last.text.trim(), &last.place)
}

/// The included model with the name, pose and state that the include gives it.
fn placed(mut model: Element, include: &Element) -> Element {
    let replace = |list: &mut Vec<Attribute>, name: &str, value: &str| {
        list.retain(|a| a.name != name);
        list.push(Attribute {
            name: name.to_owned(),
            value: value.to_owned(),
            place: include.place.clone(),
        });
    };
    for name in ["name", "placement_frame"] {
        if let Some(value) = word(include, name) {
            replace(&mut model.attributes, name, value);
        }
    }
    for name in ["pose", "static"] {
        if let Some(given) = include.child(name) {
            model.children.retain(|c| c.name != name);
            model.children.push(given.clone());
        }
    }
    model
}
