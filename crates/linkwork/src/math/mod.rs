//! Rigid-body mathematics without physics: poses, rotations, twists, inertias.

mod inertia;
mod pose;
mod rotation;
pub mod symmetric;
mod twist;
pub(crate) mod unbounded;

pub use inertia::{MassProperties, principal_moments, symmetric_inverse};
pub use pose::Pose;
pub(crate) use rotation::left_jacobian_inverse_factor;
pub use rotation::{
    cross_matrix, exp, left_jacobian_inverse, log, rotation_between, tangent_basis,
};
pub use twist::{Twist, Wrench};

/// A 3-vector of `f64`.
pub type Vec3 = nalgebra::Vector3<f64>;
/// A 3x3 matrix of `f64`.
pub type Mat3 = nalgebra::Matrix3<f64>;
/// A unit quaternion of `f64`.
pub type Quat = nalgebra::UnitQuaternion<f64>;
