//! Motion in the plane z = 0: 3 rows locked, 2 lengths and 1 angle free.
//!
//! C = (d_z, swing_x, swing_y), swing = 2 tan(θ/2) between the plane normals (z axes);
//! Ċ = (v_z, swing rate); J rows: e_z on v, [`parts::axis`] on ω.
//! q = (d_x, d_y, twist angle about z), the angle multi-turn; q̇ = (v_x, v_y, ω_z) where C = 0.

use super::parts::{self, ANGLE, ROTATION_X, ROTATION_Y, X, Y, Z};
use super::{JointType, Label, Relative, Row};
use crate::math::Vec3;

/// Two flat faces sliding on each other; z is their normal.
#[derive(Clone, Copy, Debug)]
pub struct Planar;

impl JointType for Planar {
    fn name(&self) -> &'static str {
        "planar"
    }

    fn locked(&self) -> &'static [Label] {
        &[Z, ROTATION_X, ROTATION_Y]
    }

    fn coordinates(&self) -> &'static [Label] {
        &[X, Y, ANGLE]
    }

    fn constrain(&self, rel: &Relative, _turns: &[f64], rows: &mut [Row]) {
        rows[0] = parts::point(rel, 2);
        parts::axis(rel, &mut rows[1..]);
    }

    fn measure(&self, rel: &Relative, turns: &[f64], coordinates: &mut [Row]) {
        coordinates[0] = parts::point(rel, 0);
        coordinates[1] = parts::point(rel, 1);
        coordinates[2] = parts::twist(rel, turns[2]);
    }

    fn place(&self, coordinates: &[f64]) -> Relative {
        let [x, y, twist] = [0, 1, 2].map(|i| coordinates[i]);
        Relative {
            d: Vec3::new(x, y, 0.0),
            rotation: parts::about_z(twist),
        }
    }
}
