//! The body tree, with frames, copies and attached models expanded to parts of bodies.

use super::body;
use super::document::Document;
use super::names::Scope;
use super::scene::Scene;
use crate::xml::Element;
use crate::{Fault, ImportError};
use linkwork::math::Pose;

/// Deepest nesting of bodies, frames, copies and attached models together.
const MAX_DEPTH: usize = 320;

/// Position of an element in the body tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct At {
    /// The file's number.
    pub document: usize,
    /// The scope of its names.
    pub scope: usize,
    /// The default class around it.
    pub class: usize,
    /// The frame around it, seen from the body it belongs to.
    pub pose: Pose,
    /// How deep it is nested.
    depth: usize,
}

/// Something that belongs to a body: a shape, a joint, a body below it …
#[derive(Clone, Copy, Debug)]
pub(super) struct Part<'a> {
    pub element: &'a Element,
    pub at: At,
}

impl<'a> Part<'a> {
    /// The file it is from.
    pub fn document(&self, scene: &Scene<'a>) -> &'a Document {
        &scene.documents[self.at.document]
    }

    /// The element with what its class adds.
    pub fn complete(&self, scene: &Scene<'a>) -> Result<Element, ImportError> {
        let document = self.document(scene);
        let defaults = &document.defaults;
        defaults.complete(self.element, self.at.class, "worldbody")
    }

    /// The scope of its names.
    pub fn scope<'s>(&self, scene: &'s Scene<'a>) -> &'s Scope {
        &scene.scopes[self.at.scope]
    }
}

/// Read all bodies, from the world down, each before those below it.
pub(super) fn walk(scene: &mut Scene<'_>) -> Result<(), ImportError> {
    let document = scene.documents.len() - 1;
    let at = At {
        document,
        scope: 0,
        class: 0,
        pose: Pose::identity(),
        depth: 0,
    };
    let mut parts = Vec::new();
    for world in scene.documents[document].root.all("worldbody") {
        lay_out(scene, world, at, &mut parts)?;
    }
    body::world(scene, &parts)?;
    below(scene, 0, &parts)
}

/// The bodies among the parts of a body, and those below them.
fn below<'a>(scene: &mut Scene<'a>, parent: usize, parts: &[Part<'a>]) -> Result<(), ImportError> {
    for part in parts.iter().filter(|p| p.element.name == "body") {
        let mut inside = Vec::new();
        let at = At {
            pose: Pose::identity(),
            ..enter(scene, part.element, part.at)?
        };
        lay_out(scene, part.element, at, &mut inside)?;
        let number = body::read(scene, part, parent, &inside)?;
        below(scene, number, &inside)?;
    }
    Ok(())
}

/// One level deeper, with the class for the content.
fn enter(scene: &Scene<'_>, element: &Element, at: At) -> Result<At, ImportError> {
    if at.depth >= MAX_DEPTH {
        let what = format!("nested more than {MAX_DEPTH} deep, or attached to itself");
        return Err(element.error(Fault::TooLarge, what, "flatten the model"));
    }
    let defaults = &scene.documents[at.document].defaults;
    let class = element.attribute("childclass");
    Ok(At {
        class: class.map_or(Ok(at.class), |a| defaults.named(a))?,
        depth: at.depth + 1,
        ..at
    })
}

/// The parts inside an element, with frames, copies and attached models dissolved.
fn lay_out<'a>(
    scene: &mut Scene<'a>,
    element: &'a Element,
    at: At,
    parts: &mut Vec<Part<'a>>,
) -> Result<(), ImportError> {
    for child in &element.children {
        scene.count(child)?;
        match child.name.as_str() {
            "frame" => {
                let inside = enter(scene, child, at)?;
                let pose = scene.documents[at.document].compiler.pose(child)?;
                let pose = at.pose.compose(&pose);
                lay_out(scene, child, At { pose, ..inside }, parts)?;
            }
            "replicate" => copies(scene, child, at, parts)?,
            "attach" => attach(scene, child, at, parts)?,
            "flexcomp" | "composite" => {
                let what = format!("<{}> makes a deformable or composite object", child.name);
                let remedy = "remove it, or build it from bodies and joints";
                return Err(child.error(Fault::Unsupported, what, remedy));
            }
            "plugin" => {
                let what = "plugins are not run";
                scene.draft.notices.ignored(&child.place, what);
            }
            "light" => {}
            _ => parts.push(Part { element: child, at }),
        }
    }
    Ok(())
}

/// `<replicate>`: each copy is moved relative to the last by the offset and rotation.
fn copies<'a>(
    scene: &mut Scene<'a>,
    element: &'a Element,
    at: At,
    parts: &mut Vec<Part<'a>>,
) -> Result<(), ImportError> {
    element.require("count")?;
    let count = element.integer("count")?.unwrap_or(0);
    if let Some(a) = element.attribute("count").filter(|_| count < 0) {
        return Err(a.bad("is negative", "give how many copies there are"));
    }
    let compiler = &scene.documents[at.document].compiler;
    let offset = element.vec3("offset")?.unwrap_or_default();
    let turn = compiler.euler(&element.vec3("euler")?.unwrap_or_default());
    let step = Pose::new(offset, turn);
    let (sep, digits) = (element.get("sep").unwrap_or(""), count.to_string().len());
    let inside = enter(scene, element, at)?;
    let mut pose = at.pose;
    for copy in 0..count {
        scene.count(element)?;
        let mut scope = scene.scopes[at.scope].clone();
        scope.suffix.insert(0, format!("{sep}{copy:0digits$}"));
        scene.scopes.push(scope);
        let here = At {
            scope: scene.scopes.len() - 1,
            pose,
            ..inside
        };
        lay_out(scene, element, here, parts)?;
        pose = pose.compose(&step);
    }
    Ok(())
}

/// `<attach>`: a body, a frame or all of another model, or another copy of a body or frame of this one.
fn attach<'a>(
    scene: &mut Scene<'a>,
    element: &'a Element,
    at: At,
    parts: &mut Vec<Part<'a>>,
) -> Result<(), ImportError> {
    let from = match element.attribute("model") {
        None => at.document,
        Some(a) => {
            let models = &scene.documents[at.document].models;
            *models.get(&a.value).ok_or_else(|| {
                a.bad(
                    "is no model of the assets",
                    "declare it with <model> in <asset>",
                )
            })?
        }
    };
    let (document, outer) = (&scene.documents[from], &scene.scopes[at.scope]);
    let scope = Scope {
        document: from,
        instance: scene.instances.len(),
        prefix: format!("{}{}", outer.prefix, element.get("prefix").unwrap_or("")),
        suffix: outer.suffix.clone(),
    };
    scene.scopes.push(scope.clone());
    scene.instances.push(scope);
    let inside = At {
        document: from,
        scope: scene.scopes.len() - 1,
        class: 0,
        ..enter(scene, element, at)?
    };
    for kind in ["body", "frame"] {
        let Some(name) = element.attribute(kind) else {
            continue;
        };
        let Some(found) = document.find(kind, &name.value) else {
            return Err(name.unresolved("is not in the model", &format!("name an existing {kind}")));
        };
        if kind == "body" {
            scene.count(found)?;
            parts.push(Part {
                element: found,
                at: inside,
            });
        } else {
            let here = enter(scene, found, inside)?;
            let pose = at.pose.compose(&document.compiler.pose(found)?);
            lay_out(scene, found, At { pose, ..here }, parts)?;
        }
        return Ok(());
    }
    for world in document.root.all("worldbody") {
        lay_out(scene, world, inside, parts)?;
    }
    Ok(())
}
