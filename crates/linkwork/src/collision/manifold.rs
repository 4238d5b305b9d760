//! The points of one pair while they are being found.

use crate::math::Vec3;

/// Feature number of the interior of a face, a plane, or of a whole smooth surface.
pub const FACE: u32 = u32::MAX;
/// Marks a corner or edge that lies flat inside a mesh: it takes part in finding the overlap but carries no load of its
/// own.
pub const FLAT: u32 = u32::MAX - 1;
/// Feature number of a witness pair that no corner or edge explains.
pub const WITNESS: u32 = u32::MAX - 2;
/// First of the two numbers for where an edge crosses a rim.
pub const CROSSING: u32 = u32::MAX - 4;

/// A pair of witness points.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    /// Point on A, m.
    pub on_a: Vec3,
    /// Point on B, m.
    pub on_b: Vec3,
    /// Unit normal from A to B.
    pub normal: Vec3,
    /// Signed distance along the normal, m.
    pub gap: f64,
    /// Feature of A and feature of B.
    pub features: [u32; 2],
}

impl Candidate {
    /// From two witness points and the normal.
    #[inline]
    pub fn new(on_a: Vec3, on_b: Vec3, normal: Vec3, features: [u32; 2]) -> Self {
        Self {
            on_a,
            on_b,
            normal,
            gap: normal.dot(&(on_b - on_a)),
            features,
        }
    }

    /// Midpoint of the witness points, m.
    #[inline]
    pub fn point(&self) -> Vec3 {
        (self.on_a + self.on_b) * 0.5
    }

    /// The number that identifies the point within its pair.
    #[inline]
    pub fn key(&self) -> u64 {
        (u64::from(self.features[0]) << 32) | u64::from(self.features[1])
    }

    /// Whether it lies on a flat feature, see [`FLAT`].
    #[inline]
    pub fn is_flat(&self) -> bool {
        self.features.contains(&FLAT)
    }

    /// The same point with the roles of A and B exchanged.
    pub fn flipped(&self) -> Self {
        Self {
            on_a: self.on_b,
            on_b: self.on_a,
            normal: -self.normal,
            gap: self.gap,
            features: [self.features[1], self.features[0]],
        }
    }
}

/// The points of one pair; reused from pair to pair.
pub type Manifold = Vec<Candidate>;
