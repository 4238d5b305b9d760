//! Actuators and sensors by name.

use crate::model::{ActuatorId, Model};
use crate::sensors::LastStep;
use crate::{Control, ControlError, Simulator, State, StepError, StepReport};

impl Model {
    /// Controls of all actuators in order; those given by name, the others 0.
    pub fn controls(&self, told: &[(&str, f64)]) -> Result<Vec<f64>, ControlError> {
        let mut controls = vec![0.0; self.actuators().len()];
        for (name, value) in told {
            let Some(ActuatorId(at)) = self.actuator_named(name) else {
                let names: Vec<&str> = self.actuators().iter().map(|a| &*a.name).collect();
                return Err(ControlError::UnknownActuator {
                    name: (*name).to_owned(),
                    known: names.join(", "),
                });
            };
            controls[at as usize] = *value;
        }
        Ok(controls)
    }

    /// Sets the effects of the actuators for these controls in the step from `state`: their
    /// [`activations`](Self::activations) if they have dynamics, then [`actuate`](Self::actuate).
    pub fn command(&self, controls: &[f64], state: &State, control: &mut Control) {
        let pulls = self.activations(controls, state.time, &mut control.memory);
        self.actuate(&pulls, state, control);
    }
}

impl Simulator {
    /// Takes a step with the actuators at `controls`, in their order (missing ones are 0); see [`Model::controls`]. All
    /// other inputs are those of `control`, which also stores the memory of actuators with dynamics.
    pub fn step_actuated(
        &mut self,
        controls: &[f64],
        control: &mut Control,
    ) -> Result<StepReport, StepError> {
        self.model.command(controls, &self.state, control);
        self.step(control)
    }

    /// The values of a sensor by its name, after a step under `control`. Velocities are those of mid-step. `None` if
    /// there is no such sensor, or if it reads accelerations or forces and no step was taken.
    pub fn sense(&self, name: &str, control: &Control) -> Option<Vec<f64>> {
        let sensor = self.model.sensor_named(name)?;
        let last = sensor
            .needs_step()
            .then(|| LastStep::of_simulator(self, control));
        self.model
            .read(sensor, &self.state, last.flatten().as_ref())
    }
}
