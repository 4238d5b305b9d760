//! Pairs of boxes, capsules and cylinders: the axis from their difference as a sum of segments and disks, without
//! iteration for face-to-face contact.

use super::convex::{self, Axis, PREFER_FACE, Scratch, pair_size};
use super::gjk::Witness;
use super::manifold::Manifold;
use super::solid::{Core, Placed};
use super::sum::{Best, Foot, Sum};
use crate::math::Vec3;

/// A face axis is preferred to an axis off the faces that is better by less than this, relative to the size. Both are
/// exact, so this only covers rounding.
const PREFER: f64 = 1e-9;

/// Segments of a solid, at most three, then disks.
fn parts(solid: &Placed, segments: &mut [(Vec3, f64)], disks: &mut [(Vec3, f64)]) {
    let axis = |k: usize| Vec3::from(solid.rotation.column(k));
    match &solid.solid.core {
        Core::Segment { half } => segments[0] = (axis(2), *half),
        Core::Box { half } => {
            for (k, part) in segments.iter_mut().enumerate() {
                *part = (axis(k), half[k]);
            }
        }
        Core::Cylinder { radius, half } => {
            segments[0] = (axis(2), *half);
            disks[0] = (axis(2), *radius);
        }
        _ => {}
    }
}

/// Radius of a ball inside the core, m.
fn inside(core: &Core) -> f64 {
    match core {
        Core::Box { half } => half.min(),
        Core::Cylinder { radius, half } => radius.min(*half),
        _ => 0.0,
    }
}

/// Contacts closer than `reach` (m) of A with `SA` segments and `DA` disks, and B with the rest of
/// `S` and `D`.
pub fn collide<const SA: usize, const DA: usize, const S: usize, const D: usize>(
    a: &Placed,
    b: &Placed,
    reach: f64,
    scratch: &mut Scratch,
    out: &mut Manifold,
) {
    let round = a.solid.rounding + b.solid.rounding;
    let mut sum = Sum::<S, D> {
        w: b.position - a.position,
        segments: [(Vec3::zeros(), 0.0); S],
        disks: [(Vec3::zeros(), 0.0); D],
        inside: inside(&a.solid.core) + inside(&b.solid.core),
        size: pair_size(a, b),
    };
    let (sa, sb) = sum.segments.split_at_mut(SA);
    let (da, db) = sum.disks.split_at_mut(DA);
    parts(a, sa, da);
    parts(b, sb, db);
    let Some(found) = search::<SA, DA, S, D>(&sum, reach + round, a.solid.size + b.solid.size)
    else {
        return;
    };
    if !found.proven {
        let face = found.face.map(|(best, owner)| Axis {
            n: best.n,
            separation: best.f - round,
            owner: Some(owner),
        });
        convex::collide_with(a, b, face, reach, scratch, out);
        return;
    }
    let (best, owner) = match found.face {
        Some((face, owner)) if face.f + PREFER * sum.size >= found.best.f => (face, Some(owner)),
        _ => (found.best, None),
    };
    let axis = Axis {
        n: best.n,
        separation: best.f - round,
        owner,
    };
    let first = out.len();
    convex::clip_along(a, b, &axis, &mut scratch.patches, out);
    if !convex::attained(a, b, &axis, &out[first..]) {
        let foot = sum.foot(&found.best);
        let witness = witness::<SA, DA, S, D>(a, b, &sum, &found.best, &foot);
        convex::add_witness(a, &axis, &witness, out);
    }
}

/// Result of a search.
struct Found {
    /// The best face normal and the solid it belongs to.
    face: Option<(Best, usize)>,
    /// The best axis.
    best: Best,
    /// Whether it is known to be that.
    proven: bool,
}

/// The best axis; `None` if one exceeds `reach` (m). `thick`: sum of the sizes, m.
fn search<const SA: usize, const DA: usize, const S: usize, const D: usize>(
    sum: &Sum<S, D>,
    reach: f64,
    thick: f64,
) -> Option<Found> {
    let prefer = PREFER_FACE * sum.size;
    let mut face: Option<(Best, usize)> = None;
    // The faces of a box are across its segments, the caps of a cylinder along its disks.
    let boxes = [(0..SA, 0), (SA..S, 1)];
    for (range, owner) in boxes {
        let normals = if range.len() == 3 {
            &sum.segments[range]
        } else if owner == 0 {
            &sum.disks[..DA]
        } else {
            &sum.disks[DA..]
        };
        for (n, _) in normals {
            let next = sum.towards(*n);
            if next.f > reach {
                return None;
            }
            if face.is_none_or(|(x, _)| next.f > x.f + prefer) {
                face = Some((next, owner));
            }
        }
    }
    if let Some((best, _)) = face
        && settled(sum, &best, thick)
    {
        return Some(Found {
            face,
            best,
            proven: true,
        });
    }
    let mut best = face.map_or(
        Best {
            n: Vec3::z(),
            f: f64::NEG_INFINITY,
        },
        |(best, _)| best,
    );
    for i in 0..S {
        let Some(next) = sum.circle(i, best.f) else {
            continue;
        };
        if next.f > reach {
            return None;
        }
        best = next;
        if best.f > 0.0 && sum.foot(&best).proven {
            return Some(Found {
                face,
                best,
                proven: true,
            });
        }
    }
    let mut proven = best.f <= 0.0;
    let centres = sum.w.try_normalize(0.0).unwrap_or(Vec3::z());
    for from in [best, sum.towards(centres)] {
        // Overlaps end on facets; those of two rims are the only ones not yet covered.
        if best.f > 0.0 && proven || best.f <= 0.0 && D < 2 {
            break;
        }
        if let Some((next, foot)) = sum.climb(&from)
            && next.f > best.f
        {
            best = next;
            proven = best.f <= 0.0 || foot.proven;
        }
    }
    (best.f <= reach).then_some(Found { face, best, proven })
}

/// Whether no other axis can be better than this face normal, by the argument of
/// [`convex::settles`].
fn settled<const S: usize, const D: usize>(sum: &Sum<S, D>, best: &Best, thick: f64) -> bool {
    let foot = sum.foot(best);
    if !foot.proven {
        return false;
    }
    if best.f >= 0.0 {
        return true;
    }
    // How far inside the facet the foot lies.
    let mut m = f64::INFINITY;
    for ((d, s), along) in sum.segments.iter().zip(foot.along) {
        if best.n.dot(d).abs() < 1e-9 {
            m = m.min(s - along.abs());
        }
    }
    for ((u, r), across) in sum.disks.iter().zip(foot.across) {
        if best.n.cross(u).norm_squared() < 1e-18 {
            m = m.min(r - across.norm());
        }
    }
    let d = -best.f;
    let t = 2.0 * (best.n.dot(&sum.w).abs() + d);
    m >= 8.0 * d && t > 2.0 * d + 2.0 * thick * d / m
}

fn witness<const SA: usize, const DA: usize, const S: usize, const D: usize>(
    a: &Placed,
    b: &Placed,
    sum: &Sum<S, D>,
    best: &Best,
    foot: &Foot<S, D>,
) -> Witness {
    let (mut on_a, mut on_b) = (a.position, b.position);
    for (k, ((d, _), along)) in sum.segments.iter().zip(foot.along).enumerate() {
        if k < SA {
            on_a += d * along;
        } else {
            on_b -= d * along;
        }
    }
    for (k, across) in foot.across.iter().enumerate() {
        if k < DA {
            on_a += across;
        } else {
            on_b -= across;
        }
    }
    Witness {
        n: best.n,
        on_a,
        on_b,
    }
}
