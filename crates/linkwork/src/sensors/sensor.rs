//! Sensors and their values.

use super::volume::meets;
use super::{LastStep, LimitOf, Nearest, Reading};
use crate::State;
use crate::actuators::Transmission;
use crate::joints::Unit;
use crate::math::{Pose, Vec3, exp};
use crate::model::{ActuatorId, BodyId, Frame, FrameId, JointId, Model};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// A named reading.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sensor {
    /// Its name.
    pub name: String,
    /// What it reads.
    pub reading: Reading,
    /// Values beyond it are cut off at ± it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cutoff: Option<f64>,
}

impl Sensor {
    /// A sensor whose values are not cut off.
    pub fn new(name: impl Into<String>, reading: Reading) -> Self {
        Self {
            name: name.into(),
            reading,
            cutoff: None,
        }
    }

    /// Names of its values.
    pub fn components(&self) -> Vec<Cow<'static, str>> {
        let names: &[&'static str] = match &self.reading {
            Reading::Contacts { query } => {
                return query.components().into_iter().map(|c| c.0).collect();
            }
            Reading::Position { .. }
            | Reading::Velocity { .. }
            | Reading::Effort { .. }
            | Reading::TendonPosition { .. }
            | Reading::TendonVelocity { .. }
            | Reading::TendonEffort { .. }
            | Reading::ActuatorPosition { .. }
            | Reading::ActuatorVelocity { .. }
            | Reading::ActuatorEffort { .. }
            | Reading::ActuatorActivation { .. }
            | Reading::Touch { .. }
            | Reading::Range { .. }
            | Reading::LimitGap { .. }
            | Reading::LimitRate { .. }
            | Reading::LimitForce { .. }
            | Reading::PotentialEnergy { .. }
            | Reading::KineticEnergy
            | Reading::Inside { .. }
            | Reading::Clock => &[""],
            Reading::Nearest { value, .. } => match value {
                Nearest::Distance => &[""],
                Nearest::Direction => &["x", "y", "z"],
                Nearest::Points => &["x1", "y1", "z1", "x2", "y2", "z2"],
            },
            Reading::Projection { .. } => &["x", "y"],
            Reading::FrameOrientation { .. } | Reading::BallOrientation { .. } => {
                &["w", "x", "y", "z"]
            }
            _ => &["x", "y", "z"],
        };
        names.iter().map(|name| Cow::from(*name)).collect()
    }

    /// Names of its values behind its own.
    pub fn value_names(&self) -> Vec<String> {
        let full = |component: Cow<str>| match component.as_ref() {
            "" => self.name.clone(),
            c => format!("{}.{c}", self.name),
        };
        self.components().into_iter().map(full).collect()
    }

    /// Units of its values, one for each.
    pub fn units(&self, model: &Model) -> Vec<&'static str> {
        match &self.reading {
            Reading::Contacts { query } => query.components().into_iter().map(|c| c.1).collect(),
            _ => vec![self.unit(model); self.components().len()],
        }
    }

    /// Unit of the values of all but contacts.
    fn unit(&self, model: &Model) -> &'static str {
        let length = |joint: &JointId, coordinate: &usize| {
            model.joint(*joint).kind.coordinates()[*coordinate].1 == Unit::Length
        };
        let of = |is_length: bool, [linear, angular]: [&'static str; 2]| {
            if is_length { linear } else { angular }
        };
        // Gears are pure numbers on joints; lengths of tendons are in the unit of their terms.
        let pulled = |actuator: &ActuatorId, units| match &model.actuator(*actuator).transmission {
            Transmission::Coordinate {
                joint, coordinate, ..
            } => of(length(joint, coordinate), units),
            _ => "1",
        };
        let limited = |limit: &LimitOf, units| match limit {
            LimitOf::Coordinate { joint, coordinate } => of(length(joint, coordinate), units),
            LimitOf::Turn { .. } => units[1],
            LimitOf::Tendon { .. } => "1",
        };
        match &self.reading {
            Reading::Position { joint, coordinate } => of(length(joint, coordinate), ["m", "rad"]),
            Reading::Velocity { joint, coordinate } => {
                of(length(joint, coordinate), ["m/s", "rad/s"])
            }
            Reading::Effort { joint, coordinate } => of(length(joint, coordinate), ["N", "N m"]),
            // Lengths of tendons are in the unit of their terms, and the field in that of the file.
            Reading::TendonPosition { .. }
            | Reading::TendonVelocity { .. }
            | Reading::TendonEffort { .. }
            | Reading::Field { .. }
            | Reading::FrameOrientation { .. }
            | Reading::BallOrientation { .. }
            | Reading::FrameAxis { .. } => "1",
            Reading::ActuatorPosition { actuator } => pulled(actuator, ["m", "rad"]),
            Reading::ActuatorVelocity { actuator } => pulled(actuator, ["m/s", "rad/s"]),
            Reading::ActuatorEffort { actuator } => pulled(actuator, ["N", "N m"]),
            Reading::FramePosition { .. }
            | Reading::CentreOfMass { .. }
            | Reading::Range { .. } => "m",
            Reading::LinearVelocity { .. } | Reading::CentreVelocity { .. } => "m/s",
            Reading::AngularVelocity { .. } | Reading::BallVelocity { .. } => "rad/s",
            Reading::Acceleration { .. } => "m/s²",
            Reading::AngularAcceleration { .. } => "rad/s²",
            Reading::Force { .. } | Reading::Touch { .. } => "N",
            Reading::Torque { .. } => "N m",
            Reading::AngularMomentum { .. } => "kg m²/s",
            Reading::Clock => "s",
            Reading::LimitGap { limit } => limited(limit, ["m", "rad"]),
            Reading::LimitRate { limit } => limited(limit, ["m/s", "rad/s"]),
            Reading::LimitForce { limit } => limited(limit, ["N", "N m"]),
            Reading::PotentialEnergy { .. } | Reading::KineticEnergy => "J",
            Reading::Projection { .. } => "px",
            Reading::ActuatorActivation { .. }
            | Reading::Contacts { .. }
            | Reading::Inside { .. }
            | Reading::Nearest {
                value: Nearest::Direction,
                ..
            } => "1",
            Reading::Nearest { .. } => "m",
        }
    }

    /// Whether it reads accelerations or forces, which are only available after a step.
    pub fn needs_step(&self) -> bool {
        if let Reading::Contacts { query } = &self.reading {
            return query.needs_step();
        }
        matches!(
            self.reading,
            Reading::Effort { .. }
                | Reading::TendonEffort { .. }
                | Reading::ActuatorEffort { .. }
                | Reading::ActuatorActivation { .. }
                | Reading::Acceleration { .. }
                | Reading::AngularAcceleration { .. }
                | Reading::Force { .. }
                | Reading::Torque { .. }
                | Reading::Touch { .. }
                | Reading::LimitForce { .. }
        )
    }
}

