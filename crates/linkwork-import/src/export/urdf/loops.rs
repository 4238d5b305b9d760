//! The second file: closures, joint types that URDF does not have, motors.

use super::joints::drives;
use super::links::{Links, rpy};
use linkwork::math::Pose;
use linkwork::model::{BodyId, JointId};
use std::fmt::Write;

/// The text; `None` if it is not needed.
pub(super) fn text(links: &Links, left_out: &mut Vec<String>) -> Option<String> {
    let (closures, joints) = (closures(links, left_out), retyped(links));
    let motors = motors(links);
    if closures.is_empty() && joints.is_empty() && links.model.actuators().is_empty() {
        return None;
    }
    let mut text = String::from("# What the URDF of this name cannot say.\n");
    if !closures.is_empty() {
        text += &format!("closures:\n{closures}");
    }
    if !joints.is_empty() {
        text += &format!("joints:\n{joints}");
    }
    if !motors.is_empty() {
        text += &format!("motors: [{}]\n", motors.join(", "));
    }
    Some(text)
}

fn closures(links: &Links, left_out: &mut Vec<String>) -> String {
    let model = links.model;
    let mut text = String::new();
    for (i, joint) in model.joints().iter().enumerate() {
        if model.tree().iter().any(|j| j.index() == i) {
            continue;
        }
        if !joint.kind.parameters().is_empty() {
            let kind = joint.kind.name();
            left_out.push(format!(
                "joint '{}': a {kind} joint that closes a loop",
                joint.name
            ));
            continue;
        }
        let _ = writeln!(text, "  - name: {}", quoted(&joint.name));
        let _ = writeln!(text, "    type: {}", joint.kind.name());
        for (key, body, frame) in [
            ("a", joint.base, &joint.frame_base),
            ("b", Some(joint.follower), &joint.frame_follower),
        ] {
            let _ = writeln!(text, "    {key}: {}", side(links, body, frame));
        }
        if joint.axes.iter().any(|a| *a != Default::default()) {
            left_out.push(format!("joint '{}': what acts on it", joint.name));
        }
    }
    text
}

fn side(links: &Links, body: Option<BodyId>, frame: &Pose) -> String {
    let pose = links.inside(body, frame);
    let list = |v: &[f64]| format!("[{:?}, {:?}, {:?}]", v[0], v[1], v[2]);
    let (xyz, rpy) = (
        list(pose.position.as_slice()),
        list(rpy(&pose.rotation).as_slice()),
    );
    format!(
        "{{link: {}, xyz: {xyz}, rpy: {rpy}}}",
        quoted(links.name(body))
    )
}

fn retyped(links: &Links) -> String {
    let mut text = String::new();
    for id in links.carrier.iter().flatten() {
        let joint = links.model.joint(*id);
        let word = match joint.kind.name() {
            "spherical" => "spherical",
            "universal" => "universal-xy",
            _ => continue,
        };
        let _ = writeln!(text, "  {}: {word}", quoted(&joint.name));
    }
    text
}

/// Joints with an actuator.
fn motors(links: &Links) -> Vec<String> {
    let single = |id: &&JointId| links.model.joint(**id).axes.len() == 1;
    let driven = |id: &&JointId| links.model.actuators().iter().any(|a| drives(a, **id));
    let joints = links.carrier.iter().flatten().filter(single).filter(driven);
    joints
        .map(|id| quoted(&links.model.joint(*id).name))
        .collect()
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""))
}
