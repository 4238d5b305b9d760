//! The common part of two patches seen along an axis.
//!
//! The corners of the common part are corners of A inside B, corners of B inside A, and crossings
//! of edges. A corner within a small tolerance of an outline counts as inside, and then stands
//! for every other corner it coincides with: faces that match up exactly give the same points,
//! with the same features, as faces shifted by a rounding error.

use super::manifold::{CROSSING, Candidate, Manifold};
use super::patch::{MAX_CORNERS, Outline, Patch};
use crate::math::{Vec3, tangent_basis};

/// Tolerance of "inside", relative to the size of the pair.
const INSIDE: f64 = 1e-6;

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

/// A patch seen along the axis.
struct Seen<'a> {
    patch: &'a Patch,
    uv: [Uv; MAX_CORNERS],
    /// Normal of its plane, zero if it has none or is seen edge-on.
    plane: Vec3,
    /// +1 if the corners run counter-clockwise in uv, -1 otherwise.
    turn: f64,
}

impl<'a> Seen<'a> {
    fn new(view: &View, patch: &'a Patch) -> Self {
        let mut uv = [[0.0; 2]; MAX_CORNERS];
        for (q, p) in uv.iter_mut().zip(&patch.points[..patch.len]) {
            *q = view.uv(p);
        }
        let plane = match patch.outline {
            Outline::Disk { axis, .. } => axis,
            Outline::Polygon => {
                let p = &patch.points;
                (2..patch.len)
                    .map(|k| (p[k - 1] - p[0]).cross(&(p[k] - p[0])))
                    .sum::<Vec3>()
            }
            Outline::Point | Outline::Segment => Vec3::zeros(),
        };
        let slope = plane.dot(&view.n);
        // Seen edge-on a face has no inside; its edges still cross those of the other patch.
        let plane = if slope.abs() > 1e-3 * plane.norm() {
            plane
        } else {
            Vec3::zeros()
        };
        Self {
            patch,
            uv,
            plane,
            turn: slope.signum(),
        }
    }

    /// Height along the axis of the patch's plane over `q`.
    fn plane_height(&self, view: &View, q: Uv) -> f64 {
        let base = match self.patch.outline {
            Outline::Disk { centre, .. } => centre,
            _ => self.patch.points[0],
        };
        self.plane.dot(&(base - view.point(q, 0.0))) / self.plane.dot(&view.n)
    }

    /// How far inside the outline `q` lies (negative: outside) and the height there.
    fn depth_inside(&self, view: &View, q: Uv) -> Option<(f64, f64)> {
        let patch = self.patch;
        match patch.outline {
            Outline::Point => Some((-norm(sub(q, self.uv[0])), view.n.dot(&patch.points[0]))),
            Outline::Segment => {
                let along = sub(self.uv[1], self.uv[0]);
                let length2 = dot(along, along);
                if length2 < view.tolerance * view.tolerance {
                    return None;
                }
                let s = (dot(sub(q, self.uv[0]), along) / length2).clamp(0.0, 1.0);
                let foot = patch.points[0] * (1.0 - s) + patch.points[1] * s;
                let f = view.uv(&foot);
                Some((-norm(sub(q, f)), view.n.dot(&foot)))
            }
            Outline::Polygon => {
                if self.plane == Vec3::zeros() {
                    return None;
                }
                let mut least = f64::INFINITY;
                for i in 0..patch.len {
                    let from = self.uv[i];
                    let edge = sub(self.uv[(i + 1) % patch.len], from);
                    let length = norm(edge);
                    // Two corners on the same spot bound nothing.
                    if length > 0.0 {
                        least = least.min(self.turn * cross(edge, sub(q, from)) / length);
                    }
                }
                Some((least, self.plane_height(view, q)))
            }
            Outline::Disk { centre, radius, .. } => {
                if self.plane == Vec3::zeros() {
                    return None;
                }
                let height = self.plane_height(view, q);
                Some((radius - (view.point(q, height) - centre).norm(), height))
            }
        }
    }
}

/// Append the corners of the common part of `a` and `b`, moved out by the roundings along `n`.
///
/// `size` (m) sets the tolerances.
pub fn clip(n: &Vec3, patches: [&Patch; 2], rounding: [f64; 2], size: f64, out: &mut Manifold) {
    let (t1, t2) = tangent_basis(n);
    let view = View {
        n: *n,
        t: [t1, t2],
        tolerance: INSIDE * size,
    };
    let (a, b) = (Seen::new(&view, patches[0]), Seen::new(&view, patches[1]));
    let first = out.len();
    corners_inside(&view, &a, &b, false, out);
    let from_a = first..out.len();
    corners_inside(&view, &b, &a, true, out);
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
    edge_crossings(&view, &a, &b, out);
    rim_crossings(&view, &a, &b, false, out);
    rim_crossings(&view, &b, &a, true, out);
    rims_crossing(&view, &a, &b, out);
    for c in &mut out[first..] {
        c.on_a += n * rounding[0];
        c.on_b -= n * rounding[1];
        c.gap -= rounding[0] + rounding[1];
    }
}

