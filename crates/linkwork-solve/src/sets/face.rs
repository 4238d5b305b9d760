//! The active set of a block.

use super::MAX_DIM;

/// The part of its set that an impulse lies on, and with it the equations of the block.
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
