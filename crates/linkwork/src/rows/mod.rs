//! The rows (J, v*, R, K) of a [`Problem`] for a model at a state: one file per kind of row.

mod ahead;
mod along;
mod bent;
mod bounces;
mod contacts;
mod couplings;
mod drives;
mod geared;
mod joints;
mod limited;
mod limits;
mod moments;
mod near_rigid;
mod overlaps;
mod pushed;
mod softness;
mod springs;

pub(crate) use ahead::JointKinematics;
pub(crate) use along::Along;
pub(crate) use bent::Bend;
pub(crate) use contacts::rebound;
pub(crate) use geared::{Carried, Geared};
pub(crate) use limited::Limited;
pub(crate) use limits::{found_gap, held_bias, limit_bias};
pub(crate) use moments::{from_world, to_world};
pub(crate) use pushed::Pushed;

use crate::collision::{ContactKey, ContactPoint};
use crate::control::Control;
use crate::integrator::Plan;
use crate::math::{Mat3, Pose};
use crate::model::{BodyId, CouplingId, JointId, Model, TendonId};
use crate::path::{self, PathKinematics};
use crate::settings::Settings;
use crate::state::State;
use ahead::Ahead;
use bounces::Bounces;
use linkwork_solve::{BlockCsr6, BlockDiag6, Entry, ImpulseSet, Operator, Problem};
use near_rigid::NearRigid;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The source of a constraint block, which persists from step to step. Blocks are in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RowSource {
    /// The locked rows of a joint.
    Joint(JointId),
    /// A coupling.
    Coupling(CouplingId),
    /// A limit of a joint coordinate.
    Limit {
        /// The joint.
        joint: JointId,
        /// Its coordinate.
        coordinate: u8,
        /// Whether it is the upper one.
        upper: bool,
    },
    /// A limit of a tendon's length.
    TendonLimit {
        /// The tendon.
        tendon: TendonId,
        /// Whether it is the upper one.
        upper: bool,
    },
    /// The limit of the whole angle of a ball joint.
    TurnLimit(JointId),
    /// Dry friction of a joint coordinate.
    Friction {
        /// The joint.
        joint: JointId,
        /// Its coordinate.
        coordinate: u8,
    },
    /// Dry friction of a tendon.
    TendonFriction(TendonId),
    /// Spring, damper and armature of a joint coordinate.
    Passive {
        /// The joint.
        joint: JointId,
        /// Its coordinate.
        coordinate: u8,
    },
    /// Spring, damper and armature of a tendon.
    TendonPassive(TendonId),
    /// Drive of a joint coordinate.
    Drive {
        /// The joint.
        joint: JointId,
        /// Its coordinate.
        coordinate: u8,
    },
    /// Drive of a tendon.
    TendonDrive(TendonId),
    /// A contact point.
    Contact(ContactKey),
}

/// What the rows are made from.
pub(crate) struct Inputs<'a> {
    pub model: &'a Model,
    pub state: &'a State,
    pub control: &'a Control,
    pub settings: &'a Settings,
    pub contacts: &'a [ContactPoint],
    /// What geared coordinates and tendons carry over from the last step; empty if there is no last step.
    pub carried: &'a [Carried],
    /// Limits that are not in force, in order (`step/released.rs`).
    pub released: &'a [RowSource],
    /// The durations of the step.
    pub plan: &'a Plan,
}

/// The problem of a step and where its blocks come from.
#[derive(Clone, Debug)]
pub struct Rows {
    /// The problem.
    pub problem: Problem,
    /// Source of each block.
    pub sources: Vec<RowSource>,
    /// Each joint at the start of the step.
    pub(crate) kinematics: Vec<JointKinematics>,
    /// The path of each tendon at the start of the step.
    pub(crate) paths: Vec<PathKinematics>,
    /// Room for paths elsewhere.
    spare_path: PathKinematics,
    /// Each joint at the end of the step, which is the start of the next.
    ahead: Ahead,
    /// Whose joints the first blocks are laid out for.
    laid_out: Option<Arc<[(JointId, usize)]>>,
    /// Coordinates and tendons with armature or spring, in order.
    pub(crate) geared: Vec<Geared>,
    /// Contacts and limits that are opened by a velocity that ends with the step.
    pub(crate) pushed: Vec<Pushed>,
    /// Rows with restitution.
    pub(crate) bounces: Bounces,
    /// Whether a joint, coupling or limit is meant to yield.
    pub(crate) some_yield: bool,
    /// Principal axes of each body in the world at the start of the step, filled with the free motion.
    pub(crate) principal_axes: Vec<Mat3>,
    /// u⁻, 6 values a body.
    pub(crate) u_minus: Vec<f64>,
    /// Room for the compliance of contacts on mechanisms, once there are any.
    near_rigid: Option<Box<NearRigid>>,
}

