//! Integrators: the scheme, and its numbers.
//!
//! All schemes solve one problem per step, M (u⁺ − u⁻) = kick + Jᵀλ with the rows of one configuration, and close the
//! joints at the final poses. They differ in where the rows are evaluated, in how long each velocity moves the poses,
//! and in the weights of springs, dampers and drives. A [`Plan`] has these numbers; the step itself does not depend on
//! the scheme. Each scheme has its plan in one file.

mod closed;
mod moreau;
mod semi_implicit;
mod stage;
mod tangent;
mod theta;

pub(crate) use stage::Stage;
pub(crate) use tangent::Tangent;

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Time integrator of a [`Simulator`](crate::Simulator).
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Integrator {
    /// Rows at the poses, poses moved by the new velocities, which are at mid-step (leapfrog, SHAKE): second order in
    /// positions and in [synchronised](crate::Simulator::synchronised) velocities, energy without trend. The default.
    #[default]
    SemiImplicitEuler,
    /// Moreau's midpoint scheme [Tsounis §III-A]: half a step with the old velocities, everything evaluated there, half
    /// a step with the new velocities. Second order, velocities at the time of the poses.
    Moreau,
    /// The two-stage theta-method [Castro eq. 6–18]: forces at q^θ and v^θ, poses moved by θ_vq v + (1 − θ_vq) v₀.
    Theta {
        /// Position in the step at which rows are evaluated and forces act, θ in [0, 1].
        theta: f64,
        /// Weight of the new velocities in the motion of the poses, θ_vq in [0, 1].
        theta_vq: f64,
    },
}

/// Named choices of θ and θ_vq [Castro §II-C].
const PRESETS: [(&str, f64, f64); 4] = [
    ("explicit", 0.0, 0.0),
    ("symplectic", 0.0, 1.0),
    ("implicit", 1.0, 1.0),
    ("midpoint", 0.5, 0.5),
];

impl Integrator {
    /// Explicit Euler, θ = θ_vq = 0.
    pub const EXPLICIT: Self = Self::preset(0);
    /// Symplectic Euler, θ = 0, θ_vq = 1.
    pub const SYMPLECTIC: Self = Self::preset(1);
    /// Implicit Euler, θ = θ_vq = 1.
    pub const IMPLICIT: Self = Self::preset(2);
    /// Midpoint rule, θ = θ_vq = ½.
    pub const MIDPOINT: Self = Self::preset(3);

    const fn preset(i: usize) -> Self {
        let (_, theta, theta_vq) = PRESETS[i];
        Self::Theta { theta, theta_vq }
    }

    /// The names accepted by [`Integrator::from_str`], and the pattern of the theta-method.
    pub fn names() -> impl Iterator<Item = &'static str> {
        let presets = PRESETS.iter().map(|preset| preset.0);
        ["semi-implicit-euler", "moreau"]
            .into_iter()
            .chain(presets)
            .chain(["theta=T,TVQ"])
    }

    /// Factor by which the difference between a step and its halves exceeds the error of the halves: 2^p − 1, p the
    /// order of positions.
    pub(crate) fn gain(self) -> f64 {
        match self {
            Self::SemiImplicitEuler | Self::Moreau | Self::MIDPOINT => 3.0,
            Self::Theta { .. } => 1.0,
        }
    }

    /// Whether velocities are at mid-step and not at the time of the poses.
    pub fn is_staggered(self) -> bool {
        self == Self::SemiImplicitEuler
    }

    /// Whether the poses at the end of a step depend on its impulses, so that joints can be closed there.
    pub(crate) fn can_close(self) -> bool {
        !matches!(self, Self::Theta { theta_vq, .. } if theta_vq == 0.0)
    }

    /// The numbers of a step of `dt` (s) after one of `lag` (s).
    pub(crate) fn plan(self, dt: f64, lag: f64) -> Plan {
        match self {
            Self::SemiImplicitEuler => semi_implicit::plan(dt, lag),
            Self::Moreau => moreau::plan(dt),
            Self::Theta { theta, theta_vq } => theta::plan(dt, theta, theta_vq),
        }
    }
}

/// An integrator that is not known by this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no integrator '{0}'; choose one of {list}, T and TVQ in [0, 1]", list = Integrator::names().collect::<Vec<_>>().join(", "))]
pub struct UnknownIntegrator(String);

impl FromStr for Integrator {
    type Err = UnknownIntegrator;

    fn from_str(name: &str) -> Result<Self, UnknownIntegrator> {
        let unknown = || UnknownIntegrator(name.to_owned());
        match name {
            "semi-implicit-euler" => return Ok(Self::SemiImplicitEuler),
            "moreau" => return Ok(Self::Moreau),
            _ => {}
        }
        if let Some(i) = PRESETS.iter().position(|preset| preset.0 == name) {
            return Ok(Self::preset(i));
        }
        let pair = name.strip_prefix("theta=").and_then(|p| p.split_once(','));
        let (theta, theta_vq) = pair.ok_or_else(unknown)?;
        let number = |text: &str| match text.trim().parse() {
            Ok(x) if (0.0..=1.0).contains(&x) => Ok(x),
            _ => Err(unknown()),
        };
        Ok(Self::Theta {
            theta: number(theta)?,
            theta_vq: number(theta_vq)?,
        })
    }
}

