//! Pieces that bodies of a figure are composed of, placed in the figure's frame.

use super::groups::NOTHING;
use super::loft::{Ring, enclosed, surface};
use linkwork::math::{MassProperties, Mat3, Pose, Vec3, exp, rotation_between};
use linkwork::model::{CollisionGroup, Compliance, Geometry, Material, ShapeDef};
use std::f64::consts::PI;
use std::sync::Arc;

/// Corners of a ring of a shell.
const CORNERS: usize = 24;

/// A thin layer of rubber: a point of contact gives 1 mm under some 20 kg.
const RUBBER: Compliance = Compliance::Physical {
    stiffness: 2e5,
    dissipation_time: 0.01,
};

/// A solid of density 1, seen only unless it is given a group.
#[derive(Clone)]
pub(crate) struct Piece {
    geometry: Geometry,
    pose: Pose,
    group: CollisionGroup,
    material: Material,
    /// In its own frame.
    mass: MassProperties,
}

impl Piece {
    fn new(geometry: Geometry, pose: Pose, mass: MassProperties) -> Self {
        Self {
            geometry,
            pose,
            group: NOTHING,
            material: Material::default(),
            mass,
        }
    }

    /// A ball.
    pub(crate) fn ball(centre: Vec3, radius: f64) -> Self {
        let mass = MassProperties::solid_sphere(4.0 / 3.0 * PI * radius.powi(3), radius);
        Self::new(Geometry::Sphere { radius }, at(centre), mass)
    }

    /// An ellipsoid.
    pub(crate) fn ellipsoid(centre: Vec3, radii: Vec3) -> Self {
        let volume = 4.0 / 3.0 * PI * radii.product();
        let mass = MassProperties::solid_ellipsoid(volume, radii);
        Self::new(Geometry::Ellipsoid { radii }, at(centre), mass)
    }

    /// A box with the given half edges.
    pub(crate) fn slab(centre: Vec3, x: f64, y: f64, z: f64) -> Self {
        let half_extents = Vec3::new(x, y, z);
        let mass = MassProperties::solid_box(8.0 * half_extents.product(), half_extents);
        Self::new(Geometry::Box { half_extents }, at(centre), mass)
    }

    /// A round bar with round ends about two points.
    pub(crate) fn capsule(from: Vec3, to: Vec3, radius: f64) -> Self {
        let half_length = 0.5 * (to - from).norm();
        let volume = PI * radius * radius * (2.0 * half_length + 4.0 / 3.0 * radius);
        let geometry = Geometry::Capsule {
            radius,
            half_length,
        };
        let mass = MassProperties::solid_capsule(volume, radius, half_length);
        Self::new(geometry, along(from, to), mass)
    }

    /// A round bar with flat ends at two points.
    pub(crate) fn cylinder(from: Vec3, to: Vec3, radius: f64) -> Self {
        let half_length = 0.5 * (to - from).norm();
        let volume = 2.0 * PI * radius * radius * half_length;
        let geometry = Geometry::Cylinder {
            radius,
            half_length,
        };
        let mass = MassProperties::solid_cylinder(volume, radius, half_length);
        Self::new(geometry, along(from, to), mass)
    }

    /// A smooth shell through rings about `origin`; mirrored, turned and so on by [`Piece::turned`].
    pub(crate) fn shell(origin: Vec3, rings: &[Ring]) -> Self {
        let (vertices, triangles) = surface(rings, CORNERS);
        let mass = enclosed(&vertices, &triangles);
        let geometry = Geometry::TriangleMesh {
            vertices: Arc::new(vertices),
            triangles: Arc::new(triangles),
        };
        Self::new(geometry, at(origin), mass)
    }

    /// A shell twice: one that is drawn and one that collides. The viewer draws only the former where a body has both.
    pub(crate) fn skin(origin: Vec3, rings: &[Ring], group: CollisionGroup) -> [Self; 2] {
        let seen = Self::shell(origin, rings);
        let mut felt = seen.clone().touching(group);
        // Its mass is that of the one that is seen.
        felt.mass.mass = 0.0;
        felt.mass.inertia = Mat3::zeros();
        [seen, felt]
    }

    /// Turned about its origin by a rotation vector, rad.
    pub(crate) fn turned(mut self, x: f64, y: f64, z: f64) -> Self {
        self.pose.rotation = exp(&Vec3::new(x, y, z)) * self.pose.rotation;
        self
    }

    /// Able to touch.
    pub(crate) fn touching(mut self, group: CollisionGroup) -> Self {
        self.group = group;
        self
    }

    /// Covered with rubber, as soles and hands are.
    pub(crate) fn rubber(mut self) -> Self {
        self.material.friction = 1.0;
        self.material.compliance = RUBBER;
        self
    }

    /// The shape, in a body frame that is the figure's frame.
    pub(super) fn shape(&self, name: String) -> ShapeDef {
        ShapeDef::new(self.geometry.clone())
            .name(name)
            .pose(self.pose)
            .material(self.material)
            .group(self.group)
    }
}

/// Mass properties of a body of `mass` kg made of pieces of one density; overlaps count twice.
pub(super) fn composed(mass: f64, pieces: &[Piece]) -> MassProperties {
    let volume: f64 = pieces.iter().map(|p| p.mass.mass).sum();
    let centre = |p: &Piece| p.pose.transform_point(&p.mass.com);
    let com = pieces.iter().map(|p| p.mass.mass * centre(p)).sum::<Vec3>() / volume;
    let inertia = pieces.iter().map(|p| {
        let d = centre(p) - com;
        let steiner = Mat3::identity() * d.norm_squared() - d * d.transpose();
        p.mass.rotated(&p.pose.rotation).inertia + steiner * p.mass.mass
    });
    MassProperties {
        mass,
        com,
        inertia: inertia.sum::<Mat3>() * (mass / volume),
    }
}

fn at(centre: Vec3) -> Pose {
    Pose::at(centre.x, centre.y, centre.z)
}

/// Half way between two points, z along them.
fn along(from: Vec3, to: Vec3) -> Pose {
    let direction = (to - from).normalize();
    Pose::new(0.5 * (from + to), rotation_between(&Vec3::z(), &direction))
}
