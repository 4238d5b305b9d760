//! Elements that act on a joint coordinate or along a tendon.

use super::Softness;
use serde::{Deserialize, Serialize};

/// Range of a joint coordinate or tendon.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Limits {
    /// Least value, m or rad; −∞ for none.
    #[serde(with = "crate::math::unbounded::below")]
    pub min: f64,
    /// Greatest value, m or rad; +∞ for none.
    #[serde(with = "crate::math::unbounded")]
    pub max: f64,
    /// Restitution at the stops, in [0, 1].
    pub restitution: f64,
    /// Softness of the stops; `None`: hard. Soft stops do not bounce.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub softness: Option<Softness>,
}

impl Limits {
    /// Hard stops at `min` and `max` (m or rad) without restitution.
    pub fn new(min: f64, max: f64) -> Self {
        Self {
            min,
            max,
            restitution: 0.0,
            softness: None,
        }
    }
}

/// A servo on a joint coordinate or tendon, implicit in time: stable for any gains.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Drive {
    /// Position gain k_p, N/m or N m/rad (≥ 0). With +∞ the drive is rigid: at the end of every step the coordinate is
    /// at its target, whatever force is needed.
    #[serde(with = "crate::math::unbounded")]
    pub stiffness: f64,
    /// Velocity gain k_d, N s/m or N m s/rad (≥ 0).
    pub damping: f64,
    /// Maximum force or torque, N or N m; `None` for no bound.
    pub effort_limit: Option<f64>,
}

impl Drive {
    /// A drive that moves its coordinate to its target in every step, whatever force is needed.
    pub const RIGID: Self = Self {
        stiffness: f64::INFINITY,
        damping: 0.0,
        effort_limit: None,
    };

    /// Whether it prescribes the motion of its coordinate.
    pub fn is_rigid(&self) -> bool {
        self.stiffness == f64::INFINITY
    }
}

/// A passive spring and damper on a joint coordinate or tendon, implicit in time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Spring {
    /// Stiffness, N/m or N m/rad (≥ 0).
    pub stiffness: f64,
    /// Rest value of the coordinate, m or rad.
    pub rest: f64,
    /// Width of the dead band above `rest`, in which the spring does not act, m or rad (≥ 0).
    // Omitted if there is none, so that files of earlier versions keep their hash.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub band: f64,
    /// Damping, N s/m or N m s/rad (≥ 0).
    pub damping: f64,
}

fn is_zero(value: &f64) -> bool {
    *value == 0.0
}

impl Spring {
    /// The spring without dead band that is equivalent to this one at `q`: within the band it has no stiffness. Steps
    /// select it at their start; since the force vanishes at the edges of the band, the resulting error is of second
    /// order.
    pub(crate) fn at(&self, q: f64) -> Self {
        if self.band == 0.0 {
            return *self;
        }
        let rest = q.clamp(self.rest, self.rest + self.band);
        Self {
            stiffness: if rest == q { 0.0 } else { self.stiffness },
            rest,
            band: 0.0,
            ..*self
        }
    }

    /// Energy stored at `q`, J.
    pub(crate) fn energy(&self, q: f64) -> f64 {
        let spring = self.at(q);
        0.5 * spring.stiffness * (q - spring.rest).powi(2)
    }
}

/// What acts on one coordinate of a joint, or along a tendon.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Axis {
    /// Range of motion.
    pub limits: Option<Limits>,
    /// Servo.
    pub drive: Option<Drive>,
    /// Passive spring and damper.
    pub spring: Spring,
    /// Inertia of the drive train seen at the coordinate, kg or kg m² (≥ 0).
    pub armature: f64,
    /// Dry friction, N or N m (≥ 0).
    pub friction: f64,
}

impl Axis {
    /// Whether anything acts.
    pub fn acts(&self) -> bool {
        let bounded = self.limits.is_some() || self.friction > 0.0;
        bounded || self.drive.is_some() || self.is_passive()
    }

    /// Whether a row along it opposes changes of its rate: that of an armature, or of a spring because of its step
    /// (`rows/drives.rs`).
    pub(crate) fn has_inertia(&self) -> bool {
        self.armature > 0.0 || self.spring.stiffness > 0.0
    }

    /// Whether a spring, damper or armature acts.
    pub fn is_passive(&self) -> bool {
        self.spring.stiffness > 0.0 || self.spring.damping > 0.0 || self.armature > 0.0
    }
}
