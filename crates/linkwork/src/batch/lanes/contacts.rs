//! Contacts and dry friction of the worlds in lanes. Detection, rows and the small problem are those of the scalar step, world by world; how the joints answer
//! contact impulses is found for eight worlds at once ([`LanePorts`](linkwork_solve::condense::LanePorts)).

use super::group::{Group, Moving};
use super::math::{Six, get3};
use super::program::Program;
use crate::batch::World;
use crate::checkpoint::Memory;
use crate::collision::{ContactPoint, DetectSettings};
use crate::control::Control;
use crate::math::Twist;
use crate::model::Model;
use crate::rows::{Inputs, RowSource, Rows};
use crate::settings::Settings;
use crate::state::State;
use crate::step::is_turned_through;
use crate::warm::WarmStart;
use linkwork_solve::condense::LanePorts;
use linkwork_solve::{ContactSolver, Solution, WIDE, Wide, raise};
use std::sync::Arc;

/// Rows of ports on bodies without joints at most. Here they are all one dense problem; the simulator takes such bodies island by island (sliding cubes beside
/// a pendulum: 22 µs per step here and 23 µs there with 4 of them, 47 and 42 µs with 8, 319 and 164 µs with 32).
const LOOSE_ROWS: usize = 30;

/// The contacts of one world, and the dry friction of its joints.
pub(super) struct Contacts {
    world: Arc<Model>,
    state: State,
    control: Control,
    list: Vec<ContactPoint>,
    rows: Rows,
    solver: ContactSolver,
    /// Impulses of the contacts, and all velocities.
    x: Solution,
    weights: Vec<f64>,
    /// Impulses at the end of the step, and of the one before.
    pub warm: WarmStart,
    pub last: WarmStart,
    /// The numbers of its ports among those of the group, and how many rows these have.
    ports: Vec<(usize, usize)>,
    felt: Vec<f64>,
    matrix: Vec<f64>,
    /// Whether the lane is used in the step at hand, has rows, and can take the step here.
    used: bool,
    acts: bool,
    fits: bool,
}

impl Contacts {
    /// Room for those of a world of this model.
    pub fn new(model: &Arc<Model>, settings: &Settings) -> Self {
        Self {
            world: model.clone(),
            state: model.initial_state(),
            control: Control::new(model),
            list: Vec::new(),
            rows: Rows::default(),
            solver: ContactSolver::new(settings.closure.tolerance / settings.dt),
            x: Solution::default(),
            weights: Vec::new(),
            warm: WarmStart::default(),
            last: WarmStart::default(),
            ports: Vec::new(),
            felt: Vec::new(),
            matrix: Vec::new(),
            used: false,
            acts: false,
            fits: true,
        }
    }

    /// Take the place of a world of this model.
    pub fn set_model(&mut self, model: &Arc<Model>) {
        self.world.clone_from(model);
    }

    /// Take over the impulses that a world remembers.
    pub fn load(&mut self, memory: &Memory) {
        let kept = |source: &RowSource| {
            matches!(source, RowSource::Friction { .. } | RowSource::Contact(_))
        };
        let impulses = memory.impulses.iter().filter(|(s, _)| kept(s));
        self.warm.set(impulses);
    }

    /// Find the contacts in a lane of the group.
    pub fn find(&mut self, lane: usize, group: &Group, program: &Program, world: &mut World) {
        self.used = true;
        group.store_state(lane, false, &mut self.state);
        if !program.touches {
            return;
        }
        let settings = &program.settings;
        let detect = DetectSettings {
            margin: settings.contact.margin,
            dt: settings.dt,
        };
        let State { poses, twists, .. } = &self.state;
        world
            .collision()
            .detect(poses, twists, &detect, None, &mut self.list);
    }

    /// No contacts: the lane is not used in this step.
    pub fn clear(&mut self) {
        self.used = false;
        self.list.clear();
    }

