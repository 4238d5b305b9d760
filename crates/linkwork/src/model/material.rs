//! Surface properties and how two of them combine at a contact.

use super::{Impedance, Softness};
use serde::{Deserialize, Serialize};

/// Rule that combines the values of two surfaces at their contact.
///
/// If the two surfaces have different rules, the later one in this list is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Combine {
    /// (a + b) / 2
    Average,
    /// √(a b)
    GeometricMean,
    /// min(a, b)
    Min,
    /// a b
    Multiply,
    /// max(a, b)
    Max,
}

impl Combine {
    /// The combined value of `a` and `b`, by the later rule of the two surfaces.
    pub fn apply(self, other: Combine, a: f64, b: f64) -> f64 {
        match self.max(other) {
            Combine::Average => 0.5 * (a + b),
            Combine::GeometricMean => (a * b).sqrt(),
            Combine::Min => a.min(b),
            Combine::Multiply => a * b,
            Combine::Max => a.max(b),
        }
    }
}

/// Contact compliance of a surface [math.md §3; Castro §V].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Compliance {
    /// No compliance: R = 0.
    Rigid,
    /// A spring of stiffness k with dissipation time tau: R_n = 1/(dt k (dt + tau)).
    Physical {
        /// Point stiffness k, N/m (> 0).
        stiffness: f64,
        /// Dissipation time scale tau, s (≥ 0).
        dissipation_time: f64,
    },
    /// A soft layer whose area of contact is sampled: an elastic foundation. Each sample is a spring of stiffness K A,
    /// with A its share of the area, so the pressure is K times the depth. Of two pads the one with the finer spacing
    /// is sampled.
    Pad {
        /// Pressure per depth K, N/m³ (> 0): about Young's modulus divided by the thickness of the layer.
        modulus: f64,
        /// Dissipation time scale tau, s (≥ 0), as for `Physical`.
        dissipation_time: f64,
        /// Distance between samples, m (at least 1/200 of the size of the shape).
        spacing: f64,
    },
    /// MuJoCo's softness in the form of [Tsounis §V-D]; that of two surfaces is averaged.
    Impedance(Impedance),
    /// MuJoCo's own softness: the law of soft joints and limits. Its inverse inertia is that of the body, 1/kg (≥ 0);
    /// those of two surfaces are added, and their impedances averaged.
    Soft(Softness),
    /// R given directly on the normal and tangential rows, 1/kg (≥ 0).
    Direct {
        /// R of the normal row, 1/kg.
        normal: f64,
        /// R of the tangential rows, 1/kg.
        tangential: f64,
    },
}

/// Surface of a shape.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Material {
    /// Coulomb friction coefficient (≥ 0).
    pub friction: f64,
    /// Coefficient of torsional friction (about the normal), m (≥ 0): the maximum moment divided by the normal force.
    /// Of the order of the friction coefficient times the radius of the contact patch.
    #[serde(default, skip_serializing_if = "is_none")]
    pub torsional_friction: f64,
    /// Coefficient of rolling friction (about the tangents), m (≥ 0): the maximum moment divided by the normal force.
    #[serde(default, skip_serializing_if = "is_none")]
    pub rolling_friction: f64,
    /// Newton restitution coefficient, in [0, 1].
    pub restitution: f64,
    /// Rule for the friction of a pair: sliding, torsional and rolling.
    pub friction_combine: Combine,
    /// Rule for the restitution of a pair.
    pub restitution_combine: Combine,
    /// Compliance; two surfaces act as springs in series.
    pub compliance: Compliance,
    /// Distance from the surface at which contact begins, m (≥ 0); the sum for a pair.
    #[serde(default, skip_serializing_if = "is_none")]
    pub clearance: f64,
    /// Friction, restitution and compliance are those of the surface with the higher priority; with equal priority they
    /// are combined.
    #[serde(default, skip_serializing_if = "is_first")]
    pub priority: i32,
}

fn is_none(value: &f64) -> bool {
    *value == 0.0
}

fn is_first(priority: &i32) -> bool {
    *priority == 0
}

impl Default for Material {
    /// Rigid, friction 0.5, no restitution; friction is averaged, the larger restitution is used.
    fn default() -> Self {
        Self {
            friction: 0.5,
            torsional_friction: 0.0,
            rolling_friction: 0.0,
            restitution: 0.0,
            friction_combine: Combine::Average,
            restitution_combine: Combine::Max,
            compliance: Compliance::Rigid,
            clearance: 0.0,
            priority: 0,
        }
    }
}

impl Material {
    /// A rigid surface with the given friction coefficient and no restitution.
    pub fn with_friction(friction: f64) -> Self {
        Self {
            friction,
            ..Self::default()
        }
    }
}

