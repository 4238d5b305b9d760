//! Actuators: from control values to targets, forces and wrenches.

use super::{Dynamics, Muscle};
use crate::math::{Vec3, Wrench};
use crate::model::{Axis, BodyId, FrameId, JointId, Model, ShapeId, TendonId};
use crate::{Adhesion, Control, State};
use serde::{Deserialize, Serialize};

/// What an actuator pulls on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Transmission {
    /// A joint coordinate: length = gear · q.
    Coordinate {
        /// The joint.
        joint: JointId,
        /// Which of its coordinates.
        coordinate: usize,
        /// Gear ratio.
        gear: f64,
    },
    /// A tendon: length = gear · L.
    Tendon {
        /// The tendon.
        tendon: TendonId,
        /// Gear ratio.
        gear: f64,
    },
    /// A wrench at a frame.
    Frame {
        /// The frame.
        frame: FrameId,
        /// Force (N) and torque (N m) along the frame's axes for an actuator force of 1.
        gear: [f64; 6],
    },
    /// Contacts of some shapes, which it presses together; it cannot push.
    Adhesion {
        /// The shapes.
        shapes: Vec<ShapeId>,
    },
}

/// An actuator with force = gain · control + bias₀ + bias₁ · length + bias₂ · rate. The last two terms become the drive
/// of its coordinate or tendon, implicit in time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Actuator {
    /// Its name.
    pub name: String,
    /// What it pulls on.
    pub transmission: Transmission,
    /// Force per unit of control.
    pub gain: f64,
    /// Constant (N), per length (N/m, ≤ 0) and per rate (N s/m, ≤ 0).
    pub bias: [f64; 3],
    /// A muscle on a coordinate or tendon, whose curves determine the force instead of gain and bias.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub muscle: Option<Muscle>,
    /// Dynamics between control and force: see [`Model::activations`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dynamics: Option<Dynamics>,
    /// Range of the control.
    pub control_range: Option<[f64; 2]>,
    /// Range of the force before the gear, N or N m.
    pub force_range: Option<[f64; 2]>,
}

impl Actuator {
    /// A motor on the first coordinate of a joint: its control is the force (N) or torque (N m).
    pub fn motor(name: impl Into<String>, joint: JointId) -> Self {
        Self::on(
            name,
            Transmission::Coordinate {
                joint,
                coordinate: 0,
                gear: 1.0,
            },
        )
    }

    /// A position servo on the first coordinate of a joint: its control is the target (m or rad), its gains k_p
    /// (N/m or N m/rad) and k_d (N s/m or N m s/rad).
    pub fn position(name: impl Into<String>, joint: JointId, k_p: f64, k_d: f64) -> Self {
        Self {
            gain: k_p,
            bias: [0.0, -k_p, -k_d],
            ..Self::motor(name, joint)
        }
    }

    /// A velocity servo on the first coordinate of a joint: its control is the velocity (m/s or rad/s), its gain k_d (N
    /// s/m or N m s/rad).
    pub fn velocity(name: impl Into<String>, joint: JointId, k_d: f64) -> Self {
        Self {
            gain: k_d,
            bias: [0.0, 0.0, -k_d],
            ..Self::motor(name, joint)
        }
    }

    /// An actuator on any target, whose control is its force.
    pub fn on(name: impl Into<String>, transmission: Transmission) -> Self {
        Self {
            name: name.into(),
            transmission,
            gain: 1.0,
            bias: [0.0; 3],
            muscle: None,
            dynamics: None,
            control_range: None,
            force_range: None,
        }
    }

    /// The same with bounds on its control.
    pub fn control_range(mut self, low: f64, high: f64) -> Self {
        self.control_range = Some([low, high]);
        self
    }

    /// The same with bounds on its force before the gear, N or N m.
    pub fn force_range(mut self, low: f64, high: f64) -> Self {
        self.force_range = Some([low, high]);
        self
    }

    /// Force that does not depend on length or rate.
    fn push(&self, control: f64) -> f64 {
        // An activation has a range of its own.
        let control = match self.control_range.filter(|_| self.dynamics.is_none()) {
            Some([low, high]) => control.clamp(low, high),
            None => control,
        };
        let push = self.gain * control + self.bias[0];
        match self.force_range {
            Some([low, high]) if !self.is_servo() => push.clamp(low, high),
            _ => push,
        }
    }

    /// Force without the servo terms that are drives; `motion` returns the length and rate of the actuator's coordinate
    /// or tendon.
    fn pull(&self, control: f64, gear: f64, motion: &dyn Fn() -> [f64; 2]) -> f64 {
        let Some(muscle) = &self.muscle else {
            return self.push(control);
        };
        let at = motion();
        let force = muscle.force(control, gear * at[0], gear * at[1]);
        match self.force_range {
            Some([low, high]) => force.clamp(low, high),
            None => force,
        }
    }

    /// Whether it is the only actuator on its coordinate or tendon, so that the force reported by a step along it is
    /// its own.
    pub fn is_alone(&self, all: &[Actuator]) -> bool {
        let same = |other: &&Actuator| match (&self.transmission, &other.transmission) {
            (
                Transmission::Coordinate {
                    joint: a,
                    coordinate: i,
                    ..
                },
                Transmission::Coordinate {
                    joint: b,
                    coordinate: j,
                    ..
                },
            ) => (a, i) == (b, j),
            (Transmission::Tendon { tendon: a, .. }, Transmission::Tendon { tendon: b, .. }) => {
                a == b
            }
            _ => false,
        };
        all.iter().filter(same).count() == 1
    }

