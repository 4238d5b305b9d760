//! What has to be right before the first step.

use crate::model::Model;
use crate::settings::Settings;
use crate::state::State;
use linkwork_solve::UnknownSolver;

/// Why a simulator could not be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SetupError {
    /// The solver is not registered.
    #[error(transparent)]
    Solver(#[from] UnknownSolver),
    /// A setting is out of range.
    #[error("setting {name} is {value}; {remedy}")]
    Setting {
        /// The setting.
        name: &'static str,
        /// Its value.
        value: f64,
        /// What it should be.
        remedy: &'static str,
    },
    /// The state does not fit the model.
    #[error("the state has {have} {what}, the model {want}; start from Model::initial_state")]
    State {
        /// What is counted.
        what: &'static str,
        /// How many the state has.
        have: usize,
        /// How many the model has.
        want: usize,
    },
    /// The state has a number that is not finite.
    #[error("the state has a number that is not finite; start from Model::initial_state")]
    NotFinite,
    /// A checkpoint of another model.
    #[error(
        "the checkpoint belongs to another model (hash {saved:016x}, this model has {present:016x}); build the model with the same parameters, or start anew"
    )]
    OtherModel {
        /// Hash in the checkpoint.
        saved: u64,
        /// Hash of the model at hand.
        present: u64,
    },
    /// A checkpoint that does not fit the model, or is damaged.
    #[error("the checkpoint cannot be used: {0}")]
    Checkpoint(String),
    /// The threads could not be started.
    #[error("could not start {0} threads; ask for fewer")]
    Threads(usize),
}

/// Err if a setting is out of range.
pub(crate) fn check(settings: &Settings) -> Result<(), SetupError> {
    let positive = |name, value: f64| {
        if value > 0.0 && value.is_finite() {
            return Ok(());
        }
        Err(SetupError::Setting {
            name,
            value,
            remedy: "it must be positive and finite",
        })
    };
    let fraction = |name, value: f64| {
        if (0.0..=1.0).contains(&value) {
            return Ok(());
        }
        Err(SetupError::Setting {
            name,
            value,
            remedy: "it must lie in [0, 1]",
        })
    };
    positive("dt", settings.dt)?;
    positive("solve.tolerance", settings.solve.tolerance)?;
    positive("closure.tolerance", settings.closure.tolerance)?;
    positive("closure.energy", settings.closure.energy)?;
    positive("contact.margin", settings.contact.margin)?;
    fraction("stabilization.joints", settings.stabilization.joints)?;
    fraction("stabilization.limits", settings.stabilization.limits)?;
    fraction("stabilization.contacts", settings.stabilization.contacts)
}

/// Err if the state does not fit the model or has a pose or twist that is not finite.
pub(crate) fn check_state(model: &Model, state: &State) -> Result<(), SetupError> {
    let (bodies, coordinates) = (model.bodies().len(), model.coordinate_count());
    let counts = [
        ("poses", state.poses.len(), bodies),
        ("twists", state.twists.len(), bodies),
        ("coordinates", state.coordinates.len(), coordinates),
    ];
    if !state.is_finite() {
        return Err(SetupError::NotFinite);
    }
    match counts.into_iter().find(|(_, have, want)| have != want) {
        Some((what, have, want)) => Err(SetupError::State { what, have, want }),
        None => Ok(()),
    }
}
