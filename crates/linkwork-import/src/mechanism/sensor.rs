//! Sensors and their values.

use super::volume::meets;
use super::{Felt, Frame, Mechanism, Reading, Transmission};
use linkwork::State;
use linkwork::joints::Unit;
use linkwork::math::{Pose, Vec3, exp};
use linkwork::model::{BodyId, JointId, Model, TendonId};
use serde::{Deserialize, Serialize};

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
    pub fn components(&self) -> &'static [&'static str] {
        match self.reading {
            Reading::Position { .. }
            | Reading::Velocity { .. }
            | Reading::Effort { .. }
            | Reading::TendonPosition { .. }
            | Reading::TendonVelocity { .. }
            | Reading::TendonEffort { .. }
            | Reading::ActuatorPosition { .. }
            | Reading::ActuatorVelocity { .. }
            | Reading::ActuatorEffort { .. }
            | Reading::Touch { .. }
            | Reading::Range { .. }
            | Reading::Clock => &[""],
            Reading::FrameOrientation { .. } | Reading::BallOrientation { .. } => {
                &["w", "x", "y", "z"]
            }
            _ => &["x", "y", "z"],
        }
    }

    /// Unit of its values.
    pub fn unit(&self, mechanism: &Mechanism) -> &'static str {
        let model: &Model = &mechanism.model;
        let length = |joint: &JointId, coordinate: &usize| {
            model.joint(*joint).kind.coordinates()[*coordinate].1 == Unit::Length
        };
        let of = |is_length: bool, [linear, angular]: [&'static str; 2]| {
            if is_length { linear } else { angular }
        };
        // Gears are pure numbers on joints; lengths of tendons are in the unit of their terms.
        let pulled = |actuator: &usize, units| match &mechanism.actuators[*actuator].transmission {
            Transmission::Coordinate {
                joint, coordinate, ..
            } => of(length(joint, coordinate), units),
            _ => "1",
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
        }
    }

    /// Whether it reads accelerations or forces, which only a step tells.
    pub fn feels(&self) -> bool {
        matches!(
            self.reading,
            Reading::Effort { .. }
                | Reading::TendonEffort { .. }
                | Reading::ActuatorEffort { .. }
                | Reading::Acceleration { .. }
                | Reading::AngularAcceleration { .. }
                | Reading::Force { .. }
                | Reading::Torque { .. }
                | Reading::Touch { .. }
        )
    }
}

