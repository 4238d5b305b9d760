//! Any two convex solids: the axis from face normals and, if those are not sufficient, from a search (`gjk`, `expand`);
//! the points by clipping.

use super::clip::{clip, depth_inside};
use super::expand::Expansion;
use super::gjk::{Answer, Witness, witness};
use super::manifold::{Candidate, Manifold, WITNESS};
use super::patch::Patch;
use super::solid::Placed;
use crate::math::Vec3;

/// A face axis is preferred to others that are better by less than this, relative to the size.
pub const PREFER_FACE: f64 = 1e-7;
/// The same for round solids, whose single point is the same for both axes.
const PREFER_FACE_ROUND: f64 = 1e-12;

/// Working memory.
#[derive(Default)]
pub struct Scratch {
    /// Of the search for overlaps.
    pub expansion: Expansion,
    /// What was last clipped, of A and of B.
    pub patches: [Patch; 2],
}

/// A direction along which two solids are compared.
#[derive(Clone, Copy, Debug)]
pub struct Axis {
    /// Unit vector from A to B.
    pub n: Vec3,
    /// Separation along it, m; never more than the signed distance.
    pub separation: f64,
    /// The solid whose face it belongs to, if any: 0 is A, 1 is B.
    pub owner: Option<usize>,
}

/// Separation of the solids along the unit vector `n` from A to B, m.
#[inline]
pub fn separation(a: &Placed, b: &Placed, n: &Vec3) -> f64 {
    n.dot(&(b.support(&-n) - a.support(n))) - a.solid.rounding - b.solid.rounding
}

/// Length that sets the tolerances of a pair, m.
pub fn pair_size(a: &Placed, b: &Placed) -> f64 {
    a.solid.size.min(b.solid.size)
}

/// The best face normal of either solid; `None` if neither has any.
pub fn face_axis(a: &Placed, b: &Placed, hint: Option<&Vec3>) -> Option<Axis> {
    let prefer = PREFER_FACE * pair_size(a, b);
    let round = a.solid.rounding + b.solid.rounding;
    let mut best: Option<Axis> = None;
    let mut consider = |n: Vec3, separation: f64, owner: usize| {
        if best.is_none_or(|x| separation > x.separation + prefer) {
            best = Some(Axis {
                n,
                separation,
                owner: Some(owner),
            });
        }
    };
    a.faces(hint, |n, height| {
        consider(n, n.dot(&b.support(&-n)) - height - round, 0);
    });
    let back = hint.map(|h| -h);
    b.faces(back.as_ref(), |n, height| {
        consider(-n, n.dot(&a.support(&-n)) - height - round, 1);
    });
    best
}

/// Contacts of two convex solids closer than `reach` (m).
pub fn collide(a: &Placed, b: &Placed, reach: f64, scratch: &mut Scratch, out: &mut Manifold) {
    let face = face_axis(a, b, None);
    let first = out.len();
    collide_with(a, b, face, reach, scratch, out);
    name_single_point(a, b, &mut out[first..]);
}

/// The same for two polyhedra, which are skipped if the separation along `axis`, unless zero, is sufficient. `axis`
/// becomes one along which they are too far apart, or zero.
pub fn collide_polyhedra(
    a: &Placed,
    b: &Placed,
    reach: f64,
    axis: &mut Vec3,
    scratch: &mut Scratch,
    out: &mut Manifold,
) {
    // A search finds polyhedra separated that are by this much farther apart than `reach`, so the result is the same.
    let enough = reach + PREFER_FACE * (a.solid.size + b.solid.size);
    if *axis != Vec3::zeros() && separation(a, b, axis) > enough {
        return;
    }
    let face = face_axis(a, b, None);
    let apart = collide_with(a, b, face, reach, scratch, out);
    *axis = apart.unwrap_or(Vec3::zeros());
}

/// Contacts along the better of `face` and the result of a search. Returns an axis along which they are farther apart
/// than `reach` (m), if one was found.
pub fn collide_with(
    a: &Placed,
    b: &Placed,
    face: Option<Axis>,
    reach: f64,
    scratch: &mut Scratch,
    out: &mut Manifold,
) -> Option<Vec3> {
    let first = out.len();
    if let Some(axis) = face {
        if axis.separation > reach {
            return Some(axis.n);
        }
        clip_along(a, b, &axis, &mut scratch.patches, out);
        if settles(a, b, &axis, &scratch.patches, &out[first..]) {
            return None;
        }
        out.truncate(first);
    }
    let apart = reach + a.solid.rounding + b.solid.rounding;
    let found = match witness(a, b, apart, &mut scratch.expansion) {
        Answer::Far(n) => return Some(n),
        Answer::Near(witness) => witness,
    };
    let axis = best_axis(a, b, face, &found, &mut scratch.patches);
    if axis.separation > reach {
        return Some(axis.n);
    }
    clip_along(a, b, &axis, &mut scratch.patches, out);
    if !attained(a, b, &axis, &out[first..]) {
        add_witness(a, &axis, &found, out);
    }
    None
}

/// Gives the single point of a round solid the same features at any position.
fn name_single_point(a: &Placed, b: &Placed, points: &mut [Candidate]) {
    if touches_in_one_point(a, b) {
        for c in points {
            c.features = [WITNESS, WITNESS];
        }
    }
}

