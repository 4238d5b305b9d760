//! The path of a tendon through space: points on bodies, spheres and cylinders that it wraps around, pulleys.

use super::BodyId;
use crate::math::{Pose, Vec3};
use serde::{Deserialize, Serialize};

/// A point that moves with a body, or stands in the world.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Anchor {
    /// The body; `None` is the world.
    pub body: Option<BodyId>,
    /// Where it is in the body frame, or in the world, m.
    pub point: Vec3,
}

impl Anchor {
    /// A point of a body frame, or of the world.
    pub fn new(body: Option<BodyId>, point: Vec3) -> Self {
        Self { body, point }
    }
}

/// What a tendon wraps around.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WrapForm {
    /// A sphere.
    Sphere,
    /// A cylinder along z, without ends.
    Cylinder,
}

/// One element of a path. A wrap stands between two points; a pulley stands between two stretches of path.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Waypoint {
    /// It passes through a point.
    Point(Anchor),
    /// It wraps around a sphere or cylinder, where the straight line would pass through it.
    Wrap {
        /// The body; `None` is the world.
        body: Option<BodyId>,
        /// Where its frame is in the body frame, or in the world.
        pose: Pose,
        /// Its form.
        form: WrapForm,
        /// Its radius, m.
        radius: f64,
        /// The side that it passes on. A point within the radius: it passes through the inside and touches the wall.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        side: Option<Anchor>,
    },
    /// What follows counts by this part: 1/divisor of its length, and of the force. With a negative one it is subtracted.
    Pulley {
        /// Divisor of what follows.
        divisor: f64,
    },
}

impl Waypoint {
    /// Bodies that it moves with, or `None` for the world.
    pub fn carriers(&self) -> impl Iterator<Item = Option<BodyId>> {
        let one = match self {
            Self::Point(anchor) => Some(anchor.body),
            Self::Wrap { body, .. } => Some(*body),
            Self::Pulley { .. } => None,
        };
        one.into_iter()
    }
}
