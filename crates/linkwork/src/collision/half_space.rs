//! A half space against everything.

use super::manifold::{Candidate, FACE, Manifold};
use super::patch::Patch;
use super::solid::Placed;
use super::surface::Surface;
use crate::math::{Mat3, Vec3};

/// The plane n·x = offset bounding the half space below it.
#[derive(Clone, Copy, Debug)]
pub struct Plane {
    /// Unit normal out of the half space.
    pub n: Vec3,
    /// Offset, m.
    pub offset: f64,
}

/// Points of a convex solid (B) over or under the plane (A): the patch facing the plane.
pub fn solid(plane: &Plane, b: &Placed, reach: f64, patch: &mut Patch, out: &mut Manifold) {
    b.patch(&-plane.n, patch);
    for (p, corner) in patch.points[..patch.len].iter().zip(patch.corners) {
        point(plane, p - plane.n * b.solid.rounding, corner, reach, out);
    }
}

/// Corners of a surface (B) over or under the plane (A).
pub fn surface(
    plane: &Plane,
    b: &Surface,
    rotation: &Mat3,
    position: &Vec3,
    reach: f64,
    out: &mut Manifold,
) {
    for (i, v) in b.vertices.iter().enumerate() {
        point(plane, position + rotation * v, i as u32, reach, out);
    }
}

fn point(plane: &Plane, p: Vec3, corner: u32, reach: f64, out: &mut Manifold) {
    let gap = plane.n.dot(&p) - plane.offset;
    if gap <= reach {
        out.push(Candidate::new(
            p - plane.n * gap,
            p,
            plane.n,
            [FACE, corner],
        ));
    }
}
