//! Rate at which a soft constraint corrects its violation.

use serde::{Deserialize, Serialize};

/// The acceleration −b v − k r that a soft constraint with violation r requests, in MuJoCo's two forms (`solref`); b
/// and k are then divided by the impedance d_w and its square.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Reference {
    /// b = 2/T, k = 1/(T ζ)²: the violation decays like an oscillator.
    Time {
        /// Time constant T, s (> 0).
        time_constant: f64,
        /// Damping ratio ζ (> 0).
        damping_ratio: f64,
    },
    /// k and b themselves (a negative `solref`).
    Direct {
        /// k, 1/s² (≥ 0).
        stiffness: f64,
        /// b, 1/s (≥ 0).
        damping: f64,
    },
}

impl Default for Reference {
    /// MuJoCo's default: solref 0.02 1.
    fn default() -> Self {
        Self::Time {
            time_constant: 0.02,
            damping_ratio: 1.0,
        }
    }
}

impl Reference {
    /// k, 1/s².
    pub fn stiffness(&self) -> f64 {
        match *self {
            Self::Time {
                time_constant,
                damping_ratio,
            } => (time_constant * damping_ratio).powi(-2),
            Self::Direct { stiffness, .. } => stiffness,
        }
    }

    /// b, 1/s.
    pub fn damping(&self) -> f64 {
        match *self {
            Self::Time { time_constant, .. } => 2.0 / time_constant,
            Self::Direct { damping, .. } => damping,
        }
    }

    /// For two surfaces: the mean of two time constants; direct values take precedence over times, and of two direct
    /// values the larger is used.
    pub(super) fn mean(&self, other: &Reference) -> Reference {
        use Reference::{Direct, Time};
        match (*self, *other) {
            (
                Time {
                    time_constant: ta,
                    damping_ratio: za,
                },
                Time {
                    time_constant: tb,
                    damping_ratio: zb,
                },
            ) => Time {
                time_constant: 0.5 * (ta + tb),
                damping_ratio: 0.5 * (za + zb),
            },
            (
                Direct {
                    stiffness: ka,
                    damping: ba,
                },
                Direct {
                    stiffness: kb,
                    damping: bb,
                },
            ) => Direct {
                stiffness: ka.max(kb),
                damping: ba.max(bb),
            },
            (direct @ Direct { .. }, _) | (_, direct) => direct,
        }
    }

    /// The first number out of range: its name, value and range.
    pub(super) fn misfit(&self) -> Option<(&'static str, f64, &'static str)> {
        let above = "it must be positive and finite";
        let least = "it must be finite and not negative";
        let (first, second) = match *self {
            Self::Time {
                time_constant,
                damping_ratio,
            } => (
                ("impedance time constant", time_constant, above),
                ("impedance damping ratio", damping_ratio, above),
            ),
            Self::Direct { stiffness, damping } => (
                ("impedance stiffness", stiffness, least),
                ("impedance damping", damping, least),
            ),
        };
        let fits = |value: f64, remedy: &str| {
            value.is_finite() && (value > 0.0 || (remedy == least && value == 0.0))
        };
        let all = [first, second].into_iter();
        all.into_iter().find(|(_, value, why)| !fits(*value, why))
    }
}
