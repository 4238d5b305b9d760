//! Rigid bodies.

use crate::math::{MassProperties, Mat3, Pose, Twist, Vec3, symmetric, symmetric_inverse};
use serde::{Deserialize, Serialize};

/// A body of a [`Model`](super::Model).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Body {
    /// Unique name.
    pub name: String,
    /// Mass, kg.
    pub mass: f64,
    /// Centre of mass in the body frame, m.
    pub com: Vec3,
    /// Inertia about the centre of mass along the body axes, kg m².
    #[serde(with = "symmetric")]
    pub inertia: Mat3,
    /// Inverse of `inertia`.
    #[serde(skip)]
    pub inverse_inertia: Mat3,
    /// Whether the inertia is a multiple of the identity, so that there is no gyroscopic torque.
    #[serde(skip)]
    pub isotropic: bool,
    /// Initial pose of the **centre of mass** (body axes) in the world.
    pub pose: Pose,
    /// Initial velocity.
    pub twist: Twist,
    /// Share of the model's gravity that acts on it.
    pub gravity_scale: f64,
}

impl Body {
    /// Fill in what follows from the inertia.
    pub(super) fn derive(&mut self) {
        let inertia = &self.inertia;
        let spread = inertia - Mat3::identity() * inertia[(0, 0)];
        self.isotropic = spread.amax() <= 1e-14 * inertia.amax();
        self.inverse_inertia = symmetric_inverse(inertia);
    }
}

/// What [`ModelBuilder::add_body`](super::ModelBuilder::add_body) takes.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyDef {
    pub(super) name: String,
    pub(super) mass: MassProperties,
    pub(super) pose: Pose,
    pub(super) twist: Twist,
    pub(super) gravity_scale: f64,
}

impl BodyDef {
    /// A body with its frame at the world's origin, at rest.
    pub fn new(name: impl Into<String>, mass: MassProperties) -> Self {
        Self {
            name: name.into(),
            mass,
            pose: Pose::identity(),
            twist: Twist::zero(),
            gravity_scale: 1.0,
        }
    }

    /// Initial pose of the body frame in the world.
    pub fn pose(mut self, pose: Pose) -> Self {
        self.pose = pose;
        self
    }

    /// Initial position (m) of the body frame in the world.
    pub fn at(self, x: f64, y: f64, z: f64) -> Self {
        self.pose(Pose::at(x, y, z))
    }

    /// Initial velocity: of the centre of mass (m/s) and angular (rad/s), in the world.
    pub fn twist(mut self, linear: Vec3, angular: Vec3) -> Self {
        self.twist = Twist::new(linear, angular);
        self
    }

    /// Factor on the gravity that acts on the body; default 1.
    pub fn gravity_scale(mut self, scale: f64) -> Self {
        self.gravity_scale = scale;
        self
    }
}