    /// Make the rows, with M and u_f of the lane, and guess the impulses.
    fn pose(&mut self, lane: usize, group: &Group, program: &Program) {
        let settings = &program.settings;
        std::mem::swap(&mut self.warm, &mut self.last);
        self.fits = true;
        self.acts = self.used && !(self.list.is_empty() && program.rubs.is_empty());
        if !self.acts {
            self.warm.clear();
            return;
        }
        let dt = settings.dt;
        self.rows.begin_contacts(group.bodies.len(), dt);
        let (mass, _, u_free) = self.rows.bodies_mut();
        for (body, moving) in group.bodies.iter().zip(&group.moving) {
            let inertia = [&moving.inertia, &moving.inverse];
            let [inertia, inverse] =
                inertia.map(|m| std::array::from_fn(|i| m[i / 3][i % 3].0[lane]));
            mass.push_rigid(body.mass.0[lane], &inertia, &inverse);
            u_free.extend(moving.free.iter().map(|u| u.0[lane]));
        }
        let before = group.twists.iter().flatten();
        self.rows.u_minus.extend(before.map(|u| u.0[lane]));
        for (i, rub) in program.rubs.iter().enumerate() {
            let joint = &program.joints[rub.joint];
            let rows = group.rubbing[i].map(|row| row.map(|j| j.0[lane]));
            let bound = group.kick.0[lane] * group.friction[i].0[lane];
            let bodies = (joint.base, joint.follower);
            self.rows.push_rubbing(rub.source, bound, bodies, &rows);
        }
        self.rows.assemble_contacts(&Inputs {
            model: &self.world,
            state: &self.state,
            control: &self.control,
            settings,
            contacts: &self.list,
            carried: &[],
            released: &[],
            plan: &settings.integrator.plan(dt, group.lag.0[lane]),
        });
        // Restitution may have to be asked for less.
        self.fits = !self.rows.bounces.can_yield();
        let problem = &self.rows.problem;
        self.last.guess(&self.rows, &self.list, &mut self.x.lambda);
        for (set, rows) in problem.sets.iter() {
            set.project(&mut self.x.lambda[rows]);
        }
        problem.block_weights(&mut self.weights);
        self.solver.begin(problem);
        let ports = self.solver.ports();
        let loose = ports.filter(|(body, _)| program.loose[*body]);
        self.fits &= loose.map(|(_, rows)| rows).sum::<usize>() <= LOOSE_ROWS;
        self.acts = self.fits;
    }

    /// Give its rows to the ports of the group.
    fn join(&mut self, lane: usize, touched: &[usize], ports: &mut LanePorts) {
        self.ports.clear();
        if !self.acts {
            return;
        }
        let number = |body| touched.partition_point(|b| *b < body);
        let own = self.solver.ports();
        self.ports
            .extend(own.map(|(body, rows)| (number(body), rows)));
        let problem = &self.rows.problem;
        self.solver.port_rows(problem, |i, row, values| {
            ports.set_row(lane, (self.ports[i].0, row), values);
        });
    }

    /// Put Jᵀλ into the lane.
    fn push(&self, lane: usize, moving: &mut [Moving]) {
        for moving in moving.iter_mut() {
            moving.touch.iter_mut().for_each(|p| p.0[lane] = 0.0);
        }
        if !self.acts {
            return;
        }
        let jacobian = self.rows.bodies().1;
        for k in 0..jacobian.blocks() {
            let lambda = &self.x.lambda[jacobian.rows_of(k)];
            for entry in jacobian.entries_of(k) {
                let touch = &mut moving[entry.body].touch;
                for (row, l) in jacobian.values_of(entry, lambda.len()).iter().zip(lambda) {
                    for (p, j) in touch.iter_mut().zip(row) {
                        p.0[lane] += l * j;
                    }
                }
            }
        }
    }

    /// σ at the velocities of the lane; the scaled residual.
    fn judge(&mut self, lane: usize, group: &Group) -> f64 {
        if !self.acts {
            return 0.0;
        }
        let u_plus = &mut self.x.u_plus;
        u_plus.clear();
        let moving = group.moving.iter().flat_map(|moving| &moving.plus);
        u_plus.extend(moving.map(|u| u.0[lane]));
        let problem = &self.rows.problem;
        problem.sigma_at(&self.x.lambda, &self.x.u_plus, &mut self.x.sigma);
        self.solver.residual(problem, &self.x, &self.weights)
    }

