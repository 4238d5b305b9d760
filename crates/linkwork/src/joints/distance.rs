//! Massless rod with ball ends: 1 row locked, the other motions free and not measured.
//!
//! C = |d| − l, l the length of the rod; Ċ = (d/|d|) · v; J row: d/|d| on v. No coordinates.
//!
//! A rod that the other joints keep from swinging is replaced by [`Held`]: its far end keeps its position in the frame
//! of the near one.

use super::{End, JointType, Label, Parameter, Relative, Row, Unit};
use crate::math::{Quat, Vec3};
use std::sync::Arc;

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
            // If the anchors coincide there is no direction: always use z, so that equal states have equal steps.
            linear: rel.d.try_normalize(0.0).unwrap_or_else(Vec3::z),
            angular: Vec3::zeros(),
        };
    }

    fn measure(&self, _rel: &Relative, _turns: &[f64], _coordinates: &mut [Row]) {}

    fn held(&self, rel: &Relative, end: End) -> Option<Arc<dyn JointType>> {
        let seen = end.sees(rel).try_normalize(0.0)?;
        let turn = Quat::rotation_between(&Vec3::x(), &seen)
            .unwrap_or_else(|| Quat::from_axis_angle(&Vec3::z_axis(), std::f64::consts::PI));
        Some(Arc::new(Held {
            rod: *self,
            end,
            axes: [seen, turn * Vec3::y(), turn * Vec3::z()],
        }))
    }

    fn parameters(&self) -> Vec<(&'static str, Parameter)> {
        vec![("length", Parameter::Number(self.length))]
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

/// Rows of a rod that is held.
const HELD: [Label; 3] = [
    ("distance", Unit::Length),
    ("across y", Unit::Length),
    ("across z", Unit::Length),
];

/// A rod that cannot swing, with its ends at their only possible position: a ball joint at one of them.
///
/// C = Aᵀd − l e_x with d as seen from the `end`, along the rod and across it; J rows: the columns of A on v and, if
/// seen from the follower, R A × d on ω.
#[derive(Clone, Copy, Debug)]
struct Held {
    rod: Distance,
    end: End,
    /// Along the rod, and two directions across it, in the frame of the end.
    axes: [Vec3; 3],
}

impl JointType for Held {
    fn name(&self) -> &'static str {
        self.rod.name()
    }

    fn locked(&self) -> &'static [Label] {
        &HELD
    }

    fn coordinates(&self) -> &'static [Label] {
        &[]
    }

    fn constrain(&self, rel: &Relative, _turns: &[f64], rows: &mut [Row]) {
        let seen = self.end.sees(rel);
        for (row, axis) in rows.iter_mut().zip(&self.axes) {
            let linear = match self.end {
                End::Base => *axis,
                End::Follower => rel.rotation * axis,
            };
            *row = Row {
                value: axis.dot(&seen),
                linear,
                angular: match self.end {
                    End::Base => Vec3::zeros(),
                    End::Follower => linear.cross(&rel.d),
                },
            };
        }
        rows[0].value -= self.rod.length;
    }

    fn measure(&self, _rel: &Relative, _turns: &[f64], _coordinates: &mut [Row]) {}

    /// Whether it is held is derived from the model again.
    fn prepared(&self) -> Option<Arc<dyn JointType>> {
        Some(Arc::new(self.rod))
    }

    fn is_held(&self) -> bool {
        true
    }

    fn parameters(&self) -> Vec<(&'static str, Parameter)> {
        self.rod.parameters()
    }

    fn place(&self, _coordinates: &[f64]) -> Relative {
        Relative::shifted(self.rod.length * self.axes[0])
    }

    fn validate(&self) -> Result<(), String> {
        self.rod.validate()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::exp;

    #[test]
    fn rows_of_a_held_rod_are_derivatives_and_vanish_where_it_was_held() {
        let rod = Distance { length: 0.7 };
        let rotation = exp(&Vec3::new(0.4, -1.1, 0.8));
        let at = Relative {
            d: rotation * Vec3::new(0.2, 0.6, -0.3).normalize() * 0.7,
            rotation,
        };
        for end in [End::Base, End::Follower] {
            let held = rod.held(&at, end).expect("a rod with a direction");
            let value = |rel: &Relative| {
                let mut rows = [Row::ZERO; 3];
                held.constrain(rel, &[], &mut rows);
                rows
            };
            let here = value(&at);
            assert!(here.iter().all(|row| row.value.abs() < 1e-15));
            let (v, w) = (Vec3::new(0.3, -0.5, 0.2), Vec3::new(-0.7, 0.1, 0.9));
            let moved = |t: f64| Relative {
                d: at.d + t * v,
                rotation: exp(&(t * w)) * at.rotation,
            };
            let t = 1e-5;
            for (i, row) in here.iter().enumerate() {
                let slope = (value(&moved(t))[i].value - value(&moved(-t))[i].value) / (2.0 * t);
                let exact = row.linear.dot(&v) + row.angular.dot(&w);
                assert!((slope - exact).abs() < 1e-9, "{end:?}: {slope} {exact}");
            }
        }
    }
}
