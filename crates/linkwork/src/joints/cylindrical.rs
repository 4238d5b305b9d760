//! Slide along and turn about z: 4 rows locked, 1 length and 1 angle free.
//!
//! C = (d_x, d_y, swing_x, swing_y), swing = 2 tan(θ/2) between the z axes;
//! Ċ = (v_x, v_y, swing rate); J rows: e_x, e_y on v, [`parts::axis`] on ω.
//! q = (d_z, twist angle about z), the angle multi-turn; q̇ = (v_z, ω_z) where C = 0.

use super::parts::{self, ANGLE, ROTATION_X, ROTATION_Y, X, Y, Z};
use super::{JointType, Label, Relative, Row};
use crate::math::Vec3;

/// A slide along and a turn about the joint frame's z axis, independent of each other.
#[derive(Clone, Copy, Debug)]
pub struct Cylindrical;

impl JointType for Cylindrical {
    fn name(&self) -> &'static str {
        "cylindrical"
    }

    fn locked(&self) -> &'static [Label] {
        &[X, Y, ROTATION_X, ROTATION_Y]
    }

    fn coordinates(&self) -> &'static [Label] {
        &[Z, ANGLE]
    }

    fn constrain(&self, rel: &Relative, _turns: &[f64], rows: &mut [Row]) {
        rows[0] = parts::point(rel, 0);
        rows[1] = parts::point(rel, 1);
        parts::axis(rel, &mut rows[2..]);
    }

    fn measure(&self, rel: &Relative, turns: &[f64], coordinates: &mut [Row]) {
        coordinates[0] = parts::point(rel, 2);
        coordinates[1] = parts::twist(rel, turns[1]);
    }

    fn place(&self, coordinates: &[f64]) -> Relative {
        Relative {
            d: Vec3::z() * coordinates[0],
            rotation: parts::about_z(coordinates[1]),
        }
    }
}
