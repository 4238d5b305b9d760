//! A triangle of a surface against a convex solid.
//!
//! A triangle on its own would push a body sideways where its edge meets a neighbour that continues the surface. A
//! normal is therefore used only if the whole surface around the touched feature lies behind it; otherwise the
//! triangle's own normal replaces it. The same holds where the surface continues in another shape of its body.

use super::clip::INSIDE;
use super::convex::{
    Axis, PREFER_FACE, Scratch, add_witness, attained, best_axis, clip_along, face_axis, pair_size,
    separation, settles,
};
use super::cover::{IS_FACE, Spot};
use super::gjk::{Answer, witness};
use super::manifold::{Candidate, FACE, FLAT, Manifold, WITNESS};
use super::solid::{Core, Placed};
use super::surface_pair::PlacedSurface;
use crate::math::{Mat3, Vec3};

/// Largest overlap along the normal of a triangle, as a fraction of the body's extent along it: with a larger overlap
/// the body counts as being on the other side of the sheet.
const DEEPEST: f64 = 0.75;

/// The normal of a triangle replaces a shorter way out only if its way out is not much longer: at most this many times
/// the overlap along the shorter way, plus the triangle's size, or a fraction of the body's extent if that is less.
/// Otherwise the tip of a steep triangle that reaches into a body would push it out sideways by the body's whole width;
/// the surrounding triangles carry it.
const TILTED: f64 = 3.0;
const SLACK: f64 = 0.1;

/// Cosine of the angle up to which the normal of an edge may replace an axis at its end.
const STEEPEST: f64 = 0.5;

/// Squared sine of the angle below which two edges, or two planes, count as parallel.
const PARALLEL: f64 = 1e-10;

/// What all triangles of a surface (A) meet.
pub struct Against<'a> {
    a: &'a PlacedSurface<'a>,
    b: &'a Placed<'a>,
    reach: f64,
    /// If B is a box, half its edge lengths (m), and rotation and position (m) of the surface in its frame.
    cuboid: Option<(Vec3, Mat3, Vec3)>,
}

impl<'a> Against<'a> {
    /// A convex solid (B) as seen from a surface (A), for contacts closer than `reach` (m).
    pub fn new(a: &'a PlacedSurface<'a>, b: &'a Placed<'a>, reach: f64) -> Self {
        let cuboid = match b.solid.core {
            Core::Box { half } => Some((
                half,
                b.rotation.tr_mul(&a.rotation),
                b.rotation.tr_mul(&(a.position - b.position)),
            )),
            _ => None,
        };
        Self {
            a,
            b,
            reach,
            cuboid,
        }
    }

    /// The feature of a triangle that carries load along `n` (surface frame), if any.
    fn bearing(&self, index: u32, n: &Vec3) -> Option<u32> {
        if n.dot(&self.a.surface.normal(index)) <= -1e-6 {
            return None;
        }
        let (feature, free) = self.a.surface.feature_facing(index, n);
        (free && feature != FLAT).then_some(feature)
    }

    /// Contact points at the corner of a triangle that is foremost along an axis on which the corner carries no load,
    /// along the load-carrying normals of its edges nearest to the axis; returns whether there are any.
    ///
    /// The rim of a hole is such a chain of edges: each of its corners has neighbours that are higher, as seen from a
    /// body in the hole, and a body that slides along an edge to its end would fall through. Because the body's surface
    /// is perpendicular to n there, it exits along n_e after gap/(n·n_e).
    fn on_edges_of_corner(&self, index: u32, axis: &Axis, out: &mut Manifold) -> bool {
        let (a, first) = (self.a, out.len());
        let n = a.rotation.tr_mul(&axis.n);
        let Some((k, corners)) = a.surface.foremost_corner(index, &n) else {
            return false;
        };
        for other in [(k + 1) % 3, (k + 2) % 3] {
            let edge = (corners[other] - corners[k]).normalize();
            let across = (n - edge * edge.dot(&n)).try_normalize(STEEPEST);
            let third = corners[3 - k - other];
            if let Some(m) = across
                && m.dot(&(third - corners[k])) < 0.0
                && let Some(feature) = self.bearing(index, &m)
            {
                let on_a = a.position + a.rotation * corners[k];
                let m = a.rotation * m;
                let gap = axis.separation / m.dot(&axis.n);
                let features = [feature, WITNESS];
                out.push(Candidate::new(on_a, on_a + m * gap, m, features));
            }
        }
        out.len() > first
    }

