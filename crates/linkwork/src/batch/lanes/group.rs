//! Eight worlds side by side: their numbers, one world per lane, and the way in and out.

use super::contacts::Contacts;
use super::math::{M3, Pose, Six, V3, ZERO, get3, set3, set9};
use super::place::Place;
use super::predict::Differences;
use super::program::{Law, Program};
use super::rotation::Moments;
use crate::checkpoint::Memory;
use crate::control::Control;
use crate::math::Twist;
use crate::model::Model;
use crate::settings::FirstKick;
use crate::state::State;
use crate::step::EnergyBooks;
use linkwork_solve::condense::{LaneFactors, LanePorts};
use linkwork_solve::{WIDE, Wide};
use std::sync::Arc;

/// Hidden velocities are remembered of so many steps, as by [`crate::closure::History`].
pub(super) use crate::closure::REMEMBERED;
/// Room for those of one step more, so that a step that is not taken here leaves what was remembered before it.
pub(super) const RING: usize = REMEMBERED + 1;

/// What a step changes of what a world remembers.
#[derive(Clone, Debug)]
pub(super) struct Trace {
    pub lambda: Vec<Wide>,
    /// Where the newest hidden velocities are in the ring, and how many there are.
    pub newest: usize,
    pub held: [usize; WIDE],
    /// Rates of what stores energy, and 1 where they are known.
    pub rates: Vec<Wide>,
    pub rated: Wide,
    pub books: [EnergyBooks; WIDE],
}

/// A body's own numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Body {
    pub mass: Wide,
    pub inverse_mass: Wide,
    /// Inertia and its inverse along the body axes.
    pub inertia: M3,
    pub inverse: M3,
    /// Acceleration by gravity.
    pub gravity: V3,
    /// Principal axes in body axes, as columns.
    pub principal: M3,
    pub moments: Moments,
}

/// A body in the present step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moving {
    /// Its rotation matrix at the start.
    pub matrix: M3,
    /// Inertia and its inverse along the world axes, and principal axes in the world.
    pub inertia: M3,
    pub inverse: M3,
    pub axes: M3,
    /// Angular momentum after the free kick, and after all impulses.
    pub momentum: V3,
    pub after: V3,
    /// Applied force and torque.
    pub wrench: Six,
    pub free: Six,
    pub plus: Six,
    /// Impulse of the joints, and of contacts.
    pub impulse: Six,
    pub touch: Six,
}

/// The law λ = p − a v⁺ of a single row, and what it is made of.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Gains {
    pub stiffness: Wide,
    pub damping: Wide,
    pub armature: Wide,
    pub rest: Wide,
    /// Greatest force of a drive; infinite for no bound.
    pub limit: Wide,
    /// w₋ of a row that stores energy, and v* with h = 0.
    pub before: Wide,
    pub bias: Wide,
}

/// Eight worlds.
pub(super) struct Group {
    pub bodies: Vec<Body>,
    pub frames: Vec<[Pose; 2]>,
    pub gains: Vec<Gains>,
    /// ½ Σ m v² at the speed that counts as standstill.
    pub standstill: [f64; WIDE],

    pub poses: Vec<Pose>,
    pub twists: Vec<Six>,
    pub coordinates: Vec<Wide>,
    /// Hidden velocities of the last steps: a ring of rows.
    pub hidden: Vec<Wide>,
    /// What is remembered now, and what was before the last step.
    pub trace: Trace,
    pub last: Trace,
    /// Differences of the hidden velocities, and of which orders the expected value is the sum ([`super::predict`]).
    pub differences: Vec<Differences>,
    pub orders: Differences,
    /// Size of the last step, s; what the first kick takes it for where there was none.
    pub lag: Wide,

    /// Force along each coordinate, wrench on each body, and targets.
    pub forces: Vec<Wide>,
    pub wrenches: Vec<Six>,
    pub targets: Vec<Wide>,
    pub velocity_targets: Vec<Wide>,

