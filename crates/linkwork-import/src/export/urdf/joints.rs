//! Joints of the tree.

use super::links::{Links, origin};
use crate::export::node::Node;
use linkwork::actuators::{Actuator, Transmission};
use linkwork::model::{Axis, BodyId, Coupling, JointId, Term};

/// Limits that URDF requires for unbounded coordinates: N, N m, m/s or rad/s.
const UNBOUNDED: f64 = 1e9;

/// A joint for every body.
pub(super) fn nodes(links: &Links, left_out: &mut Vec<String>) -> Vec<Node> {
    let model = links.model;
    let mut nodes = Vec::new();
    for (i, carrier) in links.carrier.iter().enumerate() {
        let body = BodyId(i as u32);
        nodes.push(match carrier {
            None => floating(links, body),
            Some(id) => carried(links, *id, left_out),
        });
    }
    for coupling in model.couplings() {
        if mimic(links, coupling).is_none() {
            left_out.push(format!(
                "coupling '{}': URDF has q = a·r + b only",
                coupling.name
            ));
        }
    }
    nodes
}

fn floating(links: &Links, body: BodyId) -> Node {
    let name = format!("{}/free", links.name(Some(body)));
    connecting(links, name, "floating", None, body)
}

fn connecting(
    links: &Links,
    name: String,
    kind: &str,
    base: Option<BodyId>,
    follower: BodyId,
) -> Node {
    let place = links
        .frame(base)
        .inverse()
        .compose(&links.frame(Some(follower)));
    Node::new("joint")
        .text("name", name)
        .text("type", kind)
        .with([
            Node::new("parent").text("link", links.name(base)),
            Node::new("child").text("link", links.name(Some(follower))),
            origin(&place),
        ])
}

fn carried(links: &Links, id: JointId, left_out: &mut Vec<String>) -> Node {
    let model = &links.model;
    let joint = model.joint(id);
    let kind = joint.kind.name();
    let axis = joint.axes.first().copied().unwrap_or_default();
    let word = match kind {
        "fixed" | "prismatic" | "planar" => kind,
        "revolute" if axis.limits.is_some() => kind,
        "revolute" => "continuous",
        // Joints that the second file turns into ball or universal joints.
        _ => "floating",
    };
    let mut node = connecting(links, joint.name.clone(), word, joint.base, joint.follower);
    if matches!(kind, "revolute" | "prismatic" | "planar") {
        node.push(Node::new("axis").numbers("xyz", &[0.0, 0.0, 1.0]));
    }
    if matches!(kind, "revolute" | "prismatic") {
        let home = links.home.joint_coordinates(model, id)[0];
        if home.abs() > 1e-9 {
            left_out.push(format!(
                "joint '{}': its coordinate is counted from {home}",
                joint.name
            ));
        }
        if kind == "prismatic" || axis.limits.is_some() {
            node.push(limit(links, id, &axis, home));
        }
        let (damping, friction) = (axis.spring.damping, axis.friction);
        if damping > 0.0 || friction > 0.0 {
            let dynamics = Node::new("dynamics").numbers("damping", &[damping]);
            node.push(dynamics.numbers("friction", &[friction]));
        }
        let followed = model.couplings().iter().filter_map(|c| mimic(links, c));
        for (_, mimic) in followed.filter(|(follower, _)| *follower == id) {
            node.push(mimic);
        }
    }
    let carried = |a: &Axis| a.drive.is_none() && a.spring.stiffness == 0.0 && a.armature == 0.0;
    if !joint.axes.iter().all(carried) {
        left_out.push(format!("joint '{}': drive, spring or armature", joint.name));
    }
    if joint.turn_limits.is_some() {
        left_out.push(format!("joint '{}': the limit of its turn", joint.name));
    }
    node
}

fn limit(links: &Links, id: JointId, axis: &Axis, home: f64) -> Node {
    let bound = |x: f64| (x - home).clamp(-UNBOUNDED, UNBOUNDED);
    let (low, high) = axis
        .limits
        .map_or((-UNBOUNDED, UNBOUNDED), |l| (l.min, l.max));
    let node = Node::new("limit")
        .numbers("lower", &[bound(low)])
        .numbers("upper", &[bound(high)]);
    let effort = links.model.actuators().iter().find(|a| drives(a, id));
    let effort = effort
        .and_then(|a| a.force_range)
        .map(|[low, high]| low.abs().max(high.abs()));
    let node = node.numbers("effort", &[effort.unwrap_or(UNBOUNDED)]);
    node.numbers("velocity", &[UNBOUNDED])
}

/// Whether an actuator pulls on a joint.
pub(super) fn drives(actuator: &Actuator, id: JointId) -> bool {
    matches!(actuator.transmission, Transmission::Coordinate { joint, .. } if joint == id)
}

/// c₁ y + c₂ x = c₀ as y = m x + b for the first and only coordinates of two joints, measured from the home pose.
fn mimic(links: &Links, coupling: &Coupling) -> Option<(JointId, Node)> {
    let model = &links.model;
    let [y, x] = coupling.terms.as_slice() else {
        return None;
    };
    let single = |t: &Term| {
        let carrier = links.carrier[model.joint(t.joint).follower.index()];
        carrier == Some(t.joint) && model.joint(t.joint).axes.len() == 1 && t.curve.is_none()
    };
    if !single(y) || !single(x) || y.factor == 0.0 || y.joint == x.joint {
        return None;
    }
    let home = |t: &Term| links.home.joint_coordinates(model, t.joint)[0];
    let multiplier = -x.factor / y.factor;
    let offset = coupling.offset / y.factor + multiplier * home(x) - home(y);
    let node = Node::new("mimic").text("joint", model.joint(x.joint).name.as_str());
    let node = node
        .numbers("multiplier", &[multiplier])
        .numbers("offset", &[offset]);
    Some((y.joint, node))
}
