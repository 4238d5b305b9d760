//! What drives a simulation from Python: controls of actuators, a scene's script, forces and wrenches on top.

use linkwork::Script;
use linkwork::actuators::Transmission;
use linkwork::math::Wrench;
use linkwork::model::Model;
use linkwork::{Control, State};
use serde::{Deserialize, Serialize};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The numbers of it, which a checkpoint keeps.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Asked {
    /// Controls of the actuators, in order.
    pub controls: Vec<f64>,
    /// Whether controls were given: then a scene's script has nothing to say.
    pub manual: bool,
    /// What script and actuators ask for, without what follows.
    pub base: Control,
    /// Forces on joint coordinates, N or N m.
    pub forces: Vec<f64>,
    /// Wrenches on bodies, world frame, about their centres of mass.
    pub wrenches: Vec<Wrench>,
}

impl Asked {
    /// The start of a run.
    pub fn new(model: &Model, controls: &[f64]) -> Self {
        let base = Control::new(model);
        Self {
            controls: controls.to_vec(),
            manual: false,
            forces: vec![0.0; base.forces.len()],
            wrenches: vec![Wrench::zero(); base.wrenches.len()],
            base,
        }
    }

    /// Set the target of a rigid drive, m or rad; the error says why not.
    pub fn set_target(&mut self, model: &Model, at: usize, target: f64) -> Result<(), String> {
        if !target.is_finite() {
            return Err(format!("the target is {target}; it must be finite"));
        }
        let mut axes = model.joints().iter().flat_map(|j| &j.axes);
        let drive = axes.nth(at).and_then(|axis| axis.drive);
        if !drive.is_some_and(|d| d.is_rigid()) {
            return Err(
                "the coordinate has no rigid drive; give the control of its drive or actuator to step"
                    .to_owned(),
            );
        }
        self.base.targets[at] = target;
        Ok(())
    }
}

struct Inner {
    model: Arc<Model>,
    script: Option<Script>,
    asked: Asked,
}

/// Shared by a simulator and the script of its run.
#[derive(Clone)]
pub struct Inputs(Arc<Mutex<Inner>>);

impl Inputs {
    pub fn new(model: Arc<Model>, script: Option<Script>, asked: Asked) -> Self {
        Self(Arc::new(Mutex::new(Inner {
            model,
            script,
            asked,
        })))
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Look at or change what is asked.
    pub fn asked<R>(&self, work: impl FnOnce(&mut Asked) -> R) -> R {
        work(&mut self.lock().asked)
    }

    /// The script of the run.
    pub fn script(&self) -> Script {
        let inputs = self.clone();
        Box::new(move |_, state, control| {
            let Inner {
                model,
                script,
                asked,
            } = &mut *inputs.lock();
            match script {
                Some(script) if !asked.manual => script(model, state, &mut asked.base),
                _ => drive(model, &asked.controls, state, &mut asked.base),
            }
            control.clone_from(&asked.base);
            for (f, extra) in control.forces.iter_mut().zip(&asked.forces) {
                *f += extra;
            }
            for (w, extra) in control.wrenches.iter_mut().zip(&asked.wrenches) {
                w.force += extra.force;
                w.torque += extra.torque;
            }
        })
    }
}

/// Set what the actuators do for the given controls.
pub fn drive(model: &Model, controls: &[f64], state: &State, control: &mut Control) {
    if model.actuators().is_empty() && model.fluid().is_empty() {
        return;
    }
    model.command(controls, state, control);
}

/// Whether what actuators do changes while their controls do not.
pub fn changes_with_state(model: &Model) -> bool {
    let frame = |t: &Transmission| matches!(t, Transmission::Frame { .. });
    let mut actuators = model.actuators().iter();
    !model.fluid().is_empty()
        || actuators.any(|a| a.dynamics.is_some() || a.muscle.is_some() || frame(&a.transmission))
}
