//! Dynamics between an actuator's control and its force: a lag, the lag of a muscle, or an integrator.

use super::MuscleLag;
use crate::model::Model;
use serde::{Deserialize, Serialize};

/// The activation a, which replaces the control u in an actuator's force.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Dynamics {
    /// Time constant T of a lag, T ȧ = u − a, s (> 0); `None` for an integrator, ȧ = u.
    pub time_constant: Option<f64>,
    /// A lag that depends on the activation, with this time constant for increasing a.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub muscle: Option<MuscleLag>,
    /// Range of the activation.
    pub range: Option<[f64; 2]>,
}

impl Dynamics {
    /// The activation after `dt` (s) of a constant control; exact except for muscles.
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
    /// The inputs of the actuator forces at `time` (s): activations, which start at 0, and controls where an actuator
    /// has no dynamics. `memory` has the time, activations and controls of the last call; controls were constant since.
    /// Store it in [`Control::memory`](crate::Control::memory), so that a resumed run continues with the same bits.
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

    /// The memory of [`activations`](Self::activations) for actuators that start with these activations at `time` (s).
    pub fn activated(&self, activations: &[f64], time: f64) -> Vec<f64> {
        let count = self.actuators().len();
        let mut memory = vec![0.0; 1 + 2 * count];
        memory[0] = time;
        for (to, value) in memory[1..=count].iter_mut().zip(activations) {
            *to = *value;
        }
        memory
    }

    /// The last result of [`activations`](Self::activations), from its `memory`; `None` before the first call.
    pub fn last_activations<'a>(&self, memory: &'a [f64]) -> Option<&'a [f64]> {
        let count = self.actuators().len();
        (memory.len() == 1 + 2 * count).then(|| &memory[1..1 + count])
    }

    /// The controls, clamped to their ranges, of the last call of [`activations`](Self::activations), from its
    /// `memory`; `None` before the first call.
    pub fn last_controls<'a>(&self, memory: &'a [f64]) -> Option<&'a [f64]> {
        let count = self.actuators().len();
        (memory.len() == 1 + 2 * count).then(|| &memory[1 + count..])
    }
}
