//! Selection of the few points of a pair that carry its load.
//!
//! Every choice is "the best, and of all that are nearly as good the one with the lowest key", so a rounding error does
//! not change it.

use super::manifold::{Candidate, Manifold};
use crate::math::Vec3;

/// Points of a pair of convex shapes.
pub const MAX_CONVEX: usize = 4;
/// Points of a pair of boxes: all corners of the outline along which they touch, which is the maximum. With four of
/// them, a box that rests on another sinks at one of the other corners until that is the deepest and replaces another,
/// and so on without end (`heap` of 80).
pub const MAX_BOXES: usize = 8;
/// Points of a pair with a mesh or height field.
pub const MAX_SURFACE: usize = 8;

/// Relative difference of gaps, with respect to the size of the pair, up to which they count as equal.
const SAME_GAP: f64 = 1e-5;
/// Relative difference of areas and distances up to which they count as equal.
const SAME_SPREAD: f64 = 1e-6;

/// Sorts by key and removes points with the same key, keeping the deeper.
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

/// At most four: the deepest, the farthest from it, and the two that span the largest area with these on either side.
/// The result is in the order of keys.
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

/// All points of two boxes. If edges of the two outlines coincide, clipping finds a corner twice; it counts once.
pub fn boxes(points: &mut Manifold, size: f64, scratch: &mut Scratch) {
    sort(points);
    merge_coincident(points, size, scratch);
    if points.len() > MAX_BOXES {
        convex(points, size);
    }
}

/// Working memory for surfaces and boxes, one entry a point.
#[derive(Default)]
pub struct Scratch {
    /// Distance by which the chosen points let a point close, m; `None` if it is chosen itself.
    open: Vec<Option<f64>>,
    /// Place along a line, and which point it is; ordered by place.
    line: Vec<(f64, u32)>,
    /// Where in `line` each point is.
    at: Vec<u32>,
    repeated: Vec<bool>,
}

/// At most eight: the deepest, then repeatedly the one that the chosen points constrain least. The result is in the
/// order of keys.
///
/// A contact c that is closed keeps the gap g of another point from closing by more than the difference in motion of
/// the two, which is the travel of the step times their distance d, relative to the size, where different normals count
/// as distance too: the remaining closing distance is g_c + travel d − g. `reach` (m), up to which contacts are
/// searched, is used as the travel.
pub fn surface(points: &mut Manifold, size: f64, reach: f64, scratch: &mut Scratch) {
    sort(points);
    merge_coincident(points, size, scratch);
    if points.len() <= MAX_SURFACE {
        return;
    }
    let open = &mut scratch.open;
    open.clear();
    open.resize(points.len(), Some(f64::INFINITY));
    let mut last = first_of_best(points, |_| SAME_GAP * size, |c| -c.gap);
    for _ in 1..MAX_SURFACE {
        open[last] = None;
        let chosen = points[last];
        let mut best = f64::NEG_INFINITY;
        for (c, open) in points.iter().zip(open.iter_mut()) {
            if let Some(open) = open {
                let apart = (c.point() - chosen.point()).norm_squared() / (size * size)
                    + (c.normal - chosen.normal).norm_squared();
                *open = open.min(chosen.gap + reach * apart.sqrt() - c.gap);
                best = best.max(*open);
            }
        }
        let enough = best - SAME_SPREAD * reach;
        let next = open.iter().position(|x| x.is_some_and(|x| x >= enough));
        last = next.unwrap_or(last);
    }
    open[last] = None;
    let mut open = open.iter();
    points.retain(|_| open.next() == Some(&None));
}

/// Points found on several triangles, at the same position with the same normal: only the first is kept.
fn merge_coincident(points: &mut Manifold, size: f64, scratch: &mut Scratch) {
    let near = 1e-5 * size;
    let Scratch {
        line, at, repeated, ..
    } = scratch;
    // Points at the same position are so along any line; this line is not an axis, along which many others would
    // coincide too.
    let along = Vec3::new(0.48, 0.64, 0.6);
    line.clear();
    line.extend(
        (0..)
            .zip(points.iter())
            .map(|(i, c)| (along.dot(&c.point()), i)),
    );
    line.sort_unstable_by(|x, y| x.0.total_cmp(&y.0).then(x.1.cmp(&y.1)));
    at.clear();
    at.resize(points.len(), 0);
    for (place, &(_, i)) in (0..).zip(line.iter()) {
        at[i as usize] = place;
    }
    repeated.clear();
    for (i, c) in points.iter().enumerate() {
        let (before, after) = line.split_at(at[i] as usize);
        let here = after[0].0;
        let close = |x: &&(f64, u32)| (x.0 - here).abs() <= near;
        let mut around = before
            .iter()
            .rev()
            .take_while(close)
            .chain(after.iter().take_while(close));
        let known = around.any(|&(_, j)| {
            let j = j as usize;
            let k = &points[j];
            j < i
                && !repeated[j]
                && (k.point() - c.point()).norm() < near
                && k.normal.dot(&c.normal) > 1.0 - 1e-6
        });
        repeated.push(known);
    }
    let mut repeated = repeated.iter();
    points.retain(|_| repeated.next() == Some(&false));
}
