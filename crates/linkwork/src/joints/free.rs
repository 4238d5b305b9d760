//! No constraint: 0 rows locked, 3 lengths and 3 angles free.
//!
//! C, Ċ and J are empty. q = (d, θ), θ = rotation vector of R, |θ| ≤ π; q̇ = (v, J_l⁻¹(θ) ω), exactly.
//! Useful to measure, drive or spring one body relative to another; θ jumps to −θ at half a turn.

use super::{JointType, Label, Relative, Row, parts};
use crate::math::{Vec3, exp};

/// Free relative motion, measured but not constrained.
#[derive(Clone, Copy, Debug)]
pub struct Free;

impl JointType for Free {
    fn name(&self) -> &'static str {
        "free"
    }

    fn locked(&self) -> &'static [Label] {
        &[]
    }

    fn coordinates(&self) -> &'static [Label] {
        parts::POSE
    }

    fn constrain(&self, _rel: &Relative, _turns: &[f64], _rows: &mut [Row]) {}

    fn measure(&self, rel: &Relative, _turns: &[f64], coordinates: &mut [Row]) {
        parts::points(rel, coordinates);
        parts::rotation(rel, &mut coordinates[3..]);
    }

    fn jumps(&self, from: &[f64], to: &[f64]) -> bool {
        parts::rotation_jumps(&from[3..], &to[3..])
    }

    fn rotation_vector(&self) -> Option<usize> {
        Some(3)
    }

    fn place(&self, coordinates: &[f64]) -> Relative {
        Relative {
            d: Vec3::from_column_slice(&coordinates[..3]),
            rotation: exp(&Vec3::from_column_slice(&coordinates[3..6])),
        }
    }
}
