//! A set as cones of conic programming.

/// A cone that slacks lie in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cone {
    /// s = 0.
    Zero,
    /// s ≥ 0.
    NonNegative,
    /// s₀ ≥ ‖(s₁, s₂, …)‖.
    SecondOrder,
}

/// s = constant + factor λ_row; the row counts within the block.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slack {
    /// In units of the impulse, N s.
    pub constant: f64,
    /// Row of λ.
    pub row: usize,
    /// No unit.
    pub factor: f64,
}

impl Slack {
    /// factor λ_row.
    pub(super) fn of(row: usize, factor: f64) -> Self {
        Self {
            constant: 0.0,
            row,
            factor,
        }
    }
}