impl Default for Rows {
    fn default() -> Self {
        Self {
            problem: Problem::for_bodies(0.0),
            sources: Vec::new(),
            kinematics: Vec::new(),
            paths: Vec::new(),
            spare_path: PathKinematics::default(),
            ahead: Ahead::default(),
            laid_out: None,
            geared: Vec::new(),
            pushed: Vec::new(),
            bounces: Bounces::default(),
            some_yield: false,
            principal_axes: Vec::new(),
            u_minus: Vec::new(),
            near_rigid: None,
        }
    }
}

impl Rows {
    /// Resets and places the joints; mass and free velocity are filled in with the free motion.
    pub(crate) fn begin(&mut self, model: &Model, state: &State, dt: f64) {
        self.begin_at(model, state, &state.poses, dt);
    }

    /// The same with the rows of joints at other poses, `joints`, on bodies at the poses of the state. Impulses act at
    /// the latter, so momentum is conserved.
    pub(crate) fn begin_at(&mut self, model: &Model, state: &State, joints: &[Pose], dt: f64) {
        self.problem.dt = dt;
        self.some_yield = false;
        self.pushed.clear();
        self.bounces.clear();
        joints::lay_out(self, model);
        let (mass, _, u_free) = self.bodies_mut();
        mass.clear();
        u_free.clear();
        self.u_minus.clear();
        for t in &state.twists {
            let (v, w) = (&t.linear, &t.angular);
            self.u_minus
                .extend_from_slice(&[v.x, v.y, v.z, w.x, w.y, w.z]);
        }
        self.place_joints(model, state, joints);
        self.paths
            .resize_with(model.tendons().len(), PathKinematics::default);
        for &id in &model.layout().paths {
            let path = &model.tendon(id).path;
            self.paths[id.index()].measure(path, model, |b| state.poses[b]);
        }
    }

    /// Find J̇u of the paths of tendons.
    pub(crate) fn bend_paths(&mut self, model: &Model, state: &State, tendons: &[TendonId]) {
        for &id in tendons {
            let path = &model.tendon(id).path;
            let spare = &mut self.spare_path;
            let bend = path::bend(path, model, &state.poses, &state.twists, spare);
            self.paths[id.index()].bend = bend;
        }
    }

    /// Sets u_f to u⁻: no forces act.
    pub(crate) fn let_free_be_before(&mut self) {
        let before = std::mem::take(&mut self.u_minus);
        self.bodies_mut().2.copy_from_slice(&before);
        self.u_minus = before;
    }

    /// Keep the first `blocks` blocks.
    fn truncate(&mut self, blocks: usize) {
        self.sources.truncate(blocks);
        self.problem.sets.truncate(blocks);
        let rows = self.problem.sets.rows();
        self.problem.v_bias.truncate(rows);
        self.problem.compliance.truncate(rows);
        self.bodies_mut().1.truncate(blocks);
    }

    /// Append all rows, in the order of [`RowSource`].
    pub(crate) fn assemble(&mut self, inputs: &Inputs) {
        self.assemble_locked(inputs);
        softness::soften(self, inputs);
        limits::push(self, inputs);
        drives::push_friction(self, inputs);
        drives::push_passive(self, inputs);
        drives::push_drives(self, inputs);
        contacts::push(self, inputs);
    }

    /// Starts with contacts alone: M, u_f and u⁻ are filled in next, then [`Rows::assemble_contacts`] follows.
    pub(crate) fn begin_contacts(&mut self, bodies: usize, dt: f64) {
        self.problem.dt = dt;
        self.pushed.clear();
        self.bounces.clear();
        self.sources.clear();
        self.problem.sets.truncate(0);
        self.problem.v_bias.clear();
        self.problem.compliance.clear();
        self.u_minus.clear();
        let (mass, jacobian, u_free) = self.bodies_mut();
        mass.clear();
        jacobian.clear(bodies);
        u_free.clear();
    }

    /// Append a row of dry friction with this bound, N s or N m s, on a base (if any) and a follower.
    pub(crate) fn push_rubbing(
        &mut self,
        source: RowSource,
        bound: f64,
        (base, follower): (Option<usize>, usize),
        rows: &[[f64; 6]; 2],
    ) {
        let jacobian = bodies_of(&mut self.problem);
        jacobian.push_single(base, follower, 1.0, rows);
        self.sources.push(source);
        self.problem.sets.push(ImpulseSet::Interval { bound });
        self.problem.v_bias.push(0.0);
        self.problem.compliance.push(0.0);
    }

    /// Appends the rows of contacts, whose compliance must not be [`Compliance::Physical`](crate::model::Compliance),
    /// which requires the joints.
    pub(crate) fn assemble_contacts(&mut self, inputs: &Inputs) {
        contacts::push(self, inputs);
    }

