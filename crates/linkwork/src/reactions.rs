//! Forces of the last step: joint reactions, coordinate efforts, contact forces, net forces.
//!
//! Mean forces are impulses divided by the duration of the step's kick. All values are empty or zero before the first
//! step, after a step that was held or failed, and after [`Simulator::set_state`], because then no impulses led to the
//! present state. After a substepped step they belong to the last substep.

use crate::collision::ContactPoint;
use crate::dynamics::share_loads;
use crate::math::{Mat3, Vec3, Wrench};
use crate::model::{BodyId, JointId, Model};
use crate::rows::{RowSource, Rows};
use crate::simulator::Simulator;
use crate::warm::on_b;
use linkwork_solve::{BlockCsr6, Operator, Problem, larger, minimum_norm};

/// Relative difference up to which two effects count as equal.
const SAME: f64 = 1e-9;

/// Reaction of the locked rows of a joint. Forces along its coordinates are in [`Effort`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reaction {
    /// The joint.
    pub joint: JointId,
    /// Follower anchor in the world at the start of the step, m.
    pub point: Vec3,
    /// Force on the follower, world frame, N; the opposite acts on the base.
    pub force: Vec3,
    /// Torque on the follower about `point`, world frame, N m; the opposite acts on the base.
    pub torque: Vec3,
}

/// Forces along one joint coordinate (or tendon), on the follower in the direction of growing q; N or N m.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Effort {
    /// Of the drive.
    pub drive: f64,
    /// Of the limit, if it is active: positive at the lower one.
    pub limit: f64,
    /// Of dry friction.
    pub friction: f64,
    /// Of spring, damper and armature.
    pub passive: f64,
    /// Of couplings.
    pub coupling: f64,
}

/// What a contact point did during the last step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactForce {
    /// The point as found at the start of the step.
    pub contact: ContactPoint,
    /// Impulse on body B, world frame, N s; the opposite acts on body A.
    pub impulse: Vec3,
    /// Moment of torsional and rolling friction on body B about the point, world frame, N m s; the opposite acts on
    /// body A.
    pub moment: Vec3,
}

impl Simulator {
    /// Reactions of all joints that lock any rows, in order.
    ///
    /// Reactions of redundant joints are not unique (see [`mobility`](crate::mobility::mobility())). The values are
    /// those of minimum norm, with each joint's impulses weighted by its apparent inverse inertia: the load is
    /// distributed as between equally stiff joints. The resultant on a body is always unique.
    pub fn joint_reactions(&self) -> Vec<Reaction> {
        match self.locked_impulses() {
            Some((jacobian, locked)) => {
                reactions_of(&self.model, &self.rows, &jacobian, (&locked, self.kick))
            }
            None => Vec::new(),
        }
    }

    /// Forces along every joint coordinate, in the order of [`State::coordinates`](crate::State::coordinates). Those of
    /// redundant couplings have minimum norm, as in [`Simulator::joint_reactions`].
    pub fn coordinate_efforts(&self) -> Vec<Effort> {
        self.joint_forces().1
    }

    /// [`Simulator::joint_reactions`] and [`Simulator::coordinate_efforts`] together: the impulses of minimum norm,
    /// which are the expensive part, are computed once.
    pub fn joint_forces(&self) -> (Vec<Reaction>, Vec<Effort>) {
        match self.locked_impulses() {
            Some((jacobian, locked)) => {
                let reactions =
                    reactions_of(&self.model, &self.rows, &jacobian, (&locked, self.kick));
                let mut lambda = self.solution.lambda.clone();
                lambda[..locked.len()].copy_from_slice(&locked);
                let efforts = efforts_of(&self.model, &self.rows, &lambda, self.kick);
                (reactions, efforts)
            }
            None => {
                let efforts = vec![Effort::default(); self.model.coordinate_count()];
                (Vec::new(), efforts)
            }
        }
    }

    /// Forces along every tendon, positive where they lengthen it, in order; the coupling part is 0. They act on a
    /// coordinate times its factor; [`Simulator::coordinate_efforts`] does not include them.
    pub fn tendon_efforts(&self) -> Vec<Effort> {
        if !self.applied {
            return vec![Effort::default(); self.model.tendons().len()];
        }
        tendon_efforts_of(&self.model, &self.rows, &self.solution.lambda, self.kick)
    }

    /// Every contact point of the last step, in the order of their keys.
    pub fn contact_forces(&self) -> Vec<ContactForce> {
        self.each_contact_force().collect()
    }

