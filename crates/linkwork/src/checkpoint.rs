//! Everything a run needs to continue with the same bits.

use crate::control::Control;
use crate::model::Model;
use crate::rows::RowSource;
use crate::run::Run;
use crate::scene::Script;
use crate::settings::Settings;
use crate::setup::SetupError;
use crate::simulator::Simulator;
use crate::state::State;
use crate::step::{EnergyBooks, Pace};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A run at one time: state, control, settings, and the memory of earlier steps. A run resumed from it continues bit
/// for bit like the original run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Checkpoint {
    /// [`Model::hash`] of the model.
    pub model_hash: u64,
    /// Settings at that time.
    pub settings: Settings,
    /// Configuration (angles over whole turns) and velocity.
    pub state: State,
    /// Targets and forces of the last step.
    pub control: Control,
    /// What the simulator remembers.
    pub memory: Memory,
}

/// Data of earlier steps in a [`Simulator`]; it affects the last digits only.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "Stored")]
pub struct Memory {
    /// Impulses by the source of their rows, sorted: the warm start of the next solve.
    pub impulses: Vec<(RowSource, [f64; 6])>,
    /// Hidden velocities of the joint and coupling rows in the last steps, newest first, from which the next are
    /// predicted; m/s or rad/s.
    pub hidden: Vec<Vec<f64>>,
    /// Step size they belong to, s.
    pub hidden_dt: f64,
    /// Rates of coordinates and tendons with armature or spring over the last step, m/s or rad/s; empty if there is no
    /// last step.
    pub rates: Vec<f64>,
    /// Of each of them, if it is a spring near gimbal lock: what completes the last step beyond the midpoint rule, N m s, and the energy that this is to
    /// add, J; empty if all are zero.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub bent: Vec<[f64; 2]>,
    /// Energy that springs near gimbal lock gained and have not given back, J, negative where it was lost; empty if all are zero.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub owed: Vec<f64>,
    /// Limits that are not in force, because a rotation vector jumped to their other side.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub released: Vec<RowSource>,
    /// Size of the last step, s; `None` before the first, which may have half a kick.
    pub last_dt: Option<f64>,
    /// What joints gave to the mechanism in excess.
    pub energy: EnergyBooks,
    /// How steps are taken.
    pub pace: Pace,
}

/// [`Memory`] as stored in files. Files of earlier versions lack some of it, which is then treated as unknown.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Stored {
    impulses: Vec<(RowSource, [f64; 6])>,
    hidden: Vec<Vec<f64>>,
    #[serde(alias = "biases_dt")]
    hidden_dt: f64,
    rates: Vec<f64>,
    bent: Vec<[f64; 2]>,
    owed: Vec<f64>,
    released: Vec<RowSource>,
    last_dt: Option<f64>,
    energy: EnergyBooks,
    pace: Pace,
    /// Whether a step was taken, in files from before `last_dt`.
    started: bool,
}

impl From<Stored> for Memory {
    fn from(stored: Stored) -> Self {
        let started = stored.started && stored.hidden_dt > 0.0;
        Self {
            impulses: stored.impulses,
            hidden: stored.hidden,
            hidden_dt: stored.hidden_dt,
            rates: stored.rates,
            bent: stored.bent,
            owed: stored.owed,
            released: stored.released,
            last_dt: stored.last_dt.or(started.then_some(stored.hidden_dt)),
            energy: stored.energy,
            pace: stored.pace,
        }
    }
}

/// The values, or none if all are zero.
pub(crate) fn kept(values: &[f64]) -> Vec<f64> {
    if values.iter().all(|x| *x == 0.0) {
        return Vec::new();
    }
    values.to_vec()
}

impl Simulator {
    /// Checkpoint from which a run continues with the same bits under the given control.
    pub fn checkpoint(&self, control: &Control) -> Checkpoint {
        Checkpoint {
            model_hash: self.model().hash(),
            settings: self.settings().clone(),
            state: self.state().clone(),
            control: control.clone(),
            memory: self.memory(),
        }
    }

    /// A simulator that continues from the checkpoint. The model must be the same.
    pub fn resume(model: Arc<Model>, checkpoint: &Checkpoint) -> Result<Self, SetupError> {
        let (saved, present) = (checkpoint.model_hash, model.hash());
        if saved != present {
            return Err(SetupError::OtherModel { saved, present });
        }
        let control = checkpoint.control.check(&model);
        control.map_err(|error| SetupError::Checkpoint(error.to_string()))?;
        let mut simulator = Self::new(model, checkpoint.settings.clone())?;
        simulator.set_state(checkpoint.state.clone())?;
        simulator.remember(&checkpoint.memory)?;
        Ok(simulator)
    }
}

impl Run {
    /// The data from which a run continues with the same bits.
    pub fn checkpoint(&self) -> Checkpoint {
        self.simulator().checkpoint(self.control())
    }

    /// A run that continues from the checkpoint. The script must be the same, too.
    pub fn resume(
        model: Arc<Model>,
        checkpoint: &Checkpoint,
        script: Option<Script>,
    ) -> Result<Self, SetupError> {
        let mut run = Self::new(Simulator::resume(model, checkpoint)?, script);
        run.control_mut().clone_from(&checkpoint.control);
        Ok(run)
    }
}
