//! Couplings Σ cᵢ qᵢ = c₀ between joint coordinates.

use super::JointId;
use serde::{Deserialize, Serialize};

/// One term cᵢ qᵢ of a coupling.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Term {
    /// The joint.
    pub joint: JointId,
    /// Which of its coordinates.
    pub coordinate: usize,
    /// Coefficient cᵢ.
    pub factor: f64,
}

/// A linear relation between joint coordinates.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Coupling {
    /// Unique name.
    pub name: String,
    /// The terms cᵢ qᵢ.
    pub terms: Vec<Term>,
    /// The value c₀ of their sum.
    pub offset: f64,
}

impl Coupling {
    /// Σ factor · q(joint, coordinate) = offset.
    pub fn new(name: impl Into<String>, terms: &[(JointId, usize, f64)], offset: f64) -> Self {
        Self {
            name: name.into(),
            terms: terms
                .iter()
                .map(|&(joint, coordinate, factor)| Term {
                    joint,
                    coordinate,
                    factor,
                })
                .collect(),
            offset,
        }
    }

    /// Two meshing gears with `teeth_a` and `teeth_b` teeth on parallel hinges: they turn opposite
    /// ways, teeth_a q_a + teeth_b q_b = const = 0. Negative teeth: an internal gear.
    pub fn gear(
        name: impl Into<String>,
        a: JointId,
        teeth_a: f64,
        b: JointId,
        teeth_b: f64,
    ) -> Self {
        // Divided by the larger count so that the row stays an angle of order one.
        let scale = teeth_a.abs().max(teeth_b.abs());
        Self::new(
            name,
            &[(a, 0, teeth_a / scale), (b, 0, teeth_b / scale)],
            0.0,
        )
    }

    /// q_follower = multiplier · q_leader + offset.
    pub fn mimic(
        name: impl Into<String>,
        follower: JointId,
        leader: JointId,
        multiplier: f64,
        offset: f64,
    ) -> Self {
        Self::new(
            name,
            &[(follower, 0, 1.0), (leader, 0, -multiplier)],
            offset,
        )
    }

    /// A rack (slide) driven by a pinion (hinge) of pitch radius `radius` (m): s = radius · q.
    pub fn rack_and_pinion(
        name: impl Into<String>,
        rack: JointId,
        pinion: JointId,
        radius: f64,
    ) -> Self {
        Self::mimic(name, rack, pinion, radius, 0.0)
    }

    /// A differential: the carrier turns by the mean of its two outputs, 2 q_c = q_l + q_r.
    pub fn differential(
        name: impl Into<String>,
        carrier: JointId,
        left: JointId,
        right: JointId,
    ) -> Self {
        Self::new(
            name,
            &[(carrier, 0, 1.0), (left, 0, -0.5), (right, 0, -0.5)],
            0.0,
        )
    }
}
