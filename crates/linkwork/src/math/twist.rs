//! Velocities and forces of a rigid body.

use super::Vec3;
use serde::{Deserialize, Serialize};

/// Velocity of a body in the world frame, about its centre of mass.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Twist {
    /// Velocity of the centre of mass, m/s.
    pub linear: Vec3,
    /// Angular velocity, rad/s.
    pub angular: Vec3,
}

impl Default for Twist {
    fn default() -> Self {
        Self::zero()
    }
}

impl Twist {
    /// A body at rest.
    pub fn zero() -> Self {
        Self::new(Vec3::zeros(), Vec3::zeros())
    }

    /// From linear (m/s) and angular (rad/s) velocity.
    pub fn new(linear: Vec3, angular: Vec3) -> Self {
        Self { linear, angular }
    }

    /// Velocity (m/s) of the body-fixed point at `arm` (m) from the centre of mass.
    #[inline]
    pub fn at(&self, arm: &Vec3) -> Vec3 {
        self.linear + self.angular.cross(arm)
    }

    /// Whether every number is finite.
    pub fn is_finite(&self) -> bool {
        let (v, w) = (&self.linear, &self.angular);
        // 0 · ∞ and 0 · NaN are NaN.
        0.0 * v.x + 0.0 * v.y + 0.0 * v.z + 0.0 * w.x + 0.0 * w.y + 0.0 * w.z == 0.0
    }
}

/// Force and torque on a body in the world frame, about its centre of mass unless stated otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Wrench {
    /// Force, N.
    pub force: Vec3,
    /// Torque, N m.
    pub torque: Vec3,
}

impl Default for Wrench {
    fn default() -> Self {
        Self::zero()
    }
}

impl Wrench {
    /// No force, no torque.
    pub fn zero() -> Self {
        Self::new(Vec3::zeros(), Vec3::zeros())
    }

    /// From force (N) and torque (N m).
    pub fn new(force: Vec3, torque: Vec3) -> Self {
        Self { force, torque }
    }
}
