//! Ball joint measured by three nested rings: 3 rows locked, 3 angles free.
//!
//! C = d; Ċ = v; J rows: e_x, e_y, e_z on v (as [`Spherical`]).
//! q = (a, b, c), intrinsic x-y-z angles, R = Rx(a) Ry(b) Rz(c), so the last column of R is (sin b, −sin a cos b, cos a
//! cos b) and its first row (cos b cos c, −cos b sin c, sin b): with s the sign of cos b, a = atan2(−s R_yz, s R_zz), b
//! = atan2(R_xz, s ‖(R_yz, R_zz)‖), c = atan2(−s R_xy, s R_xx); ȧ and ċ by [`parts::bearing`], ḃ = Ṙ_xz / cos b. All
//! three are multi-turn.
//!
//! (a, b, c) and (a + π, π − b, c + π) are the same rotation. The one nearer to the last known coordinates is used, as
//! for whole turns: the rings pass through gimbal lock. With b restricted to [−π/2, π/2], a and c would jump by half a
//! turn there, and with them the energy of springs and the gaps of limits.
//!
//! Gimbal lock: at b = ±π/2 the outer and inner rings rotate about the same line. Only c ± a is defined, and the rates
//! of a and c grow as 1/cos b. There a keeps its last value, c follows from it, and the rates are bounded. Keep b away
//! from ±π/2 by a limit, or use [`Spherical`]. The constraint is regular everywhere; only the coordinates are singular.

use super::parts::{self, ANGLE_X, ANGLE_Y, ANGLE_Z};
use super::{JointType, Label, Relative, Row, Spherical, unwrap_angle};
use crate::math::{Vec3, exp};
use std::f64::consts::{FRAC_PI_2, PI};

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
        let (sin_b, size) = (r(0, 2), r(1, 2).value.hypot(r(2, 2).value));
        let mut a = parts::bearing(&-r(1, 2), &r(2, 2), turns[0]);
        let mut c = parts::bearing(&-r(0, 1), &r(0, 0), turns[2]);
        let mut cos_b = size;
        let mut b = unwrap_angle(sin_b.value.atan2(cos_b), turns[1]);
        let off = [a.value - turns[0], b - turns[1], c.value - turns[2]];
        if off.iter().any(|off| off.abs() > FRAC_PI_2) {
            let other = unwrap_angle(sin_b.value.atan2(-cos_b), turns[1]);
            // a and c of the other solution differ by the rest of half a turn.
            let [far_a, far_c] = [off[0], off[2]].map(|off| PI - off.abs());
            let length = |v: [f64; 3]| v.iter().map(|x| x * x).sum::<f64>();
            if length([far_a, other - turns[1], far_c]) < length(off) {
                a = parts::bearing(&r(1, 2), &-r(2, 2), turns[0]);
                (b, cos_b) = (other, -size);
            }
        }
        let b = Row {
            value: b,
            linear: sin_b.linear,
            // A unit vector, 0/0 at gimbal lock: the lower bound makes it 0 there.
            angular: sin_b.angular / cos_b.signum() / size.max(1e-9),
        };
        // The same angle from the second row of Rx(−a) R = Ry(b) Rz(c), (sin c, cos c, 0): its value stays accurate,
        // and consistent with a, where cos b vanishes.
        let second = |j| a.value.cos() * r(1, j).value + a.value.sin() * r(2, j).value;
        c.value = unwrap_angle(second(0).atan2(second(1)), turns[2]);
        coordinates[..3].copy_from_slice(&[a, b, c]);
    }

    fn is_singular(&self) -> bool {
        true
    }

    fn place(&self, coordinates: &[f64]) -> Relative {
        let turn = |i| exp(&Vec3::ith(i, coordinates[i]));
        Relative::turned(turn(0) * turn(1) * turn(2))
    }
}