    /// Whether there are points on a triangle, along one normal, and neighbours of the surface cover all of them.
    fn is_ghost(&self, index: u32, points: &[Candidate]) -> bool {
        let (Some(covers), Some(first)) = (self.a.covers, points.first()) else {
            return false;
        };
        let n = first.normal;
        let (triangle, centroid) = self.a.surface.triangle(index);
        let is_face = n.dot(&(self.a.rotation * self.a.surface.normal(index))) >= IS_FACE;
        let face = is_face.then(|| self.a.placed(triangle, centroid).position);
        points
            .iter()
            .all(|c| covers(&Spot::new(c.on_a, n, face, triangle.size)))
    }

    /// Whether the normal of a triangle may replace the best axis, on which no load can be carried: separations along
    /// the two, size of the triangle, extent of B along the normal, all in m.
    fn leads_out(&self, own: f64, best: f64, size: f64, extent: f64) -> bool {
        let is_through = !self.a.surface.solid_below && -own > DEEPEST * extent;
        !is_through && -own <= TILTED * -best.min(0.0) + size.min(SLACK * extent)
    }
}

/// Contacts of triangle `index`, without those on flat features. Returns whether the normal of the triangle or of an
/// edge replaced a shorter way out.
pub fn collide(against: &Against, index: u32, scratch: &mut Scratch, out: &mut Manifold) -> bool {
    let (first, a) = (out.len(), against.a);
    let quick = against.cuboid.as_ref().map_or(Quick::Unknown, |cuboid| {
        under_face(against, cuboid, index, out)
    });
    let tilted = match quick {
        Quick::Done => false,
        Quick::Unknown => any(against, index, scratch, out),
        Quick::Own(separation) => {
            let (triangle, centroid) = a.surface.triangle(index);
            let own = Axis {
                n: a.rotation * a.surface.normal(index),
                separation,
                owner: Some(0),
            };
            let t = a.placed(triangle, centroid);
            clip_along(&t, against.b, &own, &mut scratch.patches, out);
            drop_nearer_others(against, index, first, out);
            true
        }
    };
    drop_flat(first, out);
    if a.covers.is_some() {
        leave_seam(against, index, first, scratch, out);
    }
    tilted
}

/// Removes the points from `first` on, found along the triangle's own normal instead of a shorter way out, that are
/// much farther from this triangle than from another one: the way out leads through that one. Otherwise a rim that dips
/// into a hole beside the upper side of a block, next to the side of the hole, would be lifted out of it.
fn drop_nearer_others(against: &Against, index: u32, first: usize, out: &mut Manifold) {
    let a = against.a;
    let mut keep = first;
    for k in first..out.len() {
        let c = out[k];
        let at = a.rotation.tr_mul(&(c.on_b - a.position));
        if c.gap >= 0.0 || !a.surface.is_near_another(index, &at, -c.gap / TILTED) {
            out[keep] = c;
            keep += 1;
        }
    }
    out.truncate(keep);
}

/// Remove the points from `first` on that lie on flat features.
fn drop_flat(first: usize, out: &mut Manifold) {
    let mut keep = first;
    for k in first..out.len() {
        if !out[k].is_flat() {
            out[keep] = out[k];
            keep += 1;
        }
    }
    out.truncate(keep);
}

/// If neighbours of the surface cover all points from `first` on, uses the triangle's own normal instead, as within the
/// surface, unless the triangle itself is covered.
fn leave_seam(
    against: &Against,
    index: u32,
    first: usize,
    scratch: &mut Scratch,
    out: &mut Manifold,
) {
    if !against.is_ghost(index, &out[first..]) {
        return;
    }
    let Against { a, b, .. } = against;
    let normal = a.rotation * a.surface.normal(index);
    let ghost = &out[first..];
    let is_own = ghost[0].normal.dot(&normal) >= IS_FACE;
    let best = ghost.iter().map(|c| c.gap).fold(f64::INFINITY, f64::min);
    out.truncate(first);
    let (triangle, centroid) = a.surface.triangle(index);
    let t = a.placed(triangle, centroid);
    let own = Axis {
        n: normal,
        separation: separation(&t, b, &normal),
        owner: Some(0),
    };
    if is_own || !against.leads_out(own.separation, best, triangle.size, b.extent(&normal)) {
        return;
    }
    clip_along(&t, b, &own, &mut scratch.patches, out);
    drop_nearer_others(against, index, first, out);
    drop_flat(first, out);
    if against.is_ghost(index, &out[first..]) {
        out.truncate(first);
    }
}

/// What is found at once.
enum Quick {
    /// All there is.
    Done,
    /// Points are to be clipped along the triangle's own normal, with this separation, m.
    Own(f64),
    /// Nothing.
    Unknown,
}

