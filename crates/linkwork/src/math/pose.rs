//! A rigid placement in space.

use super::{Quat, Vec3, exp};
use nalgebra::Quaternion;
use serde::{Deserialize, Serialize};

/// Position and orientation of a frame; maps local to outer coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pose {
    /// Origin of the frame in the outer frame, m.
    pub position: Vec3,
    /// Orientation of the frame in the outer frame.
    pub rotation: Quat,
}

impl Default for Pose {
    fn default() -> Self {
        Self::identity()
    }
}

impl Pose {
    /// The outer frame itself.
    pub fn identity() -> Self {
        Self {
            position: Vec3::zeros(),
            rotation: Quat::identity(),
        }
    }

    /// A frame at `position` (m) turned by `rotation`.
    pub fn new(position: Vec3, rotation: Quat) -> Self {
        Self { position, rotation }
    }

    /// A frame at (x, y, z) in m, not turned.
    pub fn at(x: f64, y: f64, z: f64) -> Self {
        Self::new(Vec3::new(x, y, z), Quat::identity())
    }

    /// A frame at `position` (m) with the orientation of the quaternion w, x, y, z, which is normalised; `None` if it
    /// is 0 or not finite.
    pub fn from_quaternion(position: Vec3, [w, x, y, z]: [f64; 4]) -> Option<Self> {
        let quaternion = Quaternion::new(w, x, y, z);
        // NaN and infinity fail the comparison too.
        let norm = quaternion.norm();
        let valid = norm > 0.0 && norm.is_finite();
        valid.then(|| Self::new(position, Quat::from_quaternion(quaternion)))
    }

    /// The quaternion w, x, y, z of its orientation.
    pub fn quaternion(&self) -> [f64; 4] {
        let q = &self.rotation;
        [q.w, q.i, q.j, q.k]
    }

    /// This frame rotated in place: rotation vector `axis_angle` (rad) in the outer frame.
    pub fn rotated(self, axis_angle: Vec3) -> Self {
        Self::new(self.position, exp(&axis_angle) * self.rotation)
    }

    /// Outer coordinates of a local point (m).
    #[inline]
    pub fn transform_point(&self, local: &Vec3) -> Vec3 {
        self.position + self.rotation * local
    }

    /// Local coordinates of an outer point (m).
    #[inline]
    pub fn inverse_transform_point(&self, point: &Vec3) -> Vec3 {
        self.rotation.inverse() * (point - self.position)
    }

    /// The placement of a frame given in local coordinates of `self`.
    #[inline]
    pub fn compose(&self, local: &Pose) -> Pose {
        Pose::new(
            self.transform_point(&local.position),
            self.rotation * local.rotation,
        )
    }

    /// The inverse placement.
    pub fn inverse(&self) -> Pose {
        let rotation = self.rotation.inverse();
        Pose::new(-(rotation * self.position), rotation)
    }

    /// Whether every number is finite.
    pub fn is_finite(&self) -> bool {
        let (p, q) = (&self.position, &self.rotation.coords);
        // 0 · ∞ and 0 · NaN are NaN.
        0.0 * p.x + 0.0 * p.y + 0.0 * p.z + 0.0 * q.x + 0.0 * q.y + 0.0 * q.z + 0.0 * q.w == 0.0
    }
}
