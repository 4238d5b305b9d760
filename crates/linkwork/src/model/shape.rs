//! Collision geometry of bodies or of the world.

use super::{BodyId, Material, ShapeTexture};
use crate::math::{Pose, Vec3};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The geometry of a shape, in its own frame. Lengths in m.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Geometry {
    /// Everything with z ≤ 0; the surface normal is +z. World shapes only.
    HalfSpace,
    /// A ball.
    Sphere {
        /// Radius.
        radius: f64,
    },
    /// A rectangular box.
    Box {
        /// Half the edge lengths.
        half_extents: Vec3,
    },
    /// All points within `radius` of a segment along z.
    Capsule {
        /// Radius.
        radius: f64,
        /// Half the length of the segment.
        half_length: f64,
    },
    /// A cylinder along z.
    Cylinder {
        /// Radius.
        radius: f64,
        /// Half the height.
        half_length: f64,
    },
    /// A cone along z: base at z = −half_length, apex at z = +half_length.
    Cone {
        /// Radius of the base.
        radius: f64,
        /// Half the height.
        half_length: f64,
    },
    /// An ellipsoid with semi-axes along x, y, z.
    Ellipsoid {
        /// Semi-axes.
        radii: Vec3,
    },
    /// The convex hull of points.
    ConvexHull {
        /// The points; those inside the hull are ignored.
        points: Arc<Vec<Vec3>>,
    },
    /// A surface of triangles, counter-clockwise seen from outside.
    TriangleMesh {
        /// Corner positions.
        vertices: Arc<Vec<Vec3>>,
        /// Corner indices of each triangle.
        triangles: Arc<Vec<[u32; 3]>>,
    },
    /// Heights over a regular grid centred on the origin, solid below.
    HeightField {
        /// Number of samples along x (at least 2).
        nx: usize,
        /// Number of samples along y (at least 2).
        ny: usize,
        /// Heights z, sample (i, j) at index i * ny + j.
        heights: Arc<Vec<f64>>,
        /// Total extent along x and y.
        size: [f64; 2],
    },
}

impl Geometry {
    /// Half extents of the box about the origin, along the axes of the shape's frame, that contains the geometry, m;
    /// `None` for a half space.
    pub fn half_extents(&self) -> Option<Vec3> {
        let around = |points: &[Vec3]| points.iter().fold(Vec3::zeros(), |m, p| m.sup(&p.abs()));
        Some(match self {
            Self::HalfSpace => return None,
            Self::Sphere { radius } => Vec3::repeat(*radius),
            Self::Box { half_extents } => *half_extents,
            Self::Capsule {
                radius,
                half_length,
            } => Vec3::new(*radius, *radius, half_length + radius),
            Self::Cylinder {
                radius,
                half_length,
            }
            | Self::Cone {
                radius,
                half_length,
            } => Vec3::new(*radius, *radius, *half_length),
            Self::Ellipsoid { radii } => *radii,
            Self::ConvexHull { points } => around(points),
            Self::TriangleMesh { vertices, .. } => around(vertices),
            Self::HeightField { heights, size, .. } => {
                let height = heights.iter().fold(0.0_f64, |m, h| m.max(h.abs()));
                Vec3::new(size[0] / 2.0, size[1] / 2.0, height)
            }
        })
    }
}

/// Collision filter: a pair collides if the groups of each shape share a bit with the mask of the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CollisionGroup {
    /// Groups this shape belongs to, one bit each.
    pub member: u32,
    /// Groups this shape collides with, one bit each.
    pub mask: u32,
}

impl Default for CollisionGroup {
    /// Member of group 0, colliding with all groups.
    fn default() -> Self {
        Self {
            member: 1,
            mask: u32::MAX,
        }
    }
}

impl CollisionGroup {
    /// A shape without collisions: it is only visual.
    pub const NONE: Self = Self { member: 0, mask: 0 };

    /// Whether any shape can collide with this one.
    pub fn touches_any(&self) -> bool {
        self.member != 0 && self.mask != 0
    }

    /// Whether the two shapes may touch.
    pub fn meets(&self, other: &CollisionGroup) -> bool {
        self.member & other.mask != 0 && other.member & self.mask != 0
    }
}

/// A collision shape of a body, or of the world.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Shape {
    /// Unique name.
    pub name: String,
    /// The body it moves with; `None` is the world.
    pub body: Option<BodyId>,
    /// Pose relative to the body's **centre of mass** along body axes (world shapes: in the world).
    pub local: Pose,
    /// Its form.
    pub geometry: Geometry,
    /// Its surface.
    pub material: Material,
    /// What it collides with.
    pub group: CollisionGroup,
    /// Colour in pictures: red, green, blue and opacity from 0 to 1; by default that of its body.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub colour: Option<[f64; 4]>,
    /// The image on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub texture: Option<ShapeTexture>,
}

/// What [`ModelBuilder::add_shape`](super::ModelBuilder::add_shape) takes.
#[derive(Clone, Debug, PartialEq)]
pub struct ShapeDef {
    pub(super) name: Option<String>,
    pub(super) local: Pose,
    pub(super) geometry: Geometry,
    pub(super) material: Material,
    pub(super) group: CollisionGroup,
    pub(super) colour: Option<[f64; 4]>,
    pub(super) texture: Option<ShapeTexture>,
}

impl ShapeDef {
    /// A shape at its body's frame (or the world's), with the default material.
    pub fn new(geometry: Geometry) -> Self {
        Self {
            name: None,
            local: Pose::identity(),
            geometry,
            material: Material::default(),
            group: CollisionGroup::default(),
            colour: None,
            texture: None,
        }
    }

    /// Its name; numbered after its body unless given.
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// Pose in the body frame, or in the world.
    pub fn pose(mut self, local: Pose) -> Self {
        self.local = local;
        self
    }

    /// Surface.
    pub fn material(mut self, material: Material) -> Self {
        self.material = material;
        self
    }

    /// Colour in pictures: red, green, blue and opacity from 0 to 1.
    pub fn colour(mut self, colour: [f64; 4]) -> Self {
        self.colour = Some(colour);
        self
    }

    /// An image on it.
    pub fn texture(mut self, texture: ShapeTexture) -> Self {
        self.texture = Some(texture);
        self
    }

    /// What it collides with.
    pub fn group(mut self, group: CollisionGroup) -> Self {
        self.group = group;
        self
    }
}
