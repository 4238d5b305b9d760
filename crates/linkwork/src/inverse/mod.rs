//! Inverse dynamics with contact [Carpentier §IV]: from a motion to the forces behind it.
//!
//! A step takes a configuration to the next by M (u⁺ − u_f) = Jᵀλ with every λ in its set, and the poses move with u⁺.
//! Two neighbouring configurations therefore determine u⁺, and three determine the impulses of the kick between them:
//! the steps of a [`Simulator`](crate::Simulator) are inverted exactly. The result is what acted, up to round-off,
//! wherever the motion determines it. Loops, redundant joints, floating bases and contacts need no special case:
//!
//! - Compliant elements (springs, dampers, soft joints, compliant contacts) have a law in which velocities determine
//!   the impulse, block by block [Carpentier eq. 47, 48].
//! - Rigid contacts, limits and dry friction are open, moving or at rest. The velocity determines which, and with it
//!   the set of their impulses ([`law`]).
//! - Reactions, actuators and elements at rest are the unknowns. Their solution explains most of the motion with
//!   impulses in their sets ([`unknown`]). If there are several, it is that of minimum norm or the nearest to given
//!   ones, and [`Forces::determined`] lists the unique values.
//! - The remainder is the [`residual`](Forces::residual) wrench of each body, which measures how infeasible the motion
//!   is.
//!
//! ```
//! use linkwork::inverse::{Before, Inverse, InverseSettings};
//! use linkwork_scenes::scene;
//! use linkwork::{Run, State};
//!
//! let run = scene("arm7", &[])?;
//! let settings = run.settings.clone();
//! let mut run = Run::of(run)?;
//! let mut states: Vec<State> = vec![run.simulator().state().clone()];
//! for _ in 0..2 {
//!     run.step()?;
//!     states.push(run.simulator().state().clone());
//! }
//! let model = run.simulator().model().clone();
//! let mut inverse = Inverse::new(model.clone(), &settings, InverseSettings::default())?;
//! let found = inverse.forces(Before::State(&states[0]), &states[1], &states[2])?;
//! let acted = run.simulator().coordinate_efforts();
//! for (found, acted) in found.torques().zip(&acted) {
//!     assert!((found - acted.drive).abs() < 1e-6 * (1.0 + acted.drive.abs()));
//! }
//! assert!(found.is_feasible());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod found;
mod law;
mod motion;
mod unknown;

pub use found::{FEASIBLE, Forces, InverseError};

use crate::control::Control;
use crate::math::{Pose, Vec3, Wrench};
use crate::model::{JointId, Model};
use crate::posed::{Departure, Posed};
use crate::reactions::{ContactForce, efforts_of, reactions_of, tendon_efforts_of};
use crate::rows::{Along, Carried, Limited, RowSource};
use crate::settings::Settings;
use crate::setup::{check, check_state};
use crate::simulator::make_solver;
use crate::state::State;
use crate::warm::{WarmStart, on_b};
use law::{BlockLaw, Judge};
use linkwork_solve::{ContactModel, ImpulseSet};
use motion::{Moved, arriving_twists};
use std::sync::Arc;
use unknown::{Solved, Unknown};

/// Number of roundings between two poses and the impulse of the kick between them.
const ROUNDINGS: f64 = 16.0;
/// Relative difference from the settings' step size up to which the time between two states counts as that step: times
/// are sums.
const SAME_STEP: f64 = 1e-6;

/// Selection of the coordinates and tendons with an actuator whose force is to be found.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Actuated {
    /// Those with a drive, within its effort limit. The default.
    #[default]
    Drives,
    /// Every coordinate of every joint that locks any rows, and tendons with a drive.
    All,
    /// These coordinates, by their index in [`State::coordinates`](crate::State::coordinates). Other drives follow
    /// their own law, with the targets of the control.
    Coordinates(Vec<usize>),
}

