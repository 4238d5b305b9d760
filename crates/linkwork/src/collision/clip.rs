//! The common part of two patches along an axis.
//!
//! The corners of the common part are corners of A inside B, corners of B inside A, and crossings of edges. A corner
//! within a small tolerance of an outline counts as inside, and then replaces every other corner with which it
//! coincides: faces that match exactly yield the same points, with the same features, as faces shifted by a rounding
//! error.

use super::manifold::{CROSSING, Candidate, Manifold};
use super::patch::{Outline, Patch};
use crate::math::{Vec3, tangent_basis};

/// Tolerance of "inside", relative to the size of the pair.
pub const INSIDE: f64 = 1e-6;

type Uv = [f64; 2];

fn sub(a: Uv, b: Uv) -> Uv {
    [a[0] - b[0], a[1] - b[1]]
}

fn cross(a: Uv, b: Uv) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

fn dot(a: Uv, b: Uv) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

fn norm(a: Uv) -> f64 {
    dot(a, a).sqrt()
}

/// Axis, and coordinates across it.
struct View {
    n: Vec3,
    t: [Vec3; 2],
    tolerance: f64,
}

impl View {
    fn uv(&self, p: &Vec3) -> Uv {
        [self.t[0].dot(p), self.t[1].dot(p)]
    }

    fn point(&self, q: Uv, height: f64) -> Vec3 {
        self.t[0] * q[0] + self.t[1] * q[1] + self.n * height
    }
}

impl View {
    fn along(n: &Vec3, tolerance: f64) -> Self {
        let (t1, t2) = tangent_basis(n);
        Self {
            n: *n,
            t: [t1, t2],
            tolerance,
        }
    }

    /// Description of a patch, to be filled in.
    fn see(&self, patch: &mut Patch) {
        let Patch {
            outline,
            len,
            points,
            seen,
            ..
        } = patch;
        for (q, p) in seen.uv.iter_mut().zip(&points[..*len]) {
            *q = self.uv(p);
        }
        let plane = match outline {
            Outline::Disk { axis, .. } => *axis,
            Outline::Polygon => (2..*len)
                .map(|k| (points[k - 1] - points[0]).cross(&(points[k] - points[0])))
                .sum::<Vec3>(),
            Outline::Point | Outline::Segment => Vec3::zeros(),
        };
        let slope = plane.dot(&self.n);
        // A face seen edge-on has no inside; its edges still cross those of the other patch.
        seen.plane = if slope.abs() > 1e-3 * plane.norm() {
            plane
        } else {
            Vec3::zeros()
        };
        if *outline == Outline::Polygon && seen.plane != Vec3::zeros() {
            for i in 0..*len {
                let edge = sub(seen.uv[(i + 1) % *len], seen.uv[i]);
                // Corners run counter-clockwise if the normal of the plane points along the axis.
                let scale = slope.signum() / norm(edge);
                seen.inward[i] = [-edge[1] * scale, edge[0] * scale];
            }
        }
    }
}

/// Height along the axis of the plane of a patch over `q`.
fn plane_height(patch: &Patch, view: &View, q: Uv) -> f64 {
    let base = match patch.outline {
        Outline::Disk { centre, .. } => centre,
        _ => patch.points[0],
    };
    let plane = &patch.seen.plane;
    plane.dot(&(base - view.point(q, 0.0))) / plane.dot(&view.n)
}

