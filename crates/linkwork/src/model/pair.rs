//! Pairs of shapes with a surface of their own.

use super::{PairMaterial, ShapeId};
use serde::{Deserialize, Serialize};

/// Two shapes of different bodies that collide independently of their groups and the exclusions of their bodies, with
/// contact parameters that replace those of their materials.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShapePair {
    /// The one with the lower id.
    pub a: ShapeId,
    /// The other.
    pub b: ShapeId,
    /// Their contact.
    pub surface: PairMaterial,
}
