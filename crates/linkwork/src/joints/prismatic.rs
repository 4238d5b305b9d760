//! Slide along z: 5 rows locked, 1 length free.
//!
//! C = (d_x, d_y, θ), θ = rotation vector of R; Ċ = (v_x, v_y, J_l⁻¹(θ) ω);
//! J rows: e_x, e_y on v, the rows of J_l⁻¹(θ) on ω.
//! q = d_z; q̇ = v_z, exactly and everywhere, because v is relative to the base-fixed frame.

use super::parts::{self, ROTATION_X, ROTATION_Y, ROTATION_Z, X, Y, Z};
use super::{JointType, Label, Relative, Row};
use crate::math::Vec3;

/// A slide along the joint frame's z axis.
#[derive(Clone, Copy, Debug)]
pub struct Prismatic;

impl JointType for Prismatic {
    fn name(&self) -> &'static str {
        "prismatic"
    }

    fn locked(&self) -> &'static [Label] {
        &[X, Y, ROTATION_X, ROTATION_Y, ROTATION_Z]
    }

    fn coordinates(&self) -> &'static [Label] {
        &[Z]
    }

    fn constrain(&self, rel: &Relative, _turns: &[f64], rows: &mut [Row]) {
        rows[0] = parts::point(rel, 0);
        rows[1] = parts::point(rel, 1);
        parts::rotation(rel, &mut rows[2..]);
    }

    fn measure(&self, rel: &Relative, _turns: &[f64], coordinates: &mut [Row]) {
        coordinates[0] = parts::point(rel, 2);
    }

    fn place(&self, coordinates: &[f64]) -> Relative {
        Relative::shifted(Vec3::z() * coordinates[0])
    }
}
