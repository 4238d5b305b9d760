//! The difference of two convex cores, B - A, by its support points, in the frame of A.

use super::solid::{Core, Placed};
use crate::math::{Mat3, Vec3};

/// The points b - a.
pub struct Difference<'a> {
    a: &'a Core,
    b: &'a Core,
    /// Orientation and position (m) of B.
    rotation: Mat3,
    position: Vec3,
    /// Sum of the sizes of the two, m.
    pub size: f64,
}

/// A point of a difference.
#[derive(Clone, Copy, Debug, Default)]
pub struct Point {
    /// b - a, m.
    pub w: Vec3,
    /// a, m.
    pub on_a: Vec3,
}

impl<'a> Difference<'a> {
    /// Of two cores at their places.
    pub fn new(a: &Placed<'a>, b: &Placed<'a>) -> Self {
        Self {
            a: &a.solid.core,
            b: &b.solid.core,
            rotation: a.rotation.tr_mul(&b.rotation),
            position: a.rotation.tr_mul(&(b.position - a.position)),
            size: a.solid.size + b.solid.size,
        }
    }

    /// The farthest point along `d` (any length).
    #[inline]
    pub fn support(&self, d: &Vec3) -> Point {
        let on_a = self.a.support(&-d);
        let on_b = self.position + self.rotation * self.b.support(&self.rotation.tr_mul(d));
        Point {
            w: on_b - on_a,
            on_a,
        }
    }
}
