//! The path of a tendon through space: points on bodies, spheres and cylinders that it wraps around, pulleys.

use super::BodyId;
use crate::math::{Pose, Vec3};
use serde::{Deserialize, Serialize};

/// A point that moves with a body, or is fixed in the world.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Anchor {
    /// The body; `None` is the world.
    pub body: Option<BodyId>,
    /// Position in the body frame, or in the world, m.
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

/// One element of a path. A wrap lies between two points; a pulley lies between two sections of the path.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Waypoint {
    /// It passes through a point.
    Point(Anchor),
    /// It wraps around a sphere or cylinder if the straight line would pass through it.
    Wrap {
        /// The body; `None` is the world.
        body: Option<BodyId>,
        /// Pose of its frame in the body frame, or in the world.
        pose: Pose,
        /// Its form.
        form: WrapForm,
        /// Its radius, m.
        radius: f64,
        /// The side on which it passes. With a point within the radius the cord passes through the inside and touches
        /// the wall.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        side: Option<Anchor>,
    },
    /// The following section counts with the factor 1/divisor in length and force. A negative one is subtracted.
    Pulley {
        /// Divisor of what follows.
        divisor: f64,
    },
}

impl Waypoint {
    /// Bodies with which it moves, or `None` for the world.
    pub fn carriers(&self) -> impl Iterator<Item = Option<BodyId>> {
        let one = match self {
            Self::Point(anchor) => Some(anchor.body),
            Self::Wrap { body, .. } => Some(*body),
            Self::Pulley { .. } => None,
        };
        one.into_iter()
    }
}