    pub moving: Vec<Moving>,
    pub places: Vec<Place>,
    pub end_places: Vec<Place>,
    /// Poses, velocities and coordinates at the end of a step; after it, those at its start.
    pub end_poses: Vec<Pose>,
    pub end_twists: Vec<Six>,
    pub end_coordinates: Vec<Wide>,
    /// C of the locked rows at the start and at the end of the step.
    pub start: Vec<Wide>,
    pub end: Vec<Wide>,
    /// Hidden velocities of what stores energy, at the last evaluation.
    pub end_hidden: Vec<Wide>,
    /// Round-off of translational rows, by joint.
    pub rounding: Vec<Wide>,
    /// J by row on base and follower.
    pub base: Vec<Six>,
    pub follower: Vec<Six>,
    /// J of the coordinates of the joint at hand.
    pub free: [[Six; 6]; 2],
    /// J u⁺ by row.
    pub rate: Vec<Wide>,
    pub bias: Vec<Wide>,
    pub compliance: Vec<Wide>,
    pub sigma: Vec<Wide>,
    /// Weight of each block.
    pub weights: Vec<Wide>,
    pub factors: LaneFactors,
    /// Contacts by lane, empty where nothing can touch or rub; the bodies that those of any lane act on, how these move, the velocity that closing the joints
    /// gives to them, and the impulses on them that a solve adds.
    pub contacts: Vec<Contacts>,
    pub touched: Vec<usize>,
    pub ports: LanePorts,
    pub felt: Vec<Six>,
    pub change: Vec<Six>,
    /// Dry friction of coordinates, N or N m, and their rows of J on base and follower.
    pub friction: Vec<Wide>,
    pub rubbing: Vec<[Six; 2]>,
    /// Least and largest value of each limited coordinate.
    pub limits: Vec<[Wide; 2]>,
    pub kick: Wide,
    /// 1 in lanes that the present pass is for.
    pub going: Wide,
    /// Square of the largest speed, m/s or rad/s.
    pub speed: Wide,
    /// Largest scaled residual, and largest translational and rotational residual of the joints.
    pub residual: Wide,
    /// That of the contacts.
    pub touch_residual: Wide,
    pub closure: [Wide; 2],
}

impl Group {
    /// Room for eight worlds of a program.
    pub fn new(program: &Program) -> Self {
        let (bodies, joints) = (program.isotropic.len(), program.joints.len());
        let zero = Wide::ZERO;
        let six = [zero; 6];
        let trace = Trace {
            lambda: vec![zero; program.rows],
            newest: 0,
            held: [0; WIDE],
            rates: vec![zero; program.geared],
            rated: zero,
            books: [EnergyBooks::default(); WIDE],
        };
        Self {
            bodies: vec![
                Body {
                    mass: zero,
                    inverse_mass: zero,
                    inertia: [ZERO; 3],
                    inverse: [ZERO; 3],
                    gravity: ZERO,
                    principal: [ZERO; 3],
                    moments: Moments {
                        moments: ZERO,
                        ratios: ZERO,
                    },
                };
                bodies
            ],
            frames: vec![[Pose::IDENTITY; 2]; joints],
            gains: vec![Gains::default(); program.singles.len()],
            standstill: [0.0; WIDE],
            poses: vec![Pose::IDENTITY; bodies],
            twists: vec![six; bodies],
            coordinates: vec![zero; program.coordinates],
            hidden: vec![zero; RING * program.hidden()],
            last: trace.clone(),
            trace,
            differences: vec![[zero; REMEMBERED]; program.hidden()],
            orders: [zero; REMEMBERED],
            lag: zero,
            forces: vec![zero; program.coordinates],
            wrenches: vec![six; bodies],
            targets: vec![zero; program.coordinates],
            velocity_targets: vec![zero; program.coordinates],
            moving: vec![
                Moving {
                    matrix: [ZERO; 3],
                    inertia: [ZERO; 3],
                    inverse: [ZERO; 3],
                    axes: [ZERO; 3],
                    momentum: ZERO,
                    after: ZERO,
                    wrench: six,
                    free: six,
                    plus: six,
                    impulse: six,
                    touch: six,
                };
                bodies
            ],
            places: vec![Place::EMPTY; joints],
            end_places: vec![Place::EMPTY; joints],
            end_poses: vec![Pose::IDENTITY; bodies],
            end_twists: vec![six; bodies],
            end_coordinates: vec![zero; program.coordinates],
            start: vec![zero; program.locked],
            end: vec![zero; program.locked],
            end_hidden: vec![zero; program.geared],
            rounding: vec![zero; joints],
            base: vec![six; program.rows],
            follower: vec![six; program.rows],
            free: [[six; 6]; 2],
            rate: vec![zero; program.rows],
            bias: vec![zero; program.rows],
            compliance: vec![zero; program.rows],
            sigma: vec![zero; program.rows],
            weights: vec![zero; program.sources.len()],
            factors: LaneFactors::new(program.plan.clone()),
            contacts: Vec::new(),
            touched: Vec::new(),
            ports: LanePorts::default(),
            felt: Vec::new(),
            change: Vec::new(),
            friction: vec![zero; program.rubs.len()],
            rubbing: vec![[six; 2]; program.rubs.len()],
            limits: vec![[zero; 2]; program.limited.len()],
            kick: zero,
            going: zero,
            speed: zero,
            residual: zero,
            touch_residual: zero,
            closure: [zero; 2],
        }
    }