/// The better of a face axis and that of a search; faces near the latter are tried too.
pub fn best_axis(
    a: &Placed,
    b: &Placed,
    face: Option<Axis>,
    witness: &Witness,
    [facing_b, facing_a]: &mut [Patch; 2],
) -> Axis {
    let mut free = Axis {
        n: witness.n,
        separation: f64::NEG_INFINITY,
        owner: None,
    };
    let consider = |free: &mut Axis, n: Vec3| {
        let separation = separation(a, b, &n);
        if separation > free.separation {
            (free.n, free.separation) = (n, separation);
        }
    };
    consider(&mut free, witness.n);
    // The search determines the position well, but the direction only to half the digits if a side is curved. The
    // direction is computed from the curved side or the edges at that position.
    let sides = [
        a.side_normal(&witness.on_a),
        b.side_normal(&witness.on_b).map(|n| -n),
    ];
    for n in sides.into_iter().flatten() {
        consider(&mut free, n);
    }
    a.patch(&free.n, facing_b);
    b.patch(&-free.n, facing_a);
    let edges = [
        facing_b.nearest_edge(&witness.on_a),
        facing_a.nearest_edge(&witness.on_b),
    ]
    .map(|edge| edge.and_then(|(along, _)| along.try_normalize(0.0)));
    for edge in edges.iter().flatten() {
        for n in sides.into_iter().flatten().chain([free.n]) {
            if let Some(n) = (n - edge * edge.dot(&n)).try_normalize(0.5) {
                consider(&mut free, n);
            }
        }
    }
    if let [Some(u), Some(v)] = edges
        && let Some(n) = u.cross(&v).try_normalize(1e-4)
    {
        consider(&mut free, n);
        consider(&mut free, -n);
    }
    let prefer = pair_size(a, b)
        * if touches_in_one_point(a, b) {
            PREFER_FACE_ROUND
        } else {
            PREFER_FACE
        };
    let near = face_axis(a, b, Some(&free.n));
    let face = [face, near]
        .into_iter()
        .flatten()
        .reduce(|x, y| if y.separation > x.separation { y } else { x });
    match face {
        Some(face) if face.separation + prefer >= free.separation => face,
        _ => free,
    }
}

/// Whether the pair can only touch in one point: a ball or an ellipsoid and a convex solid.
fn touches_in_one_point(a: &Placed, b: &Placed) -> bool {
    a.solid.core.is_round() || b.solid.core.is_round()
}

/// Clip the patches facing each other along the axis.
pub fn clip_along(
    a: &Placed,
    b: &Placed,
    axis: &Axis,
    patches: &mut [Patch; 2],
    out: &mut Manifold,
) {
    // Off the face normals a round solid has no patch to clip: the witness points are the contact.
    if axis.owner.is_none() && touches_in_one_point(a, b) {
        return;
    }
    let first = out.len();
    a.patch(&axis.n, &mut patches[0]);
    b.patch(&-axis.n, &mut patches[1]);
    clip(
        &axis.n,
        patches,
        [a.solid.rounding, b.solid.rounding],
        pair_size(a, b),
        out,
    );
    // A corner that is accepted within the tolerance may lie just beyond a tilted face: no point of the solids is
    // closer than the separation along the axis.
    for c in &mut out[first..] {
        if c.gap < axis.separation {
            c.on_b += axis.n * (axis.separation - c.gap);
            c.gap = axis.separation;
        }
    }
}

/// Whether no other axis can be better than this face axis, given the patches clipped along it and the points found.
///
/// Apart: the distance is attained if a point with that gap exists. Overlapping by d: let the
/// face of the Minkowski difference reach m around the foot of the origin. It must lie within
/// every other supporting plane n'·x ≤ d', so d' < d would need m < d tan(θ/2), θ the angle
/// between the normals; with m ≥ 8 d that leaves only almost opposite planes, which the thickness
/// t of the difference (radius r) rules out if t > 2 d + 2 r d/m.
pub fn settles(
    a: &Placed,
    b: &Placed,
    axis: &Axis,
    patches: &[Patch; 2],
    points: &[Candidate],
) -> bool {
    let attained = axis.separation + PREFER_FACE * pair_size(a, b);
    let (mut centre, mut count) = (Vec3::zeros(), 0.0);
    for c in points.iter().filter(|c| c.gap <= attained) {
        centre += c.point();
        count += 1.0;
    }
    if count == 0.0 {
        return false;
    }
    if axis.separation >= 0.0 {
        return true;
    }
    let d = -axis.separation;
    let Some(owner) = axis.owner else {
        return false;
    };
    let m = depth_inside(&axis.n, &patches[owner], &(centre / count));
    let t = a.extent(&axis.n) + b.extent(&axis.n);
    let r = a.solid.size + b.solid.size;
    m >= 8.0 * d && t > 2.0 * d + 2.0 * r * d / m
}

/// Whether one of the points found along the axis is as deep as the separation along it.
pub fn attained(a: &Placed, b: &Placed, axis: &Axis, points: &[Candidate]) -> bool {
    let enough = axis.separation + PREFER_FACE * pair_size(a, b);
    points.iter().any(|c| c.gap <= enough)
}

/// Add the witness points of a search.
pub fn add_witness(a: &Placed, axis: &Axis, witness: &Witness, out: &mut Manifold) {
    // The witness points are off the supporting planes by the tolerance of the search: move the midpoint between the
    // planes, so that gap and points agree.
    let n = axis.n;
    let top = n.dot(&a.support(&n)) + a.solid.rounding;
    let middle = (witness.on_a + witness.on_b) * 0.5;
    let on_a = middle + n * (top - n.dot(&middle));
    let on_b = on_a + n * axis.separation;
    out.push(Candidate::new(on_a, on_b, n, [WITNESS, WITNESS]));
}