    /// Whether its force depends on length or rate.
    pub fn is_servo(&self) -> bool {
        self.bias[1] < 0.0 || self.bias[2] < 0.0
    }
}

/// The combined inputs of the servos and motors on one coordinate or tendon.
#[derive(Clone, Copy, Default)]
struct Asked {
    servo: f64,
    motor: f64,
}

impl Asked {
    fn add(&mut self, actuator: &Actuator, gear: f64, push: f64) {
        let share = if actuator.is_servo() {
            &mut self.servo
        } else {
            &mut self.motor
        };
        *share += gear * push;
    }

    /// Position target, velocity target and force. A servo exerts k (q_d − q) + d (w_d − q̇), so the sum of the terms
    /// of all servos is k q_d, or d w_d without stiffness.
    fn resolve(self, axis: &Axis) -> [f64; 3] {
        let (k, d) = axis.drive.map_or((0.0, 0.0), |x| (x.stiffness, x.damping));
        if k > 0.0 {
            [self.servo / k, 0.0, self.motor]
        } else if d > 0.0 {
            [0.0, self.servo / d, self.motor]
        } else {
            [0.0, 0.0, self.motor]
        }
    }
}

impl Model {
    /// Sets the effects of the actuators for the given controls (missing ones are 0), or for their
    /// [`activations`](Self::activations) if they have dynamics, and the drag of fluids; all other inputs in `control`
    /// stay.
    pub fn actuate(&self, controls: &[f64], state: &State, control: &mut Control) {
        let value = |i: usize| controls.get(i).copied().unwrap_or(0.0);
        for (j, joint) in self.joints().iter().enumerate() {
            for (c, axis) in joint.axes.iter().enumerate() {
                let at = joint.first_coordinate + c;
                let gear = |t: &Transmission| match *t {
                    Transmission::Coordinate {
                        joint: j,
                        coordinate,
                        gear,
                    } if self.joint(j).first_coordinate + coordinate == at => Some(gear),
                    _ => None,
                };
                let motion = || {
                    let rates = state.joint_velocities(self, JointId(j as u32));
                    [state.coordinates[at], rates[c]]
                };
                if let Some([q, w, force]) = self.asked(gear, &value, axis, &motion) {
                    control.targets[at] = q;
                    control.velocity_targets[at] = w;
                    control.forces[at] = force;
                }
            }
        }
        for (at, tendon) in self.tendons().iter().enumerate() {
            let gear = |t: &Transmission| match *t {
                Transmission::Tendon { tendon, gear } if tendon.index() == at => Some(gear),
                _ => None,
            };
            let motion = || {
                let id = TendonId(at as u32);
                let rate = state.tendon_velocity(self, id);
                [state.tendon_length(self, id), rate]
            };
            if let Some([q, w, force]) = self.asked(gear, &value, &tendon.axis, &motion) {
                control.tendon_targets[at] = q;
                control.tendon_velocity_targets[at] = w;
                control.tendon_forces[at] = force;
            }
        }
        self.actuate_frames(&value, state, control);
        self.adhere(&value, control);
        self.resist(state, control);
    }

    /// Targets and force from all actuators for which `gear` returns a ratio; `None` if there are none. `motion` is the
    /// length of the coordinate or tendon and its rate.
    fn asked(
        &self,
        gear: impl Fn(&Transmission) -> Option<f64>,
        value: &dyn Fn(usize) -> f64,
        axis: &Axis,
        motion: &dyn Fn() -> [f64; 2],
    ) -> Option<[f64; 3]> {
        let mut asked = Asked::default();
        let mut any = false;
        for (i, a) in self.actuators().iter().enumerate() {
            if let Some(gear) = gear(&a.transmission) {
                asked.add(a, gear, a.pull(value(i), gear, motion));
                any = true;
            }
        }
        any.then(|| asked.resolve(axis))
    }

    fn adhere(&self, value: &dyn Fn(usize) -> f64, control: &mut Control) {
        let adhesion = |(i, a): (usize, &Actuator)| match &a.transmission {
            Transmission::Adhesion { shapes } => Some(Adhesion {
                shapes: shapes.clone(),
                force: a.push(value(i)).max(0.0),
            }),
            _ => None,
        };
        let adhesions = self.actuators().iter().enumerate().filter_map(adhesion);
        let adhesions: Vec<Adhesion> = adhesions.collect();
        if !adhesions.is_empty() {
            control.adhesions = adhesions;
        }
    }

    fn actuate_frames(&self, value: &dyn Fn(usize) -> f64, state: &State, control: &mut Control) {
        let mut cleared: Vec<BodyId> = self.fluid().iter().filter_map(|f| f.frame.body).collect();
        for body in &cleared {
            control.wrenches[body.index()] = Wrench::zero();
        }
        for (i, a) in self.actuators().iter().enumerate() {
            let Transmission::Frame { frame, gear } = a.transmission else {
                continue;
            };
            let frame = self.frame(frame);
            let Some(body) = frame.body else { continue };
            let wrench = &mut control.wrenches[body.index()];
            if !cleared.contains(&body) {
                cleared.push(body);
                *wrench = Wrench::zero();
            }
            let pose = frame.pose(state);
            let push = a.push(value(i));
            let force = pose.rotation * Vec3::new(gear[0], gear[1], gear[2]) * push;
            let torque = pose.rotation * Vec3::new(gear[3], gear[4], gear[5]) * push;
            let lever = pose.position - state.poses[body.index()].position;
            wrench.force += force;
            wrench.torque += torque + lever.cross(&force);
        }
    }
}
