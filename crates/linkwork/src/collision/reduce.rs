//! Choosing the few points of a pair that carry its load.
//!
//! Every choice is "the best, and of all that are nearly as good the one with the lowest key",
//! so a rounding error does not change it.

use super::manifold::{Candidate, Manifold};

/// Points of a pair of convex shapes.
pub const MAX_CONVEX: usize = 4;
/// Points of a pair with a mesh or height field.
pub const MAX_SURFACE: usize = 8;

/// Gaps closer than this, relative to the size of the pair, count as equal.
const SAME_GAP: f64 = 1e-5;
/// Areas and distances closer than this, relatively, count as equal.
const SAME_SPREAD: f64 = 1e-6;

/// Order by key and remove points with the same key, keeping the deeper.
fn sort(points: &mut Manifold) {
    points.sort_unstable_by(|x, y| x.key().cmp(&y.key()).then(x.gap.total_cmp(&y.gap)));
    points.dedup_by_key(|c| c.key());
}

/// Index of the first (so lowest key) whose score is nearly the highest.
fn first_of_best(
    points: &[Candidate],
    slack: impl Fn(f64) -> f64,
    score: impl Fn(&Candidate) -> f64,
) -> usize {
    let best = points.iter().map(&score).fold(f64::NEG_INFINITY, f64::max);
    points
        .iter()
        .position(|c| score(c) >= best - slack(best))
        .unwrap_or(0)
}

/// At most four: the deepest, the farthest from it, and the two that span the most area with
/// these on either side. Ends in the order of keys.
pub fn convex(points: &mut Manifold, size: f64) {
    sort(points);
    if points.len() <= MAX_CONVEX {
        return;
    }
    let spread = |best: f64| SAME_SPREAD * best.abs();
    let deepest = first_of_best(points, |_| SAME_GAP * size, |c| -c.gap);
    points.swap(0, deepest);
    points[1..].sort_unstable_by_key(Candidate::key);
    let p = points[0].point();
    let n = points[0].normal;
    let far = 1 + first_of_best(&points[1..], spread, |c| (c.point() - p).norm_squared());
    points.swap(1, far);
    points[2..].sort_unstable_by_key(Candidate::key);
    let d = points[1].point() - p;
    let aside = |c: &Candidate| n.dot(&d.cross(&(c.point() - p)));
    let third = 2 + first_of_best(&points[2..], spread, |c| aside(c).abs());
    points.swap(2, third);
    points[3..].sort_unstable_by_key(Candidate::key);
    let side = aside(&points[2]).signum();
    let fourth = 3 + first_of_best(&points[3..], spread, |c| -side * aside(c));
    points.swap(3, fourth);
    points.truncate(MAX_CONVEX);
    points.sort_unstable_by_key(Candidate::key);
}

/// At most eight: the deepest, then again and again the one farthest from those chosen, where
/// different normals count as distance too. Ends in the order of keys.
pub fn surface(points: &mut Manifold, size: f64) {
    sort(points);
    merge_coincident(points, size);
    if points.len() <= MAX_SURFACE {
        return;
    }
    let deepest = first_of_best(points, |_| SAME_GAP * size, |c| -c.gap);
    points.swap(0, deepest);
    for chosen in 1..MAX_SURFACE {
        points[chosen..].sort_unstable_by_key(Candidate::key);
        let (taken, rest) = points.split_at(chosen);
        let away = |c: &Candidate| {
            taken
                .iter()
                .map(|t| {
                    (c.point() - t.point()).norm_squared()
                        + size * size * (c.normal - t.normal).norm_squared()
                })
                .fold(f64::INFINITY, f64::min)
        };
        let next = chosen + first_of_best(rest, |best| SAME_SPREAD * best, away);
        points.swap(chosen, next);
    }
    points.truncate(MAX_SURFACE);
    points.sort_unstable_by_key(Candidate::key);
}

/// Points found through several triangles: same place and same normal.
fn merge_coincident(points: &mut Manifold, size: f64) {
    let near = 1e-5 * size;
    let mut kept = 0;
    for i in 0..points.len() {
        let c = points[i];
        let known = points[..kept]
            .iter()
            .any(|k| (k.point() - c.point()).norm() < near && k.normal.dot(&c.normal) > 1.0 - 1e-6);
        if !known {
            points[kept] = c;
            kept += 1;
        }
    }
    points.truncate(kept);
}