impl Actuated {
    /// Whether a coordinate or tendon is among them.
    pub(crate) fn has(&self, model: &Model, along: Along) -> bool {
        let driven = || {
            let drive = along.axis(model).drive;
            drive.is_some_and(|d| d.stiffness != 0.0 || d.damping != 0.0)
        };
        match (self, along) {
            (Actuated::Drives, _) | (Actuated::All, Along::Tendon(_)) => driven(),
            (Actuated::All, Along::Coordinate(id, _)) => !model.joint(id).kind.locked().is_empty(),
            (Actuated::Coordinates(list), Along::Coordinate(id, c)) => {
                list.contains(&(model.joint(id).first_coordinate + c))
            }
            (Actuated::Coordinates(_), Along::Tendon(_)) => false,
        }
    }
}

/// How forces are sought.
#[non_exhaustive]
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InverseSettings {
    /// The forces to be found.
    pub actuated: Actuated,
    /// Speed up to which a contact, limit or joint with dry friction counts as at rest, m/s or rad/s; nominal 1e-8 …
    /// 1e-3. `None`: 1e-7, or a hundred times the tolerance of the solves if that is more. Measured motions need a
    /// larger value.
    pub still: Option<f64>,
}

impl InverseSettings {
    /// The default ones with changes: `InverseSettings::with(|s| s.still = Some(1e-4))`.
    pub fn with(change: impl FnOnce(&mut Self)) -> Self {
        let mut settings = Self::default();
        change(&mut settings);
        settings
    }
}

/// What is known of the motion before a configuration.
#[derive(Clone, Copy, Debug)]
pub enum Before<'a> {
    /// The state one step earlier.
    State(&'a State),
    /// None: the motion starts here, and the twists of the configuration are those at the time of its poses. The kick
    /// is then half a one, as with [`FirstKick::Half`](crate::FirstKick::Half).
    Start,
}

/// Finds the forces of motions of one model.
pub struct Inverse {
    model: Arc<Model>,
    settings: Settings,
    actuated: Actuated,
    still: f64,
    contact_model: ContactModel,
    posed: Posed,
    control: Control,
    near: WarmStart,
    /// Impulses of all rows to be near to, N s or N m s.
    guess: Vec<f64>,
}

impl Inverse {
    /// For motions of `model` in steps with `settings`, which define contact law, margins, gyroscopics and
    /// stabilisation.
    pub fn new(
        model: Arc<Model>,
        settings: &Settings,
        options: InverseSettings,
    ) -> Result<Self, InverseError> {
        check(settings)?;
        if !settings.integrator.is_staggered() {
            return Err(InverseError::Integrator(settings.integrator));
        }
        let have = model.coordinate_count();
        if let Actuated::Coordinates(list) = &options.actuated
            && let Some(&index) = list.iter().find(|i| **i >= have)
        {
            return Err(InverseError::NoCoordinate { index, have });
        }
        let still = options
            .still
            .unwrap_or_else(|| (100.0 * settings.solve.tolerance).max(1e-7));
        if !(still >= 0.0 && still.is_finite()) {
            return Err(InverseError::Still(still));
        }
        Ok(Self {
            contact_model: make_solver(&model, settings)?.model(),
            posed: Posed::new(&model),
            control: Control::new(&model),
            settings: settings.clone(),
            actuated: options.actuated,
            still,
            near: WarmStart::default(),
            guess: Vec::new(),
            model,
        })
    }

    /// Sets the known inputs from now on: wrenches on bodies, forces, adhesions. Actuated drives ignore their targets.
    pub fn set_known(&mut self, control: &Control) -> Result<(), InverseError> {
        control.check(&self.model)?;
        self.control.clone_from(control);
        Ok(())
    }

    /// Sets the contact forces to which the solution of the next configuration is nearest where the motion does not
    /// determine it, for example the recorded ones.
    pub fn set_near(&mut self, contacts: &[ContactForce]) {
        let mut entries: Vec<_> = contacts
            .iter()
            .map(|c| {
                let (p, m) = (&c.impulse, &c.moment);
                let value = [p.x, p.y, p.z, m.x, m.y, m.z];
                (RowSource::Contact(c.contact.key), value)
            })
            .collect();
        entries.sort_by_key(|entry| entry.0);
        self.near.set(&entries);
    }

