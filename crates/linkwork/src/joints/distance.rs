//! Massless rod with ball ends: 1 row locked, the other motions free and not measured.
//!
//! C = |d| − l, l the length of the rod; Ċ = (d/|d|) · v; J row: d/|d| on v.
//! No coordinates.

use super::{JointType, Label, Parameter, Relative, Row, Unit};
use crate::math::Vec3;

/// A rod that keeps the two anchors at a fixed distance.
#[derive(Clone, Copy, Debug)]
pub struct Distance {
    /// Distance between the two anchors, m.
    pub length: f64,
}

impl JointType for Distance {
    fn name(&self) -> &'static str {
        "distance"
    }

    fn locked(&self) -> &'static [Label] {
        &[("distance", Unit::Length)]
    }

    fn coordinates(&self) -> &'static [Label] {
        &[]
    }

    fn constrain(&self, rel: &Relative, _turns: &[f64], rows: &mut [Row]) {
        let distance = rel.d.norm();
        rows[0] = Row {
            value: distance - self.length,
            // Anchors together have no direction: z, always, so that equal states give equal steps.
            linear: rel.d.try_normalize(0.0).unwrap_or_else(Vec3::z),
            angular: Vec3::zeros(),
        };
    }

    fn measure(&self, _rel: &Relative, _turns: &[f64], _coordinates: &mut [Row]) {}

    fn parameter(&self) -> Option<(&'static str, Parameter)> {
        Some(("length", Parameter::Number(self.length)))
    }

    fn place(&self, _coordinates: &[f64]) -> Relative {
        Relative::shifted(Vec3::z() * self.length)
    }

    fn validate(&self) -> Result<(), String> {
        if self.length > 0.0 && self.length.is_finite() {
            Ok(())
        } else {
            Err(format!(
                "distance length is {}: give a positive length in metres, or use a spherical joint for 0",
                self.length
            ))
        }
    }
}
