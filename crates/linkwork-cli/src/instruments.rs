//! The controls, activations and sensors of a model file, evaluated during a run.

use linkwork::actuators::Actuator;
use linkwork::model::Model;
use linkwork::sensors::{LastStep, Sensor};
use linkwork::{Moment, State};
use linkwork_record::{SignalInfo, SignalKind, Signals};
use std::sync::Arc;

/// Actuators and sensors, with their frames.
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
            let values = sensor.value_names().into_iter().zip(sensor.units(model));
            let info = |(name, unit): (String, &str)| SignalInfo {
                name,
                unit: unit.to_owned(),
                kind: SignalKind::Sensor,
            };
            values.map(info).collect::<Vec<_>>()
        };
        let activation = |(_, a): (usize, &Actuator)| SignalInfo {
            name: a.name.clone(),
            unit: String::new(),
            kind: SignalKind::Activation,
        };
        let controls = model.actuators().iter().map(|a| control(&a.name));
        let sensors = model.sensors().iter().flat_map(sensor);
        Arc::new(Self {
            infos: controls
                .chain(with_dynamics(model).map(activation))
                .chain(sensors)
                .collect(),
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
        // Before the first step there are no controls.
        let told = model.last_controls(&moment.control.memory);
        let mut values = match told {
            Some(controls) => controls.to_vec(),
            None => vec![f64::NAN; model.actuators().len()],
        };
        let active = model.last_activations(&moment.control.memory);
        values.extend(with_dynamics(model).map(|(i, _)| active.map_or(f64::NAN, |all| all[i])));
        values.extend(model.sensors().iter().flat_map(of));
        values
    }
}

/// The actuators whose force follows an activation, with their numbers.
fn with_dynamics(model: &Model) -> impl Iterator<Item = (usize, &Actuator)> {
    let all = model.actuators().iter().enumerate();
    all.filter(|(_, a)| a.dynamics.is_some())
}
