//! What drives a model from a file: its actuators, held still, moved as sines, or told over time.

use crate::controls::{Commands, Program};

use linkwork::Script;
use linkwork::joints::Unit;
use linkwork::model::Model;
use linkwork_import::Mechanism;
use linkwork_import::mechanism::{Actuator, FluidBox, Frame, Sensor, Transmission};
use linkwork_view::live::Overrides;
use serde::{Deserialize, Serialize};
use std::f64::consts::TAU;
use std::sync::{Arc, PoisonError};

/// Everything a run's script follows from, beside the model; kept in recordings, so that a run can be
/// taken up again without the file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Pilot {
    actuators: Vec<Actuator>,
    frames: Vec<Frame>,
    /// What a fluid resists.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    fluid: Vec<FluidBox>,
    /// What is read along a run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    sensors: Vec<Sensor>,
    /// Controls about which the actuators move.
    controls: Vec<f64>,
    /// Amplitude of each control.
    amplitudes: Vec<f64>,
    /// What some are told over time instead.
    #[serde(default, skip_serializing_if = "Commands::is_empty")]
    pub commands: Commands,
}

impl Pilot {
    /// Of a mechanism's actuators at `controls`, moving by `share` of their ranges. A mechanism without
    /// actuators that is to be `driven` gets a motor on every joint of one coordinate.
    pub fn new(mechanism: &Mechanism, controls: &[f64], share: Option<f64>, driven: bool) -> Self {
        let mut actuators = mechanism.actuators.clone();
        if actuators.is_empty() && driven {
            actuators = mechanism.motors();
        }
        let share = share.unwrap_or(0.0);
        let count = actuators.len();
        let amplitude = |a: &Actuator| share * reach(a, mechanism, count);
        let control = |(i, a): (usize, &Actuator)| {
            let control = controls.get(i).copied().unwrap_or(0.0);
            a.control_range
                .map_or(control, |[low, high]| control.clamp(low, high))
        };
        Self {
            controls: actuators.iter().enumerate().map(control).collect(),
            amplitudes: actuators.iter().map(amplitude).collect(),
            frames: mechanism.frames.clone(),
            fluid: mechanism.fluid.clone(),
            sensors: mechanism.sensors.clone(),
            actuators,
            commands: Commands::default(),
        }
    }

    /// Of a mechanism whose motors are servos ([`Mechanism::with_servos`]): those on joints move by
    /// `amplitude`, rad (a tenth of it in m), about where they start, others stay at `controls`.
    pub fn tracking(mechanism: &Mechanism, controls: &[f64], amplitude: f64) -> Self {
        let mut pilot = Self::new(mechanism, controls, None, false);
        let (model, start) = (&mechanism.model, mechanism.model.initial_state());
        for (i, actuator) in pilot.actuators.iter().enumerate() {
            if let Transmission::Coordinate {
                joint,
                coordinate,
                gear,
            } = actuator.transmission
                && actuator.bias[1] < 0.0
            {
                let at = model.joint(joint).first_coordinate + coordinate;
                let unit = unit(actuator, model);
                // The control for which k_p times it is what the target asks for.
                let per_target = -actuator.bias[1] * gear / actuator.gain;
                let reach = if unit == Unit::Angle { 1.0 } else { 0.1 };
                pilot.controls[i] = per_target * start.coordinates[at];
                pilot.amplitudes[i] = per_target * reach * amplitude;
            }
        }
        pilot
    }

    /// The actuators, in the order of the controls.
    pub fn actuators(&self) -> &[Actuator] {
        &self.actuators
    }

    /// The controls about which the actuators move.
    pub fn controls(&self) -> &[f64] {
        &self.controls
    }

    /// How far each control goes to either side of 0 where it has no range.
    pub fn reaches(&self, mechanism: &Mechanism) -> Vec<f64> {
        let count = self.actuators.len();
        let reach = |a: &Actuator| reach(a, mechanism, count);
        self.actuators.iter().map(reach).collect()
    }

    /// Keep a control at this value.
    pub fn hold(&mut self, actuator: usize, value: f64) {
        self.controls[actuator] = value;
        self.amplitudes[actuator] = 0.0;
    }

    /// The model with the actuators, sensors and frames that go with it.
    pub fn on(&self, model: &Arc<Model>) -> Mechanism {
        let mut mechanism = Mechanism::of_model("", model.clone());
        mechanism.actuators = self.actuators.clone();
        mechanism.frames = self.frames.clone();
        mechanism.fluid = self.fluid.clone();
        mechanism.sensors = self.sensors.clone();
        mechanism
    }

    /// The script; `None` if there is nothing to drive. `overrides` are controls that count instead. An error is of
    /// the script that it was told to follow.
    pub fn script(
        self,
        model: &Arc<Model>,
        overrides: Option<Overrides>,
    ) -> Result<Option<Script>, String> {
        if self.actuators.is_empty() && self.fluid.is_empty() {
            return Ok(None);
        }
        let mechanism = self.on(model);
        let program = self.commands.script.as_ref();
        let program = program.map(|text| Program::parse(text, &mechanism));
        let program = program.transpose()?;
        let (centres, amplitudes) = (self.controls, self.amplitudes);
        let table = self.commands.table;
        Ok(Some(Box::new(move |_, state, control| {
            let wave = |(i, (c, a)): (usize, (&f64, &f64))| {
                c + a * (TAU * frequency(i) * state.time).sin()
            };
            let controls = centres.iter().zip(&amplitudes).enumerate().map(wave);
            let mut controls: Vec<f64> = controls.collect();
            if let Some(table) = &table {
                table.set(state.time, &mut controls);
            }
            if let Some(program) = &program {
                program.set(&mechanism, state, &mut controls);
            }
            if let Some(overrides) = &overrides {
                let set = overrides.lock().unwrap_or_else(PoisonError::into_inner);
                for (&i, &value) in set.iter() {
                    controls[i] = value;
                }
            }
            mechanism.command(&controls, state, control);
        })))
    }
}

/// Slow and different for each control, 0.2 to 0.5 Hz: steps of the golden ratio meet no two alike.
fn frequency(i: usize) -> f64 {
    0.2 + 0.3 * (0.618_033_988_749_895 * i as f64).fract()
}

/// How far a control goes to either side: half its range; without one what gives the greatest force;
/// without that a moderate motion of a servo, or a force in proportion to the mechanism's weight.
fn reach(actuator: &Actuator, mechanism: &Mechanism, count: usize) -> f64 {
    if let Some([low, high]) = actuator.control_range {
        return 0.5 * (high - low);
    }
    let unit = unit(actuator, &mechanism.model);
    let per_force = 1.0 / actuator.gain.abs().max(f64::MIN_POSITIVE);
    if actuator.is_servo() {
        // k (u − q) or d (u − q̇): the control is where, or how fast, in units of gain over bias.
        let slope = if actuator.bias[1] < 0.0 {
            -actuator.bias[1]
        } else {
            -actuator.bias[2]
        };
        let step = if unit == Unit::Angle { 0.5 } else { 0.05 };
        return step * slope * per_force;
    }
    if let Some([low, high]) = actuator.force_range {
        return low.abs().max(high.abs()) * per_force;
    }
    mechanism.share_of_weight(count, unit) * per_force
}

fn unit(actuator: &Actuator, model: &Model) -> Unit {
    match actuator.transmission {
        Transmission::Coordinate {
            joint, coordinate, ..
        } => model.joint(joint).kind.coordinates()[coordinate].1,
        Transmission::Tendon { .. }
        | Transmission::Frame { .. }
        | Transmission::Adhesion { .. } => Unit::Length,
    }
}
