//! MuJoCo-style contact impedance [math.md §3; Tsounis §V-D].

use super::Reference;
use serde::{Deserialize, Serialize};

/// A softness given by the share of a constraint's acceleration that is corrected (d in (0, 1), 1 = hard) and by the
/// rate of correction, its [`Reference`]. For contacts R = (1 − d)/d D_jj, v* = dt (b v⁻ + k r); for joints, couplings
/// and limits see [`Softness`](super::Softness).
///
/// The bias of a contact also acts on the tangential rows (b v⁻), where it does not commute with the De Saxcé shift: an
/// approximation, as in the engines it comes from.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Impedance {
    /// d₀, impedance at zero violation, in (0, 1).
    pub at_zero: f64,
    /// d_w, impedance at `width` and beyond, in (0, 1).
    pub at_width: f64,
    /// Violation at which d_w is reached, m or rad (> 0).
    pub width: f64,
    /// Midpoint of the curve between the two, as a share of the width, in (0, 1).
    pub midpoint: f64,
    /// Power of the curve (≥ 1; 1 is a straight line).
    pub power: f64,
    /// How fast a violation goes.
    #[serde(flatten)]
    pub reference: Reference,
}

impl Default for Impedance {
    /// MuJoCo's defaults: solimp 0.9 0.95 0.001 0.5 2, solref 0.02 1.
    fn default() -> Self {
        Self {
            at_zero: 0.9,
            at_width: 0.95,
            width: 1e-3,
            midpoint: 0.5,
            power: 2.0,
            reference: Reference::default(),
        }
    }
}

impl Impedance {
    /// d at a violation |r| (m or rad): d₀ + y (d_w − d₀), x = min(|r|/width, 1), y = x^p/m^(p−1) up to the
    /// midpoint m and 1 − (1−x)^p/(1−m)^(p−1) beyond; both are m at x = m.
    pub fn at(&self, violation: f64) -> f64 {
        let (p, m) = (self.power, self.midpoint);
        let x = (violation.abs() / self.width).min(1.0);
        let y = if x <= m {
            x.powf(p) / m.powf(p - 1.0)
        } else {
            1.0 - (1.0 - x).powf(p) / (1.0 - m).powf(p - 1.0)
        };
        self.at_zero + y * (self.at_width - self.at_zero)
    }

    /// b, 1/s.
    pub fn damping(&self) -> f64 {
        self.reference.damping() / self.at_width
    }

    /// k at a violation, 1/s².
    pub fn stiffness(&self, violation: f64) -> f64 {
        self.at(violation) * self.reference.stiffness() / (self.at_width * self.at_width)
    }

    /// The mean of two surfaces.
    pub(super) fn mean(&self, other: &Impedance) -> Impedance {
        let mean = |f: fn(&Impedance) -> f64| 0.5 * (f(self) + f(other));
        Impedance {
            at_zero: mean(|i| i.at_zero),
            at_width: mean(|i| i.at_width),
            width: mean(|i| i.width),
            midpoint: mean(|i| i.midpoint),
            power: mean(|i| i.power),
            reference: self.reference.mean(&other.reference),
        }
    }

    /// The first parameter out of range: its name, value and range.
    pub(super) fn misfit(&self) -> Option<(&'static str, f64, &'static str)> {
        let open = |x: f64| x > 0.0 && x < 1.0;
        let positive = |x: f64| x > 0.0 && x.is_finite();
        let unit = "it must lie in (0, 1)";
        let above = "it must be positive and finite";
        [
            ("impedance at zero", self.at_zero, open(self.at_zero), unit),
            (
                "impedance at width",
                self.at_width,
                open(self.at_width),
                unit,
            ),
            ("impedance width", self.width, positive(self.width), above),
            (
                "impedance midpoint",
                self.midpoint,
                open(self.midpoint),
                unit,
            ),
            (
                "impedance power",
                self.power,
                self.power >= 1.0 && self.power.is_finite(),
                "it must be at least 1",
            ),
        ]
        .into_iter()
        .find(|(_, _, fits, _)| !fits)
        .map(|(what, value, _, remedy)| (what, value, remedy))
        .or_else(|| self.reference.misfit())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_curve_is_continuous_and_monotone_between_its_ends() {
        for power in [1.0, 2.0, 5.0] {
            let i = Impedance {
                power,
                midpoint: 0.3,
                ..Impedance::default()
            };
            assert_eq!(i.at(0.0), i.at_zero);
            assert!((i.at(2.0 * i.width) - i.at_width).abs() < 1e-15);
            let at = |k: usize| i.at(i.width * k as f64 / 1e4);
            for k in 0..10_000 {
                assert!(at(k + 1) >= at(k) && at(k + 1) - at(k) < 1e-4);
            }
        }
    }
}
