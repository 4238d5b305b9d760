//! Mocap bodies: free joints to the world with rigid drives on their coordinates, which are position and rotation
//! vector of the body's frame in the world.

use super::scene::Scene;
use super::tree::Part;
use crate::draft::{Attachment, DraftJoint, LinkId};
use crate::xml::Element;
use crate::{Fault, ImportError};
use linkwork::joints::Free;
use linkwork::math::{MassProperties, Mat3, Pose};
use linkwork::model::{Axis, Drive, JointId};
use std::sync::Arc;

/// Mass of a mocap body without any, kg, and its radius of gyration, m: neither has an effect.
const MASS: f64 = 1.0;
const RADIUS: f64 = 0.1;

/// Whether a body is moved from outside. One with a plane or height field, which cannot move here, is fixed at its pose
/// in the file.
pub(super) fn is_moved(
    scene: &mut Scene<'_>,
    part: &Part<'_>,
    parent: usize,
    parts: &[Part<'_>],
) -> Result<bool, ImportError> {
    let element = part.element;
    if element.flag("mocap")? != Some(true) {
        return Ok(false);
    }
    let jointed = |p: &Part<'_>| ["joint", "freejoint"].contains(&p.element.name.as_str());
    if parent != 0 || parts.iter().any(jointed) {
        let what = "a mocap body must be a child of the world without joints";
        return Err(element.error(Fault::Mechanism, what, "remove mocap or the joints"));
    }
    for p in parts.iter().filter(|p| p.element.name == "geom") {
        let e = p.complete(scene)?;
        if let Some(kind @ ("plane" | "hfield")) = e.get("type") {
            let what = format!("a mocap body with a {kind} is fixed at its pose in the file");
            scene.draft.notices.chose(&element.place, what, "");
            return Ok(false);
        }
    }
    Ok(true)
}

/// Join a mocap body to the world.
pub(super) fn attach(
    scene: &mut Scene<'_>,
    element: &Element,
    name: String,
    link: LinkId,
) -> Attachment {
    let id = JointId(scene.draft.joints.len() as u32);
    let made = &mut scene.draft.links[link.0];
    // Its inertia has no effect. With equal moments about all axes it follows its targets without torque.
    let given = made.mass;
    let mass = if given.mass > 0.0 { given.mass } else { MASS };
    let mean = given.inertia.trace() / 3.0;
    let inertia = if mean > 0.0 {
        mean
    } else {
        mass * RADIUS * RADIUS
    };
    made.mass = MassProperties {
        mass,
        com: given.com,
        inertia: Mat3::identity() * inertia,
    };
    made.gravity_scale = 0.0;
    let axis = Axis {
        drive: Some(Drive::RIGID),
        ..Axis::default()
    };
    let labels = ["x", "y", "z", "rx", "ry", "rz"];
    let joint = DraftJoint {
        labels: labels.iter().map(|l| format!("{name}:{l}")).collect(),
        name: scene.joint_name(&name),
        place: element.place.clone(),
        kind: Arc::new(Free),
        base: None,
        follower: link,
        frame_base: Pose::identity(),
        frame_follower: Pose::identity(),
        axes: vec![axis; 6],
        turn_limits: None,
        coordinates: Vec::new(),
        collide: false,
        closure: false,
        softness: None,
    };
    scene.draft.joints.push(joint);
    // They touch neither the world nor each other.
    let others = scene.mocaps.iter().map(|(_, other)| Some(*other));
    let others: Vec<_> = others.chain([None]).collect();
    let pairs = others.into_iter().map(|other| (other, Some(link)));
    scene.draft.excluded.extend(pairs);
    scene.mocaps.push((id, link));
    let what = format!(
        "mocap body '{name}' is moved by the targets of its coordinates, {name}:x to {name}:rz"
    );
    scene.draft.notices.chose(&element.place, what, "");
    Attachment::Joint(id)
}