impl Model {
    /// The values of a sensor, with the data of the last step. `None` without a step for a sensor that [needs
    /// one](Sensor::needs_step).
    pub fn read(
        &self,
        sensor: &Sensor,
        state: &State,
        last: Option<&LastStep>,
    ) -> Option<Vec<f64>> {
        let mut values = match last {
            Some(last) if sensor.needs_step() => self.of_step(&sensor.reading, last),
            _ if sensor.needs_step() => return None,
            _ => self.of_state(&sensor.reading, state),
        };
        if let Some(cutoff) = sensor.cutoff {
            values
                .iter_mut()
                .for_each(|v| *v = v.clamp(-cutoff, cutoff));
        }
        Some(values)
    }

    fn of_state(&self, reading: &Reading, state: &State) -> Vec<f64> {
        let pose = |frame: &FrameId| self.frame(*frame).pose(state);
        let seen_from =
            |reference: &Option<FrameId>| reference.as_ref().map_or(Pose::identity(), pose);
        match reading {
            Reading::Position { joint, coordinate } => {
                vec![state.joint_coordinates(self, *joint)[*coordinate]]
            }
            Reading::Velocity { joint, coordinate } => {
                vec![state.joint_velocities(self, *joint)[*coordinate]]
            }
            Reading::BallOrientation { joint, coordinate } => {
                let turn = &state.joint_coordinates(self, *joint)[*coordinate..];
                let q = exp(&Vec3::new(turn[0], turn[1], turn[2]));
                vec![q.w, q.i, q.j, q.k]
            }
            Reading::BallVelocity { joint } => {
                let joint = self.joint(*joint);
                let spin = |b: BodyId| state.twists[b.index()].angular;
                let across = spin(joint.follower) - joint.base.map_or(Vec3::zeros(), spin);
                let axes = state.poses[joint.follower.index()].compose(&joint.frame_follower);
                three(axes.rotation.inverse() * across)
            }
            Reading::Range { frame } => {
                let (from, own) = (pose(frame), self.frame(*frame).body);
                let along = from.rotation * Vec3::z();
                let far = f64::INFINITY;
                let hit = self.cast_ray(state, from.position, along, far, own);
                vec![hit.map_or(-1.0, |h| h.distance)]
            }
            Reading::TendonPosition { tendon } => {
                vec![state.tendon_length(self, *tendon)]
            }
            Reading::TendonVelocity { tendon } => {
                vec![state.tendon_velocity(self, *tendon)]
            }
            Reading::ActuatorPosition { actuator } => {
                vec![match self.actuator(*actuator).transmission {
                    Transmission::Coordinate {
                        joint,
                        coordinate,
                        gear,
                    } => gear * state.joint_coordinates(self, joint)[coordinate],
                    Transmission::Tendon { tendon, gear } => {
                        gear * state.tendon_length(self, tendon)
                    }
                    Transmission::Frame { .. } | Transmission::Adhesion { .. } => 0.0,
                }]
            }
            Reading::ActuatorVelocity { actuator } => {
                vec![match self.actuator(*actuator).transmission {
                    Transmission::Coordinate {
                        joint,
                        coordinate,
                        gear,
                    } => gear * state.joint_velocities(self, joint)[coordinate],
                    Transmission::Tendon { tendon, gear } => {
                        gear * state.tendon_velocity(self, tendon)
                    }
                    Transmission::Frame { .. } | Transmission::Adhesion { .. } => 0.0,
                }]
            }
            Reading::FramePosition { frame, reference } => {
                three(seen_from(reference).inverse_transform_point(&pose(frame).position))
            }
            Reading::FrameOrientation { frame, reference } => {
                let q = seen_from(reference).rotation.inverse() * pose(frame).rotation;
                vec![q.w, q.i, q.j, q.k]
            }
            Reading::FrameAxis {
                frame,
                axis,
                reference,
            } => {
                let mut unit = Vec3::zeros();
                unit[*axis] = 1.0;
                let axis = pose(frame).rotation * unit;
                three(seen_from(reference).rotation.inverse() * axis)
            }
            Reading::LinearVelocity {
                frame,
                local,
                reference,
            } => {
                let v =
                    self.frame(*frame).twist(state).linear - self.carried(*frame, reference, state);
                three(self.along(*frame, *local, reference, state, v))
            }
            Reading::AngularVelocity {
                frame,
                local,
                reference,
            } => {
                let spin = |f: &FrameId| self.frame(*f).twist(state).angular;
                let w = spin(frame) - reference.as_ref().map_or(Vec3::zeros(), spin);
                three(self.along(*frame, *local, reference, state, w))
            }
            Reading::Field { frame, field } => three(pose(frame).rotation.inverse() * field),
            Reading::CentreOfMass { bodies } => three(self.centre(bodies, state)[0]),
            Reading::CentreVelocity { bodies } => three(self.centre(bodies, state)[1]),
            Reading::AngularMomentum { bodies } => {
                let [centre, velocity] = self.centre(bodies, state);
                let about = |id: &BodyId| {
                    let (pose, twist) = (&state.poses[id.index()], &state.twists[id.index()]);
                    let body = self.body(*id);
                    let turn = pose.rotation;
                    let spin = turn * (body.inertia * (turn.inverse() * twist.angular));
                    let momentum = body.mass * (twist.linear - velocity);
                    spin + (pose.position - centre).cross(&momentum)
                };
                three(bodies.iter().map(about).sum())
            }
            Reading::Clock => vec![state.time],
            other => match self.measure(other, state) {
                Some(values) => values,
                None => unreachable!("read from the last step"),
            },
        }
    }

