//! The controls and sensors of a model file, read along a run.

use crate::pilot::Pilot;
use linkwork::model::Model;
use linkwork::{Moment, State};
use linkwork_import::Mechanism;
use linkwork_import::mechanism::{Felt, Sensor};
use linkwork_record::{SignalInfo, SignalKind, Signals, Source};
use std::sync::Arc;

/// Actuators and sensors, with the frames they stand on.
pub struct Instruments {
    mechanism: Mechanism,
    infos: Vec<SignalInfo>,
    /// Whether one of the sensors reads accelerations or forces.
    feel: bool,
}

impl Instruments {
    /// Those of what a run is of; a scene has none.
    pub fn of(source: &Source, model: &Arc<Model>) -> Arc<Self> {
        let pilot = source.pilot.clone();
        let pilot = pilot.and_then(|p| serde_json::from_value::<Pilot>(p).ok());
        Arc::new(match pilot {
            Some(pilot) => Self::new(pilot.on(model)),
            None => Self::new(Mechanism::of_model("", model.clone())),
        })
    }

    /// Those of a mechanism.
    fn new(mechanism: Mechanism) -> Self {
        let control = |name: &String| SignalInfo {
            name: name.clone(),
            unit: String::new(),
            kind: SignalKind::Control,
        };
        let sensor = |sensor: &Sensor| {
            let unit = sensor.unit(&mechanism);
            let info = |component: &&str| SignalInfo {
                name: match *component {
                    "" => sensor.name.clone(),
                    c => format!("{}.{c}", sensor.name),
                },
                unit: unit.to_owned(),
                kind: SignalKind::Sensor,
            };
            sensor.components().iter().map(info).collect::<Vec<_>>()
        };
        let controls = mechanism.actuators.iter().map(|a| control(&a.name));
        let sensors = mechanism.sensors.iter().flat_map(sensor);
        Self {
            infos: controls.chain(sensors).collect(),
            feel: mechanism.sensors.iter().any(Sensor::feels),
            mechanism,
        }
    }
}

impl Signals for Instruments {
    fn infos(&self) -> &[SignalInfo] {
        &self.infos
    }

    fn read(&self, moment: &Moment, state: &State) -> Vec<f64> {
        let mechanism = &self.mechanism;
        let felt = if self.feel { Felt::of(moment) } else { None };
        let of = |sensor: &Sensor| {
            let values = mechanism.read(sensor, state, felt.as_ref());
            values.unwrap_or_else(|| vec![f64::NAN; sensor.components().len()])
        };
        // Before the first step nothing was told.
        let told = mechanism.last_controls(&moment.control.memory);
        let mut values = match told {
            Some(controls) => controls.to_vec(),
            None => vec![f64::NAN; mechanism.actuators.len()],
        };
        values.extend(mechanism.sensors.iter().flat_map(of));
        values
    }
}

/// The heads of the columns of signals.
pub fn columns(infos: &[SignalInfo]) -> Vec<String> {
    let column = |info: &SignalInfo| match info.unit.as_str() {
        "" => info.full_name(),
        unit => format!("{} ({unit})", info.full_name()),
    };
    infos.iter().map(column).collect()
}
