//! The controls and sensors of a model file, read along a run.

use linkwork::model::Model;
use linkwork::sensors::{LastStep, Sensor};
use linkwork::{Moment, State};
use linkwork_record::{SignalInfo, SignalKind, Signals};
use std::sync::Arc;

/// Actuators and sensors, with the frames they stand on.
pub struct Instruments {
    model: Arc<Model>,
    infos: Vec<SignalInfo>,
    /// Whether one of the sensors reads accelerations or forces.
    needs_step: bool,
}

impl Instruments {
    /// Those of a model.
    pub fn of(model: &Arc<Model>) -> Arc<Self> {
        let control = |name: &String| SignalInfo {
            name: name.clone(),
            unit: String::new(),
            kind: SignalKind::Control,
        };
        let sensor = |sensor: &Sensor| {
            let unit = sensor.unit(model);
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
        let controls = model.actuators().iter().map(|a| control(&a.name));
        let sensors = model.sensors().iter().flat_map(sensor);
        Arc::new(Self {
            infos: controls.chain(sensors).collect(),
            needs_step: model.sensors().iter().any(Sensor::needs_step),
            model: model.clone(),
        })
    }
}

impl Signals for Instruments {
    fn infos(&self) -> &[SignalInfo] {
        &self.infos
    }

    fn read(&self, moment: &Moment, state: &State) -> Vec<f64> {
        let model = &self.model;
        let last = if self.needs_step {
            LastStep::of(moment)
        } else {
            None
        };
        let of = |sensor: &Sensor| {
            let values = model.read(sensor, state, last.as_ref());
            values.unwrap_or_else(|| vec![f64::NAN; sensor.components().len()])
        };
        // Before the first step nothing was told.
        let told = model.last_controls(&moment.control.memory);
        let mut values = match told {
            Some(controls) => controls.to_vec(),
            None => vec![f64::NAN; model.actuators().len()],
        };
        values.extend(model.sensors().iter().flat_map(of));
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