    /// The same one after the other, without a list.
    pub fn each_contact_force(&self) -> impl Iterator<Item = ContactForce> + '_ {
        let contacts = if self.applied {
            &self.contacts[..]
        } else {
            &[]
        };
        // The contacts' blocks are the last ones, in the same order.
        let first = self.rows.sources.len() - contacts.len();
        let force = move |(i, contact): (usize, &ContactPoint)| {
            let lambda = &self.solution.lambda[self.rows.problem.sets.range(first + i)];
            let [impulse, moment] = on_b(&self.rows, first + i, contact, lambda);
            ContactForce {
                contact: *contact,
                impulse,
                moment,
            }
        };
        contacts.iter().enumerate().map(force)
    }

    /// Rate of change of a body's momentum over the last step: the sum of all forces on it, including gravity; the
    /// torque is about its centre of mass.
    pub fn net_force(&self, body: BodyId) -> Wrench {
        if !self.applied {
            return Wrench::zero();
        }
        let (b, dt) = (body.index(), self.kick);
        let mut before = [0.0; 6];
        let u = &self.rows.u_minus[6 * b..6 * b + 6];
        for (column, u) in self.rows.bodies().0.block(b).chunks_exact(6).zip(u) {
            for (p, m) in before.iter_mut().zip(column) {
                *p += m * u;
            }
        }
        let definition = self.model.body(body);
        let twist = &self.state.twists[b];
        let r: Mat3 = *self.state.poses[b].rotation.to_rotation_matrix().matrix();
        let spin = r * (definition.inertia * (r.transpose() * twist.angular));
        Wrench::new(
            (definition.mass * twist.linear - Vec3::new(before[0], before[1], before[2])) / dt,
            (spin - Vec3::new(before[3], before[4], before[5])) / dt,
        )
    }

    /// J of joints and couplings and their impulses, with minimum norm for hard ones; `None` without a step.
    fn locked_impulses(&self) -> Option<(BlockCsr6, Vec<f64>)> {
        if !self.applied {
            return None;
        }
        let (mass, all, u_free) = self.rows.bodies();
        let mut jacobian = BlockCsr6::new(all.bodies());
        if self.model.locked_rows() == 0 {
            return Some((jacobian, Vec::new()));
        }
        let mut problem = Problem::for_bodies(self.rows.problem.dt);
        let mut hard = BlockCsr6::new(all.bodies());
        let mut hard_rows = Vec::new();
        for (k, (set, rows)) in self.rows.problem.sets.iter().enumerate() {
            // Joints and couplings come first.
            let source = self.rows.sources[k];
            if !matches!(source, RowSource::Joint(_) | RowSource::Coupling(_)) {
                break;
            }
            push_block(&mut jacobian, all, k);
            // Soft rows have unique impulses, which follow from their deflection.
            if !self.rows.is_soft(k) {
                problem.sets.push(set);
                push_block(&mut hard, all, k);
                hard_rows.extend(rows);
            }
        }
        let n = hard_rows.len();
        problem.v_bias = vec![0.0; n];
        problem.compliance = vec![0.0; n];
        problem.operator = Operator::Bodies {
            mass: mass.clone(),
            jacobian: hard,
            u_free: vec![0.0; u_free.len()],
        };
        let mut lambda = self.solution.lambda[..self.model.locked_rows()].to_vec();
        let found: Vec<f64> = hard_rows.iter().map(|i| lambda[*i]).collect();
        let mut shared = found.clone();
        minimum_norm(&problem, &mut shared);
        if !same_effect(&problem, &found, &shared) {
            // Modes softer than its resolution, as between bodies of very different mass: solved exactly, at a higher
            // cost.
            shared = found;
            share_loads(&self.model, &self.state, &problem, &mut shared);
        }
        for (i, shared) in hard_rows.into_iter().zip(shared) {
            lambda[i] = shared;
        }
        Some((jacobian, lambda))
    }
}

