//! Links: their frames, masses and shapes.

use crate::export::node::Node;
use linkwork::State;
use linkwork::math::{Pose, Quat, Vec3};
use linkwork::model::{Body, BodyId, JointId, Model};
use nalgebra::{Matrix3, Rotation3};

/// Joint types of the tree that are written; the last three need an entry in the second file.
const TYPES: [&str; 6] = [
    "fixed",
    "revolute",
    "prismatic",
    "planar",
    "spherical",
    "universal",
];

/// The mechanism as links.
pub(super) struct Links<'a> {
    pub model: &'a Model,
    pub home: State,
    /// Name of the link that is the world.
    pub root: String,
    /// The joint that carries each body; `None`: it floats.
    pub carrier: Vec<Option<JointId>>,
    /// Frame of each link from its body's centre of mass: that of the joint that carries it.
    local: Vec<Pose>,
}

impl<'a> Links<'a> {
    pub fn of(model: &'a Model, left_out: &mut Vec<String>) -> Self {
        let home = model.initial_state();
        let bodies = model.bodies();
        let mut carrier = vec![None; bodies.len()];
        let mut local: Vec<Pose> = bodies
            .iter()
            .map(|b| Pose::new(-b.com, Quat::identity()))
            .collect();
        for &id in model.tree() {
            let joint = model.joint(id);
            let (kind, follower) = (joint.kind.name(), joint.follower.index());
            if TYPES.contains(&kind) {
                carrier[follower] = Some(id);
                local[follower] = joint_frame(model, id, &home);
            } else {
                let body = &bodies[follower].name;
                let text = format!(
                    "joint '{}': URDF has no {kind} joint; body '{body}' floats",
                    joint.name
                );
                left_out.push(text);
            }
        }
        let mut root = "world".to_owned();
        while bodies.iter().any(|b| b.name == root) {
            root.push('_');
        }
        Self {
            model,
            home,
            root,
            carrier,
            local,
        }
    }

    /// Name of the link of a body, or of the world.
    pub fn name(&self, body: Option<BodyId>) -> &str {
        body.map_or(&self.root, |b| &self.model.body(b).name)
    }

    /// Frame of a link in the world, in the home pose.
    pub fn frame(&self, body: Option<BodyId>) -> Pose {
        body.map_or(Pose::identity(), |b| {
            self.home.poses[b.index()].compose(&self.local[b.index()])
        })
    }

    /// A pose that is given from the centre of mass (or in the world), in the frame of the link.
    pub fn inside(&self, body: Option<BodyId>, pose: &Pose) -> Pose {
        match body {
            Some(b) => self.local[b.index()].inverse().compose(pose),
            None => *pose,
        }
    }

    /// The link of the world, with its shapes.
    pub fn world(&self, shapes: Vec<Node>) -> Node {
        let node = Node::new("link").text("name", self.root.as_str());
        node.with(shapes)
    }

    /// The link of a body, with its shapes.
    pub fn link(&self, id: Option<BodyId>, body: &Body, shapes: Vec<Node>) -> Node {
        let inertia = &body.inertia;
        let mut moments = Node::new("inertia");
        for (key, at) in [
            ("ixx", (0, 0)),
            ("ixy", (0, 1)),
            ("ixz", (0, 2)),
            ("iyy", (1, 1)),
            ("iyz", (1, 2)),
            ("izz", (2, 2)),
        ] {
            moments = moments.numbers(key, &[inertia[at]]);
        }
        let inertial = Node::new("inertial").with([
            origin(&self.inside(id, &Pose::identity())),
            Node::new("mass").numbers("value", &[body.mass]),
            moments,
        ]);
        let mut node = Node::new("link").text("name", body.name.as_str());
        node.push(inertial);
        node.with(shapes)
    }

    /// Frames as links without mass, welded on.
    pub fn frames(&self) -> Vec<(Node, Node)> {
        let frames = self.model.frames().iter().map(|frame| {
            let link = Node::new("link").text("name", frame.name.as_str());
            let joint = Node::new("joint").text("name", format!("{}/weld", frame.name));
            let joint = joint.text("type", "fixed").with([
                Node::new("parent").text("link", self.name(frame.body)),
                Node::new("child").text("link", frame.name.as_str()),
                origin(&self.inside(frame.body, &frame.local)),
            ]);
            (link, joint)
        });
        frames.collect()
    }
}

/// The frame of a joint in its follower, from the centre of mass. URDF's universal joint rotates about two axes of one
/// frame, the base's x and the follower's y, which are perpendicular at any angle.
fn joint_frame(model: &Model, id: JointId, home: &State) -> Pose {
    let joint = model.joint(id);
    if joint.kind.name() != "universal" {
        return joint.frame_follower;
    }
    let base = joint
        .base
        .map_or(Pose::identity(), |b| home.poses[b.index()]);
    let body = home.poses[joint.follower.index()].rotation;
    let x = body.inverse() * (base.rotation * (joint.frame_base.rotation * Vec3::x()));
    let y = joint.frame_follower.rotation * Vec3::y();
    let turn = Rotation3::from_matrix_unchecked(Matrix3::from_columns(&[x, y, x.cross(&y)]));
    Pose::new(
        joint.frame_follower.position,
        Quat::from_rotation_matrix(&turn),
    )
}

/// An `origin` element.
pub(super) fn origin(pose: &Pose) -> Node {
    let node = Node::new("origin").vector("xyz", &pose.position);
    node.vector("rpy", &rpy(&pose.rotation))
}

/// Roll, pitch and yaw. Yaw is computed first, so that the angles remain consistent if pitch is a right angle and only
/// the sum of the other two is determined.
pub(super) fn rpy(rotation: &Quat) -> Vec3 {
    let m = rotation.to_rotation_matrix();
    let yaw = if m[(0, 0)].hypot(m[(1, 0)]) > 1e-9 {
        m[(1, 0)].atan2(m[(0, 0)])
    } else {
        0.0
    };
    let rest = Rotation3::from_axis_angle(&Vec3::z_axis(), -yaw) * m;
    let roll = (-rest[(1, 2)]).atan2(rest[(1, 1)]);
    let pitch = (-rest[(2, 0)]).atan2(rest[(0, 0)]);
    Vec3::new(roll, pitch, yaw)
}
