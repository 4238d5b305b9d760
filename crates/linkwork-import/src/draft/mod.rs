//! A mechanism as a file describes it, before it becomes a model: links with names, joints between any
//! two of them, and what else the formats share. Importers fill a [`Draft`]; [`Draft::build`] lumps
//! rigidly attached links, checks the whole and makes the [`Mechanism`](crate::Mechanism).

mod blame;
mod build;
mod carry;
mod collide;
mod lump;
mod motion;
mod parts;
mod repeat;
mod section;
mod servos;

pub use lump::combined;

pub use parts::{
    Attachment, ChainLink, DraftActuator, DraftFluid, DraftFrame, DraftJoint, DraftKeyframe,
    DraftPair, DraftSensor, DraftShape, DraftTendon, DraftTransmission, Filter, Link, LinkId,
    Motion, Polynomial, Relation,
};

use crate::{Notices, Place};
use linkwork::math::Vec3;

/// Everything a file says that Linkwork can carry.
///
/// Joint number i becomes the model's `JointId(i)`, relation i its `CouplingId(i)`: importers refer to
/// joints by that.
#[derive(Clone, Debug, Default)]
pub struct Draft {
    /// Name of the mechanism.
    pub name: String,
    /// The file.
    pub place: Place,
    /// Gravity, m/s².
    pub gravity: Vec3,
    /// Step the file asks for, s.
    pub timestep: Option<f64>,
    /// Links, each after its parent.
    pub links: Vec<Link>,
    /// Joints: those of the tree, each after those above it, and those that close loops.
    pub joints: Vec<DraftJoint>,
    /// Relations between joint coordinates.
    pub relations: Vec<Relation>,
    /// Tendons: combinations of joint coordinates and paths, with springs, limits and drives.
    pub tendons: Vec<DraftTendon>,
    /// Collision and visual shapes.
    pub shapes: Vec<DraftShape>,
    /// Link pairs whose shapes never touch; `None` is the world.
    pub excluded: Vec<(Option<LinkId>, Option<LinkId>)>,
    /// Shape pairs that touch whatever the filters say; each once.
    pub pairs: Vec<DraftPair>,
    /// Actuators, in the order of the file's controls.
    pub actuators: Vec<DraftActuator>,
    /// Named frames (sites).
    pub frames: Vec<DraftFrame>,
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
