//! COLLADA: the geometries as placed by the visual scene.
//!
//! `<unit meter>` multiplies the whole scene, including translations. `<up_axis>` is not applied: RViz, Gazebo, MoveIt
//! and Pinocchio (hpp-fcl) all use coordinates unchanged, robot files rely on that, and for `Z_UP` there is no
//! difference. Any other axis causes a notice. Skins are not placed, with a notice; animations, cameras, lights and
//! materials are not read.

mod geometry;
mod scene;

use super::raw::Raw;
use crate::xml::{self, Element};
use crate::{Fault, ImportError, Notices};
use scene::Scene;
use std::collections::HashMap;
use std::path::Path;

pub(super) fn read(bytes: &[u8], file: &Path, notices: &mut Notices) -> Result<Raw, ImportError> {
    let root = xml::parse(file, bytes)?;
    if root.name != "COLLADA" {
        return Err(root.unknown(&["COLLADA"]));
    }
    let metre = metre(&root)?;
    tell_up_axis(&root, notices);
    let mut scene = Scene::new(Ids::of(&root), metre);
    match visual_scene(&root, &scene.ids)? {
        Some(visual) => scene.nodes(visual)?,
        None => {
            let what = "no visual scene: every geometry is used once, in its own frame";
            notices.chose(&root.place, what, "");
            scene.everything(&root)?;
        }
    }
    scene.finish(&root)
}

/// Length of the file's unit, m.
fn metre(root: &Element) -> Result<f64, ImportError> {
    let unit = root.child("asset").and_then(|a| a.child("unit"));
    let metre = match unit {
        Some(unit) => unit.number("meter")?.unwrap_or(1.0),
        None => 1.0,
    };
    match (unit, metre > 0.0) {
        (Some(unit), false) => {
            let what = format!("meter=\"{metre}\"");
            Err(unit.error(Fault::BadValue, what, "give a positive length in metres"))
        }
        _ => Ok(metre),
    }
}

fn tell_up_axis(root: &Element, notices: &mut Notices) {
    let axis = root.child("asset").and_then(|a| a.child("up_axis"));
    if let Some(axis) = axis.filter(|a| a.text != "Z_UP") {
        let what = format!(
            "<up_axis>{}: coordinates are taken as they stand",
            axis.text
        );
        let remedy = "turn the mesh where it is used if it lies on its side";
        notices.chose(&axis.place, what, remedy);
    }
}

/// The scene that the file shows, or else its first.
fn visual_scene<'a>(root: &'a Element, ids: &Ids<'a>) -> Result<Option<&'a Element>, ImportError> {
    let shown = root
        .child("scene")
        .and_then(|s| s.child("instance_visual_scene"));
    match shown {
        Some(instance) => ids.follow(instance, "url", "visual_scene").map(Some),
        None => Ok(root
            .child("library_visual_scenes")
            .and_then(|l| l.child("visual_scene"))),
    }
}

/// Elements by their `id`.
struct Ids<'a>(HashMap<&'a str, &'a Element>);

impl<'a> Ids<'a> {
    fn of(root: &'a Element) -> Self {
        let mut known = HashMap::new();
        let mut waiting = vec![root];
        while let Some(element) = waiting.pop() {
            if let Some(id) = element.get("id") {
                known.insert(id, element);
            }
            waiting.extend(element.children.iter().rev());
        }
        Self(known)
    }

    /// The element called `name` that an attribute `#id` of `from` refers to.
    fn follow(
        &self,
        from: &Element,
        attribute: &str,
        name: &str,
    ) -> Result<&'a Element, ImportError> {
        let url = from.require(attribute)?;
        let target = url.strip_prefix('#').and_then(|id| self.0.get(id));
        match target.filter(|t| t.name == name) {
            Some(target) => Ok(target),
            None => {
                let shown: String = url.chars().take(60).collect();
                let what = format!("{attribute}=\"{shown}\" is no <{name}> of this file");
                let remedy = "export the mesh again into one file";
                Err(from.error(Fault::Unresolved, what, remedy))
            }
        }
    }
}