/// Forces along every joint coordinate of the impulses `lambda` of all rows over `dt` (s).
pub(crate) fn efforts_of(model: &Model, rows: &Rows, lambda: &[f64], dt: f64) -> Vec<Effort> {
    let mut efforts = vec![Effort::default(); model.coordinate_count()];
    let at = |joint: JointId, c: usize| model.joint(joint).first_coordinate + c;
    for (k, source) in rows.sources.iter().enumerate() {
        let force = lambda[rows.problem.sets.range(k).start] / dt;
        match *source {
            RowSource::Coupling(id) => {
                for term in &model.couplings()[id.index()].terms {
                    let slope = term.slope(rows.coordinate(term.joint, term.coordinate));
                    efforts[at(term.joint, term.coordinate)].coupling += slope * force;
                }
            }
            RowSource::Limit {
                joint,
                coordinate: c,
                upper,
            } => {
                let sign = if upper { -1.0 } else { 1.0 };
                efforts[at(joint, c as usize)].limit += sign * force;
            }
            RowSource::TurnLimit(joint) => {
                let (first, n) = rows.turn_axis(model, joint);
                for i in 0..3 {
                    efforts[at(joint, first + i)].limit -= n[i] * force;
                }
            }
            RowSource::Friction { joint, coordinate } => {
                efforts[at(joint, coordinate as usize)].friction = force;
            }
            RowSource::Passive { joint, coordinate } => {
                efforts[at(joint, coordinate as usize)].passive = force;
            }
            RowSource::Drive { joint, coordinate } => {
                efforts[at(joint, coordinate as usize)].drive = force;
            }
            _ => {}
        }
    }
    efforts
}

/// Forces along every tendon of the impulses `lambda` of all rows over `dt` (s).
pub(crate) fn tendon_efforts_of(
    model: &Model,
    rows: &Rows,
    lambda: &[f64],
    dt: f64,
) -> Vec<Effort> {
    let mut efforts = vec![Effort::default(); model.tendons().len()];
    for (k, source) in rows.sources.iter().enumerate() {
        let force = lambda[rows.problem.sets.range(k).start] / dt;
        match *source {
            RowSource::TendonLimit { tendon, upper } => {
                let sign = if upper { -1.0 } else { 1.0 };
                efforts[tendon.index()].limit += sign * force;
            }
            RowSource::TendonFriction(tendon) => efforts[tendon.index()].friction = force,
            RowSource::TendonPassive(tendon) => efforts[tendon.index()].passive = force,
            RowSource::TendonDrive(tendon) => efforts[tendon.index()].drive = force,
            _ => {}
        }
    }
    efforts
}

/// Reactions of the joints whose rows' impulses over `dt` (s), joints first, are `lambda`.
pub(crate) fn reactions_of(
    model: &Model,
    rows: &Rows,
    jacobian: &BlockCsr6,
    (lambda, dt): (&[f64], f64),
) -> Vec<Reaction> {
    let mut reactions = Vec::new();
    for (k, source) in rows.sources.iter().enumerate() {
        let RowSource::Joint(joint) = *source else {
            break;
        };
        let follower = model.joint(joint).follower.index();
        let l = &lambda[jacobian.rows_of(k)];
        let mut wrench = [0.0; 6];
        for entry in jacobian.entries_of(k).iter().filter(|e| e.body == follower) {
            for (l, j) in l.iter().zip(jacobian.values_of(entry, l.len())) {
                for (w, j) in wrench.iter_mut().zip(j) {
                    *w += l * j / dt;
                }
            }
        }
        let place = &rows.kinematics[joint.index()].place;
        let force = Vec3::new(wrench[0], wrench[1], wrench[2]);
        let about_com = Vec3::new(wrench[3], wrench[4], wrench[5]);
        reactions.push(Reaction {
            joint,
            point: place.anchor,
            force,
            torque: about_com - place.arm_follower.cross(&force),
        });
    }
    reactions
}

/// Whether Jᵀ of two sets of impulses is the same, up to round-off of the largest.
fn same_effect(problem: &Problem, a: &[f64], b: &[f64]) -> bool {
    let Operator::Bodies { jacobian, .. } = &problem.operator else {
        return true;
    };
    let mut effects = [a, b].map(|_| vec![0.0; 6 * jacobian.bodies()]);
    jacobian.multiply_transposed(a, &mut effects[0]);
    jacobian.multiply_transposed(b, &mut effects[1]);
    let [of_a, of_b] = effects;
    let largest = of_a.iter().fold(0.0, |m, x| larger(m, x.abs()));
    of_a.iter()
        .zip(&of_b)
        .all(|(a, b)| (a - b).abs() <= SAME * largest)
}

/// Append block `k` of `all` to `to`.
pub(crate) fn push_block(to: &mut BlockCsr6, all: &BlockCsr6, k: usize) {
    let dim = all.rows_of(k).len();
    to.push_block(dim);
    for entry in all.entries_of(k) {
        to.push_entry(entry.body, all.values_of(entry, dim));
    }
}