    /// Find impulses that solve the contacts.
    fn solve(&mut self, lane: usize, group: &Group, tolerance: f64) {
        self.felt.clear();
        for &(port, rows) in &self.ports {
            let felt = &group.felt[port][..rows];
            self.felt.extend(felt.iter().map(|v| v.0[lane]));
        }
        let motion = (&self.matrix[..], &self.felt[..]);
        let measure = (&self.weights[..], tolerance);
        self.solver
            .solve(&self.rows.problem, &mut self.x, motion, measure);
    }

    /// What the last solve added to the impulses on the ports of the group.
    fn hand_over(&self, lane: usize, change: &mut [Six]) {
        let mut own = self.solver.on_ports().iter();
        for &(port, rows) in &self.ports {
            for (lanes, value) in change[port][..rows].iter_mut().zip(&mut own) {
                lanes.0[lane] = *value;
            }
        }
    }

    /// Whether a body turns through one of them.
    fn are_turned_through(&self, lane: usize, group: &Group, dt: f64) -> bool {
        let motion = |b: usize| {
            let [vx, vy, vz, wx, wy, wz] = group.moving[b].plus;
            let u = Twist::new(get3(&[vx, vy, vz], lane), get3(&[wx, wy, wz], lane));
            (self.state.poses[b], group.end_poses[b].get(lane), u)
        };
        let mut contacts = self.list.iter();
        contacts.any(|contact| is_turned_through(contact, self.world.shapes(), dt, motion))
    }
}

/// Make the rows of all lanes, the ports they act on, and the impulses that the step begins with. K is factored.
pub(super) fn pose(program: &Program, group: &mut Group) {
    let mut contacts = std::mem::take(&mut group.contacts);
    group.touched.clear();
    for (lane, own) in contacts.iter_mut().enumerate() {
        own.pose(lane, group, program);
        own.push(lane, &mut group.moving);
        if own.acts {
            let bodies = own.solver.ports().map(|(body, _)| body);
            group.touched.extend(bodies);
        }
    }
    group.touched.sort_unstable();
    group.touched.dedup();
    group.ports.begin(&group.touched);
    for (lane, own) in contacts.iter_mut().enumerate() {
        own.join(lane, &group.touched, &mut group.ports);
    }
    group.ports.complete(&group.factors);
    for (lane, own) in contacts.iter_mut().enumerate() {
        group.ports.matrix(lane, &own.ports, &mut own.matrix);
    }
    group.contacts = contacts;
}

/// Scaled residual of the contacts, by lane, at the velocities found.
pub(super) fn judge(group: &mut Group) -> Wide {
    let mut contacts = std::mem::take(&mut group.contacts);
    let mut size = Wide::ZERO;
    for (lane, own) in contacts.iter_mut().enumerate() {
        raise(&mut size.0[lane], own.judge(lane, group));
    }
    group.contacts = contacts;
    size
}

/// Between the two halves of a solve for the joints: the impulses of the contacts in the lanes that are `going`.
pub(super) fn solve(program: &Program, group: &mut Group, going: Wide) {
    let mut contacts = std::mem::take(&mut group.contacts);
    group.ports.felt(&group.factors, &mut group.felt);
    group.change.clear();
    group.change.resize(group.touched.len(), [Wide::ZERO; 6]);
    for (lane, own) in contacts.iter_mut().enumerate() {
        if !own.acts || going.0[lane] == 0.0 {
            continue;
        }
        own.solve(lane, group, program.settings.solve.tolerance);
        own.hand_over(lane, &mut group.change);
        own.push(lane, &mut group.moving);
    }
    group.ports.spread(&mut group.factors, &group.change);
    group.contacts = contacts;
}

/// Remember the impulses; the lanes in which the step can be taken with them.
pub(super) fn end(program: &Program, group: &mut Group) -> [bool; WIDE] {
    let mut contacts = std::mem::take(&mut group.contacts);
    let mut fits = [true; WIDE];
    for (lane, own) in contacts.iter_mut().enumerate() {
        fits[lane] = own.fits;
        if !own.acts {
            continue;
        }
        fits[lane] &= !own.are_turned_through(lane, group, program.settings.dt);
        own.warm.store(&own.rows, &own.list, &own.x.lambda);
    }
    group.contacts = contacts;
    fits
}
