//! Ball joint: 3 rows locked, 3 angles free.
//!
//! C = d; Ċ = v; J rows: e_x, e_y, e_z on v.
//! q = θ, the rotation vector of R, |θ| ≤ π; q̇ = J_l⁻¹(θ) ω, exactly. There is no singularity below half a turn, where
//! θ jumps to −θ: keep limits and drives inside. |θ| itself can be limited, too: J_l⁻¹ does not change n = θ/|θ|, so
//! d|θ|/dt = n · ω = n · q̇. For three independent multi-turn angles use [`Gimbal`](super::Gimbal), which locks the
//! same rows.

use super::{JointType, Label, Relative, Row, parts};
use crate::math::{Vec3, exp};

/// A ball joint; its coordinates are the rotation vector.
#[derive(Clone, Copy, Debug)]
pub struct Spherical;

impl JointType for Spherical {
    fn name(&self) -> &'static str {
        "spherical"
    }

    fn locked(&self) -> &'static [Label] {
        &parts::POSE[..3]
    }

    fn coordinates(&self) -> &'static [Label] {
        &parts::POSE[3..]
    }

    fn constrain(&self, rel: &Relative, _turns: &[f64], rows: &mut [Row]) {
        parts::points(rel, rows);
    }

    fn measure(&self, rel: &Relative, _turns: &[f64], coordinates: &mut [Row]) {
        parts::rotation(rel, coordinates);
    }

    fn jumps(&self, from: &[f64], to: &[f64]) -> bool {
        parts::rotation_jumps(from, to)
    }

    fn rotation_vector(&self) -> Option<usize> {
        Some(0)
    }

    fn place(&self, coordinates: &[f64]) -> Relative {
        Relative::turned(exp(&Vec3::from_column_slice(&coordinates[..3])))
    }
}
