//! What a mechanism is: bodies, joints, couplings, tendons, shapes and gravity; immutable once built.

mod axis;
mod body;
mod builder;
mod coupling;
mod data;
mod error;
mod ids;
mod impedance;
mod joint;
mod layout;
mod mass;
mod material;
mod pair;
mod path;
mod principal;
mod reference;
mod shape;
mod softness;
mod tendon;
mod validate;

pub use axis::{Axis, Drive, Limits, Spring};
pub use body::{Body, BodyDef};
pub use builder::ModelBuilder;
pub use coupling::{Coupling, Curve, Term};
pub use data::ModelData;
pub use error::ModelError;
pub use ids::{BodyId, CouplingId, JointId, ShapeId, TendonId};
pub use impedance::Impedance;
pub use joint::{Joint, JointDef};
pub use material::{Combine, Compliance, Material, PairMaterial};
pub use pair::ShapePair;
pub use path::{Anchor, Waypoint, WrapForm};
pub(crate) use principal::Principal;
pub use reference::Reference;
pub use shape::{CollisionGroup, Geometry, Shape, ShapeDef};
pub use softness::{JointSoftness, Softness};
pub use tendon::Tendon;
pub use validate::{MAX_ELEMENTS, MAX_SHAPE_PARTS};

use crate::collision::CollisionWorld;
use crate::held::rod_to_hold;
use crate::math::{Pose, Vec3};
use crate::state::State;
use layout::Layout;
use linkwork_solve::condense::Plans;
use std::sync::Arc;

/// A mechanism, validated; made by [`ModelBuilder`].
#[derive(Clone)]
pub struct Model {
    gravity: Vec3,
    bodies: Vec<Body>,
    joints: Vec<Joint>,
    couplings: Vec<Coupling>,
    tendons: Vec<Tendon>,
    shapes: Vec<Shape>,
    excluded: Vec<(BodyId, BodyId)>,
    excluded_from_world: Vec<BodyId>,
    pairs: Vec<ShapePair>,
    initial_coordinates: Vec<f64>,
    /// Prepared once; simulators clone it.
    collision: CollisionWorld,
    layout: Layout,
    plans: Arc<Plans>,
}

impl Model {
    /// Gravity, m/s².
    pub fn gravity(&self) -> Vec3 {
        self.gravity
    }

    /// All bodies.
    pub fn bodies(&self) -> &[Body] {
        &self.bodies
    }

    /// All joints.
    pub fn joints(&self) -> &[Joint] {
        &self.joints
    }

    /// All couplings.
    pub fn couplings(&self) -> &[Coupling] {
        &self.couplings
    }

    /// All tendons.
    pub fn tendons(&self) -> &[Tendon] {
        &self.tendons
    }

    /// All shapes.
    pub fn shapes(&self) -> &[Shape] {
        &self.shapes
    }

    /// Body pairs that never collide, the lower id first, in order.
    pub fn excluded(&self) -> &[(BodyId, BodyId)] {
        &self.excluded
    }

    /// Lowest and highest corner (world, m) of the box around a shape, bodies being at `poses`.
    pub fn bounds(&self, shape: ShapeId, poses: &[Pose]) -> (Vec3, Vec3) {
        self.collision.bounds(shape, poses)
    }

    /// Bodies that never collide with the world, in order.
    pub fn excluded_from_world(&self) -> &[BodyId] {
        &self.excluded_from_world
    }

    /// Shape pairs that touch with a surface of their own, the lower id first, in order.
    pub fn pairs(&self) -> &[ShapePair] {
        &self.pairs
    }

    /// What a contact of two shapes is like.
    pub fn surface(&self, a: ShapeId, b: ShapeId) -> PairMaterial {
        let key = (a.min(b), a.max(b));
        match self.pairs.binary_search_by_key(&key, |p| (p.a, p.b)) {
            Ok(i) => self.pairs[i].surface,
            Err(_) => {
                let [a, b] = [a, b].map(|s| &self.shapes[s.index()].material);
                PairMaterial::of(a, b)
            }
        }
    }