impl fmt::Display for Integrator {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match *self {
            Self::SemiImplicitEuler => f.write_str("semi-implicit-euler"),
            Self::Moreau => f.write_str("moreau"),
            Self::Theta { theta, theta_vq } => {
                let named = PRESETS
                    .iter()
                    .find(|preset| (preset.1, preset.2) == (theta, theta_vq));
                match named {
                    Some(preset) => f.write_str(preset.0),
                    None => write!(f, "theta={theta},{theta_vq}"),
                }
            }
        }
    }
}

/// A step in numbers. All are durations in s.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Plan {
    /// Size of the step.
    pub dt: f64,
    /// Distance of the rows ahead of the state, moved with the old velocities: θ dt.
    pub lead: f64,
    /// Duration for which the old velocities move the poses: (1 − θ_vq) dt.
    pub before: f64,
    /// Duration for which the new velocities move the poses: θ_vq dt.
    pub after: f64,
    /// Divisor of gaps and errors in biases: `after`, or the next step if that is zero.
    pub span: f64,
    /// Duration for which the new velocities move from the poses of the rows; 0 if a kick only completes velocities.
    pub ahead: f64,
    /// Duration for which the old velocities moved towards the poses of the rows, if velocities are at mid-step;
    /// otherwise 0.
    pub behind: f64,
    /// Duration of the kick by forces.
    pub kick: f64,
    /// The part of the kick before the poses of the rows.
    pub past: f64,
    /// Time over which the rate of a geared coordinate is measured, and the factor on the part of its mean rate over
    /// that time that J does not contain: 1 for the mean rate, 2 for the rate at the end of the step if the rows are
    /// equally far before it.
    pub gear: (f64, f64),
    /// Remaining time of the whole step after this part of it: rigid drives reach their targets at its end.
    pub later: f64,
    /// Weights of springs, dampers and drives.
    pub laws: Laws,
    /// Whether velocities are projected on J u = 0 after every step.
    pub tangent: bool,
}

/// Weights of the old and new rates in passive elements and drives, each [old, new]: their impulse is λ = h k (q₀ −
/// q) + ¼ k (s₀² v⁻ − s₁² v⁺) − d (c₀ v⁻ + c₁ v⁺), with q at the poses of the rows and h the kick.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Laws {
    /// s₀ and s₁ of springs, s.
    pub spring: [f64; 2],
    /// c₀ and c₁ of dampers, s.
    pub damper: [f64; 2],
    /// ¼ s₀² and ¼ s₁² of drives, s².
    pub servo: [f64; 2],
    /// c₀ and c₁ of the damping of drives, s.
    pub servo_damper: [f64; 2],
}

impl Plan {
    /// Additional time for which the old velocities move the poses beyond the poses of the rows, s.
    pub fn shift(&self) -> f64 {
        self.before - self.lead
    }

    /// Whether velocities that open contacts and limits do so in this step, after the old velocities closed them, and
    /// end with it.
    pub fn ends_pushes(&self) -> bool {
        self.before > 0.0 && self.after > 0.0
    }

    /// Opening rate at which a gap returns to its value before the motion by the old velocities, m/s, if these change
    /// it at `rate`, m/s.
    pub fn made(&self, rate: f64) -> f64 {
        self.before / self.span * (-rate).max(0.0)
    }

    /// A staggered step of `dt` (s) after a kick of `kick` (s).
    pub fn staggered(dt: f64, kick: f64) -> Self {
        semi_implicit::with(dt, dt, kick)
    }

    /// A kick that only completes the velocities of a step of `dt`.
    pub fn completion(dt: f64) -> Self {
        semi_implicit::with(dt, 0.0, 0.5 * dt)
    }

    /// Velocities change at once: no force has time to act.
    pub fn impact(dt: f64) -> Self {
        semi_implicit::with(dt, 0.0, 0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back() {
        for name in Integrator::names().filter(|name| !name.contains('=')) {
            let integrator: Integrator = name.parse().unwrap();
            assert_eq!(integrator.to_string(), name);
        }
        let some: Integrator = "theta=0.6,0.55".parse().unwrap();
        assert_eq!(some.to_string().parse(), Ok(some));
        for wrong in [
            "leapfrog",
            "theta=2,0.5",
            "theta=0.5",
            "theta=a,b",
            "theta=NaN,1",
        ] {
            let error = wrong.parse::<Integrator>().unwrap_err().to_string();
            assert!(error.contains(wrong) && error.contains("moreau"), "{error}");
        }
    }
}
