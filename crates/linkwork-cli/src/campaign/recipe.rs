//! A mechanism as data from which parts can be removed: created by the generator, reduced by the minimiser.

use linkwork::joints::JointType;
use linkwork::math::{MassProperties, Pose, Twist, Vec3};
use linkwork::model::{
    Axis, BodyDef, BodyId, CollisionGroup, Geometry, JointDef, Material, Model, ModelBuilder,
    ModelError, ShapeDef,
};
use std::sync::Arc;

/// A body: a box.
#[derive(Clone, Debug)]
pub struct Part {
    /// Mass, kg.
    pub mass: f64,
    /// Half edges, m.
    pub half: Vec3,
    /// Its initial state.
    pub pose: Pose,
    /// Velocity it starts with.
    pub twist: Twist,
}

/// A joint, closed at the start.
#[derive(Clone, Debug)]
pub struct Link {
    /// Its type.
    pub kind: Arc<dyn JointType>,
    /// Its parent part; the world if none.
    pub base: Option<usize>,
    /// The part it holds.
    pub follower: usize,
    /// Its frame on the base, in the world.
    pub frame: Pose,
    /// Its coordinates at the start, m or rad.
    pub start: Vec<f64>,
    /// What acts on them.
    pub axes: Vec<Axis>,
}

/// A mechanism.
#[derive(Clone, Debug)]
pub struct Recipe {
    /// Its bodies.
    pub parts: Vec<Part>,
    /// Its joints.
    pub links: Vec<Link>,
    /// Height of a floor, m.
    pub floor: Option<f64>,
    /// Friction and restitution of all surfaces.
    pub surface: [f64; 2],
    /// Whether parts touch each other, not only the floor.
    pub touching: bool,
    /// Gravity along z, m/s².
    pub gravity: f64,
}

impl Recipe {
    /// The model.
    pub fn build(&self) -> Result<Arc<Model>, ModelError> {
        let mut b = ModelBuilder::new();
        b.gravity(Vec3::new(0.0, 0.0, self.gravity));
        let material = Material {
            restitution: self.surface[1],
            ..Material::with_friction(self.surface[0])
        };
        if let Some(z) = self.floor {
            let floor = ShapeDef::new(Geometry::HalfSpace).pose(Pose::at(0.0, 0.0, z));
            b.add_shape(None, floor.name("floor").material(material));
        }
        for (i, part) in self.parts.iter().enumerate() {
            let mass = MassProperties::solid_box(part.mass, part.half);
            let body = BodyDef::new(format!("part{i}"), mass).pose(part.pose);
            let body = b.add_body(body.twist(part.twist.linear, part.twist.angular));
            let half_extents = part.half;
            let shape = ShapeDef::new(Geometry::Box { half_extents }).name(format!("box{i}"));
            let group = CollisionGroup {
                member: 2,
                mask: if self.touching { 3 } else { 1 },
            };
            b.add_shape(body, shape.material(material).group(group));
        }
        for (i, link) in self.links.iter().enumerate() {
            let base = link.base.map(|p| BodyId(p as u32));
            let follower = BodyId(link.follower as u32);
            let kind = link.kind.clone();
            let world = Pose::identity();
            let from = link.base.map_or(&world, |p| &self.parts[p].pose);
            let placed = link.frame.compose(&link.kind.place(&link.start).as_pose());
            let in_base = from.inverse().compose(&link.frame);
            let in_follower = self.parts[link.follower].pose.inverse().compose(&placed);
            let mut joint = JointDef::of(format!("joint{i}"), kind, base, follower)
                .frames(in_base, in_follower)
                .coordinates(&link.start);
            for (k, axis) in link.axes.iter().enumerate() {
                joint = joint.with(k, |a| *a = *axis);
            }
            b.add_joint(joint);
        }
        b.build()
    }

    /// Whether it has no source of energy: no drives.
    pub fn is_passive(&self) -> bool {
        let mut axes = self.links.iter().flat_map(|l| &l.axes);
        axes.all(|a| a.drive.is_none())
    }

    /// Loops: joints beyond those of a tree.
    pub fn loops(&self) -> usize {
        let mut owner: Vec<usize> = (0..=self.parts.len()).collect();
        let mut loops = 0;
        for link in &self.links {
            let (a, b) = (link.base.map_or(0, |p| p + 1), link.follower + 1);
            let (a, b) = (owner[a], owner[b]);
            if a == b {
                loops += 1;
            }
            owner.iter_mut().filter(|o| **o == b).for_each(|o| *o = a);
        }
        loops
    }
}
