//! Weld: 6 rows locked, nothing free.
//!
//! C = (d, θ), θ = rotation vector of R; Ċ = (v, J_l⁻¹(θ) ω);
//! J rows: e_x, e_y, e_z on v, the rows of J_l⁻¹(θ) on ω ([`parts::rotation`]).

use super::{JointType, Label, Relative, Row, parts};

/// A weld of the two joint frames.
#[derive(Clone, Copy, Debug)]
pub struct Fixed;

impl JointType for Fixed {
    fn name(&self) -> &'static str {
        "fixed"
    }

    fn locked(&self) -> &'static [Label] {
        parts::POSE
    }

    fn coordinates(&self) -> &'static [Label] {
        &[]
    }

    fn constrain(&self, rel: &Relative, _turns: &[f64], rows: &mut [Row]) {
        parts::points(rel, rows);
        parts::rotation(rel, &mut rows[3..]);
    }

    fn measure(&self, _rel: &Relative, _turns: &[f64], _coordinates: &mut [Row]) {}

    fn place(&self, _coordinates: &[f64]) -> Relative {
        Relative::identity()
    }
}
