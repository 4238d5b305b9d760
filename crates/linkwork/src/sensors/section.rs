//! Load cells: the internal wrench at a cut of the mechanism.
//!
//! Newton and Euler for all parts beyond the cut: the wrench from the near side is the rate of change of momentum minus
//! gravity, contacts, closed loops and wrenches applied there, as for MuJoCo's force and torque sensors. Joints, drives
//! and tendons that cross the cut are part of the measurement. Gravity is the model's, with any gravity factor of a
//! body: compensation counts as carried by the joints.

use super::LastStep;
use crate::BodyMotion;
use crate::math::{Mat3, Pose, Vec3, Wrench, symmetric};
use crate::model::{BodyId, Frame, JointId, Model, ModelData, ShapeId};
use serde::{Deserialize, Serialize};

/// Everything beyond a cut.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Section {
    /// Bodies and parts of bodies.
    pub parts: Vec<SectionPart>,
    /// Loop joints with one end there; `true` if that end is the follower's.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub closures: Vec<(JointId, bool)>,
}

/// A body, or a rigid part of a body or of the world.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SectionPart {
    /// The body; `None` is the world.
    pub body: Option<BodyId>,
    /// Its mass, kg.
    pub mass: f64,
    /// Its centre of mass from the **centre of mass** of the body along body axes, or in the world, m.
    pub com: Vec3,
    /// Inertia about its centre of mass along the axes of the body, kg m².
    #[serde(with = "symmetric")]
    pub inertia: Mat3,
    /// Whether wrenches applied to the body act on it: it contains the body's joint.
    pub root: bool,
    /// Its shapes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shapes: Vec<ShapeId>,
}

impl SectionPart {
    /// A whole body.
    pub fn whole(model: &ModelData, body: BodyId) -> Self {
        let own = &model.bodies[body.index()];
        let shapes = model.shapes.iter().enumerate();
        let shapes = shapes.filter(|(_, s)| s.body == Some(body));
        Self {
            body: Some(body),
            mass: own.mass,
            com: Vec3::zeros(),
            inertia: own.inertia,
            root: true,
            shapes: shapes.map(|(i, _)| ShapeId(i as u32)).collect(),
        }
    }
}

/// A sum of wrenches about a point.
struct Sum {
    about: Vec3,
    wrench: Wrench,
}

impl Sum {
    fn add(&mut self, point: &Vec3, force: &Vec3, torque: &Vec3) {
        self.wrench.force += force;
        self.wrench.torque += torque + (point - self.about).cross(force);
    }
}

impl Section {
    /// Force (N) and torque (N m) on the side beyond the cut, about and along the axes of a frame.
    pub fn load(&self, model: &Model, frame: &Frame, last: &LastStep) -> Wrench {
        let place = frame.placed(|b| last.motions[b.index()].pose);
        let mut sum = Sum {
            about: place.position,
            wrench: Wrench::zero(),
        };
        let none = Vec3::zeros();
        for part in &self.parts {
            let still = BodyMotion {
                pose: Pose::identity(),
                twist: Default::default(),
                linear: none,
                angular: none,
            };
            let motion = part.body.map_or(still, |b| last.motions[b.index()]);
            let turn = motion.pose.rotation.to_rotation_matrix();
            let arm = turn * part.com;
            let inertia = turn * part.inertia * turn.transpose();
            let force = part.mass * (motion.at(&arm) - model.gravity());
            let spin = &motion.twist.angular;
            let torque = inertia * motion.angular + spin.cross(&(inertia * spin));
            sum.add(&(motion.pose.position + arm), &force, &torque);
            if let (Some(body), true) = (part.body, part.root) {
                let applied = &last.control.wrenches[body.index()];
                sum.add(&motion.pose.position, &-applied.force, &-applied.torque);
            }
        }
        let has = |shape: &ShapeId| self.parts.iter().any(|p| p.shapes.contains(shape));
        for touch in &last.contacts {
            let [a, b] = touch.shapes.each_ref().map(has);
            // The opposite acts on the first shape; within the section both cancel.
            if a != b {
                let force = if b { touch.force } else { -touch.force };
                sum.add(&touch.point, &-force, &none);
            }
        }
        for (joint, follower) in &self.closures {
            let (point, on_follower) = last.reaction(*joint);
            let sign = if *follower { -1.0 } else { 1.0 };
            sum.add(
                &point,
                &(sign * on_follower.force),
                &(sign * on_follower.torque),
            );
        }
        let back = place.rotation.inverse();
        Wrench::new(back * sum.wrench.force, back * sum.wrench.torque)
    }
}
