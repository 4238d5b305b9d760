//! Hinge about z: 5 rows locked, 1 angle free.
//!
//! C = (d_x, d_y, d_z, swing_x, swing_y), swing = 2 tan(θ/2) between the z axes;
//! Ċ = (v, swing rate); J rows: e_x, e_y, e_z on v, [`parts::axis`] on ω.
//! q = twist angle about z, multi-turn; q̇ = ω_z where C = 0.

use super::{JointType, Label, Relative, Row, parts};

/// A hinge about the joint frame's z axis.
#[derive(Clone, Copy, Debug)]
pub struct Revolute;

impl JointType for Revolute {
    fn name(&self) -> &'static str {
        "revolute"
    }

    fn locked(&self) -> &'static [Label] {
        &parts::POSE[..5]
    }

    fn coordinates(&self) -> &'static [Label] {
        &[parts::ANGLE]
    }

    fn constrain(&self, rel: &Relative, _turns: &[f64], rows: &mut [Row]) {
        parts::points(rel, rows);
        parts::axis(rel, &mut rows[3..]);
    }

    fn measure(&self, rel: &Relative, turns: &[f64], coordinates: &mut [Row]) {
        coordinates[0] = parts::twist(rel, turns[0]);
    }

    fn place(&self, coordinates: &[f64]) -> Relative {
        Relative::turned(parts::about_z(coordinates[0]))
    }
}