/// How far inside the outline `q` lies (negative: outside) and the height there.
fn inside(patch: &Patch, view: &View, q: Uv) -> Option<(f64, f64)> {
    let seen = &patch.seen;
    match patch.outline {
        Outline::Point => Some((-norm(sub(q, seen.uv[0])), view.n.dot(&patch.points[0]))),
        Outline::Segment => {
            let along = sub(seen.uv[1], seen.uv[0]);
            let length2 = dot(along, along);
            if length2 < view.tolerance * view.tolerance {
                return None;
            }
            let s = (dot(sub(q, seen.uv[0]), along) / length2).clamp(0.0, 1.0);
            let foot = patch.points[0] * (1.0 - s) + patch.points[1] * s;
            let f = view.uv(&foot);
            Some((-norm(sub(q, f)), view.n.dot(&foot)))
        }
        Outline::Polygon => {
            if seen.plane == Vec3::zeros() {
                return None;
            }
            let mut least = f64::INFINITY;
            for (inward, from) in seen.inward.iter().zip(&seen.uv).take(patch.len) {
                // The minimum ignores the NaN of two coinciding corners, which do not bound anything.
                least = least.min(dot(*inward, sub(q, *from)));
            }
            Some((least, plane_height(patch, view, q)))
        }
        Outline::Disk { centre, radius, .. } => {
            if seen.plane == Vec3::zeros() {
                return None;
            }
            let height = plane_height(patch, view, q);
            Some((radius - (view.point(q, height) - centre).norm(), height))
        }
    }
}

/// Appends the corners of the common part of two patches, displaced by the rounding radii along `n`.
///
/// `size` (m) sets the tolerances.
pub fn clip(n: &Vec3, patches: &mut [Patch; 2], rounding: [f64; 2], size: f64, out: &mut Manifold) {
    let view = View::along(n, INSIDE * size);
    for patch in patches.iter_mut() {
        view.see(patch);
    }
    let [a, b] = &*patches;
    let first = out.len();
    // If one lies within the other, its corners are all there is.
    if !corners_inside(&view, a, b, false, out) {
        let from_a = first..out.len();
        let within = corners_inside(&view, b, a, true, out);
        // A corner of B that coincides with one of A is the same point.
        let mut k = from_a.end;
        while k < out.len() {
            let q = view.uv(&out[k].on_b);
            if from_a
                .clone()
                .any(|i| norm(sub(view.uv(&out[i].on_a), q)) < 4.0 * view.tolerance)
            {
                out.remove(k);
            } else {
                k += 1;
            }
        }
        if !within {
            edge_crossings(&view, a, b, out);
            rim_crossings(&view, a, b, false, out);
            rim_crossings(&view, b, a, true, out);
            rims_crossing(&view, a, b, out);
        }
    }
    for c in &mut out[first..] {
        c.on_a += n * rounding[0];
        c.on_b -= n * rounding[1];
        c.gap -= rounding[0] + rounding[1];
    }
}

/// Distance of the point `p` from the outline of a patch that was clipped along `n`, seen along `n`, m; positive
/// inside.
pub fn depth_inside(n: &Vec3, patch: &Patch, p: &Vec3) -> f64 {
    let view = View::along(n, 0.0);
    inside(patch, &view, view.uv(p)).map_or(f64::NEG_INFINITY, |(depth, _)| depth)
}

fn push(view: &View, swap: bool, p: Vec3, q: Vec3, f: u32, g: u32, out: &mut Manifold) {
    out.push(if swap {
        Candidate::new(q, p, view.n, [g, f])
    } else {
        Candidate::new(p, q, view.n, [f, g])
    });
}

/// Corners of `from` over or under `onto`; `swap` if `from` belongs to B. Returns whether `from` lies well within
/// `onto`.
fn corners_inside(view: &View, from: &Patch, onto: &Patch, swap: bool, out: &mut Manifold) -> bool {
    // The points of a disk do not span it.
    let mut within = !matches!(from.outline, Outline::Disk { .. });
    for i in 0..from.len {
        let Some((depth, height)) = inside(onto, view, from.seen.uv[i]) else {
            return false;
        };
        within &= depth > 5.0 * view.tolerance;
        if depth >= -view.tolerance {
            let p = from.points[i];
            let q = p + view.n * (height - view.n.dot(&p));
            push(view, swap, p, q, from.corners[i], onto.face, out);
        }
    }
    within
}