    /// Velocity of a frame's origin if it moved with the reference frame.
    fn carried(&self, frame: FrameId, reference: &Option<FrameId>, state: &State) -> Vec3 {
        reference.map_or(Vec3::zeros(), |r| {
            let [at, from] = [frame, r].map(|f| self.frame(f).pose(state).position);
            self.frame(r).twist(state).at(&(at - from))
        })
    }

    /// A vector of the world along the axes requested by a reading.
    fn along(
        &self,
        frame: FrameId,
        local: bool,
        reference: &Option<FrameId>,
        state: &State,
        v: Vec3,
    ) -> Vec3 {
        let axes = if local { Some(frame) } else { *reference };
        axes.map_or(v, |f| self.frame(f).pose(state).rotation.inverse() * v)
    }

    /// Place (m) and velocity (m/s) of the common centre of mass of some bodies.
    fn centre(&self, bodies: &[BodyId], state: &State) -> [Vec3; 2] {
        let (mut place, mut velocity, mut mass) = (Vec3::zeros(), Vec3::zeros(), 0.0);
        for id in bodies {
            let m = self.body(*id).mass;
            place += state.poses[id.index()].position * m;
            velocity += state.twists[id.index()].linear * m;
            mass += m;
        }
        [place / mass, velocity / mass]
    }

