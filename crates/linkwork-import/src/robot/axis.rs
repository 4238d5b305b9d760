//! Joint axes: the core's joint frames have the axis along z.

use crate::{Fault, ImportError, Place};
use linkwork::math::{Mat3, Pose, Quat, Vec3, rotation_between};
use nalgebra::Rotation3;

/// The direction of an axis, which files give with any length but zero.
pub(crate) fn unit(axis: Vec3, place: &Place) -> Result<Vec3, ImportError> {
    let length = axis.norm();
    // Written so that an overflowing length fails too.
    if length > 1e-12 && length.is_finite() {
        return Ok(axis / length);
    }
    let what = format!("the axis {} {} {} has no direction", axis.x, axis.y, axis.z);
    let remedy = "give a vector that is not zero, for example 0 0 1";
    Err(ImportError::new(place, Fault::BadValue, what, remedy))
}

/// `frame` turned in place so that its z axis is along `axis`, a unit vector in the frame itself.
pub(crate) fn about(frame: &Pose, axis: &Vec3) -> Pose {
    let turn = rotation_between(&Vec3::z(), axis);
    Pose::new(frame.position, frame.rotation * turn)
}

/// The rotation that takes x and y to two perpendicular unit vectors.
pub(crate) fn cross(x: &Vec3, y: &Vec3) -> Quat {
    let columns = Mat3::from_columns(&[*x, *y, x.cross(y)]);
    Quat::from_rotation_matrix(&Rotation3::from_matrix_unchecked(columns))
}
