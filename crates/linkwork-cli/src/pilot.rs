//! Control inputs of a model from a file: its actuators, at constant controls, moved as sines, or controlled over time.

use crate::controls::{Channel, Commands, Program, channels};
use crate::import::note;
use linkwork::Script;
use linkwork::actuators::{Actuator, Transmission};
use linkwork::joints::Unit;
use linkwork::model::Model;
use linkwork_view::live::Overrides;
use serde::{Deserialize, Serialize};
use std::f64::consts::TAU;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError};

/// Everything that determines a run's script, in addition to the model; stored in recordings, so that a run can be
/// resumed without the file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Pilot {
    /// Values about which the channels move: controls of actuators, and targets.
    controls: Vec<f64>,
    /// Amplitude of each control.
    amplitudes: Vec<f64>,
    /// Activations with which actuators start; empty for 0.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub activations: Vec<f64>,
    /// Controls over time, which replace some of these.
    #[serde(default, skip_serializing_if = "Commands::is_empty")]
    pub commands: Commands,
}

impl Pilot {
    /// For a model's actuators at `controls`, moving by `share` of their ranges.
    pub fn new(model: &Model, controls: &[f64], share: Option<f64>) -> Self {
        let share = share.unwrap_or(0.0);
        let control = |(i, a): (usize, &Actuator)| {
            let control = controls.get(i).copied().unwrap_or(0.0);
            a.control_range
                .map_or(control, |[low, high]| control.clamp(low, high))
        };
        let reaches = reaches(model).into_iter();
        let mut controls: Vec<f64> = model.actuators().iter().enumerate().map(control).collect();
        let mut amplitudes: Vec<f64> = reaches.map(|reach| share * reach).collect();
        // Drives without a control hold their initial value.
        let start = model.initial_state();
        for (_, channel) in targets(model) {
            let target = channel.target.filter(|c| !is_speed(model, *c));
            controls.push(target.map_or(0.0, |c| start.coordinates[c]));
            amplitudes.push(0.0);
        }
        Self {
            controls,
            amplitudes,
            activations: Vec::new(),
            commands: Commands::default(),
        }
    }

    /// For a model whose motors are servos ([`Model::with_servos`]): those on joints move by `amplitude`, rad (a tenth
    /// of it in m), about their start, others stay at `controls`.
    pub fn tracking(model: &Model, controls: &[f64], amplitude: f64) -> Self {
        let mut pilot = Self::new(model, controls, None);
        let start = model.initial_state();
        for (i, actuator) in model.actuators().iter().enumerate() {
            if let Transmission::Coordinate {
                joint,
                coordinate,
                gear,
            } = actuator.transmission
                && actuator.bias[1] < 0.0
            {
                let at = model.joint(joint).first_coordinate + coordinate;
                let unit = unit(actuator, model);
                // The control for which k_p times it is the target.
                let per_target = -actuator.bias[1] * gear / actuator.gain;
                let reach = if unit == Unit::Angle { 1.0 } else { 0.1 };
                pilot.controls[i] = per_target * start.coordinates[at];
                pilot.amplitudes[i] = per_target * reach * amplitude;
            }
        }
        pilot
    }

    /// The controls about which the actuators of a model move.
    pub fn controls(&self, model: &Model) -> &[f64] {
        &self.controls[..model.actuators().len()]
    }

    /// Keep a channel at this value.
    pub fn hold(&mut self, channel: usize, value: f64) {
        self.controls[channel] = value;
        self.amplitudes[channel] = 0.0;
    }

    /// The script; `None` if there are no control inputs. `overrides` are controls with precedence. Errors are those of
    /// a user's script, or of a recording whose model does not have the actuators of the pilot.
    pub fn script(
        self,
        model: &Arc<Model>,
        overrides: Option<Overrides>,
    ) -> Result<Option<Script>, String> {
        let (given, have) = (self.controls.len(), model.actuators().len());
        let targets: Vec<(usize, Channel)> = targets(model);
        // Recordings of earlier versions have no targets.
        if given != have && given != have + targets.len() {
            return Err(format!(
                "the recording drives {given} actuators, its model has {have}; record it with this version of Linkwork"
            ));
        }
        if model.actuators().is_empty() && model.fluid().is_empty() && targets.is_empty() {
            return Ok(None);
        }
        let model = model.clone();
        let program = self.commands.script.as_ref();
        let program = program.map(|text| Program::parse(text, &model));
        let program = program.transpose()?;
        let (centres, amplitudes) = (self.controls, self.amplitudes);
        let activations = self.activations;
        let table = self.commands.table;
        // A failed step is repeated with the same script.
        let reported = AtomicBool::new(false);
        Ok(Some(Box::new(move |_, state, control| {
            let wave = |(i, (c, a)): (usize, (&f64, &f64))| {
                c + a * (TAU * frequency(i) * state.time).sin()
            };
            let controls = centres.iter().zip(&amplitudes).enumerate().map(wave);
            let mut controls: Vec<f64> = controls.collect();
            if let Some(table) = &table {
                table.set(state.time, &mut controls);
            }
            if let Some(program) = &program
                && let Err(error) = program.set(&model, state, &mut controls)
                && !reported.swap(true, Ordering::Relaxed)
            {
                note(&error);
            }
            if let Some(overrides) = &overrides {
                let set = overrides.lock().unwrap_or_else(PoisonError::into_inner);
                for (&i, &value) in set.iter() {
                    controls[i] = value;
                }
            }
            if control.memory.is_empty() && !activations.is_empty() {
                control.memory = model.activated(&activations, state.time);
            }
            model.command(&controls[..have], state, control);
            for (i, channel) in &targets {
                if let (Some(c), Some(&value)) = (channel.target, controls.get(*i)) {
                    match is_speed(&model, c) {
                        true => control.velocity_targets[c] = value,
                        false => control.targets[c] = value,
                    }
                }
            }
        })))
    }
}

/// The channels that are targets, with their numbers.
fn targets(model: &Model) -> Vec<(usize, Channel)> {
    let all = channels(model).into_iter().enumerate();
    all.filter(|(_, c)| c.target.is_some()).collect()
}

/// Whether the drive of a coordinate has no stiffness, so that its target is a velocity.
fn is_speed(model: &Model, coordinate: usize) -> bool {
    let mut axes = model.joints().iter().flat_map(|j| &j.axes);
    let drive = axes.nth(coordinate).and_then(|axis| axis.drive);
    drive.is_some_and(|d| d.stiffness == 0.0)
}

/// How far each control goes to either side of 0 where it has no range.
pub fn reaches(model: &Model) -> Vec<f64> {
    let count = model.actuators().len();
    let reach = |a: &Actuator| reach(a, model, count);
    model.actuators().iter().map(reach).collect()
}

/// Slow and different for each control, 0.2 to 0.5 Hz: with steps of the golden ratio no two are alike.
fn frequency(i: usize) -> f64 {
    0.2 + 0.3 * (0.618_033_988_749_895 * i as f64).fract()
}

/// Amplitude of a control: half its range; without a range that of the largest force; without a force limit a moderate
/// motion of a servo, or a force in proportion to the mechanism's weight.
fn reach(actuator: &Actuator, model: &Model, count: usize) -> f64 {
    if let Some([low, high]) = actuator.control_range {
        return 0.5 * (high - low);
    }
    let unit = unit(actuator, model);
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
    model.share_of_weight(count, unit) * per_force
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
