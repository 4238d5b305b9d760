//! Two capsules: one point where they cross, two where they are parallel.

use super::manifold::{FACE, Manifold};
use super::solid::Placed;
use super::sphere::{balls, nearest_on_segment};
use crate::math::Vec3;

/// Sine of the angle up to which capsules count as parallel.
const SIDE_BY_SIDE: f64 = 0.02;

/// Contacts of capsules with the given half lengths (m).
pub fn collide(a: &Placed, b: &Placed, half: [f64; 2], reach: f64, out: &mut Manifold) {
    let p = a.rotation.column(2) * half[0];
    let q = b.rotation.column(2) * half[1];
    let r = [a.solid.rounding, b.solid.rounding];
    let cross2 = p.cross(&q).norm_squared();
    let scale2 = p.norm_squared() * q.norm_squared();
    if scale2 > 0.0 && cross2 <= SIDE_BY_SIDE * SIDE_BY_SIDE * scale2 {
        side_by_side(a, b, [&p, &q], r, reach, out);
    } else {
        let (s, t) = nearest_on_both(&a.position, &p, &b.position, &q);
        let (x, y) = (a.position + p * s, b.position + q * t);
        balls(&x, &y, r, [FACE, FACE], reach, out);
    }
}

/// The two ends of the common section, each with its nearest point on the other capsule.
fn side_by_side(
    a: &Placed,
    b: &Placed,
    [p, q]: [&Vec3; 2],
    r: [f64; 2],
    reach: f64,
    out: &mut Manifold,
) {
    let length2 = p.norm_squared();
    let along = |x: Vec3| (x - a.position).dot(p) / length2;
    let (b0, b1) = (along(b.position - q), along(b.position + q));
    // The ends of B in the order they come along A.
    let (lo, hi) = if b0 <= b1 {
        ((b0, -1.0, 0), (b1, 1.0, 1))
    } else {
        ((b1, 1.0, 1), (b0, -1.0, 0))
    };
    if hi.0 <= -1.0 || lo.0 >= 1.0 {
        // One behind the other: their ends touch in one point.
        let (s, t) = nearest_on_both(&a.position, p, &b.position, q);
        let (x, y) = (a.position + p * s, b.position + q * t);
        balls(&x, &y, r, [FACE, FACE], reach, out);
        return;
    }
    // An end of A that coincides with an end of B up to rounding counts as an end of A.
    let slack = 1e-6;
    for (end, (at, t, number), number_a, inside) in [
        (-1.0, lo, 0, lo.0 > -1.0 + slack),
        (1.0, hi, 1, hi.0 < 1.0 - slack),
    ] {
        if inside {
            let y = b.position + q * t;
            let x = a.position + p * at;
            balls(&x, &y, r, [FACE, number], reach, out);
        } else {
            let x = a.position + p * end;
            let y = b.position + q * nearest_on_segment(&b.position, q, &x);
            balls(&x, &y, r, [number_a, FACE], reach, out);
        }
    }
}

/// Parameters in [-1, 1] of the nearest points of `c` ± `p` and `d` ± `q`
/// (Ericson, Real-Time Collision Detection, §5.1.9).
fn nearest_on_both(c: &Vec3, p: &Vec3, d: &Vec3, q: &Vec3) -> (f64, f64) {
    let (pp, qq, pq) = (p.norm_squared(), q.norm_squared(), p.dot(q));
    let w = d - c;
    let denominator = pp * qq - pq * pq;
    let s = if denominator > 1e-14 * pp * qq {
        ((w.dot(p) * qq - w.dot(q) * pq) / denominator).clamp(-1.0, 1.0)
    } else {
        // Parallel, or one of them a point: any start is possible, and the two steps below finish.
        0.0
    };
    let t = nearest_on_segment(d, q, &(c + p * s));
    let s = nearest_on_segment(c, p, &(d + q * t));
    let t = nearest_on_segment(d, q, &(c + p * s));
    (s, t)
}
