//! A mechanism: bodies, joints, couplings, tendons, shapes and gravity; frames, actuators, sensors and keyframes.
//! Immutable once built.

mod axis;
mod body;
mod builder;
mod camera;
mod coupling;
mod data;
mod error;
mod frame;
mod ids;
mod impedance;
mod joint;
mod keyframe;
mod layout;
mod link;
mod mass;
mod material;
mod pair;
mod path;
mod principal;
mod reference;
mod shape;
mod softness;
mod tendon;
mod texture;
mod tree;
mod validate;

pub use axis::{Axis, Drive, Limits, Spring};
pub use body::{Body, BodyDef};
pub use builder::ModelBuilder;
pub use camera::{Aim, Camera, Lens};
pub use coupling::{Coupling, Curve, Term};
pub use data::ModelData;
pub use error::ModelError;
pub use frame::Frame;
pub use ids::{ActuatorId, BodyId, CouplingId, FrameId, JointId, ShapeId, TendonId};
pub use impedance::Impedance;
pub use joint::{Joint, JointDef};
pub use keyframe::{Keyframe, KeyframeBody};
pub use link::{Counts, PlacedLink};
pub use material::{Combine, Compliance, Material, PairMaterial};
pub use pair::ShapePair;
pub use path::{Anchor, Waypoint, WrapForm};
pub(crate) use principal::Principal;
pub use reference::Reference;
pub use shape::{CollisionGroup, Geometry, Shape, ShapeDef};
pub use softness::{JointSoftness, Softness};
pub use tendon::Tendon;
pub use texture::{
    Image, MAX_IMAGE_BYTES, MAX_IMAGE_SIDE, MAX_IMAGES_BYTES, Mapping, Mark, MarkLines, Pattern,
    ShapeTexture, Texture,
};
pub use validate::{MAX_ELEMENTS, MAX_SHAPE_PARTS};

use crate::actuators::{Actuator, FluidBox};
use crate::collision::CollisionWorld;
use crate::held::rod_to_hold;
use crate::math::{Pose, Vec3};
use crate::sensors::Sensor;
use crate::state::State;
use layout::Layout;
use linkwork_solve::condense::Plans;
use std::sync::Arc;

/// A mechanism, validated; made by [`ModelBuilder`].
#[derive(Clone)]
pub struct Model {
    data: ModelData,
    /// Those of the data, or the spanning tree.
    tree: Vec<JointId>,
    /// Those of the data, or every body.
    links: Vec<PlacedLink>,
    /// Names of the coordinates of each joint.
    labels: Vec<Vec<String>>,
    /// Prepared once; simulators clone it.
    collision: CollisionWorld,
    layout: Layout,
    plans: Arc<Plans>,
}

impl Model {
    /// Its name; empty where none was given.
    pub fn name(&self) -> &str {
        &self.data.name
    }

    /// Recommended step size, s, if the source file has one.
    pub fn timestep(&self) -> Option<f64> {
        self.data.timestep
    }

    /// Gravity, m/s².
    pub fn gravity(&self) -> Vec3 {
        self.data.gravity
    }

    /// All bodies.
    pub fn bodies(&self) -> &[Body] {
        &self.data.bodies
    }

    /// All joints.
    pub fn joints(&self) -> &[Joint] {
        &self.data.joints
    }

    /// All couplings.
    pub fn couplings(&self) -> &[Coupling] {
        &self.data.couplings
    }

    /// All tendons.
    pub fn tendons(&self) -> &[Tendon] {
        &self.data.tendons
    }

    /// All shapes.
    pub fn shapes(&self) -> &[Shape] {
        &self.data.shapes
    }

    /// Actuators, in the order of the controls.
    pub fn actuators(&self) -> &[Actuator] {
        &self.data.actuators
    }

    /// Named frames (sites).
    pub fn frames(&self) -> &[Frame] {
        &self.data.frames
    }

    /// Cameras.
    pub fn cameras(&self) -> &[Camera] {
        &self.data.cameras
    }

