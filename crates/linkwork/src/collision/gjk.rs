//! Nearest and deepest points of two convex cores.
//!
//! For separated cores the algorithm of Gilbert, Johnson and Keerthi: the nearest point v of a growing simplex bounds
//! the distance from above, the support point along v from below, and the search ends where the two meet. For
//! overlapping cores, or cores too near to decide, [`Expansion`], which has such bounds of the depth.

use super::difference::Difference;
use super::expand::Expansion;
use super::simplex::Simplex;
use super::solid::Placed;
use crate::math::Vec3;

/// Allowed difference between the bounds of the distance, relative to the distance and to the sizes of the solids.
const RELATIVE: f64 = 1e-12;
const ABSOLUTE: f64 = 1e-14;
/// Distances up to this, relative to the sizes of the solids, have too few digits for a direction: the direction is
/// then that of facets of the difference, as for overlapping solids.
const TOUCHING: f64 = 1e-9;
/// Maximum number of support points. Polyhedra need about ten, rims that nearly touch need the most.
const STEPS: usize = 200;

/// Axis and witness points of two solids without their rounding.
#[derive(Clone, Copy, Debug)]
pub struct Witness {
    /// Unit vector from A to B along which the separation is largest or the overlap smallest.
    pub n: Vec3,
    /// Witness point on A, m.
    pub on_a: Vec3,
    /// Witness point on B, m.
    pub on_b: Vec3,
}

/// What is known about two solids.
pub enum Answer {
    /// Nearest or deepest points.
    Near(Witness),
    /// The distance certainly exceeds the maximum, and so does the separation along this unit vector.
    Far(Vec3),
}

/// Nearest or deepest points of the cores, unless they are farther apart than `max_distance` (m).
pub fn witness(a: &Placed, b: &Placed, max_distance: f64, expansion: &mut Expansion) -> Answer {
    let difference = Difference::new(a, b);
    let mut simplex =
        Simplex::new(difference.support(&-a.rotation.tr_mul(&(b.position - a.position))));
    let mut best = (f64::NEG_INFINITY, Vec3::z());
    let touching = TOUCHING * difference.size;
    let mut last = f64::INFINITY;
    for _ in 0..STEPS {
        let Some(v) = simplex.nearest() else {
            return Answer::Near(expansion.deepest(a, &difference, &simplex));
        };
        let distance = v.norm();
        if distance <= touching {
            return Answer::Near(expansion.deepest(a, &difference, &simplex));
        }
        let n = v / distance;
        let point = difference.support(&-v);
        let lower = n.dot(&point.w);
        if lower > max_distance {
            return Answer::Far(a.rotation * n);
        }
        if lower > best.0 {
            best = (lower, n);
        }
        // The bounds have met, or rounding leaves nothing to gain.
        let enough = RELATIVE * distance + ABSOLUTE * difference.size;
        if distance - best.0 <= enough || simplex.contains(&point.w) || distance >= last {
            break;
        }
        last = distance;
        simplex.push(point);
    }
    let on_a = a.position + a.rotation * simplex.on_a();
    let n = a.rotation * best.1;
    Answer::Near(Witness {
        n,
        on_a,
        on_b: on_a + n * best.0,
    })
}
