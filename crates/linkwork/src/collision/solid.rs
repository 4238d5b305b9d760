//! Convex solids: support points, face normals and patches.

use super::hull::Hull;
use super::patch::{Outline, Patch};
use crate::math::{Mat3, Vec3};
use std::sync::Arc;

/// Hulls with more faces than this return only the face nearest to a given axis.
const MANY_FACES: usize = 32;
/// Sine of the tilt up to which a cap has four points fixed in the body.
const LEVEL: f64 = 1e-6;
/// Cosine of the tilt up to which a cap, rather than the side, faces a direction.
const CAP: f64 = std::f64::consts::FRAC_1_SQRT_2;
/// Feature numbers of the points of cylinders and cones: four on each rim, then the rim points
/// farthest along the direction, then the line between those.
const RIM: [u32; 2] = [0, 4];
const LOWEST: [u32; 2] = [8, 9];
const SIDE: u32 = 10;

/// The sharp form of a solid, in its own frame. Lengths in m.
#[derive(Clone, Debug)]
pub enum Core {
    /// The origin.
    Point,
    /// From (0, 0, -half) to (0, 0, half).
    Segment {
        /// Half the length.
        half: f64,
    },
    /// A box.
    Box {
        /// Half the edge lengths.
        half: Vec3,
    },
    /// A cylinder along z.
    Cylinder {
        /// Radius.
        radius: f64,
        /// Half the height.
        half: f64,
    },
    /// A cone along z, apex up.
    Cone {
        /// Radius of the base.
        radius: f64,
        /// Half the height.
        half: f64,
    },
    /// An ellipsoid.
    Ellipsoid {
        /// Semi-axes.
        radii: Vec3,
    },
    /// A polyhedron.
    Hull(Arc<Hull>),
    /// A triangle of a surface.
    Triangle {
        /// Corners.
        points: [Vec3; 3],
        /// Unit normal of the outside.
        normal: Vec3,
        /// Feature numbers of the corners.
        corners: [u32; 3],
        /// Feature numbers of the edges from corner i to i + 1.
        edges: [u32; 3],
        /// Feature number of the inside.
        face: u32,
    },
}

/// A convex solid: all points within `rounding` of a core.
#[derive(Clone, Debug)]
pub struct Solid {
    /// Sharp form.
    pub core: Core,
    /// Radius of the rounding, m.
    pub rounding: f64,
    /// Largest distance of a point of the solid from its origin, m.
    pub size: f64,
}

/// A solid at a placement. Positions are relative to a point near the pair, to keep digits.
#[derive(Clone, Copy, Debug)]
pub struct Placed<'a> {
    /// The solid.
    pub solid: &'a Solid,
    /// Orientation.
    pub rotation: Mat3,
    /// Position of its origin, m.
    pub position: Vec3,
}

impl Core {
    /// The farthest point along `d` (any length).
    #[inline]
    pub fn support(&self, d: &Vec3) -> Vec3 {
        match self {
            Core::Point => Vec3::zeros(),
            Core::Segment { half } => Vec3::new(0.0, 0.0, half.copysign(d.z)),
            Core::Box { half } => half.zip_map(d, f64::copysign),
            Core::Cylinder { radius, half } => {
                let (x, y) = radial(d, *radius);
                Vec3::new(x, y, half.copysign(d.z))
            }
            Core::Cone { radius, half } => {
                // The apex wins where 2 half d.z exceeds radius |d_xy|.
                if 2.0 * half * d.z > radius * d.x.hypot(d.y) {
                    Vec3::new(0.0, 0.0, *half)
                } else {
                    let (x, y) = radial(d, *radius);
                    Vec3::new(x, y, -half)
                }
            }
            Core::Ellipsoid { radii } => {
                let scaled = radii.component_mul(d);
                let norm = scaled.norm();
                if norm > 0.0 {
                    radii.component_mul(&scaled) / norm
                } else {
                    // No direction at all: any surface point will do.
                    Vec3::new(radii.x, 0.0, 0.0)
                }
            }
            Core::Hull(hull) => hull.support(d),
            Core::Triangle { points, .. } => {
                let [a, b, c] = points.map(|p| p.dot(d));
                if a >= b && a >= c {
                    points[0]
                } else if b >= c {
                    points[1]
                } else {
                    points[2]
                }
            }
        }
    }

