//! Meaning of the numbers of a keyframe: the joints and controls of its file.

use super::super::document::Document;
use super::super::scene::{JointKind, Origin, Scene};
use crate::ImportError;
use crate::xml::Element;
use std::collections::HashMap;

/// A joint of the file.
pub(super) struct Slot {
    /// Its number in the whole; `None` if it was not attached.
    pub joint: Option<usize>,
    /// Numbers in `qpos`.
    pub positions: usize,
    /// Numbers in `qvel`.
    pub velocities: usize,
}

/// Joints and controls in the order of a file.
pub(super) struct Layout {
    pub joints: Vec<Slot>,
    /// Where the value of each control of the whole is in `ctrl`, for those of the file.
    pub controls: HashMap<usize, usize>,
    /// Numbers in `ctrl`.
    pub control_count: usize,
    /// It is that of the main file.
    pub is_whole: bool,
}

/// Numbers of a joint in `qpos` and `qvel`.
const FREE: (usize, usize) = (7, 6);
const BALL: (usize, usize) = (4, 3);
const SCALAR: (usize, usize) = (1, 1);

impl Layout {
    /// That of the main file, which has everything.
    pub fn whole(scene: &Scene<'_>) -> Self {
        let joints = scene.joints.iter().enumerate().map(|(i, joint)| {
            let width = match joint.kind {
                JointKind::Free(_) => FREE,
                JointKind::Ball(..) => BALL,
                JointKind::Scalar(..) => SCALAR,
            };
            Slot::new(Some(i), width)
        });
        Self {
            joints: joints.collect(),
            controls: (0..scene.control_count).map(|c| (c, c)).collect(),
            control_count: scene.control_count,
            is_whole: true,
        }
    }

    /// That of an attached file with its joints in this order.
    pub fn attached(scene: &Scene<'_>, instance: usize, order: &[Joint<'_>]) -> Self {
        let document = &scene.documents[scene.instances[instance].document];
        let own = |origin: &Origin| origin.instance == instance;
        let joints = scene.joints.iter().enumerate();
        let joints = joints.filter(|(_, j)| own(&j.origin));
        let numbers: HashMap<_, _> = joints.map(|(i, j)| (j.origin.element, i)).collect();
        let joints = order.iter().map(|(element, width)| {
            let number = numbers.get(&std::ptr::from_ref(*element)).copied();
            Slot::new(number, *width)
        });
        let actuators = document.section("actuator").enumerate();
        let given: HashMap<_, _> = actuators.map(|(i, e)| (std::ptr::from_ref(e), i)).collect();
        let controls = scene.control_origins.iter().enumerate();
        let controls = controls.filter(|(_, origin)| own(origin));
        let controls = controls.filter_map(|(c, o)| Some((c, *given.get(&o.element)?)));
        Self {
            joints: joints.collect(),
            controls: controls.collect(),
            control_count: given.len(),
            is_whole: false,
        }
    }
}

impl Slot {
    fn new(joint: Option<usize>, (positions, velocities): (usize, usize)) -> Self {
        Self {
            joint,
            positions,
            velocities,
        }
    }
}

/// A joint of a file, and its numbers in `qpos` and `qvel`.
pub(super) type Joint<'a> = (&'a Element, (usize, usize));

/// The joints of a file in their order; `None` if its own copies or attachments make the order unknown.
pub(super) fn order(document: &Document) -> Result<Option<Vec<Joint<'_>>>, ImportError> {
    let mut found = Vec::new();
    for world in document.root.all("worldbody") {
        if !bodies(document, world, 0, &mut found)? {
            return Ok(None);
        }
    }
    Ok(Some(found))
}

/// The joints of the bodies inside an element, each body's own before those of the bodies below it. The depth was
/// checked when the file was expanded.
fn bodies<'a>(
    document: &'a Document,
    element: &'a Element,
    class: usize,
    found: &mut Vec<Joint<'a>>,
) -> Result<bool, ImportError> {
    let mut inside = Vec::new();
    let plain = dissolved(document, element, class, &mut inside)?;
    for (joint, class) in inside.iter().filter(|(e, _)| is_joint(e)) {
        let e = document.defaults.complete(joint, *class, "worldbody")?;
        let width = match (e.name.as_str(), e.get("type")) {
            ("freejoint", _) | (_, Some("free")) => FREE,
            (_, Some("ball")) => BALL,
            _ => SCALAR,
        };
        found.push((joint, width));
    }
    let mut all = plain;
    for (body, class) in inside.iter().filter(|(e, _)| e.name == "body") {
        let class = inner(document, body, *class)?;
        all &= bodies(document, body, class, found)?;
    }
    Ok(all)
}

fn is_joint(e: &Element) -> bool {
    ["joint", "freejoint"].contains(&e.name.as_str())
}

/// The class inside an element.
fn inner(document: &Document, e: &Element, class: usize) -> Result<usize, ImportError> {
    let own = e.attribute("childclass");
    own.map_or(Ok(class), |a| document.defaults.named(a))
}

/// The content of an element, with frames dissolved, with its class; false if it has copies or attachments.
fn dissolved<'a>(
    document: &'a Document,
    element: &'a Element,
    class: usize,
    inside: &mut Vec<(&'a Element, usize)>,
) -> Result<bool, ImportError> {
    let mut plain = true;
    for child in &element.children {
        match child.name.as_str() {
            "replicate" | "attach" => plain = false,
            "frame" => {
                let class = inner(document, child, class)?;
                plain &= dissolved(document, child, class, inside)?;
            }
            _ => inside.push((child, class)),
        }
    }
    Ok(plain)
}
