//! Poses and orientations in MJCF's five ways.

use super::compiler::Compiler;
use crate::ImportError;
use crate::xml::{Attribute, Element};
use linkwork::math::{Pose, Quat, Vec3, exp, rotation_between};
use nalgebra::{Matrix3, Quaternion, Rotation3};

/// Attributes that turn a frame; at most one is read.
pub(super) const ORIENTATIONS: [&str; 5] = ["quat", "axisangle", "euler", "xyaxes", "zaxis"];

/// Vectors shorter than this have no direction.
const LEAST_LENGTH: f64 = 1e-14;

impl Compiler {
    /// `pos` and one of the orientations; the identity for none.
    pub fn pose(&self, e: &Element) -> Result<Pose, ImportError> {
        let position = e.vec3("pos")?.unwrap_or_default();
        Ok(Pose::new(position, self.rotation(e)?))
    }

    /// One of the orientations, the identity for none.
    pub fn rotation(&self, e: &Element) -> Result<Quat, ImportError> {
        if let (Some([w, x, y, z]), Some(a)) = (e.fixed::<4>("quat")?, e.attribute("quat")) {
            return quaternion([w, x, y, z], a);
        }
        if let (Some([x, y, z, angle]), Some(a)) =
            (e.fixed::<4>("axisangle")?, e.attribute("axisangle"))
        {
            let axis = direction(Vec3::new(x, y, z), a)?;
            return Ok(exp(&(axis * angle * self.angle)));
        }
        if let Some(angles) = e.vec3("euler")? {
            return Ok(self.euler(&angles));
        }
        if let (Some(v), Some(a)) = (e.fixed::<6>("xyaxes")?, e.attribute("xyaxes")) {
            let x = direction(Vec3::new(v[0], v[1], v[2]), a)?;
            let y = Vec3::new(v[3], v[4], v[5]);
            let y = direction(y - x * x.dot(&y), a)?;
            let m = Matrix3::from_columns(&[x, y, x.cross(&y)]);
            return Ok(Quat::from_rotation_matrix(
                &Rotation3::from_matrix_unchecked(m),
            ));
        }
        if let (Some(z), Some(a)) = (e.vec3("zaxis")?, e.attribute("zaxis")) {
            return Ok(upright(&direction(z, a)?));
        }
        Ok(Quat::identity())
    }

    /// Euler angles in the file's unit; axes in capitals stay those of the outer frame.
    pub fn euler(&self, angles: &Vec3) -> Quat {
        let mut turned = Quat::identity();
        for (axis, angle) in self.euler.iter().zip(angles.iter()) {
            let unit = match axis.to_ascii_lowercase() {
                'x' => Vec3::x(),
                'y' => Vec3::y(),
                _ => Vec3::z(),
            };
            let turn = exp(&(unit * (angle * self.angle)));
            turned = if axis.is_ascii_uppercase() {
                turn * turned
            } else {
                turned * turn
            };
        }
        turned
    }
}

/// The smallest rotation that takes z to a unit direction; for −z half a turn about x, as in MuJoCo.
pub(super) fn upright(direction: &Vec3) -> Quat {
    if direction.z < -1.0 + 1e-12 {
        return Quat::from_quaternion(Quaternion::new(0.0, 1.0, 0.0, 0.0));
    }
    rotation_between(&Vec3::z(), direction)
}

/// A quaternion w, x, y, z of any length but 0.
pub(super) fn quaternion(wxyz: [f64; 4], from: &Attribute) -> Result<Quat, ImportError> {
    let [w, x, y, z] = wxyz;
    let q = Quaternion::new(w, x, y, z);
    if q.norm() < LEAST_LENGTH {
        return Err(from.bad("is no rotation", "give a quaternion that is not zero"));
    }
    Ok(Quat::from_quaternion(q))
}

/// A vector as a unit direction.
pub(super) fn direction(v: Vec3, from: &Attribute) -> Result<Vec3, ImportError> {
    let length = v.norm();
    if length < LEAST_LENGTH {
        return Err(from.bad("has no direction", "give a vector that is not zero"));
    }
    Ok(v / length)
}