    /// Calls `visit` with the outward normals of the flat faces and their heights along these (m). Polyhedra with very
    /// many faces return only the face nearest to `hint`, and none without a hint.
    pub fn faces(&self, hint: Option<&Vec3>, mut visit: impl FnMut(Vec3, f64)) {
        match self {
            Core::Point | Core::Segment { .. } | Core::Ellipsoid { .. } => {}
            Core::Box { half } => {
                for (n, height) in [Vec3::x(), Vec3::y(), Vec3::z()].into_iter().zip(half) {
                    visit(n, *height);
                    visit(-n, *height);
                }
            }
            Core::Cylinder { half, .. } => {
                visit(Vec3::z(), *half);
                visit(-Vec3::z(), *half);
            }
            Core::Cone { half, .. } => visit(-Vec3::z(), *half),
            Core::Hull(hull) if hull.faces.len() > MANY_FACES => {
                if let Some(hint) = hint {
                    let face = hull.facing(hint);
                    visit(face.normal, face.height);
                }
            }
            Core::Hull(hull) => hull.faces.iter().for_each(|f| visit(f.normal, f.height)),
            Core::Triangle { points, normal, .. } => visit(*normal, normal.dot(&points[0])),
        }
    }

    /// Call `visit` with the outward normals of all flat faces and their heights along these (m).
    fn all_faces(&self, mut visit: impl FnMut(Vec3, f64)) {
        match self {
            Core::Hull(hull) => hull.faces.iter().for_each(|f| visit(f.normal, f.height)),
            _ => self.faces(None, visit),
        }
    }

    /// Lower bound of the distance of the point `p` from a box, cylinder or hull, m: not positive inside, and zero on
    /// the surface. Infinite for others.
    fn outside(&self, p: &Vec3) -> f64 {
        match self {
            Core::Box { half } => (p.abs() - half).max(),
            Core::Cylinder { radius, half } => (p.z.abs() - half).max(p.x.hypot(p.y) - radius),
            Core::Hull(hull) => hull
                .faces
                .iter()
                .map(|f| f.normal.dot(p) - f.height)
                .fold(f64::NEG_INFINITY, f64::max),
            _ => f64::INFINITY,
        }
    }

    /// Whether its patches are single points: a ball or an ellipsoid.
    pub fn is_round(&self) -> bool {
        matches!(self, Core::Point | Core::Ellipsoid { .. })
    }

    /// Outward unit normal of the curved side at the point `p` near it; `None` without such a side, or on its axis.
    fn side_normal(&self, p: &Vec3) -> Option<Vec3> {
        let normal = match self {
            Core::Cylinder { .. } => Vec3::new(p.x, p.y, 0.0),
            // The side falls by 2 half over the radius.
            Core::Cone { radius, half } => {
                let across = p.x.hypot(p.y);
                Vec3::new(p.x, p.y, 0.5 * across * radius / half)
            }
            Core::Ellipsoid { radii } => p.zip_map(radii, |x, r| x / (r * r)),
            _ => return None,
        };
        normal.try_normalize(1e-12 * p.norm())
    }

    /// Fill an empty patch with what faces the unit vector `d`.
    fn patch(&self, d: &Vec3, patch: &mut Patch) {
        match self {
            Core::Point => patch.push(Vec3::zeros(), 0, 0),
            Core::Segment { half } => segment(
                patch,
                (Vec3::new(0.0, 0.0, -half), 0),
                (Vec3::new(0.0, 0.0, *half), 1),
                2,
            ),
            Core::Box { half } => box_patch(patch, half, d),
            Core::Cylinder { radius, half } => {
                if d.z.abs() > CAP {
                    cap(patch, *radius, half.copysign(d.z), d);
                } else {
                    let (x, y) = radial(d, *radius);
                    segment(
                        patch,
                        (Vec3::new(x, y, -half), LOWEST[0]),
                        (Vec3::new(x, y, *half), LOWEST[1]),
                        SIDE,
                    );
                }
            }
            Core::Cone { radius, half } => {
                if d.z < -CAP {
                    cap(patch, *radius, -half, d);
                } else {
                    let (x, y) = radial(d, *radius);
                    segment(
                        patch,
                        (Vec3::new(x, y, -half), LOWEST[0]),
                        (Vec3::new(0.0, 0.0, *half), LOWEST[1]),
                        SIDE,
                    );
                }
            }
            Core::Ellipsoid { .. } => patch.push(self.support(d), 0, 0),
            Core::Hull(hull) => {
                let face = hull.facing(d);
                patch.outline = Outline::Polygon;
                for (corner, edge) in face.corners.iter().zip(&face.edges) {
                    patch.push(hull.vertices[*corner as usize], *corner, *edge);
                }
            }
            Core::Triangle {
                points,
                corners,
                edges,
                face,
                ..
            } => {
                patch.outline = Outline::Polygon;
                patch.face = *face;
                for k in 0..3 {
                    patch.push(points[k], corners[k], edges[k]);
                }
            }
        }
    }
}

/// The vector of length `radius` along (d.x, d.y).
#[inline]
fn radial(d: &Vec3, radius: f64) -> (f64, f64) {
    let norm = (d.x * d.x + d.y * d.y).sqrt();
    if norm > 0.0 {
        (radius * d.x / norm, radius * d.y / norm)
    } else {
        // Along the axis every rim point is equally far: use the one on x.
        (radius, 0.0)
    }
}