/// How far inside the patch of `owner` the point `p` lies seen along `n`, m.
pub fn depth_inside(n: &Vec3, owner: &Patch, p: &Vec3) -> f64 {
    let (t1, t2) = tangent_basis(n);
    let view = View {
        n: *n,
        t: [t1, t2],
        tolerance: 0.0,
    };
    Seen::new(&view, owner)
        .depth_inside(&view, view.uv(p))
        .map_or(f64::NEG_INFINITY, |(depth, _)| depth)
}

fn push(view: &View, swap: bool, p: Vec3, q: Vec3, f: u32, g: u32, out: &mut Manifold) {
    out.push(if swap {
        Candidate::new(q, p, view.n, [g, f])
    } else {
        Candidate::new(p, q, view.n, [f, g])
    });
}

/// Corners of `from` over or under `onto`; `swap` if `from` belongs to B.
fn corners_inside(view: &View, from: &Seen, onto: &Seen, swap: bool, out: &mut Manifold) {
    for i in 0..from.patch.len {
        if let Some((depth, height)) = onto.depth_inside(view, from.uv[i])
            && depth >= -view.tolerance
        {
            let p = from.patch.points[i];
            let q = p + view.n * (height - view.n.dot(&p));
            push(
                view,
                swap,
                p,
                q,
                from.patch.corners[i],
                onto.patch.face,
                out,
            );
        }
    }
}

/// Proper crossings of the edges of both, away from the corners, which are taken already.
fn edge_crossings(view: &View, a: &Seen, b: &Seen, out: &mut Manifold) {
    for i in 0..a.patch.edge_count() {
        let i2 = (i + 1) % a.patch.len;
        let u = sub(a.uv[i2], a.uv[i]);
        for j in 0..b.patch.edge_count() {
            let j2 = (j + 1) % b.patch.len;
            let v = sub(b.uv[j2], b.uv[j]);
            let w = sub(b.uv[j], a.uv[i]);
            let d = cross(u, v);
            let (lu, lv) = (norm(u), norm(v));
            // Parallel edges overlap in a line whose ends are corners.
            if d.abs() <= 1e-9 * lu * lv {
                continue;
            }
            let (s, t) = (cross(w, v) / d, cross(w, u) / d);
            let away = |x: f64, l: f64| x * l > view.tolerance && (1.0 - x) * l > view.tolerance;
            if away(s, lu) && away(t, lv) {
                let p = a.patch.points[i] * (1.0 - s) + a.patch.points[i2] * s;
                let q = b.patch.points[j] * (1.0 - t) + b.patch.points[j2] * t;
                push(view, false, p, q, a.patch.edges[i], b.patch.edges[j], out);
            }
        }
    }
}

/// Where the rim of the disk `disk` crosses the edges of `other`; `swap` if the disk belongs to B.
fn rim_crossings(view: &View, disk: &Seen, other: &Seen, swap: bool, out: &mut Manifold) {
    let Outline::Disk { centre, radius, .. } = disk.patch.outline else {
        return;
    };
    if disk.plane == Vec3::zeros() {
        return;
    }
    for j in 0..other.patch.edge_count() {
        let j2 = (j + 1) % other.patch.len;
        // The edge dropped along the axis onto the plane of the disk, relative to its centre.
        let [p, q] = [j, j2].map(|k| {
            let uv = other.uv[k];
            view.point(uv, disk.plane_height(view, uv)) - centre
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
                let on_edge = other.patch.points[j] * (1.0 - s) + other.patch.points[j2] * s;
                let edge = other.patch.edges[j];
                push(view, swap, on_rim, on_edge, CROSSING + k, edge, out);
            }
        }
    }
}

/// Where two nearly level rims cross.
fn rims_crossing(view: &View, a: &Seen, b: &Seen, out: &mut Manifold) {
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
    ) = (a.patch.outline, b.patch.outline)
    else {
        return;
    };
    // Steeply seen rims are ellipses; there the farthest rim points carry the contact.
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
        let on_a = view.point(q, a.plane_height(view, q));
        let on_b = view.point(q, b.plane_height(view, q));
        push(view, false, on_a, on_b, CROSSING + k, CROSSING + k, out);
    }
}
