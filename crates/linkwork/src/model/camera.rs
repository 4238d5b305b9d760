//! Cameras: where pictures may be taken from.

use super::{BodyId, Frame};
use serde::{Deserialize, Serialize};

/// A camera at a frame. It looks along the frame's −z, with y upwards.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Camera {
    /// Its name, the body it is on, and where.
    pub frame: Frame,
    /// What it sees at a time.
    pub lens: Lens,
    /// How it moves with its body.
    #[serde(default, skip_serializing_if = "Aim::is_fixed")]
    pub aim: Aim,
}

/// What a camera sees at a time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Lens {
    /// A pyramid.
    Perspective {
        /// Angle between its lower and upper edge, rad (above 0, below π).
        field_of_view: f64,
    },
    /// A box, without perspective.
    Orthographic {
        /// Its height, m.
        height: f64,
    },
}

/// How a camera moves with its body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Aim {
    /// As a part of it.
    #[default]
    Fixed,
    /// It moves with the centre of mass of its body and keeps its direction in the model's initial poses.
    Follow,
    /// It moves as a part of its body and points at the centre of mass of another; z of the world is upwards.
    LookAt {
        /// The other body.
        target: BodyId,
    },
}

impl Aim {
    fn is_fixed(&self) -> bool {
        *self == Self::Fixed
    }
}