/// The triangle against a box if it is out of reach, or lies completely within the outline of the face of the box that
/// it touches, by the same rules as [`any`]. For fine surfaces this is nearly every triangle.
fn under_face(
    against: &Against,
    (half, rotation, position): &(Vec3, Mat3, Vec3),
    index: u32,
    out: &mut Manifold,
) -> Quick {
    let Against { a, b, reach, .. } = against;
    let (solid, centroid) = a.surface.triangle(index);
    let Core::Triangle {
        points,
        normal,
        corners,
        ..
    } = &solid.core
    else {
        return Quick::Unknown;
    };
    // All in the frame of the box.
    let centroid = rotation * centroid + position;
    let points = points.map(|p| rotation * p + centroid);
    let normal = rotation * normal;
    let across = normal.abs().dot(half);
    let own = -across - normal.dot(&points[0]);
    let mut best = own;
    let is_sheet = !a.surface.solid_below;
    if best > *reach || (is_sheet && -best > 2.0 * across) {
        return Quick::Done;
    }
    let lo = points[0].inf(&points[1]).inf(&points[2]);
    let hi = points[0].sup(&points[1]).sup(&points[2]);
    let size = solid.size.min(b.solid.size);
    let mut face = None;
    for k in 0..3 {
        for (sign, separation) in [(1.0, lo[k] - half[k]), (-1.0, -hi[k] - half[k])] {
            if separation > best + PREFER_FACE * size {
                (best, face) = (separation, Some((k, sign)));
            }
        }
    }
    if best > *reach {
        return Quick::Done;
    }
    let Some((k, sign)) = face else {
        return Quick::Unknown;
    };
    let (i, j) = ((k + 1) % 3, (k + 2) % 3);
    let inside = |p: &Vec3| (half[i] - p[i].abs()).min(half[j] - p[j].abs());
    let enough = 5.0 * INSIDE * size;
    if points.iter().any(|p| inside(p) <= enough) {
        return Quick::Unknown;
    }
    let gap = |p: &Vec3| sign * p[k] - half[k];
    if best < 0.0 {
        // By the argument of `settles`.
        let (mut centre, mut count) = (Vec3::zeros(), 0.0);
        for p in points
            .iter()
            .filter(|p| gap(p) <= best + PREFER_FACE * size)
        {
            centre += p;
            count += 1.0;
        }
        let m = inside(&(centre / count));
        let t = hi[k] - lo[k] + 2.0 * half[k];
        let r = solid.size + b.solid.size;
        if m < -8.0 * best || t <= -2.0 * best * (1.0 + r / m) {
            return Quick::Unknown;
        }
    }
    let n = Vec3::from(rotation.row(k).transpose()) * -sign;
    if against.bearing(index, &n).is_none() {
        let extent = 2.0 * across;
        let is_own = against.leads_out(own, best, solid.size, extent);
        return if is_own { Quick::Own(own) } else { Quick::Done };
    }
    let n = Vec3::from(b.rotation.column(k)) * -sign;
    for (p, corner) in points.iter().zip(corners) {
        if *corner != FLAT {
            let p_world = b.position + b.rotation * p;
            let on_b = p_world + n * gap(p);
            out.push(Candidate::new(p_world, on_b, n, [*corner, FACE]));
        }
    }
    Quick::Done
}

