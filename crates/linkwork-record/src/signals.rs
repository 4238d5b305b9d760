//! Values that a program adds to every step it records: the controls and activations of its actuators and the values of
//! its sensors. Their names are stored once in the head of the recording.

use linkwork::{Moment, State};
use serde::{Deserialize, Serialize};

/// What kind of number a signal is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SignalKind {
    /// Control of an actuator.
    Control,
    /// What the force of an actuator with dynamics follows.
    Activation,
    /// What a sensor read.
    Sensor,
}

impl SignalKind {
    /// The word before the name of such a signal, e.g. in `sensor imu.z`.
    pub fn word(self) -> &'static str {
        match self {
            SignalKind::Control => "control",
            SignalKind::Activation => "activation",
            SignalKind::Sensor => "sensor",
        }
    }
}

/// What a signal is called.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SignalInfo {
    /// Name of the actuator or sensor, with the component if it has several, e.g. `imu.z`.
    pub name: String,
    /// Unit of its values; empty if it is not known.
    pub unit: String,
    /// What it is.
    pub kind: SignalKind,
}

impl SignalInfo {
    /// Its name as a quantity or column: `sensor imu.z`, `control left-knee`.
    pub fn full_name(&self) -> String {
        format!("{} {}", self.kind.word(), self.name)
    }
}

/// Reads the signals of a run.
pub trait Signals: Send + Sync {
    /// What they are, in the order of the values.
    fn infos(&self) -> &[SignalInfo];

    /// Their values at an instant of a run with the state `state`, whose velocities are at the time of its poses
    /// ([`Moment::synchronised`]); NaN before the first step for values that need one.
    fn read(&self, moment: &Moment, state: &State) -> Vec<f64>;
}