    /// Put the numbers of a world's model into its lane.
    pub fn load_model(&mut self, program: &Program, lane: usize, model: &Arc<Model>) {
        if program.keeps() {
            while self.contacts.len() <= lane {
                let contacts = Contacts::new(model, &program.settings);
                self.contacts.push(contacts);
            }
            self.contacts[lane].set_model(model);
        }
        for (friction, rub) in self.friction.iter_mut().zip(&program.rubs) {
            friction.0[lane] = model.joints()[rub.joint].axes[rub.own].friction;
        }
        for (limits, limited) in self.limits.iter_mut().zip(&program.limited) {
            let axis = &model.joints()[limited.joint].axes[limited.own];
            let range = axis
                .limits
                .as_ref()
                .map_or([f64::NEG_INFINITY, f64::INFINITY], |l| [l.min, l.max]);
            for (own, value) in limits.iter_mut().zip(range) {
                own.0[lane] = value;
            }
        }
        for (i, (own, body)) in self.bodies.iter_mut().zip(model.bodies()).enumerate() {
            let principal = &model.layout().principal[i];
            own.mass.0[lane] = body.mass;
            own.inverse_mass.0[lane] = 1.0 / body.mass;
            set9(&mut own.inertia, lane, &body.inertia);
            set9(&mut own.inverse, lane, &body.inverse_inertia);
            set3(
                &mut own.gravity,
                lane,
                &(model.gravity() * body.gravity_scale),
            );
            set9(&mut own.principal, lane, &principal.axes);
            set3(&mut own.moments.moments, lane, &principal.moments);
            set3(&mut own.moments.ratios, lane, &principal.ratios);
        }
        for (frames, joint) in self.frames.iter_mut().zip(model.joints()) {
            frames[0].set(lane, &joint.frame_base);
            frames[1].set(lane, &joint.frame_follower);
        }
        for (gains, single) in self.gains.iter_mut().zip(&program.singles) {
            let axis = &model.joints()[single.joint].axes[single.own];
            let (stiffness, damping, limit) = match (single.law, &axis.drive) {
                (Law::Drive, Some(drive)) => {
                    let limit = drive.effort_limit.unwrap_or(f64::INFINITY);
                    (drive.stiffness, drive.damping, limit)
                }
                _ => (axis.spring.stiffness, axis.spring.damping, f64::INFINITY),
            };
            gains.stiffness.0[lane] = stiffness;
            gains.damping.0[lane] = damping;
            gains.limit.0[lane] = limit;
            gains.armature.0[lane] = axis.armature;
            gains.rest.0[lane] = axis.spring.rest;
        }
        self.standstill[lane] = crate::step::standstill(model);
    }

    /// Put the state of a world, and what it remembers, into its lane.
    pub fn load(&mut self, program: &Program, lane: usize, state: &State, memory: &Memory) {
        for (own, pose) in self.poses.iter_mut().zip(&state.poses) {
            own.set(lane, pose);
        }
        for (own, twist) in self.twists.iter_mut().zip(&state.twists) {
            for i in 0..3 {
                own[i].0[lane] = twist.linear[i];
                own[3 + i].0[lane] = twist.angular[i];
            }
        }
        for (own, q) in self.coordinates.iter_mut().zip(&state.coordinates) {
            own.0[lane] = *q;
        }
        let trace = &mut self.trace;
        let settings = &program.settings;
        let n = program.hidden();
        // What belongs to steps of another size, or to other rows, tells nothing.
        let fits = |v: &&Vec<f64>| memory.hidden_dt == settings.dt && v.len() == n;
        let mut held = 0;
        for (k, values) in memory
            .hidden
            .iter()
            .take(REMEMBERED)
            .take_while(fits)
            .enumerate()
        {
            let at = (trace.newest + k) % RING * n;
            for (own, value) in self.hidden[at..at + n].iter_mut().zip(values) {
                own.0[lane] = *value;
            }
            held = k + 1;
        }
        trace.held[lane] = held;
        let rated = memory.rates.len() == program.geared;
        trace.rated.0[lane] = f64::from(u8::from(rated));
        for (i, own) in trace.rates.iter_mut().enumerate() {
            own.0[lane] = if rated { memory.rates[i] } else { 0.0 };
        }
        self.lag.0[lane] = match (memory.last_dt, settings.first_kick) {
            (Some(dt), _) => dt,
            (None, FirstKick::Full) => settings.dt,
            (None, FirstKick::Half) => 0.0,
        };
        trace.books[lane] = memory.energy;
        if let Some(contacts) = self.contacts.get_mut(lane) {
            contacts.load(memory);
        }
    }