    /// The forces that act at `here` and cause the motion from `before` over `here` to `after`.
    ///
    /// Only poses, coordinates and times are used; the twists of `here` if the motion starts there.
    pub fn forces(
        &mut self,
        before: Before,
        here: &State,
        after: &State,
    ) -> Result<Forces, InverseError> {
        check_state(&self.model, here)?;
        check_state(&self.model, after)?;
        let dt = self.step_between(here, after)?;
        let mut start = here.clone();
        let (mut behind, mut carried) = (0.0, Vec::new());
        if let Before::State(before) = before {
            check_state(&self.model, before)?;
            behind = self.step_between(before, here)?;
            let poses = (&before.poses[..], &here.poses[..]);
            start.twists = arriving_twists(&self.model, self.settings.gyroscopic, poses, behind);
            let last = Motion {
                from: before,
                to: here,
                dt: behind,
            };
            let geared = &self.model.layout().geared;
            carried = geared
                .iter()
                .map(|g| Carried::rate(last.rate(&self.model, Limited::Along(*g))))
                .collect();
        }
        let kick = 0.5 * (behind + dt);
        self.assemble(&start, &carried, dt, kick);
        let moved = Moved::new(
            (&self.model, self.settings.gyroscopic),
            &start,
            &after.poses,
            (&self.posed.rows, &self.posed.momenta),
        );
        let mut judge = Judge {
            model: &self.model,
            rows: &self.posed.rows,
            motion: Motion {
                from: here,
                to: after,
                dt,
            },
            u_plus: &moved.u_plus,
            contact_model: self.contact_model,
            still: self.still,
            actuated: &self.actuated,
            approach: 0.0,
        };
        let blocks = 0..self.posed.rows.sources.len();
        let laws: Vec<BlockLaw> = blocks.map(|k| judge.law(k)).collect();
        let approach = judge.approach;
        let whole = self.size(&moved.impulses) + self.size(&self.free_kick(kick));
        let unknown = Unknown::new(&self.posed.rows, &laws, &moved.impulses);
        let solved = unknown.solve(
            (&self.model, here),
            &self.posed.rows,
            (&laws, &self.guess),
            whole,
        )?;
        Ok(self.tell(here, after, kick, (whole, approach), &solved))
    }

    /// Time between two states, s.
    fn step_between(&self, from: &State, to: &State) -> Result<f64, InverseError> {
        let (dt, usual) = (to.time - from.time, self.settings.dt);
        if !(dt > 0.0 && dt.is_finite()) {
            return Err(InverseError::Time {
                time: from.time,
                next: to.time,
            });
        }
        let same = (dt - usual).abs() <= SAME_STEP * usual;
        Ok(if same { usual } else { dt })
    }

    /// The rows of the step from `start`, with one row per actuator.
    fn assemble(&mut self, start: &State, carried: &[Carried], dt: f64, kick: f64) {
        let model = &self.model;
        self.posed.pose(&Departure {
            model,
            state: start,
            control: &self.control,
            settings: &self.settings,
            carried,
            released: &[],
            dt,
            kick,
        });
        let Posed { rows, contacts, .. } = &mut self.posed;
        // Contacts are the last of the rows here.
        self.near.guess(rows, contacts, &mut self.guess);
        let driven = |along| Actuated::Drives.has(model, along);
        for (along, _) in Along::all(model) {
            // Drives have their row already.
            if self.actuated.has(model, along) && !driven(along) {
                let set = ImpulseSet::Free { dim: 1 };
                rows.push_along(model, along, 1.0, set, (0.0, 0.0), along.drive());
            }
        }
        self.guess.resize(rows.problem.rows(), 0.0);
    }

