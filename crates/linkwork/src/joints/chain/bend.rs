//! How the coordinates of a chain accelerate at constant twists of the bodies.
//!
//! On C = 0 the twist of the follower at the reference point is V = (ṗ, w) = B q̇, so B q̈ = V̇ − Ḃ q̇ with
//! p̈ = v̇ + ẇ × a + w × (w × a), a the arm of the reference point, and (Ḃ q̇)ᵢ from how each link moves the
//! twists of the others: those behind it turn with it, those before it see the point move.

use super::factor::Factor;
use super::fit::DAMPING;
use super::motion::{Links, Motion};
use super::{MAX_COORDINATES, Relative, Vec3};
use crate::joints::RelativeMotion;
use nalgebra::Vector6;

/// q̈ of a chain that is at `chain`, the follower of which moves with `motion`.
pub(super) fn bend(
    chain: &Motion,
    links: &Links,
    rel: &Relative,
    motion: &RelativeMotion,
) -> [f64; MAX_COORDINATES] {
    let arm = rel.rotation * links.reference;
    let (w, w_rate) = (motion.angular(), motion.angular_rate());
    let shift = motion.linear() + w.cross(&arm);
    let shift_rate = motion.linear_rate() + w_rate.cross(&arm) + w.cross(&w.cross(&arm));
    let n = chain.count;
    let mut factor = Factor::identity(n);
    let regular = factor.set(|i, j| {
        let gram = chain.shift[i].dot(&chain.shift[j]) + chain.turn[i].dot(&chain.turn[j]);
        if i == j { gram + DAMPING } else { gram }
    });
    if !regular {
        factor = Factor::identity(n);
    }
    let along = |shift: &Vec3, turn: &Vec3| {
        let mut x = Vector6::zeros();
        for (i, (s, t)) in chain.twists().enumerate() {
            x[i] = s.dot(shift) + t.dot(turn);
        }
        factor.solve_damped(&mut x, DAMPING);
        x
    };
    let rates = along(&shift, &w);
    let (mut shift_rest, mut turn_rest) = (shift_rate, w_rate);
    for i in 0..n {
        for j in 0..i {
            let both = rates[i] * rates[j];
            turn_rest -= both * chain.turn[j].cross(&chain.turn[i]);
        }
        if links.meet {
            continue;
        }
        for j in 0..=i {
            let pairs = if j < i { 2.0 } else { 1.0 };
            let both = pairs * rates[i] * rates[j];
            shift_rest -= both * chain.turn[j].cross(&chain.shift[i]);
        }
    }
    along(&shift_rest, &turn_rest).into()
}
