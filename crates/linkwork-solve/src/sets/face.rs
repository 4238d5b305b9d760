//! The active set of a block.

use super::{Friction, ImpulseSet, MAX_DIM, Slope};

/// The part of its set on which an impulse lies, which determines the equations of the block.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Face {
    /// λ is inside and σ = 0: joints always, a closed limit, a sticking contact, a drive below its limit.
    Interior,
    /// λ = 0 and the block does not act: an open limit or contact.
    Open,
    /// λ_T = ‖λ_T‖ t on the boundary with the unit vector t, and σ_T opposite to it: a sliding contact, whose
    /// ‖λ_T‖ is μ λ_N and whose σ_N = 0.
    Slip {
        /// t by row, 0 on the normal row and beyond the last.
        direction: [f64; MAX_DIM],
    },
    /// λ is at its lower bound.
    Low,
    /// λ is at its upper bound.
    High,
}

/// Relative distance from the boundary beyond which an impulse counts as inside.
const EDGE: f64 = 1e-9;

impl ImpulseSet {
    /// The slope of a block if its active set stays that of the impulse λᵏ: a block without impulse has slope zero, an
    /// impulse inside its set sticks, and a contact at the edge of its cone slips on, in the direction given by the
    /// velocity `v` (m/s).
    pub fn predict(
        &self,
        friction: Friction,
        lambda: &[f64],
        v: &[f64],
        inverse: &[f64; MAX_DIM],
    ) -> Slope {
        let dim = lambda.len();
        if !self.is_free() && lambda.iter().all(|l| *l == 0.0) && self.is_cone() {
            return Slope::Zero;
        }
        let mut tau = [0.0; MAX_DIM];
        tau[..dim].copy_from_slice(lambda);
        let bounded = if dim == 1 { 1 } else { dim - 1 };
        tau[..bounded].iter_mut().for_each(|t| *t *= 1.0 + EDGE);
        match self.face(&tau[..dim]) {
            Face::Interior => Slope::Diagonal(*inverse),
            Face::Open | Face::Low | Face::High => Slope::Zero,
            Face::Slip { .. } => {
                // The slip direction does not depend on the normal velocity.
                for r in 0..bounded {
                    tau[r] -= v[r] * inverse[r];
                }
                self.respond(friction, &mut tau[..dim], inverse)
            }
        }
    }
}
