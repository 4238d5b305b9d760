//! What a mechanism is: immutable once built.

mod ids;
mod material;
mod shape;

pub use ids::{BodyId, CouplingId, JointId, ShapeId};
pub use material::{Combine, Compliance, Material, PairMaterial};
pub use shape::{CollisionGroup, Geometry, Shape};
