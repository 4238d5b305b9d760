//! The sensors of a model file, read along a run.

use crate::pilot::Pilot;
use linkwork::model::Model;
use linkwork::{Moment, State};
use linkwork_import::Mechanism;
use linkwork_import::mechanism::{Felt, Sensor};
use linkwork_record::Source;
use std::sync::Arc;

/// Sensors, with the frames they stand on.
pub struct Instruments {
    mechanism: Mechanism,
    /// Whether one of them reads accelerations or forces.
    feel: bool,
}

impl Instruments {
    /// The sensors of what a run is of; none of a scene.
    pub fn of(source: &Source, model: &Arc<Model>) -> Self {
        let mut mechanism = Mechanism::of_model("", model.clone());
        let pilot = source.pilot.clone();
        if let Some(pilot) = pilot.and_then(|p| serde_json::from_value::<Pilot>(p).ok()) {
            (mechanism.sensors, mechanism.frames) = pilot.into_sensors();
        }
        let feel = mechanism.sensors.iter().any(Sensor::feels);
        Self { mechanism, feel }
    }

    /// Names of all values, each with its unit.
    pub fn columns(&self) -> Vec<String> {
        let of = |sensor: &Sensor| {
            let unit = sensor.unit(&self.mechanism.model);
            let names = sensor.components().iter();
            let column = names.map(|c| match *c {
                "" => format!("sensor {} ({unit})", sensor.name),
                c => format!("sensor {}.{c} ({unit})", sensor.name),
            });
            column.collect::<Vec<_>>()
        };
        self.mechanism.sensors.iter().flat_map(of).collect()
    }

    /// All values: those of the state `state`, and those of the last step. Before the first, accelerations and forces
    /// are NaN.
    pub fn values(&self, moment: &Moment, state: &State) -> Vec<f64> {
        let felt = if self.feel { Felt::of(moment) } else { None };
        let of = |sensor: &Sensor| {
            let values = self.mechanism.read(sensor, state, felt.as_ref());
            values.unwrap_or_else(|| vec![f64::NAN; sensor.components().len()])
        };
        self.mechanism.sensors.iter().flat_map(of).collect()
    }
}