    /// Textures.
    pub fn textures(&self) -> &[Texture] {
        &self.data.textures
    }

    /// Sensors.
    pub fn sensors(&self) -> &[Sensor] {
        &self.data.sensors
    }

    /// Stored states.
    pub fn keyframes(&self) -> &[Keyframe] {
        &self.data.keyframes
    }

    /// Boxes that a fluid resists.
    pub fn fluid(&self) -> &[FluidBox] {
        &self.data.fluid
    }

    /// Links of the source file; otherwise every body is one.
    pub fn links(&self) -> &[PlacedLink] {
        &self.links
    }

    /// Names of the coordinates of each joint: those of the source file, where joints that close loops may have none;
    /// otherwise the joint's name, or for several coordinates this name followed by the name of the coordinate.
    pub fn labels(&self) -> &[Vec<String>] {
        &self.labels
    }

    /// The joints of the spanning tree, each after those above it; the others close loops. If the source file does not
    /// define it, it is the first joint that leads to each body, unless it closes a loop.
    pub fn tree(&self) -> &[JointId] {
        &self.tree
    }

    /// Body pairs that never collide, the lower id first, in order.
    pub fn excluded(&self) -> &[(BodyId, BodyId)] {
        &self.data.excluded
    }

    /// Lowest and highest corner (world, m) of the bounding box of a shape, with bodies at `poses`.
    pub fn bounds(&self, shape: ShapeId, poses: &[Pose]) -> (Vec3, Vec3) {
        self.collision.bounds(shape, poses)
    }

    /// Bodies that never collide with the world, in order.
    pub fn excluded_from_world(&self) -> &[BodyId] {
        &self.data.excluded_from_world
    }

    /// Shape pairs with their own surface parameters, the lower id first, in order.
    pub fn pairs(&self) -> &[ShapePair] {
        &self.data.pairs
    }

    /// What a contact of two shapes is like.
    pub fn surface(&self, a: ShapeId, b: ShapeId) -> PairMaterial {
        let key = (a.min(b), a.max(b));
        match self.data.pairs.binary_search_by_key(&key, |p| (p.a, p.b)) {
            Ok(i) => self.data.pairs[i].surface,
            Err(_) => {
                let [a, b] = [a, b].map(|s| &self.data.shapes[s.index()].material);
                PairMaterial::of(a, b)
            }
        }
    }

    /// One body.
    pub fn body(&self, id: BodyId) -> &Body {
        &self.data.bodies[id.index()]
    }

    /// One joint.
    pub fn joint(&self, id: JointId) -> &Joint {
        &self.data.joints[id.index()]
    }

    /// One tendon.
    pub fn tendon(&self, id: TendonId) -> &Tendon {
        &self.data.tendons[id.index()]
    }

    /// One frame.
    pub fn frame(&self, id: FrameId) -> &Frame {
        &self.data.frames[id.index()]
    }

    /// One actuator.
    pub fn actuator(&self, id: ActuatorId) -> &Actuator {
        &self.data.actuators[id.index()]
    }

    /// The body of this name.
    pub fn body_named(&self, name: &str) -> Option<BodyId> {
        place(self.bodies(), |b| b.name == name).map(BodyId)
    }

    /// The joint of this name.
    pub fn joint_named(&self, name: &str) -> Option<JointId> {
        place(self.joints(), |j| j.name == name).map(JointId)
    }

    /// The tendon of this name.
    pub fn tendon_named(&self, name: &str) -> Option<TendonId> {
        place(self.tendons(), |t| t.name == name).map(TendonId)
    }

    /// The frame of this name.
    pub fn frame_named(&self, name: &str) -> Option<FrameId> {
        place(self.frames(), |f| f.name == name).map(FrameId)
    }

    /// The actuator of this name, which is also the index of its control.
    pub fn actuator_named(&self, name: &str) -> Option<ActuatorId> {
        place(self.actuators(), |a| a.name == name).map(ActuatorId)
    }

    /// The sensor of this name.
    pub fn sensor_named(&self, name: &str) -> Option<&Sensor> {
        self.sensors().iter().find(|s| s.name == name)
    }