impl Mechanism {
    /// The values of a sensor, with what the last step tells. `None` for one that [feels](Sensor::feels) without a
    /// step.
    pub fn read(&self, sensor: &Sensor, state: &State, felt: Option<&Felt>) -> Option<Vec<f64>> {
        let mut values = match felt {
            Some(felt) if sensor.feels() => self.felt(&sensor.reading, felt),
            _ if sensor.feels() => return None,
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
        let pose = |frame: &usize| self.frames[*frame].pose(state);
        let seen_from =
            |reference: &Option<usize>| reference.as_ref().map_or(Pose::identity(), pose);
        match reading {
            Reading::Position { joint, coordinate } => {
                vec![state.joint_coordinates(&self.model, *joint)[*coordinate]]
            }
            Reading::Velocity { joint, coordinate } => {
                vec![state.joint_velocities(&self.model, *joint)[*coordinate]]
            }
            Reading::BallOrientation { joint, coordinate } => {
                let turn = &state.joint_coordinates(&self.model, *joint)[*coordinate..];
                let q = exp(&Vec3::new(turn[0], turn[1], turn[2]));
                vec![q.w, q.i, q.j, q.k]
            }
            Reading::BallVelocity { joint } => {
                let joint = self.model.joint(*joint);
                let spin = |b: BodyId| state.twists[b.index()].angular;
                let across = spin(joint.follower) - joint.base.map_or(Vec3::zeros(), spin);
                let axes = state.poses[joint.follower.index()].compose(&joint.frame_follower);
                three(axes.rotation.inverse() * across)
            }
            Reading::Range { frame } => {
                let (from, own) = (pose(frame), self.frames[*frame].body);
                let along = from.rotation * Vec3::z();
                let far = f64::INFINITY;
                let hit = self.model.cast_ray(state, from.position, along, far, own);
                vec![hit.map_or(-1.0, |h| h.distance)]
            }
            Reading::TendonPosition { tendon } => {
                vec![state.tendon_length(&self.model, TendonId(*tendon as u32))]
            }
            Reading::TendonVelocity { tendon } => {
                vec![state.tendon_velocity(&self.model, TendonId(*tendon as u32))]
            }
            Reading::ActuatorPosition { actuator } => {
                vec![match self.actuators[*actuator].transmission {
                    Transmission::Coordinate {
                        joint,
                        coordinate,
                        gear,
                    } => gear * state.joint_coordinates(&self.model, joint)[coordinate],
                    Transmission::Tendon { tendon, gear } => {
                        gear * state.tendon_length(&self.model, TendonId(tendon as u32))
                    }
                    Transmission::Frame { .. } | Transmission::Adhesion { .. } => 0.0,
                }]
            }
            Reading::ActuatorVelocity { actuator } => {
                vec![match self.actuators[*actuator].transmission {
                    Transmission::Coordinate {
                        joint,
                        coordinate,
                        gear,
                    } => gear * state.joint_velocities(&self.model, joint)[coordinate],
                    Transmission::Tendon { tendon, gear } => {
                        gear * state.tendon_velocity(&self.model, TendonId(tendon as u32))
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
                let v = self.frames[*frame].twist(state).linear
                    - self.carried(*frame, reference, state);
                three(self.along(*frame, *local, reference, state, v))
            }
            Reading::AngularVelocity {
                frame,
                local,
                reference,
            } => {
                let spin = |f: &usize| self.frames[*f].twist(state).angular;
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
                    let body = self.model.body(*id);
                    let turn = pose.rotation;
                    let spin = turn * (body.inertia * (turn.inverse() * twist.angular));
                    let momentum = body.mass * (twist.linear - velocity);
                    spin + (pose.position - centre).cross(&momentum)
                };
                three(bodies.iter().map(about).sum())
            }
            Reading::Clock => vec![state.time],
            _ => unreachable!("read from the last step"),
        }
    }

    /// Velocity of a frame's origin if it moved with the reference frame.
    fn carried(&self, frame: usize, reference: &Option<usize>, state: &State) -> Vec3 {
        reference.map_or(Vec3::zeros(), |r| {
            let [at, from] = [frame, r].map(|f| self.frames[f].pose(state).position);
            self.frames[r].twist(state).at(&(at - from))
        })
    }

    /// A vector of the world along the axes that a reading asks for.
    fn along(
        &self,
        frame: usize,
        local: bool,
        reference: &Option<usize>,
        state: &State,
        v: Vec3,
    ) -> Vec3 {
        let axes = if local { Some(frame) } else { *reference };
        axes.map_or(v, |f| self.frames[f].pose(state).rotation.inverse() * v)
    }

    /// Place (m) and velocity (m/s) of the common centre of mass of some bodies.
    fn centre(&self, bodies: &[BodyId], state: &State) -> [Vec3; 2] {
        let (mut place, mut velocity, mut mass) = (Vec3::zeros(), Vec3::zeros(), 0.0);
        for id in bodies {
            let m = self.model.body(*id).mass;
            place += state.poses[id.index()].position * m;
            velocity += state.twists[id.index()].linear * m;
            mass += m;
        }
        [place / mass, velocity / mass]
    }

    fn felt(&self, reading: &Reading, felt: &Felt) -> Vec<f64> {
        let placed = |frame: &Frame| frame.placed(|b| felt.motions[b.index()].pose);
        match reading {
            Reading::Effort { joint, coordinate } => {
                let at = self.model.joint(*joint).first_coordinate + coordinate;
                vec![felt.efforts[at].drive + felt.control.forces[at]]
            }
            Reading::TendonEffort { tendon } => {
                let drive = felt.tendon_efforts[*tendon].drive;
                vec![drive + felt.control.tendon_forces[*tendon]]
            }
            Reading::ActuatorEffort { actuator } => {
                vec![match self.actuators[*actuator].transmission {
                    Transmission::Coordinate {
                        joint,
                        coordinate,
                        gear,
                    } => {
                        let at = self.model.joint(joint).first_coordinate + coordinate;
                        (felt.efforts[at].drive + felt.control.forces[at]) / gear
                    }
                    Transmission::Tendon { tendon, gear } => {
                        let drive = felt.tendon_efforts[tendon].drive;
                        (drive + felt.control.tendon_forces[tendon]) / gear
                    }
                    Transmission::Frame { .. } | Transmission::Adhesion { .. } => f64::NAN,
                }]
            }
            Reading::Acceleration { frame, local } => {
                let frame = &self.frames[*frame];
                let acceleration = frame.body.map_or(Vec3::zeros(), |b| {
                    let motion = &felt.motions[b.index()];
                    motion.at(&(motion.pose.rotation * frame.local.position))
                });
                let proper = acceleration - self.model.gravity();
                three(if *local {
                    placed(frame).rotation.inverse() * proper
                } else {
                    proper
                })
            }
            Reading::AngularAcceleration { frame } => {
                let body = self.frames[*frame].body;
                three(body.map_or(Vec3::zeros(), |b| felt.motions[b.index()].angular))
            }
            Reading::Force { frame, section } => {
                three(section.load(&self.model, &self.frames[*frame], felt).force)
            }
            Reading::Torque { frame, section } => {
                three(section.load(&self.model, &self.frames[*frame], felt).torque)
            }
            Reading::Touch {
                frame,
                volume,
                shapes,
            } => {
                let place = placed(&self.frames[*frame]);
                let mut sum = 0.0;
                for touch in &felt.contacts {
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
            _ => unreachable!("read from the state"),
        }
    }
}

fn three(v: Vec3) -> Vec<f64> {
    vec![v.x, v.y, v.z]
}