fn segment(patch: &mut Patch, from: (Vec3, u32), to: (Vec3, u32), edge: u32) {
    patch.outline = Outline::Segment;
    patch.face = edge;
    patch.push(from.0, from.1, edge);
    patch.push(to.0, to.1, edge);
}

/// The disk at height `z`: four points fixed in the body and, if the disk is tilted, the one farthest along `d`.
fn cap(patch: &mut Patch, radius: f64, z: f64, d: &Vec3) {
    let upper = usize::from(z > 0.0);
    patch.outline = Outline::Disk {
        centre: Vec3::new(0.0, 0.0, z),
        axis: Vec3::new(0.0, 0.0, z.signum()),
        radius,
    };
    for (k, (x, y)) in [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)]
        .into_iter()
        .enumerate()
    {
        patch.push(
            Vec3::new(radius * x, radius * y, z),
            RIM[upper] + k as u32,
            0,
        );
    }
    if d.x * d.x + d.y * d.y > LEVEL * LEVEL {
        let (x, y) = radial(d, radius);
        patch.push(Vec3::new(x, y, z), LOWEST[upper], 0);
    }
}

/// The face of a box with the normal nearest to `d`. Corner number: one bit for the sign of each coordinate; edge
/// number: 8 + 8 axis + the bits of its lower end.
fn box_patch(patch: &mut Patch, half: &Vec3, d: &Vec3) {
    let (i, j, k) = match d.iamax() {
        0 => (0, 1, 2),
        1 => (1, 2, 0),
        _ => (2, 0, 1),
    };
    let up = d[i] >= 0.0;
    patch.outline = Outline::Polygon;
    for (step, (sj, sk)) in [(false, false), (true, false), (true, true), (false, true)]
        .into_iter()
        .enumerate()
    {
        let mut point = *half;
        let mut corner = 0_u32;
        for (axis, positive) in [(i, up), (j, sj), (k, sk)] {
            if positive {
                corner |= 1 << axis;
            } else {
                point[axis] = -point[axis];
            }
        }
        // Even steps run along j, odd ones along k.
        let along = if step % 2 == 0 { j } else { k };
        let edge = 8 + 8 * along as u32 + (corner & !(1 << along));
        patch.push(point, corner, edge);
    }
}

impl Placed<'_> {
    /// The farthest point of the core along `d`, m.
    #[inline]
    pub fn support(&self, d: &Vec3) -> Vec3 {
        self.position + self.rotation * self.solid.core.support(&self.rotation.tr_mul(d))
    }

    /// Fill `patch` with what of the core faces the unit vector `d`.
    pub fn patch(&self, d: &Vec3, patch: &mut Patch) {
        patch.clear();
        self.solid.core.patch(&self.rotation.tr_mul(d), patch);
        let place = |p: &Vec3| self.position + self.rotation * p;
        for p in &mut patch.points[..patch.len] {
            *p = place(p);
        }
        if let Outline::Disk { centre, axis, .. } = &mut patch.outline {
            *centre = place(centre);
            *axis = self.rotation * *axis;
        }
    }

    /// Call `visit` with the outward normals of the flat faces and their heights along these (m), see [`Core::faces`].
    pub fn faces(&self, hint: Option<&Vec3>, mut visit: impl FnMut(Vec3, f64)) {
        let hint = hint.map(|h| self.rotation.tr_mul(h));
        self.solid.core.faces(hint.as_ref(), |n, height| {
            let n = self.rotation * n;
            visit(n, n.dot(&self.position) + height);
        });
    }

    /// Call `visit` with the outward normals of all flat faces and their heights along these (m).
    pub fn all_faces(&self, mut visit: impl FnMut(Vec3, f64)) {
        self.solid.core.all_faces(|n, height| {
            let n = self.rotation * n;
            visit(n, n.dot(&self.position) + height);
        });
    }

    /// How far outside the point `p` lies, see [`Core`].
    pub fn outside(&self, p: &Vec3) -> f64 {
        let local = self.rotation.tr_mul(&(p - self.position));
        self.solid.core.outside(&local)
    }

    /// Outward unit normal of the curved side at the point `p` near it, see [`Core`].
    pub fn side_normal(&self, p: &Vec3) -> Option<Vec3> {
        let local = self.rotation.tr_mul(&(p - self.position));
        self.solid
            .core
            .side_normal(&local)
            .map(|n| self.rotation * n)
    }

    /// Length of the solid along the unit vector `n`, m.
    pub fn extent(&self, n: &Vec3) -> f64 {
        n.dot(&(self.support(n) - self.support(&-n))) + 2.0 * self.solid.rounding
    }
}
