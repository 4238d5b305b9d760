//! Translation without rotation: 3 rows locked, 3 lengths free.
//!
//! C = θ, the rotation vector of R; Ċ = J_l⁻¹(θ) ω; J rows: the rows of J_l⁻¹(θ) on ω.
//! q = d; q̇ = v, exactly and everywhere.

use super::{JointType, Label, Relative, Row, parts};
use crate::math::Vec3;

/// Three slides at right angles: the frames stay parallel.
#[derive(Clone, Copy, Debug)]
pub struct Cartesian;

impl JointType for Cartesian {
    fn name(&self) -> &'static str {
        "cartesian"
    }

    fn locked(&self) -> &'static [Label] {
        &parts::POSE[3..]
    }

    fn coordinates(&self) -> &'static [Label] {
        &parts::POSE[..3]
    }

    fn constrain(&self, rel: &Relative, _turns: &[f64], rows: &mut [Row]) {
        parts::rotation(rel, rows);
    }

    fn measure(&self, rel: &Relative, _turns: &[f64], coordinates: &mut [Row]) {
        parts::points(rel, coordinates);
    }

    fn place(&self, coordinates: &[f64]) -> Relative {
        Relative::shifted(Vec3::from_column_slice(&coordinates[..3]))
    }
}
