//! Sensors that read the state.

use super::Mechanism;
use linkwork::State;
use linkwork::math::Vec3;
use linkwork::model::{BodyId, JointId};
use serde::{Deserialize, Serialize};

/// What a sensor reads. Frames are indices into [`Mechanism::frames`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Reading {
    /// A joint coordinate, m or rad.
    Position {
        /// The joint.
        joint: JointId,
        /// Which of its coordinates.
        coordinate: usize,
    },
    /// Its rate, m/s or rad/s.
    Velocity {
        /// The joint.
        joint: JointId,
        /// Which of its coordinates.
        coordinate: usize,
    },
    /// Position of a frame in the world, m.
    FramePosition {
        /// The frame.
        frame: usize,
    },
    /// Orientation of a frame as a quaternion w, x, y, z.
    FrameOrientation {
        /// The frame.
        frame: usize,
    },
    /// An axis of a frame in the world.
    FrameAxis {
        /// The frame.
        frame: usize,
        /// 0, 1 or 2 for x, y, z.
        axis: usize,
    },
    /// Velocity of a frame's origin, m/s, in the world or along the frame's own axes.
    LinearVelocity {
        /// The frame.
        frame: usize,
        /// Along the frame's own axes.
        local: bool,
    },
    /// Angular velocity of a frame, rad/s, in the world or along the frame's own axes.
    AngularVelocity {
        /// The frame.
        frame: usize,
        /// Along the frame's own axes.
        local: bool,
    },
    /// Centre of mass of some bodies, m.
    CentreOfMass {
        /// The bodies.
        bodies: Vec<BodyId>,
    },
    /// Time, s.
    Clock,
}

/// A named reading.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sensor {
    /// Its name.
    pub name: String,
    /// What it reads.
    pub reading: Reading,
}

impl Mechanism {
    /// The values of a sensor.
    pub fn read(&self, sensor: &Sensor, state: &State) -> Vec<f64> {
        let along = |frame: usize, local: bool, v: Vec3| {
            let turn = self.frames[frame].pose(state).rotation;
            let v = if local { turn.inverse() * v } else { v };
            vec![v.x, v.y, v.z]
        };
        match &sensor.reading {
            Reading::Position { joint, coordinate } => {
                vec![state.joint_coordinates(&self.model, *joint)[*coordinate]]
            }
            Reading::Velocity { joint, coordinate } => {
                vec![state.joint_velocities(&self.model, *joint)[*coordinate]]
            }
            Reading::FramePosition { frame } => {
                let p = self.frames[*frame].pose(state).position;
                vec![p.x, p.y, p.z]
            }
            Reading::FrameOrientation { frame } => {
                let q = self.frames[*frame].pose(state).rotation;
                vec![q.w, q.i, q.j, q.k]
            }
            Reading::FrameAxis { frame, axis } => {
                let mut unit = Vec3::zeros();
                unit[*axis] = 1.0;
                let v = self.frames[*frame].pose(state).rotation * unit;
                vec![v.x, v.y, v.z]
            }
            Reading::LinearVelocity { frame, local } => {
                along(*frame, *local, self.frames[*frame].twist(state).linear)
            }
            Reading::AngularVelocity { frame, local } => {
                along(*frame, *local, self.frames[*frame].twist(state).angular)
            }
            Reading::CentreOfMass { bodies } => {
                let (mut sum, mut mass) = (Vec3::zeros(), 0.0);
                for id in bodies {
                    let m = self.model.body(*id).mass;
                    sum += state.poses[id.index()].position * m;
                    mass += m;
                }
                let c = sum / mass;
                vec![c.x, c.y, c.z]
            }
            Reading::Clock => vec![state.time],
        }
    }
}
