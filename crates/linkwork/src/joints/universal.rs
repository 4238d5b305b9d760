//! Universal (Cardan, Hooke) joint: 4 rows locked, 2 angles free.
//!
//! The cross has one arm along the base's x axis and one along the follower's y axis.
//! C = (d_x, d_y, d_z, e_x · R e_y); Ċ = (v, (R e_y × e_x) · ω);
//! J rows: e_x, e_y, e_z on v, R e_y × e_x on ω ([`parts::entry`]).
//! q = (q₁ about the base's x, q₂ about the follower's y), both multi-turn; R = Rx(q₁) Ry(q₂) where
//! C = 0, so q₁ = atan2(R_zy, R_yy) and q₂ = atan2(R_xz, R_xx), q̇ by [`parts::bearing`].

use super::parts::{self, ANGLE_X, ANGLE_Y, X, Y, Z};
use super::{JointType, Label, Relative, Row, Unit};
use crate::math::{Vec3, exp};

/// A cross-shaped joint about the base's x axis and the follower's y axis.
#[derive(Clone, Copy, Debug)]
pub struct Universal;

impl JointType for Universal {
    fn name(&self) -> &'static str {
        "universal"
    }

    fn locked(&self) -> &'static [Label] {
        &[X, Y, Z, ("cross", Unit::Angle)]
    }

    fn coordinates(&self) -> &'static [Label] {
        &[ANGLE_X, ANGLE_Y]
    }

    fn constrain(&self, rel: &Relative, _turns: &[f64], rows: &mut [Row]) {
        parts::points(rel, rows);
        rows[3] = parts::entry(rel, 0, 1);
    }

    fn measure(&self, rel: &Relative, turns: &[f64], coordinates: &mut [Row]) {
        let r = |i, j| parts::entry(rel, i, j);
        coordinates[0] = parts::bearing(&r(2, 1), &r(1, 1), turns[0]);
        coordinates[1] = parts::bearing(&r(0, 2), &r(0, 0), turns[1]);
    }

    fn place(&self, coordinates: &[f64]) -> Relative {
        let about_x = exp(&(Vec3::x() * coordinates[0]));
        let about_y = exp(&(Vec3::y() * coordinates[1]));
        Relative::turned(about_x * about_y)
    }
}
