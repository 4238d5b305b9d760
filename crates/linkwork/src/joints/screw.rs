//! Nut on a screw along z: 5 rows locked, 1 angle free.
//!
//! C = (d_x, d_y, swing_x, swing_y, d_z − p q/2π), p the pitch, q the multi-turn twist about z;
//! Ċ = (v_x, v_y, swing rate, v_z − p q̇/2π);
//! J rows: those of [`Cylindrical`], then e_z on v and −p/2π times [`parts::twist`] on ω.
//! q = twist angle about z, multi-turn; q̇ = ω_z where C = 0. The advance is p q/2π.
//!
//! C needs the number of whole turns, so it reads the last known q: a step of half a turn or more cannot be
//! distinguished from a shorter one in the other direction.

use super::parts::{self, ROTATION_X, ROTATION_Y, X, Y};
use super::{Cylindrical, JointType, Label, Parameter, Relative, Revolute, Row, Unit};
use crate::math::Vec3;
use std::f64::consts::TAU;

/// A screw along the joint frame's z axis.
#[derive(Clone, Copy, Debug)]
pub struct Screw {
    /// Advance along z per turn, m; negative for a left-handed thread, 0 for none (a hinge).
    pub pitch: f64,
}

impl Screw {
    /// Advance per radian, m/rad.
    fn lead(&self) -> f64 {
        self.pitch / TAU
    }
}

impl JointType for Screw {
    fn name(&self) -> &'static str {
        "screw"
    }

    fn locked(&self) -> &'static [Label] {
        &[X, Y, ROTATION_X, ROTATION_Y, ("thread", Unit::Length)]
    }

    fn coordinates(&self) -> &'static [Label] {
        Revolute.coordinates()
    }

    fn constrain(&self, rel: &Relative, turns: &[f64], rows: &mut [Row]) {
        Cylindrical.constrain(rel, turns, rows);
        let (slide, twist) = (parts::point(rel, 2), parts::twist(rel, turns[0]));
        let lead = self.lead();
        rows[4] = Row {
            value: slide.value - lead * twist.value,
            linear: slide.linear,
            angular: -lead * twist.angular,
        };
    }

    fn measure(&self, rel: &Relative, turns: &[f64], coordinates: &mut [Row]) {
        Revolute.measure(rel, turns, coordinates);
    }

    fn parameters(&self) -> Vec<(&'static str, Parameter)> {
        vec![("pitch", Parameter::Number(self.pitch))]
    }

    fn place(&self, coordinates: &[f64]) -> Relative {
        let q = coordinates[0];
        Relative {
            d: Vec3::new(0.0, 0.0, self.lead() * q),
            rotation: parts::about_z(q),
        }
    }

    fn validate(&self) -> Result<(), String> {
        if self.pitch.is_finite() {
            Ok(())
        } else {
            Err(format!(
                "screw pitch is {}: give a finite advance in metres per turn",
                self.pitch
            ))
        }
    }
}
