//! The parts of a [`Draft`](super::Draft).

use crate::Place;
use crate::mechanism::{Dynamics, Reading};
use linkwork::joints::JointType;
use linkwork::math::{MassProperties, Pose, Twist, Vec3};
use linkwork::model::{
    Axis, Coupling, Geometry, JointId, JointSoftness, Material, PairMaterial, Softness, Waypoint,
};
use std::sync::Arc;

/// A link, by its position in [`Draft::links`](super::Draft::links).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LinkId(pub usize);

/// How a link hangs on its parent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Attachment {
    /// Rigidly; it becomes part of its parent's body, or of the world.
    Fixed,
    /// By this joint, whose follower it is.
    Joint(JointId),
    /// Not at all: it floats. The name is that of the file's free joint, if it has one.
    Free(Option<String>),
}

/// A named rigid part of the file.
#[derive(Clone, Debug)]
pub struct Link {
    /// Unique name.
    pub name: String,
    /// Where it is described.
    pub place: Place,
    /// The link above it; `None` is the world.
    pub parent: Option<LinkId>,
    /// How it hangs on its parent.
    pub attachment: Attachment,
    /// Pose of the link frame in the world, in the home configuration.
    pub pose: Pose,
    /// Mass properties in the link frame; mass 0 for none.
    pub mass: MassProperties,
    /// Share of gravity that acts on it; for lumped links weighted by mass.
    pub gravity_scale: f64,
    /// Initial velocity of a floating link's frame origin (m/s) and angular velocity (rad/s), world.
    pub twist: Twist,
}

/// One hinge or slide of a [`Motion::Chain`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChainLink {
    /// A slide along `axis`; otherwise a hinge about the line through `anchor`.
    pub slide: bool,
    /// Unit direction in the joint frame, in the home configuration.
    pub axis: Vec3,
    /// A point of the hinge's line in the joint frame, in the home configuration, m.
    pub anchor: Vec3,
    /// Value of the coordinate in the home configuration, m or rad.
    pub offset: f64,
}

/// What a joint lets move.
#[derive(Clone, Debug)]
pub enum Motion {
    /// A joint type of the library.
    Of(Arc<dyn JointType>),
    /// Up to six hinges and slides in series without bodies between them.
    Chain(Vec<ChainLink>),
}

/// A joint between two links, or a link and the world.
#[derive(Clone, Debug)]
pub struct DraftJoint {
    /// Unique name.
    pub name: String,
    /// Where it is described.
    pub place: Place,
    /// What it lets move.
    pub motion: Motion,
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
    /// Name the file has for each coordinate: the joint's own for single hinges and slides.
    pub labels: Vec<String>,
    /// Coordinates in the home configuration, to tell whole turns apart; measured if empty.
    pub coordinates: Vec<f64>,
    /// Whether the two links may collide.
    pub collide: bool,
    /// Whether it closes a loop, that is, carries no link of the tree.
    pub closure: bool,
    /// How it yields; `None`: not at all.
    pub softness: Option<JointSoftness>,
}

/// y − y₀ = a₀ + a₁ (x − x₀) + … + a₄ (x − x₀)⁴ of two coordinates (MuJoCo's joint equality).
#[derive(Clone, Debug, PartialEq)]
pub struct Polynomial {
    /// Unique name.
    pub name: String,
    /// Joint and coordinate y.
    pub follower: (JointId, usize),
    /// Joint and coordinate x; `None`: y is held at y₀ + a₀.
    pub leader: Option<(JointId, usize)>,
    /// a₀ … a₄.
    pub coefficients: [f64; 5],
    /// y₀.
    pub follower_home: f64,
    /// x₀.
    pub leader_home: f64,
    /// How it yields; `None`: not at all.
    pub softness: Option<Softness>,
}

/// A relation between joint coordinates.
#[derive(Clone, Debug, PartialEq)]
pub enum Relation {
    /// Σ cᵢ qᵢ = c₀.
    Linear(Coupling),
    /// A polynomial of one coordinate.
    Polynomial(Polynomial),
}

impl Relation {
    /// Let it yield, or hold exactly.
    pub fn soften(&mut self, how: Option<Softness>) {
        match self {
            Self::Linear(coupling) => coupling.softness = how,
            Self::Polynomial(polynomial) => polynomial.softness = how,
        }
    }
}

/// L = Σ cᵢ qᵢ + |path| with what acts on it.
#[derive(Clone, Debug, PartialEq)]
pub struct DraftTendon {
    /// Unique name.
    pub name: String,
    /// Where it is described.
    pub place: Place,
    /// Joint, coordinate, factor.
    pub terms: Vec<(JointId, usize, f64)>,
    /// The path in space, empty for none; its bodies are **links** by their number, its points in the links' frames.
    pub path: Vec<Waypoint>,
    /// Limits, spring, damper and friction of L.
    pub axis: Axis,
}

/// Which shapes touch, as MuJoCo has it: contype & conaffinity of the other, either way round.
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
    /// Where it is described.
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
}

/// Two shapes that touch whatever the filters say, with a surface of their own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DraftPair {
    /// The shapes, by their position in [`Draft::shapes`](super::Draft::shapes).
    pub shapes: (usize, usize),
    /// Their contact.
    pub surface: PairMaterial,
}

/// What an actuator pulls on.
#[derive(Clone, Debug, PartialEq)]
pub enum DraftTransmission {
    /// A joint coordinate times a gear ratio.
    Coordinate(JointId, usize, f64),
    /// A tendon (its index) times a gear ratio.
    Tendon(usize, f64),
    /// A wrench at a frame (its index), (force, torque) along the frame's axes per unit of actuator force.
    Frame(usize, [f64; 6]),
    /// Contacts of shapes, by their position in [`Draft::shapes`](super::Draft::shapes).
    Adhesion(Vec<usize>),
}

/// An actuator with force gain·u + bias₀ + bias₁·length + bias₂·rate, as MuJoCo's affine ones.
#[derive(Clone, Debug, PartialEq)]
pub struct DraftActuator {
    /// Unique name.
    pub name: String,
    /// Where it is described.
    pub place: Place,
    /// What it pulls on.
    pub transmission: DraftTransmission,
    /// Force per unit of control.
    pub gain: f64,
    /// Constant (N), per length (N/m, ≤ 0) and per rate (N s/m, ≤ 0).
    pub bias: [f64; 3],
    /// What lies between control and force.
    pub dynamics: Option<Dynamics>,
    /// Range of the control.
    pub control_range: Option<[f64; 2]>,
    /// Range of the force before the gear, N or N m.
    pub force_range: Option<[f64; 2]>,
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
    /// Its name.
    pub name: String,
    /// What it reads; frames by their index. What is beyond the cut of a load cell is filled in later.
    pub reading: Reading,
    /// The link whose attachment a load cell cuts.
    pub cut: Option<LinkId>,
    /// Values beyond it are cut off at ± it.
    pub cutoff: Option<f64>,
}

/// A stored state.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DraftKeyframe {
    /// Its name.
    pub name: String,
    /// Time, s.
    pub time: f64,
    /// Coordinates of joints of the tree, m or rad; those not listed are at home.
    pub joints: Vec<(JointId, Vec<f64>)>,
    /// Rates of joints of the tree, m/s or rad/s; those not listed are 0.
    pub rates: Vec<(JointId, Vec<f64>)>,
    /// Frame pose and velocity (of the frame's origin, and angular, in the world) of floating links.
    pub links: Vec<(LinkId, Pose, Twist)>,
    /// Controls of the actuators; empty for none.
    pub controls: Vec<f64>,
}
