//! Ball joint measured by three nested rings: 3 rows locked, 3 angles free.
//!
//! C = d; Ċ = v; J rows: e_x, e_y, e_z on v (as [`Spherical`]).
//! q = (a, b, c), intrinsic x-y-z angles, R = Rx(a) Ry(b) Rz(c), so the last column of R is
//! (sin b, −sin a cos b, cos a cos b) and its first row (cos b cos c, −cos b sin c, sin b):
//! a = atan2(−R_yz, R_zz), b = atan2(R_xz, ‖(R_yz, R_zz)‖), c = atan2(−R_xy, R_xx);
//! ȧ and ċ by [`parts::bearing`], ḃ = Ṙ_xz / cos b. a and c are multi-turn, b lies in [−π/2, π/2].
//!
//! Gimbal lock: at b = ±π/2 the outer and inner rings turn about the same line, only c ± a is defined
//! and the rates of a and c grow as 1/cos b. There a keeps its last value, c follows from it, and the
//! rates are bounded; keep b away from ±π/2 by a limit, or use [`Spherical`]. The constraint is
//! regular everywhere; only the coordinates are not.

use super::parts::{self, ANGLE_X, ANGLE_Y, ANGLE_Z};
use super::{JointType, Label, Relative, Row, Spherical, unwrap_angle};
use crate::math::{Vec3, exp};

/// A ball joint; its coordinates are intrinsic x-y-z Euler angles.
#[derive(Clone, Copy, Debug)]
pub struct Gimbal;

impl JointType for Gimbal {
    fn name(&self) -> &'static str {
        "gimbal"
    }

    fn locked(&self) -> &'static [Label] {
        Spherical.locked()
    }

    fn coordinates(&self) -> &'static [Label] {
        &[ANGLE_X, ANGLE_Y, ANGLE_Z]
    }

    fn constrain(&self, rel: &Relative, turns: &[f64], rows: &mut [Row]) {
        Spherical.constrain(rel, turns, rows);
    }

    fn measure(&self, rel: &Relative, turns: &[f64], coordinates: &mut [Row]) {
        let r = |i, j| parts::entry(rel, i, j);
        let (sin_b, cos_b) = (r(0, 2), r(1, 2).value.hypot(r(2, 2).value));
        let a = parts::bearing(&-r(1, 2), &r(2, 2), turns[0]);
        let b = Row {
            value: sin_b.value.atan2(cos_b),
            linear: sin_b.linear,
            // A unit vector, 0/0 at gimbal lock: the floor makes it 0 there.
            angular: sin_b.angular / cos_b.max(1e-9),
        };
        let mut c = parts::bearing(&-r(0, 1), &r(0, 0), turns[2]);
        // The same angle from the second row of Rx(−a) R = Ry(b) Rz(c), (sin c, cos c, 0): its value
        // stays sharp, and consistent with a, where cos b vanishes.
        let second = |j| a.value.cos() * r(1, j).value + a.value.sin() * r(2, j).value;
        c.value = unwrap_angle(second(0).atan2(second(1)), turns[2]);
        coordinates[..3].copy_from_slice(&[a, b, c]);
    }

    fn place(&self, coordinates: &[f64]) -> Relative {
        let turn = |i| exp(&Vec3::ith(i, coordinates[i]));
        Relative::turned(turn(0) * turn(1) * turn(2))
    }
}