    /// The stored state of this name.
    pub fn keyframe_named(&self, name: &str) -> Option<&Keyframe> {
        self.keyframes().iter().find(|k| k.name == name)
    }

    /// The link of this name.
    pub fn link_named(&self, name: &str) -> Option<&PlacedLink> {
        self.links.iter().find(|l| l.frame.name == name)
    }

    /// The joint and coordinate of this name: see [`labels`](Self::labels).
    pub fn coordinate_named(&self, name: &str) -> Option<(JointId, usize)> {
        self.labels.iter().enumerate().find_map(|(j, labels)| {
            let c = labels.iter().position(|l| l == name)?;
            Some((JointId(j as u32), c))
        })
    }

    /// Number of joint coordinates of all joints.
    pub fn coordinate_count(&self) -> usize {
        self.data.initial_coordinates.len()
    }

    /// Number of rows that joints and couplings lock.
    pub fn locked_rows(&self) -> usize {
        self.layout.locked_rows
    }

    /// Rods that the other joints keep from swinging: their ends are fixed to each other like a ball joint. J of such a
    /// rod vanishes in the directions it blocks, so no impulse along it can block them; see `docs/architecture.md`.
    pub fn held_rods(&self) -> impl Iterator<Item = JointId> + '_ {
        let joints = (0..).zip(self.joints());
        joints
            .filter(|(_, j)| j.kind.is_held())
            .map(|(j, _)| JointId(j))
    }

    /// Replaces rods that cannot swing at the initial state.
    fn hold_rods(&mut self) {
        // One after the other: a rod parallel to a held one is redundant.
        let mut next = 0;
        while let Some((id, kind)) = rod_to_hold(self, next) {
            let data = &mut self.data;
            data.joints[id.index()].kind = kind;
            self.layout = Layout::new(&data.bodies, &data.joints, &data.couplings, &data.tendons);
            next = id.index() + 1;
        }
    }

    /// The state described by the builder: initial poses and velocities at time 0.
    pub fn initial_state(&self) -> State {
        State {
            time: 0.0,
            poses: self.bodies().iter().map(|b| b.pose).collect(),
            twists: self.bodies().iter().map(|b| b.twist).collect(),
            coordinates: self.data.initial_coordinates.clone(),
        }
    }

    /// Pose of the body **frame** (not the centre of mass) in `state`.
    pub fn body_frame(&self, state: &State, id: BodyId) -> Pose {
        let pose = &state.poses[id.index()];
        Pose::new(pose.transform_point(&-self.body(id).com), pose.rotation)
    }

    /// Largest over smallest body mass.
    pub fn mass_ratio(&self) -> f64 {
        let masses = || self.bodies().iter().map(|b| b.mass);
        masses().fold(0.0, f64::max) / masses().fold(f64::INFINITY, f64::min)
    }

    pub(crate) fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Elimination orders of its joints, created by the first simulator that needs them and shared by all, including
    /// clones of the model. They are derived from the model and not part of its data.
    pub fn plans(&self) -> &Arc<Plans> {
        &self.plans
    }

    /// The same model with another name and recommended step size (s).
    pub fn named(&self, name: impl Into<String>, timestep: Option<f64>) -> Arc<Self> {
        let mut model = self.clone();
        model.data.name = name.into();
        model.data.timestep = timestep;
        Arc::new(model)
    }

    /// The same model with the plans of one that differs only in numbers.
    pub(crate) fn with_plans_of(self: Arc<Self>, other: &Model) -> Arc<Self> {
        let mut model = Arc::unwrap_or_clone(self);
        model.plans = other.plans.clone();
        Arc::new(model)
    }

    pub(crate) fn collision(&self) -> &CollisionWorld {
        &self.collision
    }
}

/// Index of the first element for which `is` holds.
fn place<T>(list: &[T], is: impl Fn(&T) -> bool) -> Option<u32> {
    list.iter().position(is).map(|i| i as u32)
}
