//! What lies between an actuator's control and its force: a lag, that of a muscle, or an integrator.

use super::MuscleLag;
use crate::model::Model;
use serde::{Deserialize, Serialize};

/// The activation a that an actuator's force follows instead of its control u.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Dynamics {
    /// Time constant T of a lag, T ȧ = u − a, s (> 0); `None` for an integrator, ȧ = u.
    pub time_constant: Option<f64>,
    /// A lag that depends on the activation, with this time constant where it rises.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub muscle: Option<MuscleLag>,
    /// Range of the activation.
    pub range: Option<[f64; 2]>,
}

impl Dynamics {
    /// The activation after `dt` (s) of a constant control, exact but for muscles.
    fn after(&self, activation: f64, control: f64, dt: f64) -> f64 {
        let next = match (self.time_constant, self.muscle) {
            (Some(time), Some(lag)) => lag.after(activation, control, time, dt),
            (Some(time), None) => control + (activation - control) * (-dt / time).exp(),
            (None, _) => activation + dt * control,
        };
        match self.range {
            Some([low, high]) => next.clamp(low, high),
            None => next,
        }
    }
}

impl Model {
    /// What the forces of the actuators follow at `time` (s): activations, which start at 0, and controls
    /// where an actuator has no dynamics. `memory` holds the time, activations and controls of the last call;
    /// controls were constant since. Keep it in [`Control::memory`](crate::Control::memory), and a run that
    /// is taken up again goes on with the same bits.
    pub fn activations(&self, controls: &[f64], time: f64, memory: &mut Vec<f64>) -> Vec<f64> {
        let count = self.actuators().len();
        let value = |i: usize| controls.get(i).copied().unwrap_or(0.0);
        if count == 0 {
            return Vec::new();
        }
        if memory.len() != 1 + 2 * count {
            memory.clear();
            memory.resize(1 + 2 * count, 0.0);
            memory[0] = time;
        }
        let dt = time - memory[0];
        memory[0] = time;
        let (activations, last) = memory[1..].split_at_mut(count);
        for (i, actuator) in self.actuators().iter().enumerate() {
            let control = match actuator.control_range {
                Some([low, high]) => value(i).clamp(low, high),
                None => value(i),
            };
            activations[i] = match actuator.dynamics {
                Some(dynamics) => dynamics.after(activations[i], last[i], dt),
                None => control,
            };
            last[i] = control;
        }
        activations.to_vec()
    }

    /// What [`activations`](Self::activations) remembers where actuators start with these activations at `time` (s).
    pub fn activated(&self, activations: &[f64], time: f64) -> Vec<f64> {
        let count = self.actuators().len();
        let mut memory = vec![0.0; 1 + 2 * count];
        memory[0] = time;
        for (to, value) in memory[1..=count].iter_mut().zip(activations) {
            *to = *value;
        }
        memory
    }

    /// The activations that [`activations`](Self::activations) last gave, as its `memory` has them; `None` before the
    /// first call.
    pub fn last_activations<'a>(&self, memory: &'a [f64]) -> Option<&'a [f64]> {
        let count = self.actuators().len();
        (memory.len() == 1 + 2 * count).then(|| &memory[1..1 + count])
    }

    /// The controls, cut to their ranges, that [`activations`](Self::activations) was last called with, as its
    /// `memory` has them; `None` before the first call.
    pub fn last_controls<'a>(&self, memory: &'a [f64]) -> Option<&'a [f64]> {
        let count = self.actuators().len();
        (memory.len() == 1 + 2 * count).then(|| &memory[1 + count..])
    }
}
