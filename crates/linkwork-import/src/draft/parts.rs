//! The parts of a [`Draft`](super::Draft).

use crate::Place;
use linkwork::joints::JointType;
use linkwork::math::{MassProperties, Pose, Twist, Vec3};
use linkwork::model::{
    Axis, Geometry, JointId, JointSoftness, Keyframe, Lens, Limits, Material, PairMaterial,
    ShapeTexture,
};
use linkwork::sensors::Sensor;
use std::sync::Arc;

/// A link, by its position in [`Draft::links`](super::Draft::links).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LinkId(pub usize);

/// Attachment of a link to its parent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Attachment {
    /// Rigidly: it becomes part of its parent's body, or of the world.
    Fixed,
    /// By this joint, whose follower it is.
    Joint(JointId),
    /// Not connected: it floats. The name is that of the file's free joint, if it has one.
    Free(Option<String>),
}

/// A named rigid part of the file.
#[derive(Clone, Debug)]
pub struct Link {
    /// Unique name.
    pub name: String,
    /// Its position in the file.
    pub place: Place,
    /// The link above it; `None` is the world.
    pub parent: Option<LinkId>,
    /// Attachment to its parent.
    pub attachment: Attachment,
    /// Pose of the link frame in the world, in the home pose.
    pub pose: Pose,
    /// Mass properties in the link frame; mass 0 for none.
    pub mass: MassProperties,
    /// Factor on the gravity that acts on it; for lumped links weighted by mass.
    pub gravity_scale: f64,
    /// Initial velocity of a floating link's frame origin (m/s) and angular velocity (rad/s), world.
    pub twist: Twist,
}

/// A joint between two links, or a link and the world.
#[derive(Clone, Debug)]
pub struct DraftJoint {
    /// Unique name.
    pub name: String,
    /// Its position in the file.
    pub place: Place,
    /// Its type.
    pub kind: Arc<dyn JointType>,
    /// Base link; `None` is the world.
    pub base: Option<LinkId>,
    /// Follower link.
    pub follower: LinkId,
    /// Joint frame in the base link's frame (or the world).
    pub frame_base: Pose,
    /// Joint frame in the follower link's frame.
    pub frame_follower: Pose,
    /// What acts on each coordinate.
    pub axes: Vec<Axis>,
    /// Limits of the whole angle of a ball.
    pub turn_limits: Option<Limits>,
    /// Name the file has for each coordinate: the joint's own for single hinges and slides.
    pub labels: Vec<String>,
    /// Coordinates in the home pose, which distinguish whole turns; measured if empty.
    pub coordinates: Vec<f64>,
    /// Whether the two links may collide.
    pub collide: bool,
    /// Whether it closes a loop, that is, does not carry a link of the tree.
    pub closure: bool,
    /// How it yields; `None`: not at all.
    pub softness: Option<JointSoftness>,
}

/// Collision filter as in MuJoCo: contype of one & conaffinity of the other, in either direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Filter {
    /// Groups it offers.
    pub contype: u32,
    /// Groups it accepts.
    pub conaffinity: u32,
}

impl Default for Filter {
    /// Touches every other shape with the default filter.
    fn default() -> Self {
        Self {
            contype: 1,
            conaffinity: 1,
        }
    }
}

impl Filter {
    /// Seen, never touched.
    pub const VISUAL: Self = Self {
        contype: 0,
        conaffinity: 0,
    };
}

/// A shape of a link or of the world.
#[derive(Clone, Debug)]
pub struct DraftShape {
    /// Its name, if the file gives one.
    pub name: Option<String>,
    /// Its position in the file.
    pub place: Place,
    /// The link; `None` is the world.
    pub link: Option<LinkId>,
    /// Pose in the link frame (or the world).
    pub pose: Pose,
    /// Its form.
    pub geometry: Geometry,
    /// Its surface.
    pub material: Material,
    /// What it touches.
    pub filter: Filter,
    /// Its colour: red, green, blue and opacity from 0 to 1.
    pub colour: Option<[f64; 4]>,
    /// The image on it.
    pub texture: Option<ShapeTexture>,
}

/// A camera.
#[derive(Clone, Debug, PartialEq)]
pub struct DraftCamera {
    /// Unique name among cameras.
    pub name: String,
    /// The link; `None` is the world.
    pub link: Option<LinkId>,
    /// Pose in the link frame (or the world). It looks along −z, with y upwards.
    pub pose: Pose,
    /// What it sees at a time.
    pub lens: Lens,
    /// How it moves with its link.
    pub aim: DraftAim,
}

/// How a [`DraftCamera`] moves with its link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DraftAim {
    /// As a part of it.
    Fixed,
    /// Without turning.
    Follow,
    /// It turns to a link.
    LookAt(LinkId),
}

/// Two shapes that collide independently of filters, with their own surface parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DraftPair {
    /// The shapes, by their position in [`Draft::shapes`](super::Draft::shapes).
    pub shapes: (usize, usize),
    /// Their contact.
    pub surface: PairMaterial,
}

/// A named frame.
#[derive(Clone, Debug, PartialEq)]
pub struct DraftFrame {
    /// Unique name among frames.
    pub name: String,
    /// The link; `None` is the world.
    pub link: Option<LinkId>,
    /// Pose in the link frame (or the world).
    pub pose: Pose,
}

/// A box that a fluid resists.
#[derive(Clone, Debug, PartialEq)]
pub struct DraftFluid {
    /// The link it moves with.
    pub link: LinkId,
    /// Its middle and axes in the link frame.
    pub pose: Pose,
    /// Its sides, m.
    pub size: Vec3,
    /// Density of the fluid, kg/m³.
    pub density: f64,
    /// Viscosity of the fluid, Pa s.
    pub viscosity: f64,
    /// Velocity of the fluid in the world, m/s.
    pub wind: Vec3,
}

/// A sensor.
#[derive(Clone, Debug, PartialEq)]
pub struct DraftSensor {
    /// The sensor; the part beyond the cut of a load cell is filled in later.
    pub sensor: Sensor,
    /// The link whose attachment a load cell cuts.
    pub cut: Option<LinkId>,
}

/// A stored state.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DraftKeyframe {
    /// It, without floating bodies.
    pub state: Keyframe,
    /// Frame pose and velocity (of the frame's origin, and angular, in the world) of floating links.
    pub links: Vec<(LinkId, Pose, Twist)>,
}
