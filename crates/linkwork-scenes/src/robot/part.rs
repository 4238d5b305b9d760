//! A body of several shapes.
//!
//! Shapes are given where they are in the drawing of the whole robot, whose coordinates are the body
//! frame of every body. The mass spreads evenly over the volumes of the shapes; where they overlap
//! it counts twice, as a motor inside a housing does.

use linkwork::math::{MassProperties, Mat3, Pose, Vec3, rotation_between};
use linkwork::model::{
    BodyDef, BodyId, CollisionGroup, Geometry, Material, ModelBuilder, ShapeDef,
};

/// A point of the drawing, m.
pub(crate) type Point = [f64; 3];

/// A body in the making.
pub(crate) struct Part {
    name: String,
    mass: f64,
    /// Each with its surface, if that is one of its own.
    shapes: Vec<(Geometry, Pose, Option<Material>)>,
    surface: Option<Material>,
    group: CollisionGroup,
    colour: Option<[f64; 4]>,
}

impl Part {
    /// A body of the given mass (kg) without shapes yet.
    pub(crate) fn new(name: impl Into<String>, mass: f64) -> Self {
        Self {
            name: name.into(),
            mass,
            shapes: Vec::new(),
            surface: None,
            group: CollisionGroup::default(),
            colour: None,
        }
    }

    /// The surface of its shapes, instead of that of the whole robot.
    pub(crate) fn surface(mut self, material: Material) -> Self {
        self.surface = Some(material);
        self
    }

    /// What its shapes touch.
    pub(crate) fn group(mut self, group: CollisionGroup) -> Self {
        self.group = group;
        self
    }

    /// Its colour in pictures: red, green, blue and opacity from 0 to 1.
    pub(crate) fn colour(mut self, colour: [f64; 4]) -> Self {
        self.colour = Some(colour);
        self
    }

    /// All points within `radius` (m) of a segment.
    pub(crate) fn capsule(self, radius: f64, from: Point, to: Point) -> Self {
        let (pose, half_length) = along(from, to);
        let geometry = Geometry::Capsule {
            radius,
            half_length,
        };
        self.shape(geometry, pose)
    }

    /// A cylinder of the given radius (m) about a segment.
    pub(crate) fn cylinder(self, radius: f64, from: Point, to: Point) -> Self {
        let (pose, half_length) = along(from, to);
        let geometry = Geometry::Cylinder {
            radius,
            half_length,
        };
        self.shape(geometry, pose)
    }

    /// A ball of the given radius (m).
    pub(crate) fn ball(self, radius: f64, at: Point) -> Self {
        self.shape(Geometry::Sphere { radius }, Pose::at(at[0], at[1], at[2]))
    }

    /// A box with the given half edges (m).
    pub(crate) fn block(self, half: Point, at: Point) -> Self {
        let geometry = Geometry::Box {
            half_extents: Vec3::from(half),
        };
        self.shape(geometry, Pose::at(at[0], at[1], at[2]))
    }

    /// Any shape; only boxes, balls, capsules and cylinders weigh anything.
    pub(crate) fn shape(mut self, geometry: Geometry, pose: Pose) -> Self {
        self.shapes.push((geometry, pose, None));
        self
    }

    /// A shape with a surface of its own.
    pub(crate) fn shape_of(mut self, geometry: Geometry, pose: Pose, material: Material) -> Self {
        self.shapes.push((geometry, pose, Some(material)));
        self
    }

    /// Add body and shapes, the drawing moved to `placed`.
    pub(super) fn add(self, b: &mut ModelBuilder, placed: Pose, material: Material) -> BodyId {
        let mass = self.mass_properties();
        let body = b.add_body(BodyDef::new(self.name, mass).pose(placed));
        for (geometry, pose, own) in self.shapes {
            let material = own.or(self.surface).unwrap_or(material);
            let shape = ShapeDef::new(geometry).pose(pose).material(material);
            let shape = match self.colour {
                Some(colour) => shape.colour(colour),
                None => shape,
            };
            b.add_shape(body, shape.group(self.group));
        }
        body
    }

    /// Those of the shapes together, by the parallel-axis theorem.
    fn mass_properties(&self) -> MassProperties {
        let solids: Vec<(MassProperties, Vec3)> = self
            .shapes
            .iter()
            .map(|(g, pose, _)| (unit_density(g).rotated(&pose.rotation), pose.position))
            .collect();
        let volume: f64 = solids.iter().map(|(s, _)| s.mass).sum();
        let com = solids.iter().map(|(s, at)| s.mass * at).sum::<Vec3>() / volume;
        let inertia = solids.iter().fold(Mat3::zeros(), |sum, (s, at)| {
            let d = at - com;
            let steiner = Mat3::identity() * d.norm_squared() - d * d.transpose();
            sum + s.inertia + s.mass * steiner
        });
        MassProperties {
            mass: self.mass,
            com,
            inertia: inertia * (self.mass / volume),
        }
    }
}

/// The frame in the middle of a segment with z along it, and half its length.
fn along(from: Point, to: Point) -> (Pose, f64) {
    let (from, to) = (Vec3::from(from), Vec3::from(to));
    let d = to - from;
    let turn = rotation_between(&Vec3::z(), &d.normalize());
    (Pose::new(0.5 * (from + to), turn), 0.5 * d.norm())
}

/// Mass properties of a solid of density 1 kg/m³. Only forms that a [`Part`] can have weigh anything.
fn unit_density(geometry: &Geometry) -> MassProperties {
    let solid = match geometry {
        Geometry::Box { .. }
        | Geometry::Sphere { .. }
        | Geometry::Capsule { .. }
        | Geometry::Cylinder { .. } => geometry.mass_properties(1.0),
        _ => None,
    };
    solid.unwrap_or_else(|| MassProperties::principal(0.0, Vec3::zeros()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_halves_weigh_as_the_whole() {
        let whole = Part::new("whole", 3.0).block([0.2, 0.1, 0.3], [0.1, 0.0, 0.0]);
        let halves = Part::new("halves", 3.0)
            .block([0.1, 0.1, 0.3], [0.0, 0.0, 0.0])
            .block([0.1, 0.1, 0.3], [0.2, 0.0, 0.0]);
        let (a, b) = (whole.mass_properties(), halves.mass_properties());
        assert!((a.com - b.com).norm() < 1e-15);
        assert!((a.inertia - b.inertia).norm() < 1e-15);
    }
}