    fn of_step(&self, reading: &Reading, last: &LastStep) -> Vec<f64> {
        let placed = |frame: &Frame| frame.placed(|b| last.motions[b.index()].pose);
        match reading {
            Reading::Effort { joint, coordinate } => {
                let at = self.joint(*joint).first_coordinate + coordinate;
                vec![last.efforts[at].drive + last.control.forces[at]]
            }
            Reading::TendonEffort { tendon } => {
                let drive = last.tendon_efforts[tendon.index()].drive;
                vec![drive + last.control.tendon_forces[tendon.index()]]
            }
            Reading::ActuatorEffort { actuator } => {
                vec![match self.actuator(*actuator).transmission {
                    Transmission::Coordinate {
                        joint,
                        coordinate,
                        gear,
                    } => {
                        let at = self.joint(joint).first_coordinate + coordinate;
                        (last.efforts[at].drive + last.control.forces[at]) / gear
                    }
                    Transmission::Tendon { tendon, gear } => {
                        let drive = last.tendon_efforts[tendon.index()].drive;
                        (drive + last.control.tendon_forces[tendon.index()]) / gear
                    }
                    Transmission::Frame { .. } | Transmission::Adhesion { .. } => f64::NAN,
                }]
            }
            Reading::Acceleration { frame, local } => {
                let frame = self.frame(*frame);
                let acceleration = frame.body.map_or(Vec3::zeros(), |b| {
                    let motion = &last.motions[b.index()];
                    motion.at(&(motion.pose.rotation * frame.local.position))
                });
                let proper = acceleration - self.gravity();
                three(if *local {
                    placed(frame).rotation.inverse() * proper
                } else {
                    proper
                })
            }
            Reading::AngularAcceleration { frame } => {
                let body = self.frame(*frame).body;
                three(body.map_or(Vec3::zeros(), |b| last.motions[b.index()].angular))
            }
            Reading::Force { frame, section } => {
                three(section.load(self, self.frame(*frame), last).force)
            }
            Reading::Torque { frame, section } => {
                three(section.load(self, self.frame(*frame), last).torque)
            }
            Reading::Touch {
                frame,
                volume,
                shapes,
            } => {
                let place = placed(self.frame(*frame));
                let mut sum = 0.0;
                for touch in &last.contacts {
                    let [a, b] = touch.shapes.each_ref().map(|s| shapes.contains(s));
                    let normal_force = touch.force.dot(&touch.normal);
                    if !(a || b) || normal_force <= 0.0 {
                        continue;
                    }
                    let away = if a { touch.normal } else { -touch.normal };
                    let along = place.rotation.inverse() * away;
                    if meets(volume, &place.inverse_transform_point(&touch.point), &along) {
                        sum += normal_force;
                    }
                }
                vec![sum]
            }
            Reading::LimitForce { limit } => vec![limit.force(self, last)],
            Reading::Contacts { query } => self.contacts_of(query, last),
            Reading::ActuatorActivation { actuator } => {
                let all = self.last_activations(&last.control.memory);
                vec![all.map_or(f64::NAN, |all| all[actuator.index()])]
            }
            _ => unreachable!("read from the state"),
        }
    }
}

fn three(v: Vec3) -> Vec<f64> {
    vec![v.x, v.y, v.z]
}
