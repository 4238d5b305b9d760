//! Interface of a live simulation of a model file for viewers: actuators, stored states and signals.

use linkwork::State;
use linkwork_record::Signals;
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Controls set by viewers, by the index of the actuator; they override those of the script.
pub type Overrides = Arc<Mutex<BTreeMap<usize, f64>>>;

/// State and controls of a stored state, by its index; or why it cannot be used.
pub type FindKeyframe = Box<dyn Fn(usize) -> Result<(State, Vec<f64>), String> + Send>;

/// An actuator as the page shows it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ActuatorInfo {
    /// Its name.
    pub name: String,
    /// Its kind: "motor", "servo", "tendon", "frame" or "adhesion".
    pub kind: &'static str,
    /// Least and greatest control of its slider.
    pub range: [f64; 2],
    /// Unit of the control; empty if it is not known.
    pub unit: &'static str,
    /// The joint coordinate it acts on.
    pub coordinate: Option<usize>,
}

/// Actuators, stored states and signals of a live view.
pub struct Desk {
    /// The actuators, in the order of the controls.
    pub actuators: Vec<ActuatorInfo>,
    /// Controls before the first step.
    pub controls: Vec<f64>,
    /// The controls set by viewers, as read by the script of the run.
    pub overrides: Overrides,
    /// Names of the stored states.
    pub keyframes: Vec<String>,
    /// Finds them.
    pub find: FindKeyframe,
    /// Signals read at every frame; the controls come first.
    pub signals: Arc<dyn Signals>,
}

impl Desk {
    /// Writes the controls set by viewers into the first of `signals`, before a step reports them.
    pub(super) fn show_controls(&self, signals: &mut [f64]) {
        for (value, start) in signals.iter_mut().zip(&self.controls) {
            if value.is_nan() {
                *value = *start;
            }
        }
        let set = self.overrides.lock();
        let set = set.unwrap_or_else(PoisonError::into_inner);
        for (&i, &value) in set.iter() {
            signals[i] = value;
        }
    }
}
