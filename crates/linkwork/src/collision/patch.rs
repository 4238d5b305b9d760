//! The outline of a solid seen along a direction.

use super::manifold::FACE;
use crate::math::Vec3;

/// Most corners a patch can hold.
pub const MAX_CORNERS: usize = 16;

/// What the points of a patch outline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Outline {
    /// One point.
    Point,
    /// A segment between two points.
    Segment,
    /// A convex polygon.
    Polygon,
    /// A disk; the points lie on its rim.
    Disk {
        /// Centre, m.
        centre: Vec3,
        /// Unit normal of its plane.
        axis: Vec3,
        /// Radius, m.
        radius: f64,
    },
}

/// Corners of the part of a surface that faces a direction. Large, so filled in place and kept for reuse.
#[derive(Clone, Debug)]
pub struct Patch {
    /// What the points outline.
    pub outline: Outline,
    /// Number of points in use.
    pub len: usize,
    /// The points, m.
    pub points: [Vec3; MAX_CORNERS],
    /// Feature numbers of the points.
    pub corners: [u32; MAX_CORNERS],
    /// Feature numbers of the edges from point i to point i + 1.
    pub edges: [u32; MAX_CORNERS],
    /// Feature number of the inside.
    pub face: u32,
    /// As seen along an axis, for clipping.
    pub seen: Projection,
}

/// What a patch looks like along an axis.
#[derive(Clone, Debug)]
pub struct Projection {
    /// The points across the axis, m.
    pub uv: [[f64; 2]; MAX_CORNERS],
    /// Unit normals of the edges of a polygon, inwards; NaN where two corners are on the same spot.
    pub inward: [[f64; 2]; MAX_CORNERS],
    /// Normal of the plane, zero if there is none or it is seen edge-on.
    pub plane: Vec3,
}

impl Default for Patch {
    /// Without points.
    fn default() -> Self {
        Self {
            outline: Outline::Point,
            len: 0,
            points: [Vec3::zeros(); MAX_CORNERS],
            corners: [0; MAX_CORNERS],
            edges: [0; MAX_CORNERS],
            face: FACE,
            seen: Projection {
                uv: [[0.0; 2]; MAX_CORNERS],
                inward: [[0.0; 2]; MAX_CORNERS],
                plane: Vec3::zeros(),
            },
        }
    }
}

impl Patch {
    /// Remove all points.
    #[inline]
    pub fn clear(&mut self) {
        self.outline = Outline::Point;
        self.len = 0;
        self.face = FACE;
    }

    /// Adds a point with the feature numbers of itself and of the edge that follows it.
    #[inline]
    pub fn push(&mut self, point: Vec3, corner: u32, edge: u32) {
        self.points[self.len] = point;
        self.corners[self.len] = corner;
        self.edges[self.len] = edge;
        self.len += 1;
    }

    /// Number of straight edges.
    #[inline]
    pub fn edge_count(&self) -> usize {
        match self.outline {
            Outline::Point | Outline::Disk { .. } => 0,
            Outline::Segment => 1,
            Outline::Polygon => self.len,
        }
    }

    /// Direction (not unit) and feature number of the edge or rim nearest to `p`; `None` if there
    /// is none.
    pub fn nearest_edge(&self, p: &Vec3) -> Option<(Vec3, u32)> {
        if let Outline::Disk { centre, axis, .. } = self.outline {
            return Some((axis.cross(&(p - centre)), self.face));
        }
        let mut nearest: Option<(f64, (Vec3, u32))> = None;
        for i in 0..self.edge_count() {
            let from = self.points[i];
            let along = self.points[(i + 1) % self.len] - from;
            let s = ((p - from).dot(&along) / along.norm_squared()).clamp(0.0, 1.0);
            let distance = (p - from - along * s).norm_squared();
            if nearest.is_none_or(|(least, _)| distance < least) {
                nearest = Some((distance, (along, self.edges[i])));
            }
        }
        nearest.map(|(_, edge)| edge)
    }
}