    fn tell(
        &self,
        here: &State,
        after: &State,
        kick: f64,
        (whole, approach): (f64, f64),
        solved: &Solved,
    ) -> Forces {
        let (model, rows) = (&self.model, &self.posed.rows);
        let lambda = &solved.lambda;
        let mut determined = vec![true; model.coordinate_count()];
        let mut reactions_determined = Vec::new();
        for (k, source) in rows.sources.iter().enumerate() {
            let flags = &solved.determined[rows.problem.sets.range(k)];
            match *source {
                RowSource::Drive { joint, coordinate } => {
                    let first = model.joint(joint).first_coordinate;
                    determined[first + coordinate as usize] = flags[0];
                }
                RowSource::Joint(_) => reactions_determined.push(flags.iter().all(|f| *f)),
                _ => {}
            }
        }
        let residual = solved.residual.chunks_exact(6).map(|r| {
            let [force, torque] = [&r[..3], &r[3..]].map(|x| Vec3::new(x[0], x[1], x[2]) / kick);
            Wrench::new(force, torque)
        });
        let joints = (0..model.joints().len() as u32).map(JointId);
        let errors = joints.map(|id| after.joint_residual(model, id));
        Forces {
            time: here.time,
            duration: kick,
            efforts: efforts_of(model, rows, lambda, kick),
            tendon_efforts: tendon_efforts_of(model, rows, lambda, kick),
            determined,
            reactions: reactions_of(model, rows, rows.bodies().1, (lambda, kick)),
            reactions_determined,
            contacts: self.contact_forces(lambda),
            residual: residual.collect(),
            unexplained: self.unexplained(&here.poses, whole, solved),
            joint_error: errors.fold([0.0; 2], |a, b| [a[0].max(b[0]), a[1].max(b[1])]),
            contact_approach: approach,
            status: solved.status,
        }
    }

    fn contact_forces(&self, lambda: &[f64]) -> Vec<ContactForce> {
        let rows = &self.posed.rows;
        let blocks = rows.sources.iter().enumerate();
        let blocks = blocks.filter(|(_, source)| matches!(source, RowSource::Contact(_)));
        let contacts = blocks.zip(&self.posed.contacts);
        contacts
            .map(|((k, _), contact)| {
                let own = &lambda[rows.problem.sets.range(k)];
                let [impulse, moment] = on_b(rows, k, contact, own);
                ContactForce {
                    contact: *contact,
                    impulse,
                    moment,
                }
            })
            .collect()
    }

    /// √(pᵀM⁻¹p) of impulses on the bodies.
    fn size(&self, p: &[f64]) -> f64 {
        let mut u = vec![0.0; p.len()];
        self.posed.rows.bodies().0.solve(p, &mut u);
        p.iter().zip(&u).map(|(p, u)| p * u).sum::<f64>().sqrt()
    }

    /// Impulses of gravity and of known applied forces, N s and N m s.
    fn free_kick(&self, kick: f64) -> Vec<f64> {
        let gravity = self.model.gravity();
        let bodies = self.model.bodies().iter().zip(&self.posed.wrenches);
        bodies
            .flat_map(|(body, [force, torque])| {
                let force = kick * (force + body.mass * body.gravity_scale * gravity);
                let torque = kick * torque;
                [force.x, force.y, force.z, torque.x, torque.y, torque.z]
            })
            .collect()
    }

    /// ‖residual‖ divided by the norm `whole` of all forces, in the metric of M⁻¹; 0 if the residual is round-off of
    /// the poses, even for small forces.
    fn unexplained(&self, poses: &[Pose], whole: f64, solved: &Solved) -> f64 {
        let left = self.size(&solved.residual);
        if left <= self.rounding(poses) {
            0.0
        } else {
            left / whole
        }
    }

    /// Norm of the impulses caused by round-off of the poses, in the metric of M⁻¹.
    fn rounding(&self, poses: &[Pose]) -> f64 {
        let bodies = self.model.bodies().iter().zip(poses);
        let squares = bodies
            .map(|(body, pose)| body.mass * pose.position.norm_squared() + body.inertia.trace());
        ROUNDINGS * f64::EPSILON * squares.sum::<f64>().sqrt() / self.posed.rows.problem.dt
    }
}

/// Two configurations and the time between them.
#[derive(Clone, Copy)]
pub(crate) struct Motion<'a> {
    from: &'a State,
    to: &'a State,
    dt: f64,
}

impl Motion<'_> {
    /// Mean rate of the limited quantity, m/s or rad/s.
    fn rate(&self, model: &Model, limited: Limited) -> f64 {
        (limited.value(model, self.to) - limited.value(model, self.from)) / self.dt
    }
}
