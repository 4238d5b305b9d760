//! Actuators and stored states.

use super::elementary::Form;
use super::joints::name;
use super::tree::Tree;
use crate::export::node::Node;
use linkwork::State;
use linkwork::actuators::{Actuator, Muscle, Transmission};
use linkwork::math::Pose;
use linkwork::model::{Axis, BodyId, JointId, Keyframe};

/// Whether a coordinate has a name in the file.
pub(super) fn is_named(tree: &Tree, joint: JointId) -> bool {
    matches!(
        tree.forms[joint.index()],
        Some(Form::Series(_) | Form::Screw(..))
    )
}

/// Actuators, and those that represent drives without one.
pub(super) fn actuators(tree: &Tree, left_out: &mut Vec<String>) -> Vec<Node> {
    let model = tree.model;
    let mut nodes = Vec::new();
    for a in model.actuators() {
        match actuator(tree, a) {
            Some(node) => nodes.push(node),
            None => left_out.push(format!(
                "actuator '{}': on a ball, a loop's joint, a tendon with a path or contacts",
                a.name
            )),
        }
    }
    for (j, joint) in model.joints().iter().enumerate() {
        for (c, axis) in joint.axes.iter().enumerate() {
            let id = JointId(j as u32);
            let rigid = axis.drive.is_some_and(|d| d.is_rigid());
            if rigid && !matches!(tree.forms[j], Some(Form::Mocap)) {
                left_out.push(format!("joint '{}': a rigid drive", joint.name));
                continue;
            }
            if axis.drive.is_some() && is_named(tree, id) && !has_servo(tree, id, c) {
                nodes.push(drive(&name(tree, id, c), axis));
                let text = "its drive is an actuator in MJCF, whose control is the target";
                left_out.push(format!("joint '{}': {text}", joint.name));
            }
        }
    }
    nodes
}

/// Whether an actuator can be written.
pub(super) fn is_written(tree: &Tree, a: &Actuator) -> bool {
    actuator(tree, a).is_some()
}

fn has_servo(tree: &Tree, id: JointId, c: usize) -> bool {
    let on = |a: &&Actuator| {
        matches!(a.transmission, Transmission::Coordinate { joint, coordinate, .. }
            if joint == id && coordinate == c)
    };
    tree.model
        .actuators()
        .iter()
        .filter(on)
        .any(|a| a.is_servo())
}

fn drive(joint: &str, axis: &Axis) -> Node {
    let drive = axis.drive.expect("it has one");
    let node = Node::new("general")
        .text("name", format!("{joint}/drive"))
        .text("joint", joint);
    let node = node
        .numbers("gainprm", &[drive.stiffness])
        .text("biastype", "affine");
    let node = node.numbers("biasprm", &[0.0, -drive.stiffness, -drive.damping]);
    match drive.effort_limit {
        Some(limit) => node.numbers("forcerange", &[-limit, limit]),
        None => node,
    }
}

fn actuator(tree: &Tree, a: &Actuator) -> Option<Node> {
    let model = tree.model;
    let mut node = Node::new("general").text("name", a.name.as_str());
    node = match &a.transmission {
        &Transmission::Coordinate {
            joint,
            coordinate,
            gear,
        } => {
            if !is_named(tree, joint) {
                return None;
            }
            node.text("joint", name(tree, joint, coordinate))
                .numbers("gear", &[gear])
        }
        &Transmission::Tendon { tendon, gear } => {
            let tendon = model.tendon(tendon);
            if !tendon.path.is_empty() {
                return None;
            }
            node.text("tendon", tendon.name.as_str())
                .numbers("gear", &[gear])
        }
        &Transmission::Frame { frame, gear } => {
            let frame = model.frame(frame).name.as_str();
            node.text("site", frame).numbers("gear", &gear)
        }
        Transmission::Adhesion { .. } => return None,
    };
    node = match &a.muscle {
        Some(muscle) => muscle_curves(node, muscle),
        None => node.numbers("gainprm", &[a.gain]),
    };
    if a.bias != [0.0; 3] {
        node = node.text("biastype", "affine").numbers("biasprm", &a.bias);
    }
    if let Some(dynamics) = a.dynamics {
        node = match (dynamics.time_constant, dynamics.muscle) {
            (Some(time), Some(lag)) => node
                .text("dyntype", "muscle")
                .numbers("dynprm", &[time, lag.deactivation, lag.smoothing]),
            (Some(time), None) => node
                .text("dyntype", "filterexact")
                .numbers("dynprm", &[time]),
            (None, _) => node.text("dyntype", "integrator"),
        };
    }
    for (key, range) in [
        ("actrange", a.dynamics.and_then(|d| d.range)),
        ("ctrlrange", a.control_range),
        ("forcerange", a.force_range),
    ] {
        if let Some(range) = range {
            node = node.numbers(key, &range);
        }
    }
    Some(node)
}

