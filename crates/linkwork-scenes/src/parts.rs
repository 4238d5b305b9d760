//! What most scenes are made of: solids, a floor, rigid motion.

use super::Param;
use linkwork::math::{MassProperties, Pose, Twist, Vec3};
use linkwork::model::{
    BodyDef, BodyId, CollisionGroup, Geometry, Material, ModelBuilder, ShapeDef,
};

/// The parameter of [`add_gravity_and_floor`].
pub(super) const GRAVITY: Param = Param::new(
    "gravity",
    9.81,
    (0.0, 100.0),
    "gravity, m/s²; 0: free flight without a floor",
);

/// Links of a mechanism: they meet everything but each other.
pub(super) const LINKS: CollisionGroup = CollisionGroup {
    member: 2,
    mask: !2,
};

/// Gravity of strength `g` along −z, m/s².
pub(super) fn down(g: f64) -> Vec3 {
    Vec3::new(0.0, 0.0, -g)
}

/// The half space z ≤ 0.
pub(super) fn add_floor(b: &mut ModelBuilder, material: Material) {
    b.add_shape(
        None,
        ShapeDef::new(Geometry::HalfSpace)
            .name("floor")
            .material(material),
    );
}

/// Half the thickness of a wall of [`add_walls`], m.
const WALL: f64 = 0.1;

/// Four walls of the given height (m) about the square |x|, |y| ≤ `half_width` (m).
pub(super) fn add_walls(b: &mut ModelBuilder, half_width: f64, height: f64, material: Material) {
    let out = half_width + WALL;
    let walls = [
        ("east", out, 0.0),
        ("west", -out, 0.0),
        ("north", 0.0, out),
        ("south", 0.0, -out),
    ];
    for (name, x, y) in walls {
        let long = out + WALL;
        let (hx, hy) = if y == 0.0 { (WALL, long) } else { (long, WALL) };
        b.add_shape(
            None,
            ShapeDef::new(cuboid(hx, hy, 0.5 * height))
                .name(name)
                .pose(Pose::at(x, y, 0.5 * height))
                .material(material),
        );
    }
}

/// Gravity `g` (m/s²) and a floor, or neither if `g` is 0: free flight.
pub(super) fn add_gravity_and_floor(b: &mut ModelBuilder, g: f64) {
    b.gravity(down(g));
    if g > 0.0 {
        add_floor(b, Material::default());
    }
}

/// A box with the given half edges, m.
pub(super) fn cuboid(x: f64, y: f64, z: f64) -> Geometry {
    Geometry::Box {
        half_extents: Vec3::new(x, y, z),
    }
}

/// Velocity of a body whose centre of mass is at `at` when everything moves as one rigid body, with
/// `twist` about `centre`.
pub(super) fn rigid_motion(centre: &Vec3, twist: &Twist, at: &Vec3) -> Twist {
    Twist::new(twist.at(&(at - centre)), twist.angular)
}

/// Mass properties of a homogeneous solid of the given form, centred on its frame.
///
/// Only forms that scenes use have them; others are the model's to refuse.
fn mass_properties(mass: f64, geometry: &Geometry) -> MassProperties {
    match *geometry {
        Geometry::Box { half_extents } => MassProperties::solid_box(mass, half_extents),
        Geometry::Sphere { radius } => MassProperties::solid_sphere(mass, radius),
        Geometry::Capsule {
            radius,
            half_length,
        } => MassProperties::solid_capsule(mass, radius, half_length),
        Geometry::Cylinder {
            radius,
            half_length,
        } => MassProperties::solid_cylinder(mass, radius, half_length),
        _ => MassProperties::principal(mass, Vec3::zeros()),
    }
}

/// A homogeneous body of one shape; its frame is at its centre of mass.
pub(super) struct Solid {
    name: String,
    mass: f64,
    geometry: Geometry,
    pose: Pose,
    twist: Twist,
    material: Material,
    group: CollisionGroup,
}

impl Solid {
    /// A solid of the given mass (kg) at the origin, at rest, with the default surface.
    pub(super) fn new(name: impl Into<String>, mass: f64, geometry: Geometry) -> Self {
        Self {
            name: name.into(),
            mass,
            geometry,
            pose: Pose::identity(),
            twist: Twist::zero(),
            material: Material::default(),
            group: CollisionGroup::default(),
        }
    }

    pub(super) fn pose(mut self, pose: Pose) -> Self {
        self.pose = pose;
        self
    }

    pub(super) fn at(self, x: f64, y: f64, z: f64) -> Self {
        self.pose(Pose::at(x, y, z))
    }

    pub(super) fn twist(mut self, twist: Twist) -> Self {
        self.twist = twist;
        self
    }

    /// Where its centre of mass is, m.
    pub(super) fn centre(&self) -> Vec3 {
        self.pose.position
    }

    /// Carry it along with a frame: its pose becomes one relative to `frame`.
    pub(super) fn placed_in(mut self, frame: &Pose) -> Self {
        self.pose = frame.compose(&self.pose);
        self
    }

    pub(super) fn material(mut self, material: Material) -> Self {
        self.material = material;
        self
    }

    pub(super) fn group(mut self, group: CollisionGroup) -> Self {
        self.group = group;
        self
    }

    /// Add body and shape.
    pub(super) fn add(self, b: &mut ModelBuilder) -> BodyId {
        let mass = mass_properties(self.mass, &self.geometry);
        let body = b.add_body(
            BodyDef::new(self.name, mass)
                .pose(self.pose)
                .twist(self.twist.linear, self.twist.angular),
        );
        b.add_shape(
            body,
            ShapeDef::new(self.geometry)
                .material(self.material)
                .group(self.group),
        );
        body
    }
}
