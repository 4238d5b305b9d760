//! The result of collision detection: contact points, without types of the library.

use crate::math::Vec3;
use crate::model::{BodyId, ShapeId};
use serde::{Deserialize, Serialize};

/// Identity of a contact point that persists from step to step, for warm starting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ContactKey {
    /// First shape (the lower id).
    pub shape_a: ShapeId,
    /// Second shape.
    pub shape_b: ShapeId,
    /// Feature of the pair: the same number while the same corner, edge or cell touches.
    pub feature: u64,
}

/// One point where two shapes touch or are about to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactPoint {
    /// Persistent identity.
    pub key: ContactKey,
    /// Body of shape A; `None` is the world.
    pub body_a: Option<BodyId>,
    /// Body of shape B; `None` is the world.
    pub body_b: Option<BodyId>,
    /// Midpoint of the two witness points, world, m.
    pub point: Vec3,
    /// Unit normal from A to B, world.
    pub normal: Vec3,
    /// Signed distance along the normal minus the clearance of the pair, m; negative = overlap.
    pub gap: f64,
    /// Area of the point, m²; 0 unless one of the shapes is a pad ([`Compliance::Pad`](crate::model::Compliance::Pad)).
    pub area: f64,
}