/// Contact properties of a pair of surfaces.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PairMaterial {
    /// Friction coefficient.
    pub friction: f64,
    /// Coefficient of torsional friction, m.
    #[serde(default, skip_serializing_if = "is_none")]
    pub torsional_friction: f64,
    /// Coefficient of rolling friction, m.
    #[serde(default, skip_serializing_if = "is_none")]
    pub rolling_friction: f64,
    /// Restitution coefficient.
    pub restitution: f64,
    /// Compliance of the pair.
    pub compliance: Compliance,
    /// Distance at which they touch, m (≥ 0).
    pub clearance: f64,
}

impl PairMaterial {
    /// Whether friction resists turning.
    pub fn resists_turning(&self) -> bool {
        self.torsional_friction > 0.0 || self.rolling_friction > 0.0
    }

    /// Combine two surfaces.
    pub fn of(a: &Material, b: &Material) -> Self {
        let clearance = a.clearance + b.clearance;
        if a.priority != b.priority {
            let first = if a.priority > b.priority { a } else { b };
            return Self {
                friction: first.friction,
                torsional_friction: first.torsional_friction,
                rolling_friction: first.rolling_friction,
                restitution: first.restitution,
                compliance: first_of(first.compliance, a.compliance, b.compliance),
                clearance,
            };
        }
        let friction = |of_a, of_b| a.friction_combine.apply(b.friction_combine, of_a, of_b);
        // Every rule combines 0 and 0, the values of most surfaces, to 0.
        let turning = |of_a: f64, of_b: f64| {
            if of_a == 0.0 && of_b == 0.0 {
                0.0
            } else {
                friction(of_a, of_b)
            }
        };
        Self {
            clearance,
            friction: friction(a.friction, b.friction),
            torsional_friction: turning(a.torsional_friction, b.torsional_friction),
            rolling_friction: turning(a.rolling_friction, b.rolling_friction),
            restitution: a.restitution_combine.apply(
                b.restitution_combine,
                a.restitution,
                b.restitution,
            ),
            compliance: in_series(a.compliance, b.compliance),
        }
    }
}

/// The compliance of two surfaces, with priority. The masses of the bodies do not depend on priorities.
fn first_of(first: Compliance, a: Compliance, b: Compliance) -> Compliance {
    match (first, a, b) {
        (Compliance::Soft(soft), Compliance::Soft(a), Compliance::Soft(b)) => {
            Compliance::Soft(Softness {
                inverse_inertia: a.inverse_inertia + b.inverse_inertia,
                ..soft
            })
        }
        _ => first,
    }
}

/// Springs in series: compliances are added; the dissipation time is that of the softer surface. For two kinds that
/// cannot be combined, pad precedes direct, direct precedes soft, soft precedes impedance and impedance precedes
/// physical.
fn in_series(a: Compliance, b: Compliance) -> Compliance {
    use Compliance::{Direct, Impedance, Pad, Physical, Rigid, Soft};
    match (a, b) {
        (Rigid, other) | (other, Rigid) => other,
        (
            Pad {
                modulus: ka,
                dissipation_time: ta,
                spacing: sa,
            },
            Pad {
                modulus: kb,
                dissipation_time: tb,
                spacing: sb,
            },
        ) => Pad {
            modulus: ka * kb / (ka + kb),
            dissipation_time: (kb * ta + ka * tb) / (ka + kb),
            spacing: sa.min(sb),
        },
        (pad @ Pad { .. }, _) | (_, pad @ Pad { .. }) => pad,
        (
            Physical {
                stiffness: ka,
                dissipation_time: ta,
            },
            Physical {
                stiffness: kb,
                dissipation_time: tb,
            },
        ) => Physical {
            stiffness: ka * kb / (ka + kb),
            dissipation_time: (kb * ta + ka * tb) / (ka + kb),
        },
        (
            Direct {
                normal: na,
                tangential: ta,
            },
            Direct {
                normal: nb,
                tangential: tb,
            },
        ) => Direct {
            normal: na + nb,
            tangential: ta + tb,
        },
        (Impedance(a), Impedance(b)) => Impedance(a.mean(&b)),
        (Soft(a), Soft(b)) => Soft(Softness {
            impedance: a.impedance.mean(&b.impedance),
            inverse_inertia: a.inverse_inertia + b.inverse_inertia,
        }),
        (soft @ Soft(_), Impedance(_) | Physical { .. })
        | (Impedance(_) | Physical { .. }, soft @ Soft(_)) => soft,
        (soft @ Impedance(_), Physical { .. }) | (Physical { .. }, soft @ Impedance(_)) => soft,
        // A direct R has another dependence on dt than a stiffness. It was requested explicitly and is kept.
        (direct @ Direct { .. }, _) | (_, direct @ Direct { .. }) => direct,
    }
}
