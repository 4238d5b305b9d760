//! A mechanism as described by a file, before it becomes a model: links with names, joints between any two of them, and
//! other elements that the formats share. Importers fill a [`Draft`]; [`Draft::build`] lumps rigidly attached links,
//! checks the whole and builds the [`Model`](linkwork::model::Model).

mod blame;
mod build;
mod carry;
mod collide;
mod lump;
mod parts;
mod repeat;
mod section;
mod tendon;

pub use lump::{combined, moved};

pub use parts::{
    Attachment, DraftAim, DraftCamera, DraftFluid, DraftFrame, DraftJoint, DraftKeyframe,
    DraftPair, DraftSensor, DraftShape, Filter, Link, LinkId,
};

use crate::{Notices, Place};
use linkwork::actuators::Actuator;
use linkwork::math::Vec3;
use linkwork::model::{Coupling, Tendon, Texture};

/// All elements of a file that Linkwork supports.
///
/// Joint i becomes the model's `JointId(i)`, coupling i its `CouplingId(i)`: importers refer to joints by these
/// numbers.
#[derive(Clone, Debug, Default)]
pub struct Draft {
    /// Name of the mechanism.
    pub name: String,
    /// The file.
    pub place: Place,
    /// Gravity, m/s².
    pub gravity: Vec3,
    /// Step size of the file, s.
    pub timestep: Option<f64>,
    /// Links, each after its parent.
    pub links: Vec<Link>,
    /// Joints: those of the tree, each after those above it, and those that close loops.
    pub joints: Vec<DraftJoint>,
    /// Couplings of joint coordinates.
    pub couplings: Vec<Coupling>,
    /// Tendons. The bodies of their paths are **links** by their index, with points in the links' frames.
    pub tendons: Vec<Tendon>,
    /// Collision and visual shapes.
    pub shapes: Vec<DraftShape>,
    /// Link pairs whose shapes never touch; `None` is the world.
    pub excluded: Vec<(Option<LinkId>, Option<LinkId>)>,
    /// Shape pairs that collide independently of filters; each once.
    pub pairs: Vec<DraftPair>,
    /// Actuators, in the order of the file's controls.
    pub actuators: Vec<Actuator>,
    /// Named frames (sites).
    pub frames: Vec<DraftFrame>,
    /// Cameras.
    pub cameras: Vec<DraftCamera>,
    /// Images on shapes.
    pub textures: Vec<Texture>,
    /// Sensors.
    pub sensors: Vec<DraftSensor>,
    /// Stored states.
    pub keyframes: Vec<DraftKeyframe>,
    /// What a fluid resists.
    pub fluid: Vec<DraftFluid>,
    /// How many of the links are no links of the file.
    pub inserted: usize,
    /// What was ignored, chosen or found odd while reading.
    pub notices: Notices,
}