    /// One body.
    pub fn body(&self, id: BodyId) -> &Body {
        &self.bodies[id.index()]
    }

    /// One joint.
    pub fn joint(&self, id: JointId) -> &Joint {
        &self.joints[id.index()]
    }

    /// One tendon.
    pub fn tendon(&self, id: TendonId) -> &Tendon {
        &self.tendons[id.index()]
    }

    /// The body of this name.
    pub fn body_named(&self, name: &str) -> Option<BodyId> {
        let at = self.bodies.iter().position(|b| b.name == name)?;
        Some(BodyId(at as u32))
    }

    /// The joint of this name.
    pub fn joint_named(&self, name: &str) -> Option<JointId> {
        let at = self.joints.iter().position(|j| j.name == name)?;
        Some(JointId(at as u32))
    }

    /// The tendon of this name.
    pub fn tendon_named(&self, name: &str) -> Option<TendonId> {
        let at = self.tendons.iter().position(|t| t.name == name)?;
        Some(TendonId(at as u32))
    }

    /// Number of joint coordinates of all joints.
    pub fn coordinate_count(&self) -> usize {
        self.initial_coordinates.len()
    }

    /// Number of rows that joints and couplings lock.
    pub fn locked_rows(&self) -> usize {
        self.layout.locked_rows
    }

    /// Rods that the other joints do not let swing: their ends are held, as if by a ball joint. J of a rod vanishes on
    /// what it blocks in this way, and no impulse along it blocks anything; see `docs/architecture.md`.
    pub fn held_rods(&self) -> impl Iterator<Item = JointId> + '_ {
        let joints = (0..).zip(&self.joints);
        joints
            .filter(|(_, j)| j.kind.is_held())
            .map(|(j, _)| JointId(j))
    }

    /// Hold the rods that cannot swing where the model starts.
    fn hold_rods(&mut self) {
        // One after the other: a rod beside one that is held is redundant.
        let mut next = 0;
        while let Some((id, kind)) = rod_to_hold(self, next) {
            self.joints[id.index()].kind = kind;
            self.layout = Layout::new(&self.bodies, &self.joints, &self.couplings, &self.tendons);
            next = id.index() + 1;
        }
    }

    /// The state described by the builder: initial poses and velocities at time 0.
    pub fn initial_state(&self) -> State {
        State {
            time: 0.0,
            poses: self.bodies.iter().map(|b| b.pose).collect(),
            twists: self.bodies.iter().map(|b| b.twist).collect(),
            coordinates: self.initial_coordinates.clone(),
        }
    }

    /// Pose of the body **frame** (not the centre of mass) in `state`.
    pub fn body_frame(&self, state: &State, id: BodyId) -> Pose {
        let pose = &state.poses[id.index()];
        Pose::new(pose.transform_point(&-self.body(id).com), pose.rotation)
    }

    /// Largest over smallest body mass.
    pub fn mass_ratio(&self) -> f64 {
        let masses = || self.bodies.iter().map(|b| b.mass);
        masses().fold(0.0, f64::max) / masses().fold(f64::INFINITY, f64::min)
    }

    pub(crate) fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Elimination orders of its joints, made by the first simulator that needs them and used by all, clones of the
    /// model included. They follow from the model, and so are no part of its data.
    pub fn plans(&self) -> &Arc<Plans> {
        &self.plans
    }

    /// The same model with the plans of one that differs from it in numbers only.
    pub(crate) fn with_plans_of(self: Arc<Self>, other: &Model) -> Arc<Self> {
        let mut model = Arc::unwrap_or_clone(self);
        model.plans = other.plans.clone();
        Arc::new(model)
    }

    pub(crate) fn collision(&self) -> &CollisionWorld {
        &self.collision
    }
}
