//! Joints that close loops, as equality constraints between sites.

use super::softness::{OWN, yielding};
use super::tree::Tree;
use crate::export::node::Node;
use linkwork::math::{Pose, Vec3};
use linkwork::model::{BodyId, Joint, Model};

/// Half the distance of the two points that represent a hinge, m.
const HALF_PIN: f64 = 0.05;

/// A closure: its ends and what holds them together.
#[derive(Default)]
pub(super) struct Closure {
    /// Body, name and pose from the centre of mass of each site.
    pub sites: Vec<(Option<BodyId>, String, Pose)>,
    pub constraints: Vec<Node>,
}

/// All closures of a mechanism.
pub(super) fn of(model: &Model, tree: &Tree, left_out: &mut Vec<String>) -> Vec<Closure> {
    let mut closures = Vec::new();
    for (i, joint) in model.joints().iter().enumerate() {
        // Joints of the tree that MJCF does not support have been reported already.
        if tree.forms[i].is_some() || model.tree().iter().any(|j| j.index() == i) {
            continue;
        }
        let mut closure = Closure::default();
        match joint.kind.name() {
            "fixed" => closure.tie("weld", joint, "", Vec3::zeros()),
            "spherical" => closure.tie("connect", joint, "", Vec3::zeros()),
            "revolute" => {
                closure.tie("connect", joint, "/a", Vec3::z() * HALF_PIN);
                closure.tie("connect", joint, "/b", Vec3::z() * -HALF_PIN);
                left_out.push(format!(
                    "joint '{}': a hinge that closes a loop is written as two points on its axis",
                    joint.name
                ));
            }
            kind => left_out.push(format!(
                "joint '{}': a {kind} joint that closes a loop",
                joint.name
            )),
        }
        if joint.axes.iter().any(|a| *a != Default::default()) {
            let text = "what acts on a joint that closes a loop";
            left_out.push(format!("joint '{}': {text}", joint.name));
        }
        closures.push(closure);
    }
    closures
}

impl Closure {
    /// Hold a point of the joint frame of both bodies together.
    fn tie(&mut self, how: &'static str, joint: &Joint, end: &str, point: Vec3) {
        let at = |frame: &Pose| Pose::new(frame.transform_point(&point), frame.rotation);
        let (base, follower) = (
            format!("{}{end}/base", joint.name),
            format!("{}{end}/follower", joint.name),
        );
        let node = Node::new(how).text("name", format!("{}{end}", joint.name));
        let node = node
            .text("site1", base.as_str())
            .text("site2", follower.as_str());
        let softness = joint.softness;
        let mut node = yielding(node, softness.map(|s| s.impedance), OWN);
        if let ("weld", Some(softness)) = (how, softness) {
            node = node.number_unless("torquescale", 2.0 * softness.radius, 1.0);
        }
        self.constraints.push(node);
        self.sites.push((joint.base, base, at(&joint.frame_base)));
        let follower = (Some(joint.follower), follower, at(&joint.frame_follower));
        self.sites.push(follower);
    }
}
