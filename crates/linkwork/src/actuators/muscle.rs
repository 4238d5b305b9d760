//! Muscles: force by activation, length and speed of shortening, with the curves of the MuJoCo manual ("Muscle actuators"), which its
//! FLV function multiplies and adds: F = −F₀ (a FL(L) FV(V) + FP(L)).

use serde::{Deserialize, Serialize};

/// Least denominator in the curves (MuJoCo's mjMINVAL).
const LEAST: f64 = 1e-15;

/// A muscle, which determines the force of its actuator instead of gain and bias. It only pulls: its force is never
/// positive.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Muscle {
    /// Peak active force F₀ at rest, N or N m (≥ 0).
    pub force: f64,
    /// Shortest and longest length of its coordinate or tendon times the gear, m or rad.
    pub length_range: [f64; 2],
    /// These lengths in units of its optimal length L₀.
    pub range: [f64; 2],
    /// Lengths between which it is active, in units of L₀: below 1 and above 1.
    pub active: [f64; 2],
    /// Speed of shortening at which it has no force, in L₀/s (> 0).
    pub fastest: f64,
    /// Twice the passive force half way from L₀ to the longest active length, in F₀ (≥ 0).
    pub passive: f64,
    /// Active force when it is lengthened fast, in F₀ (≥ 1).
    pub lengthening: f64,
}

impl Muscle {
    /// Its force (N or N m) for an activation, at a length (m or rad) and a rate of it (m/s or rad/s).
    pub fn force(&self, activation: f64, length: f64, rate: f64) -> f64 {
        -self.force * (activation * self.active_share(length, rate) + self.passive_share(length))
    }

    /// FL(L) FV(V): active force for full activation over F₀.
    pub fn active_share(&self, length: f64, rate: f64) -> f64 {
        let speed = rate / (self.optimal() * self.fastest).max(LEAST);
        self.by_length(self.scaled(length)) * self.by_speed(speed)
    }

    /// FP(L): passive force over F₀. A parabola from L₀ on, and then a straight line.
    pub fn passive_share(&self, length: f64) -> f64 {
        let length = self.scaled(length);
        let bend = 0.5 * (1.0 + self.active[1]);
        let width = (bend - 1.0).max(LEAST);
        if length <= 1.0 {
            0.0
        } else if length <= bend {
            0.5 * self.passive * ((length - 1.0) / width).powi(2)
        } else {
            self.passive * (0.5 + (length - bend) / width)
        }
    }

    /// L₀, m or rad.
    fn optimal(&self) -> f64 {
        let [from, to] = self.range;
        (self.length_range[1] - self.length_range[0]) / (to - from).max(LEAST)
    }

    /// A length in units of L₀.
    fn scaled(&self, length: f64) -> f64 {
        self.range[0] + (length - self.length_range[0]) / self.optimal().max(LEAST)
    }

    /// FL: 1 at L₀, four parabolas to 0 at the ends.
    fn by_length(&self, length: f64) -> f64 {
        let [low, high] = self.active;
        let (a, b) = (0.5 * (low + 1.0), 0.5 * (1.0 + high));
        let share = |from: f64, to: f64| (length - from) / (to - from).max(LEAST);
        if length < low || length > high {
            0.0
        } else if length <= a {
            0.5 * share(low, a).powi(2)
        } else if length <= 1.0 {
            1.0 - 0.5 * ((1.0 - length) / (1.0 - a).max(LEAST)).powi(2)
        } else if length <= b {
            1.0 - 0.5 * share(1.0, b).powi(2)
        } else {
            0.5 * ((high - length) / (high - b).max(LEAST)).powi(2)
        }
    }

    /// FV: 0 where it shortens at full speed, 1 at rest, `lengthening` beyond.
    fn by_speed(&self, speed: f64) -> f64 {
        let above = self.lengthening - 1.0;
        if speed <= -1.0 {
            0.0
        } else if speed <= 0.0 {
            (speed + 1.0).powi(2)
        } else if speed <= above {
            self.lengthening - (above - speed).powi(2) / above.max(LEAST)
        } else {
            self.lengthening
        }
    }
}

/// Lag of the activation of a muscle behind its control, both in [0, 1]: τ ȧ = u − a, with τ = τ_act (0.5 + 1.5 a) for
/// increasing a and τ_deact/(0.5 + 1.5 a) for decreasing a.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MuscleLag {
    /// τ_deact, s (> 0). τ_act is the time constant of the dynamics.
    pub deactivation: f64,
    /// Width of u − a over which τ changes smoothly from one to the other; 0: abruptly.
    #[serde(default)]
    pub smoothing: f64,
}

impl MuscleLag {
    /// τ, s.
    pub fn time_constant(&self, activation: f64, control: f64, rising: f64) -> f64 {
        let slow = 0.5 + 1.5 * activation.clamp(0.0, 1.0);
        let (up, down) = (rising * slow, self.deactivation / slow);
        let excess = control.clamp(0.0, 1.0) - activation;
        if self.smoothing < LEAST {
            return if excess > 0.0 { up } else { down };
        }
        down + (up - down) * smooth_step(excess / self.smoothing + 0.5)
    }

    /// The activation after `dt` (s) of a constant control: exact for a constant τ, which is evaluated in the middle.
    /// Second order, and stable for any `dt`.
    pub(super) fn after(&self, activation: f64, control: f64, rising: f64, dt: f64) -> f64 {
        let control = control.clamp(0.0, 1.0);
        let follow = |tau: f64, dt: f64| control + (activation - control) * (-dt / tau).exp();
        let start = self.time_constant(activation, control, rising);
        let middle = follow(start, 0.5 * dt);
        follow(self.time_constant(middle, control, rising), dt)
    }
}

/// From 0 to 1 with two continuous derivatives.
fn smooth_step(x: f64) -> f64 {
    let x = x.clamp(0.0, 1.0);
    x * x * x * (6.0 * x * x - 15.0 * x + 10.0)
}
