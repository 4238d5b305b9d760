//! The free turn of bodies: the formulas of [`crate::integrate`], one world per lane.

use super::math::{
    M3, V3, add_scaled, cross, dot, get3, scale, set3, sub, three, transform, transform_back,
};
use crate::integrate::{SLOW, midpoint_rotation};
use crate::model::Principal;
use linkwork_solve::{Arithmetic, WIDE, Wide};

/// Principal moments of a body (kg m²) and their ratios, see [`Principal`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Moments {
    pub moments: V3,
    pub ratios: V3,
}

/// Angular velocity (world) with which a body of momentum `l` (world) turns over `dt` by the midpoint rule; `axes` are its principal
/// axes in the world.
#[inline(always)]
pub(super) fn turn<A: Arithmetic>(body: &Moments, axes: &M3, l: &V3, dt: f64) -> V3 {
    let l = transform_back::<A>(axes, l);
    let free: V3 = three!(i => l[i] / body.moments[i]);
    let half = 0.5 * dt;
    let h2 = Wide::all(half * half) * dot::<A>(&free, &free);
    let mut w = slow::<A>(body, &l, &free, h2, dt);
    // Fast turns, lane by lane.
    if !h2.all_less(Wide::all(SLOW * SLOW)) {
        for lane in 0..WIDE {
            // Also where it is no number, which stays so.
            if h2.0[lane] >= SLOW * SLOW || h2.0[lane].is_nan() {
                let principal = Principal {
                    axes: crate::math::Mat3::identity(),
                    moments: get3(&body.moments, lane),
                    ratios: get3(&body.ratios, lane),
                };
                let fast = midpoint_rotation(&principal, &get3(&l, lane), dt);
                set3(&mut w, lane, &fast);
            }
        }
    }
    transform::<A>(axes, &w)
}

/// I⁻¹(ω × I ω) as a bilinear function.
#[inline(always)]
fn gyration<A: Arithmetic>(body: &Moments, a: &V3, b: &V3) -> V3 {
    let r = scale(Wide::all(0.5), &body.ratios);
    [
        r[0] * (a[1] * b[2]).madd::<A>(a[2], b[1]),
        r[1] * (a[2] * b[0]).madd::<A>(a[0], b[2]),
        r[2] * (a[0] * b[1]).madd::<A>(a[1], b[0]),
    ]
}

/// `slow_rotation` of [`crate::integrate`]; `h2` is h² of the free turn.
#[inline(always)]
fn slow<A: Arithmetic>(body: &Moments, l: &V3, free: &V3, h2: Wide, dt: f64) -> V3 {
    let half = 0.5 * dt;
    let mut w = add_scaled::<A>(free, Wide::all(-half), &gyration::<A>(body, free, free));
    let mut going = Wide::ONE;
    for _ in 0..4 {
        let gyration_w = gyration::<A>(body, &w, &w);
        let rest = sub(&add_scaled::<A>(&w, Wide::all(half), &gyration_w), free);
        let bent = gyration::<A>(body, &w, &rest);
        let change = add_scaled::<A>(&rest, Wide::all(-dt), &bent);
        // Lanes that are done keep what they have.
        w = three!(i => w[i].msub::<A>(going, change[i]));
        let left = Wide::all(4.0) * h2 * h2 * dot::<A>(&rest, &rest);
        let bound = Wide::all(f64::EPSILON * f64::EPSILON) * dot::<A>(&w, &w);
        going = bound.where_less(left, going, Wide::ZERO);
        if going == Wide::ZERO {
            break;
        }
    }
    let square = dot::<A>(&w, &w);
    let h2 = Wide::all(half * half) * square;
    // The turn about l is less than the round-off of the other.
    if h2.all_less(Wide::all(1e-10)) {
        return w;
    }
    let lag = h2 * (Wide::all(1.0 / 3.0) - h2 * (Wide::all(0.2) - h2 * Wide::all(1.0 / 7.0)));
    let cayley = add_scaled::<A>(&w, -lag, &w);
    let length = (square / dot::<A>(l, l)).sqrt();
    let phase = scale(lag * length, l);
    let swing = cross::<A>(&scale(Wide::all(dt), &cayley), &phase);
    let bend = cross::<A>(&cayley, &swing);
    three!(i => {
        let whole = cayley[i] + phase[i] - 0.5 * swing[i] + (dt / 12.0) * bend[i];
        h2.where_less(Wide::all(1e-10), w[i], whole)
    })
}
