//! Joints of the tree as elements of their bodies.

use super::elementary::{Elementary, Form};
use super::softness::{LIMIT, yielding};
use super::tree::Tree;
use crate::export::node::Node;
use linkwork::model::{Axis, Body, JointId};

/// Name of a floating body's joint.
pub(super) fn free_name(body: &Body) -> String {
    format!("{}/free", body.name)
}

/// Name of a coordinate: the file's own, if it is unambiguous.
pub(super) fn name(tree: &Tree, joint: JointId, coordinate: usize) -> String {
    let labels = &tree.model.labels()[joint.index()];
    let own = &tree.model.joint(joint).name;
    match (labels.get(coordinate), labels.len()) {
        (Some(label), _) if !label.is_empty() => label.clone(),
        _ => format!("{own}/{coordinate}"),
    }
}

/// Name of the slide of a screw, which is no coordinate.
pub(super) fn screw_slide(tree: &Tree, joint: JointId) -> String {
    format!("{}/slide", name(tree, joint, 0))
}

/// The elements of a joint.
pub(super) fn nodes(tree: &Tree, id: JointId, left_out: &mut Vec<String>) -> Vec<Node> {
    let joint = tree.model.joint(id);
    let home = tree.home.joint_coordinates(tree.model, id);
    match tree.forms[id.index()].as_ref() {
        Some(Form::Series(parts)) => {
            let parts = parts.iter().enumerate();
            let one = |(c, part): (usize, &Elementary)| {
                let axis = joint.axes.get(c).copied().unwrap_or_default();
                single(part, name(tree, id, c), home[c], &axis)
            };
            parts.map(one).collect()
        }
        Some(Form::Screw(parts, lead)) => {
            let slide = screw_slide(tree, id);
            let axis = joint.axes.first().copied().unwrap_or_default();
            vec![
                single(&parts[0], slide, lead * home[0], &Axis::default()),
                single(&parts[1], name(tree, id, 0), home[0], &axis),
            ]
        }
        Some(Form::Ball(at)) => {
            let axis = joint.axes[0];
            let plain = |a: &Axis| {
                a.limits.is_none() && a.drive.is_none() && a.spring.stiffness == 0.0 && *a == axis
            };
            if !joint.axes.iter().all(plain) {
                let text = "limits of single coordinates, drives and springs of a ball";
                left_out.push(format!("joint '{}': {text}", joint.name));
            }
            let node = Node::new("joint").text("name", joint.name.as_str());
            let node = node.text("type", "ball").vector("pos", at);
            let node = match joint.turn_limits {
                Some(limits) => {
                    if joint.turn(home).is_some_and(|turn| turn > 1e-9) {
                        let text = "the limit of its turn is counted from home, where it is turned already";
                        left_out.push(format!("joint '{}': {text}", joint.name));
                    }
                    let node = node.numbers("range", &[0.0, limits.max]);
                    yielding(node, limits.softness.map(|s| s.impedance), LIMIT)
                }
                None => node,
            };
            vec![resistance(node, &axis)]
        }
        Some(Form::Mocap | Form::None) | None => Vec::new(),
    }
}

fn single(part: &Elementary, name: String, home: f64, axis: &Axis) -> Node {
    let kind = if part.slide { "slide" } else { "hinge" };
    let mut node = Node::new("joint").text("name", name).text("type", kind);
    node = node.vector("pos", &part.anchor).vector("axis", &part.axis);
    node = node.number_unless("ref", home, 0.0);
    if let Some(limits) = axis
        .limits
        .filter(|l| l.min > f64::NEG_INFINITY || l.max < f64::INFINITY)
    {
        // MJCF has no one-sided limits; this value is out of reach.
        let bound = |x: f64| x.clamp(-1e10, 1e10);
        node = node.numbers("range", &[bound(limits.min), bound(limits.max)]);
        node = yielding(node, limits.softness.map(|s| s.impedance), LIMIT);
    }
    if axis.spring.stiffness > 0.0 {
        node = node.numbers("stiffness", &[axis.spring.stiffness]);
        node = node.numbers("springref", &[axis.spring.rest]);
    }
    resistance(node, axis)
}

/// With damping, armature and dry friction.
pub(super) fn resistance(node: Node, axis: &Axis) -> Node {
    node.number_unless("damping", axis.spring.damping, 0.0)
        .number_unless("armature", axis.armature, 0.0)
        .number_unless("frictionloss", axis.friction, 0.0)
}