/// Proper crossings of the edges of both, except at corners, which are already included.
fn edge_crossings(view: &View, a: &Patch, b: &Patch, out: &mut Manifold) {
    for i in 0..a.edge_count() {
        let i2 = (i + 1) % a.len;
        let u = sub(a.seen.uv[i2], a.seen.uv[i]);
        for j in 0..b.edge_count() {
            let j2 = (j + 1) % b.len;
            let v = sub(b.seen.uv[j2], b.seen.uv[j]);
            let w = sub(b.seen.uv[j], a.seen.uv[i]);
            let d = cross(u, v);
            let (lu, lv) = (norm(u), norm(v));
            // Parallel edges overlap in a line whose ends are corners.
            if d.abs() <= 1e-9 * lu * lv {
                continue;
            }
            let (s, t) = (cross(w, v) / d, cross(w, u) / d);
            let away = |x: f64, l: f64| x * l > view.tolerance && (1.0 - x) * l > view.tolerance;
            if away(s, lu) && away(t, lv) {
                let p = a.points[i] * (1.0 - s) + a.points[i2] * s;
                let q = b.points[j] * (1.0 - t) + b.points[j2] * t;
                push(view, false, p, q, a.edges[i], b.edges[j], out);
            }
        }
    }
}

/// Crossings of the rim of the disk `disk` with the edges of `other`; `swap` if the disk belongs to B.
fn rim_crossings(view: &View, disk: &Patch, other: &Patch, swap: bool, out: &mut Manifold) {
    let Outline::Disk { centre, radius, .. } = disk.outline else {
        return;
    };
    if disk.seen.plane == Vec3::zeros() {
        return;
    }
    for j in 0..other.edge_count() {
        let j2 = (j + 1) % other.len;
        // The edge projected along the axis onto the plane of the disk, relative to its centre.
        let [p, q] = [j, j2].map(|k| {
            let uv = other.seen.uv[k];
            view.point(uv, plane_height(disk, view, uv)) - centre
        });
        let d = q - p;
        let (qa, qb, qc) = (d.dot(&d), p.dot(&d), p.dot(&p) - radius * radius);
        let root = qb * qb - qa * qc;
        // An edge that misses or only grazes the rim.
        if root <= qa * view.tolerance * view.tolerance {
            continue;
        }
        for (k, sign) in [(0, -1.0), (1, 1.0)] {
            let s = (-qb + sign * root.sqrt()) / qa;
            if s > 0.0 && s < 1.0 {
                let on_rim = centre + p + d * s;
                let on_edge = other.points[j] * (1.0 - s) + other.points[j2] * s;
                let edge = other.edges[j];
                push(view, swap, on_rim, on_edge, CROSSING + k, edge, out);
            }
        }
    }
}

/// Where two nearly level rims cross.
fn rims_crossing(view: &View, a: &Patch, b: &Patch, out: &mut Manifold) {
    let (
        Outline::Disk {
            centre: ca,
            axis: na,
            radius: ra,
        },
        Outline::Disk {
            centre: cb,
            axis: nb,
            radius: rb,
        },
    ) = (a.outline, b.outline)
    else {
        return;
    };
    // Rims seen at a steep angle are ellipses; their farthest points define the contact.
    if na.dot(&view.n).abs() < 0.999 || nb.dot(&view.n).abs() < 0.999 {
        return;
    }
    let (p, q) = (view.uv(&ca), view.uv(&cb));
    let d = sub(q, p);
    let l = norm(d);
    let along = 0.5 * (l + (ra * ra - rb * rb) / l);
    let aside2 = ra * ra - along * along;
    // One inside the other, or (NaN) concentric.
    if aside2.is_nan() || aside2 <= view.tolerance * view.tolerance {
        return;
    }
    let aside = aside2.sqrt();
    for (k, s) in [(0, aside), (1, -aside)] {
        let q = [
            p[0] + (d[0] * along - d[1] * s) / l,
            p[1] + (d[1] * along + d[0] * s) / l,
        ];
        let on_a = view.point(q, plane_height(a, view, q));
        let on_b = view.point(q, plane_height(b, view, q));
        push(view, false, on_a, on_b, CROSSING + k, CROSSING + k, out);
    }
}