/// The triangle against any solid; see [`collide`].
fn any(against: &Against, index: u32, scratch: &mut Scratch, out: &mut Manifold) -> bool {
    let Against { a, b, reach, .. } = *against;
    let (triangle, centroid) = a.surface.triangle(index);
    let t = a.placed(triangle, centroid);
    let normal = a.rotation * a.surface.normal(index);
    let own = Axis {
        n: normal,
        separation: separation(&t, b, &normal),
        owner: Some(0),
    };
    let extent = b.extent(&normal);
    // Out of reach, or wholly behind a sheet.
    let is_behind = extent > 0.0 && -own.separation > extent && !a.surface.solid_below;
    if own.separation > reach || is_behind {
        return false;
    }
    let bearing = |n: &Vec3| against.bearing(index, &a.rotation.tr_mul(n));
    let face = face_axis(&t, b, None).unwrap_or(own);
    if face.separation > reach {
        return false;
    }
    let first = out.len();
    clip_along(&t, b, &face, &mut scratch.patches, out);
    let settled = settles(&t, b, &face, &scratch.patches, &out[first..]);
    if settled && (face.owner == Some(0) || bearing(&face.n).is_some()) {
        return false;
    }
    out.truncate(first);
    let known = if settled {
        Some(face)
    } else {
        overlap_axis(&t, b, &face)
    };
    let mut search = || {
        let apart = reach + b.solid.rounding;
        witness(&t, b, apart, &mut scratch.expansion)
    };
    let (axis, mut found) = match known {
        Some(axis) if axis.separation <= 0.0 || settled => (axis, None),
        Some(axis) if axis.separation > reach => return false,
        _ => {
            let found = match search() {
                // What is wholly below a height field is in the ground.
                Answer::Far(_) if !a.surface.solid_below => return false,
                Answer::Near(witness) => Some(witness),
                Answer::Far(_) => None,
            };
            let axis = found.as_ref().map_or(face, |found| {
                best_axis(&t, b, Some(face), found, &mut scratch.patches)
            });
            (axis, found)
        }
    };
    if axis.separation > reach {
        return false;
    }
    let bearing = if settled { None } else { bearing(&axis.n) };
    if let Some(feature) = bearing {
        clip_along(&t, b, &axis, &mut scratch.patches, out);
        if attained(&t, b, &axis, &out[first..]) {
            return false;
        }
        if found.is_none()
            && let Answer::Near(witness) = search()
        {
            found = Some(witness);
        }
        let Some(witness) = found else { return false };
        // Beside the triangle but along its normal: an edge carries the load, unless it is flat.
        let feature = match axis.owner {
            Some(0) => scratch.patches[0]
                .nearest_edge(&witness.on_a)
                .map_or(feature, |(_, edge)| edge),
            _ => feature,
        };
        if feature != FLAT {
            let before = out.len();
            add_witness(&t, &axis, &witness, out);
            out[before].features = [feature, WITNESS];
        }
        false
    } else if !settled && against.on_edges_of_corner(index, &axis, out) {
        true
    } else if against.leads_out(own.separation, axis.separation, t.solid.size, extent) {
        clip_along(&t, b, &own, &mut scratch.patches, out);
        drop_nearer_others(against, index, first, out);
        true
    } else {
        false
    }
}

/// The best axis of a triangle (A) and a box or triangle (B), given the best of their faces. It is exact for
/// overlapping shapes, because the facets of the difference of two polyhedra belong to a face of one or to two edges;
/// for separated shapes it is at most the distance. `None` for other solids, and for triangles in one plane.
fn overlap_axis(t: &Placed, b: &Placed, face: &Axis) -> Option<Axis> {
    let Core::Triangle { points, normal, .. } = &t.solid.core else {
        return None;
    };
    let offset = t.position - b.position;
    let p = points.map(|x| t.rotation * x + offset);
    let mut free = Axis {
        n: face.n,
        separation: f64::NEG_INFINITY,
        owner: None,
    };
    // Along `n` (any length) B goes from `from` to `to`.
    let mut consider = |n: Vec3, from: f64, to: f64| {
        let heights = p.map(|x| n.dot(&x));
        let low = heights[0].min(heights[1]).min(heights[2]);
        let high = heights[0].max(heights[1]).max(heights[2]);
        let (above, below) = (from - high, low - to);
        let length = n.norm();
        let separation = above.max(below) / length;
        if separation > free.separation {
            free.separation = separation;
            free.n = n / if above >= below { length } else { -length };
        }
    };
    let edges = [p[1] - p[0], p[2] - p[1], p[0] - p[2]];
    let normal = t.rotation * normal;
    match &b.solid.core {
        Core::Box { half } => {
            let axes = [0, 1, 2].map(|k| Vec3::from(b.rotation.column(k)));
            let reach = |n: &Vec3| (0..3).map(|k| n.dot(&axes[k]).abs() * half[k]).sum::<f64>();
            consider(normal, -reach(&normal), reach(&normal));
            for u in &edges {
                for v in &axes {
                    let n = u.cross(v);
                    if n.norm_squared() > PARALLEL * u.norm_squared() {
                        let r = reach(&n);
                        consider(n, -r, r);
                    }
                }
            }
        }
        Core::Triangle {
            points,
            normal: other,
            ..
        } => {
            let other = b.rotation * other;
            if normal.cross(&other).norm_squared() <= PARALLEL {
                return None;
            }
            let q = points.map(|x| b.rotation * x);
            let mut along = |n: Vec3| {
                let heights = q.map(|x| n.dot(&x));
                let low = heights[0].min(heights[1]).min(heights[2]);
                let high = heights[0].max(heights[1]).max(heights[2]);
                consider(n, low, high);
            };
            along(normal);
            along(other);
            for u in &edges {
                for v in [q[1] - q[0], q[2] - q[1], q[0] - q[2]] {
                    let n = u.cross(&v);
                    if n.norm_squared() > PARALLEL * u.norm_squared() * v.norm_squared() {
                        along(n);
                    }
                }
            }
        }
        _ => return None,
    }
    let prefer = PREFER_FACE * pair_size(t, b);
    Some(if face.separation + prefer >= free.separation {
        *face
    } else {
        free
    })
}