    /// Appends the rows that take part in impacts: joints, couplings, armatures, and contacts that separate with the
    /// given normal velocities, m/s.
    pub(crate) fn assemble_impacts(&mut self, inputs: &Inputs, leave: &[f64]) {
        self.assemble_locked(inputs);
        let range = 0..self.problem.sets.rows();
        self.problem.v_bias[range].fill(0.0);
        drives::push_passive(self, inputs);
        drives::push_rigid(self, inputs);
        contacts::push_impacts(self, inputs, leave);
    }

    /// Appends the rows of joints and couplings only, soft ones as if hard.
    pub(crate) fn assemble_locked(&mut self, inputs: &Inputs) {
        joints::push(self, inputs);
        couplings::push(self, inputs);
    }

    /// M, J and u_f of the problem, to fill.
    pub(crate) fn bodies_mut(&mut self) -> (&mut BlockDiag6, &mut BlockCsr6, &mut Vec<f64>) {
        match &mut self.problem.operator {
            Operator::Bodies {
                mass,
                jacobian,
                u_free,
            } => (mass, jacobian, u_free),
            Operator::Delassus { .. } => unreachable!("rows are made on bodies"),
        }
    }

    /// M, J and u_f of the problem.
    pub(crate) fn bodies(&self) -> (&BlockDiag6, &BlockCsr6, &[f64]) {
        match &self.problem.operator {
            Operator::Bodies {
                mass,
                jacobian,
                u_free,
            } => (mass, jacobian, u_free),
            Operator::Delassus { .. } => unreachable!("rows are made on bodies"),
        }
    }

    /// Starts a block of the given set; its entries and `set.dim()` biases follow.
    fn push_block(&mut self, source: RowSource, set: ImpulseSet) {
        self.sources.push(source);
        self.problem.sets.push(set);
        self.bodies_mut().1.push_block(set.dim());
    }

    /// Whether block `k`, of a joint, coupling or limit, is soft.
    #[inline]
    pub(crate) fn is_soft(&self, k: usize) -> bool {
        if !self.some_yield {
            return false;
        }
        let range = self.problem.sets.range(k);
        self.problem.compliance[range].iter().any(|r| *r > 0.0)
    }

    /// Velocity J u of row `row` of block `k`.
    pub(crate) fn velocity_of(&self, k: usize, row: usize, u: &[f64]) -> f64 {
        let jacobian = self.bodies().1;
        let dim = jacobian.rows_of(k).len();
        let entries = jacobian.entries_of(k).iter();
        let part = |e: &Entry| {
            let j = &jacobian.values_of(e, dim)[row];
            let u = &u[6 * e.body..6 * e.body + 6];
            j.iter().zip(u).map(|(j, u)| j * u).sum::<f64>()
        };
        entries.map(part).sum()
    }

    /// Adds `factor` times a joint coordinate's Jacobian to the last block, which has one row.
    fn add_coordinate(&mut self, model: &Model, joint: JointId, coordinate: usize, factor: f64) {
        let scaled = |row: &[f64; 6]| [row.map(|value| factor * value)];
        let [jb, jf] = self.coordinate_jacobian(joint, coordinate);
        let (jb, jf) = (scaled(jb), scaled(jf));
        let joint = model.joint(joint);
        let jacobian = self.bodies_mut().1;
        if let Some(base) = joint.base {
            jacobian.push_entry(base.index(), &jb);
        }
        jacobian.push_entry(joint.follower.index(), &jf);
    }

    /// Value of a joint coordinate at the start of the step, m or rad.
    pub(crate) fn coordinate(&self, joint: JointId, coordinate: usize) -> f64 {
        self.kinematics[joint.index()].coordinates[coordinate].value
    }

    /// Jacobian of a joint coordinate on (base, follower).
    #[inline]
    pub(crate) fn coordinate_jacobian(&self, joint: JointId, coordinate: usize) -> &[[f64; 6]; 2] {
        &self.kinematics[joint.index()].jacobians[coordinate]
    }

    /// Velocity of a joint coordinate before the step.
    pub(crate) fn coordinate_velocity(
        &self,
        model: &Model,
        joint: JointId,
        coordinate: usize,
    ) -> f64 {
        let [jb, jf] = self.coordinate_jacobian(joint, coordinate);
        let joint = model.joint(joint);
        let rate = |j: &[f64; 6], body: BodyId| {
            let u = &self.u_minus[6 * body.index()..][..6];
            (j[0] * u[0] + j[1] * u[1] + j[2] * u[2]) + (j[3] * u[3] + j[4] * u[4] + j[5] * u[5])
        };
        joint.base.map_or(0.0, |b| rate(jb, b)) + rate(jf, joint.follower)
    }
}

/// J of a problem on bodies.
fn bodies_of(problem: &mut Problem) -> &mut BlockCsr6 {
    match &mut problem.operator {
        Operator::Bodies { jacobian, .. } => jacobian,
        Operator::Delassus { .. } => unreachable!("rows are made on bodies"),
    }
}
