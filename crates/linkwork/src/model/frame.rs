//! A named frame on a body or in the world.

use super::{Body, BodyId};
use crate::State;
use crate::math::{Pose, Twist};
use serde::{Deserialize, Serialize};

/// A frame that moves with a body, or is fixed in the world.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Frame {
    /// Its name.
    pub name: String,
    /// The body; `None` is the world.
    pub body: Option<BodyId>,
    /// Pose relative to the body's **centre of mass** along body axes, or in the world.
    pub local: Pose,
}

impl Frame {
    /// A frame given in the body frame of one of `bodies`, or in the world.
    pub fn new(
        name: impl Into<String>,
        body: Option<BodyId>,
        mut local: Pose,
        bodies: &[Body],
    ) -> Self {
        if let Some(id) = body {
            local.position -= bodies[id.index()].com;
        }
        Self {
            name: name.into(),
            body,
            local,
        }
    }

    /// Its pose in the world.
    pub fn pose(&self, state: &State) -> Pose {
        self.placed(|body| state.poses[body.index()])
    }

    /// Its pose in the world, given those of the bodies' centres of mass.
    pub(crate) fn placed(&self, pose: impl Fn(BodyId) -> Pose) -> Pose {
        match self.body {
            Some(body) => pose(body).compose(&self.local),
            None => self.local,
        }
    }

    /// Velocity of its origin (m/s) and its angular velocity (rad/s), in the world.
    pub fn twist(&self, state: &State) -> Twist {
        let Some(body) = self.body else {
            return Twist::zero();
        };
        let (pose, twist) = (&state.poses[body.index()], &state.twists[body.index()]);
        let lever = pose.rotation * self.local.position;
        Twist::new(twist.linear + twist.angular.cross(&lever), twist.angular)
    }
}