    /// Put the control of a world into its lane; whether it fits the program and is finite.
    pub fn load_control(&mut self, lane: usize, control: &Control) -> bool {
        let fits = control.forces.len() == self.forces.len()
            && control.targets.len() == self.targets.len()
            && control.velocity_targets.len() == self.velocity_targets.len()
            && control.wrenches.len() == self.wrenches.len()
            && control.tendon_forces.is_empty()
            && control.tendon_targets.is_empty()
            && control.tendon_velocity_targets.is_empty()
            && control.adhesions.is_empty();
        if !fits {
            return false;
        }
        // 0 · ∞ and 0 · NaN are NaN.
        let mut nought = 0.0;
        for (own, value) in self.forces.iter_mut().zip(&control.forces) {
            own.0[lane] = *value;
            nought += 0.0 * value;
        }
        for (own, value) in self.targets.iter_mut().zip(&control.targets) {
            own.0[lane] = *value;
            nought += 0.0 * value;
        }
        let rates = self.velocity_targets.iter_mut();
        for (own, value) in rates.zip(&control.velocity_targets) {
            own.0[lane] = *value;
            nought += 0.0 * value;
        }
        for (own, wrench) in self.wrenches.iter_mut().zip(&control.wrenches) {
            for i in 0..3 {
                own[i].0[lane] = wrench.force[i];
                own[3 + i].0[lane] = wrench.torque[i];
                nought += 0.0 * wrench.force[i] + 0.0 * wrench.torque[i];
            }
        }
        nought == 0.0
    }

    /// The state of the world in a lane, now or `before` the last step.
    pub fn store_state(&self, lane: usize, before: bool, state: &mut State) {
        let (poses, twists, coordinates) = if before {
            (&self.end_poses, &self.end_twists, &self.end_coordinates)
        } else {
            (&self.poses, &self.twists, &self.coordinates)
        };
        for (own, pose) in poses.iter().zip(&mut state.poses) {
            *pose = own.get(lane);
        }
        for (own, twist) in twists.iter().zip(&mut state.twists) {
            let [a, b, c, d, e, f] = *own;
            *twist = Twist::new(get3(&[a, b, c], lane), get3(&[d, e, f], lane));
        }
        for (own, q) in coordinates.iter().zip(&mut state.coordinates) {
            *q = own.0[lane];
        }
    }

    /// What the world in a lane remembers, now or `before` the last step, if it has taken a step here before.
    pub fn store_memory(&self, program: &Program, lane: usize, before: bool, memory: &mut Memory) {
        let trace = if before { &self.last } else { &self.trace };
        let dt = program.settings.dt;
        memory.impulses.clear();
        for (block, source) in program.blocks.iter().zip(&program.sources) {
            let mut value = [0.0; 6];
            let lambda = &trace.lambda[block.rows.clone()];
            for (value, own) in value.iter_mut().zip(lambda) {
                *value = own.0[lane];
            }
            memory.impulses.push((*source, value));
        }
        if let Some(contacts) = self.contacts.get(lane) {
            let warm = if before {
                &contacts.last
            } else {
                &contacts.warm
            };
            memory.impulses.extend_from_slice(warm.entries());
            if !program.rubs.is_empty() {
                memory.impulses.sort_unstable_by_key(|(source, _)| *source);
            }
        }
        let n = program.hidden();
        memory.hidden.resize_with(trace.held[lane], Vec::new);
        for (k, values) in memory.hidden.iter_mut().enumerate() {
            let at = (trace.newest + k) % RING * n;
            values.clear();
            values.extend(self.hidden[at..at + n].iter().map(|own| own.0[lane]));
        }
        memory.hidden_dt = dt;
        memory.rates.clear();
        memory
            .rates
            .extend(trace.rates.iter().map(|own| own.0[lane]));
        memory.last_dt = Some(dt);
        memory.energy = trace.books[lane];
        memory.pace.settle();
    }
}
