//! Tendons: a length over joint coordinates and along a path in space, with elements that act along it.

use super::{Axis, Drive, JointId, Limits, Spring, Term, Waypoint};
use serde::{Deserialize, Serialize};

/// A cord, belt or hydraulic line of length L = Σ cᵢ qᵢ + |path|: a sum of coordinates, the length of a path through
/// points on bodies, or both. It transmits only forces along it: a force f on L is the force cᵢ f on every coordinate,
/// and pushes the ends of every straight segment of the path apart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tendon {
    /// Unique name.
    pub name: String,
    /// The terms cᵢ qᵢ, linear.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub terms: Vec<Term>,
    /// The path in space; empty for none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub path: Vec<Waypoint>,
    /// Elements that act along it; lengths are in the unit of cᵢ qᵢ.
    pub axis: Axis,
}

impl Tendon {
    /// L = Σ factor · q(joint, coordinate), without any elements yet.
    pub fn new(name: impl Into<String>, terms: &[(JointId, usize, f64)]) -> Self {
        let term = |&(joint, coordinate, factor): &_| Term::linear(joint, coordinate, factor);
        Self {
            name: name.into(),
            terms: terms.iter().map(term).collect(),
            path: Vec::new(),
            axis: Axis::default(),
        }
    }

    /// L is the length of a path, without any elements yet.
    pub fn spatial(name: impl Into<String>, path: impl Into<Vec<Waypoint>>) -> Self {
        Self {
            name: name.into(),
            terms: Vec::new(),
            path: path.into(),
            axis: Axis::default(),
        }
    }

    /// Range of its length.
    pub fn limits(self, min: f64, max: f64) -> Self {
        self.with(|axis| axis.limits = Some(Limits::new(min, max)))
    }

    /// Servo on its length: gains k_p and k_d.
    pub fn drive(self, stiffness: f64, damping: f64) -> Self {
        self.with(|axis| {
            axis.drive = Some(Drive {
                stiffness,
                damping,
                effort_limit: None,
            })
        })
    }

    /// Spring and damper along it.
    pub fn spring(self, stiffness: f64, rest: f64, damping: f64) -> Self {
        self.with(|axis| {
            axis.spring = Spring {
                stiffness,
                rest,
                damping,
                band: 0.0,
            }
        })
    }

    /// Lets the spring act only where the length is less than its rest value or more than `band` (m) above it.
    pub fn dead_band(self, band: f64) -> Self {
        self.with(|axis| axis.spring.band = band)
    }

    /// Change what acts along it.
    pub fn with(mut self, change: impl FnOnce(&mut Axis)) -> Self {
        change(&mut self.axis);
        self
    }

    /// Σ cᵢ xᵢ with x given by `of`: the contribution of coordinates to the length, or of their rates to the speed.
    pub fn sum(&self, mut of: impl FnMut(&Term) -> f64) -> f64 {
        self.terms.iter().map(|term| term.factor * of(term)).sum()
    }
}
