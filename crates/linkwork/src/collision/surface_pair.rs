//! A surface against a convex solid, triangle by triangle, and against another surface.
//!
//! A triangle on its own would push a body sideways where its edge meets a neighbour that
//! continues the surface. A normal is therefore used only where the whole surface around the
//! touched feature lies behind it; otherwise the triangle's own normal takes its place.

use super::convex::{Axis, add_witness, best_axis, clip_along, face_axis, separation, settles};
use super::library::LibraryScratch;
use super::manifold::{FACE, FLAT, Manifold, WITNESS};
use super::solid::{Placed, Solid};
use super::surface::Surface;
use crate::math::{Mat3, Vec3};

/// Deepest overlap along the normal of a triangle, as a fraction of the body's extent along it:
/// deeper, the body is taken to be on the other side of the sheet.
const DEEPEST: f64 = 0.75;

/// The normal of a triangle takes the place of a nearer way out only where it leads out about as soon: this
/// many times the overlap along that way, and the triangle's size more, or a fraction of the body's extent if
/// that is less. The tip of a steep triangle that reaches into a body would throw it out sideways, by the
/// body's whole width; the triangles around bear it.
const TILTED: f64 = 3.0;
const SLACK: f64 = 0.1;

/// A surface at a place.
#[derive(Clone, Copy)]
pub struct PlacedSurface<'a> {
    /// The surface.
    pub surface: &'a Surface,
    /// Orientation.
    pub rotation: Mat3,
    /// Position of its origin, m.
    pub position: Vec3,
}

impl PlacedSurface<'_> {
    fn placed<'s>(&self, solid: &'s Solid, centroid: &Vec3) -> Placed<'s> {
        Placed {
            solid,
            rotation: self.rotation,
            position: self.position + self.rotation * centroid,
        }
    }

    /// The box around `b`, grown by `reach`, in the frame of the surface.
    fn bounds(&self, b: &Placed, reach: f64) -> (Vec3, Vec3) {
        let (mut lo, mut hi) = (Vec3::zeros(), Vec3::zeros());
        let grow = reach + b.solid.rounding;
        for k in 0..3 {
            let axis: Vec3 = self.rotation.column(k).into();
            hi[k] = axis.dot(&(b.support(&axis) - self.position)) + grow;
            lo[k] = axis.dot(&(b.support(&-axis) - self.position)) - grow;
        }
        (lo, hi)
    }
}

/// Contacts of a surface (A) and a convex solid (B). `near` is working memory.
pub fn solid(
    a: &PlacedSurface,
    b: &Placed,
    reach: f64,
    library: &mut LibraryScratch,
    near: &mut Vec<u32>,
    out: &mut Manifold,
) {
    let (lo, hi) = a.bounds(b, reach);
    a.surface.near(&lo, &hi, near);
    for &index in near.iter() {
        let first = out.len();
        triangle(a, index, b, reach, library, out);
        let mut keep = first;
        for k in first..out.len() {
            if !out[k].is_flat() {
                out[keep] = out[k];
                keep += 1;
            }
        }
        out.truncate(keep);
    }
}

/// Contacts of two surfaces: every triangle of B against A. `near` is working memory.
pub fn surface(
    a: &PlacedSurface,
    b: &PlacedSurface,
    b_bounds: (Vec3, Vec3),
    reach: f64,
    library: &mut LibraryScratch,
    near: &mut [Vec<u32>; 2],
    out: &mut Manifold,
) {
    let [of_a, of_b] = near;
    b.surface.near(&b_bounds.0, &b_bounds.1, of_b);
    for &index in of_b.iter() {
        let (triangle, centroid) = b.surface.triangle(index);
        let placed = b.placed(&triangle, &centroid);
        solid(a, &placed, reach, library, of_a, out);
    }
}

fn triangle(
    a: &PlacedSurface,
    index: u32,
    b: &Placed,
    reach: f64,
    library: &mut LibraryScratch,
    out: &mut Manifold,
) {
    let (triangle, centroid) = a.surface.triangle(index);
    let t = a.placed(&triangle, &centroid);
    let normal = a.rotation * a.surface.normal(index);
    let own = Axis {
        n: normal,
        separation: separation(&t, b, &normal),
        owner: Some(0),
    };
    let extent = b.extent(&normal);
    let too_deep = |fraction: f64| !a.surface.solid_below && -own.separation > fraction * extent;
    // Out of reach, or wholly behind a sheet.
    if own.separation > reach || (extent > 0.0 && too_deep(1.0)) {
        return;
    }
    let first = out.len();
    let face = face_axis(&t, b, None);
    if face.is_some_and(|f| f.owner == Some(0)) {
        clip_along(&t, b, &own, out);
        if settles(&t, b, &own, &out[first..]) {
            return;
        }
        out.truncate(first);
    }
    let found = library.witness(&t, b, Some(&normal), reach + b.solid.rounding);
    let axis = best_axis(&t, b, face, found.as_ref()).unwrap_or(own);
    if axis.separation > reach {
        return;
    }
    let (feature, free) = a.surface.feature_facing(index, &a.rotation.tr_mul(&axis.n));
    if free && feature != FLAT && axis.n.dot(&normal) > -1e-6 {
        clip_along(&t, b, &axis, out);
        // Beside the triangle but along its normal: an edge bears, unless it is flat.
        let feature = match (axis.owner, &found) {
            (Some(0), Some(witness)) => t
                .patch(&axis.n)
                .nearest_edge(&witness.on_a)
                .map_or(feature, |(_, edge)| edge),
            _ => feature,
        };
        if let Some(witness) = found
            && feature != FLAT
        {
            let before = out.len();
            add_witness(&t, b, &axis, &witness, first, out);
            if let Some(added) = out.get_mut(before) {
                added.features = [feature, WITNESS];
            }
        }
    } else if !too_deep(DEEPEST)
        && -own.separation <= TILTED * -axis.separation.min(0.0) + t.solid.size.min(SLACK * extent)
    {
        clip_along(&t, b, &own, out);
    }
    debug_assert!(out[first..].iter().all(|c| c.features[0] != FACE));
}