fn muscle_curves(node: Node, muscle: &Muscle) -> Node {
    let [from, to] = muscle.range;
    let [low, high] = muscle.active;
    let parameters = [
        from,
        to,
        muscle.force,
        0.0,
        low,
        high,
        muscle.fastest,
        muscle.passive,
        muscle.lengthening,
    ];
    node.numbers("lengthrange", &muscle.length_range)
        .text("gaintype", "muscle")
        .numbers("gainprm", &parameters)
        .text("biastype", "muscle")
        .numbers("biasprm", &parameters)
}

/// Stored states.
pub(super) fn keyframes(tree: &Tree, left_out: &mut Vec<String>) -> Vec<Node> {
    let node = |k: &Keyframe| {
        let state = tree.model.keyframe_state(k);
        let node = Node::new("key").text("name", k.name.as_str());
        let node = node
            .number_unless("time", k.time, 0.0)
            .numbers("qpos", &qpos(tree, &state));
        let node = mocaps(tree, &state, node);
        let written = tree.model.actuators().iter().enumerate();
        let written = written.filter(|(_, a)| a.dynamics.is_some() && is_written(tree, a));
        let of = |(i, _): (usize, &Actuator)| k.activations.get(i).copied().unwrap_or(0.0);
        let activations: Vec<f64> = written.map(of).collect();
        let node = if k.activations.is_empty() || activations.is_empty() {
            node
        } else {
            node.numbers("act", &activations)
        };
        if k.controls.is_empty() {
            node
        } else {
            node.numbers("ctrl", &k.controls)
        }
    };
    let keyframes = tree.model.keyframes();
    if keyframes.iter().any(|k| !k.rates.is_empty()) {
        left_out.push("velocities of stored states".to_owned());
    }
    keyframes.iter().map(node).collect()
}

/// MuJoCo's coordinates, in the order of the bodies.
fn qpos(tree: &Tree, state: &State) -> Vec<f64> {
    let model = &tree.model;
    let mut q = Vec::new();
    for &body in &tree.order {
        let Some(id) = tree.carrier[body.index()] else {
            let pose = model.body_frame(state, body);
            let r = pose.rotation;
            q.extend(pose.position.iter());
            q.extend([r.w, r.i, r.j, r.k]);
            continue;
        };
        match &tree.forms[id.index()] {
            Some(Form::Ball(_)) => {
                // From the home orientation, in the parent.
                let turn = relative(tree, &tree.home, id, body).rotation.inverse()
                    * relative(tree, state, id, body).rotation;
                q.extend([turn.w, turn.i, turn.j, turn.k]);
            }
            Some(Form::Screw(_, lead)) => {
                let angle = state.joint_coordinates(model, id)[0];
                q.extend([lead * angle, angle]);
            }
            Some(Form::Mocap) => {}
            _ => q.extend(state.joint_coordinates(model, id)),
        }
    }
    q
}

/// With the places of mocap bodies, in the order of the bodies.
fn mocaps(tree: &Tree, state: &State, node: Node) -> Node {
    let (mut places, mut turns) = (Vec::new(), Vec::new());
    for &body in &tree.order {
        let carrier = tree.carrier[body.index()];
        if let Some(Some(Form::Mocap)) = carrier.map(|id| &tree.forms[id.index()]) {
            let pose = tree.model.body_frame(state, body);
            let r = pose.rotation;
            places.extend(pose.position.iter().copied());
            turns.extend([r.w, r.i, r.j, r.k]);
        }
    }
    if places.is_empty() {
        return node;
    }
    node.numbers("mpos", &places).numbers("mquat", &turns)
}

fn relative(tree: &Tree, state: &State, id: JointId, body: BodyId) -> Pose {
    let model = &tree.model;
    let base = model
        .joint(id)
        .base
        .map_or(Pose::identity(), |b| state.poses[b.index()]);
    base.inverse().compose(&state.poses[body.index()])
}
