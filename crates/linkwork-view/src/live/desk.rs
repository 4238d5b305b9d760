//! What viewers find at a live simulation of a model file besides the model: actuators to set, stored states to go
//! to, signals to read.

use linkwork::State;
use linkwork_record::Signals;
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Controls that viewers set, by the number of the actuator; the script of the run puts them over its own.
pub type Overrides = Arc<Mutex<BTreeMap<usize, f64>>>;

/// State and controls of a stored state, by its number; or why it cannot be gone to.
pub type FindKeyframe = Box<dyn Fn(usize) -> Result<(State, Vec<f64>), String> + Send>;

/// An actuator as the page shows it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ActuatorInfo {
    /// Its name.
    pub name: String,
    /// What it is: "motor", "servo", "tendon", "frame" or "adhesion".
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
    /// Where the script of the run looks for what viewers set.
    pub overrides: Overrides,
    /// Names of the stored states.
    pub keyframes: Vec<String>,
    /// Finds them.
    pub find: FindKeyframe,
    /// What is read at every frame; the controls come first.
    pub signals: Arc<dyn Signals>,
}

impl Desk {
    /// Put what viewers set into the controls, which are the first of `signals`, before a step tells of it.
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
