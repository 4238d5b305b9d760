//! What has to be right before the first step.

use crate::integrator::Integrator;
use crate::model::Model;
use crate::settings::{FailurePolicy, Settings};
use crate::state::State;
use linkwork_solve::UnknownSolver;
use std::ops::RangeInclusive;

/// Why a simulator could not be made.
#[non_exhaustive]
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
    #[error("the state has a number that is not finite: {what}; start from Model::initial_state")]
    NotFinite {
        /// The first value that is not finite: the time, a coordinate of a joint, or a body.
        what: String,
    },
    /// A quaternion of the state is not a rotation.
    #[error(
        "the quaternion of body '{body}' has norm {norm}; it must be 1, normalise it or start from Model::initial_state"
    )]
    Quaternion {
        /// The body.
        body: String,
        /// Norm of its quaternion.
        norm: f64,
    },
    /// A checkpoint of another model.
    #[error(
        "the checkpoint belongs to another model (hash {saved:016x}, this model has {present:016x}); build the model with the same parameters, or start from the beginning"
    )]
    OtherModel {
        /// Hash in the checkpoint.
        saved: u64,
        /// Hash of the present model.
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
    let not_negative = |name, value: f64| {
        if value >= 0.0 && value.is_finite() {
            return Ok(());
        }
        Err(SetupError::Setting {
            name,
            value,
            remedy: "it must be finite and not negative",
        })
    };
    let count = |name, value: usize, range: RangeInclusive<usize>, remedy| {
        if range.contains(&value) {
            return Ok(());
        }
        Err(SetupError::Setting {
            name,
            value: value as f64,
            remedy,
        })
    };
    positive("dt", settings.dt)?;
    positive("solve.tolerance", settings.solve.tolerance)?;
    positive("closure.tolerance", settings.closure.tolerance)?;
    positive("closure.energy", settings.closure.energy)?;
    positive("contact.margin", settings.contact.margin)?;
    fraction("stabilization.joints", settings.stabilization.joints)?;
    fraction("stabilization.limits", settings.stabilization.limits)?;
    fraction("stabilization.contacts", settings.stabilization.contacts)?;
    not_negative("stabilization.slop", settings.stabilization.slop)?;
    let speed = settings.stabilization.max_depenetration_speed;
    // Infinite is no bound.
    if speed.is_nan() || speed < 0.0 {
        return Err(SetupError::Setting {
            name: "stabilization.max_depenetration_speed",
            value: speed,
            remedy: "it must not be negative",
        });
    }
    if let Integrator::Theta { theta, theta_vq } = settings.integrator {
        fraction("integrator.theta", theta)?;
        fraction("integrator.theta_vq", theta_vq)?;
    }
    if let Some(adaptive) = settings.adaptive {
        positive("adaptive.tolerance", adaptive.tolerance)?;
        let remedy = "it must be 1 to 20";
        count("adaptive.depth", adaptive.depth as usize, 1..=20, remedy)?;
        if settings.failure == FailurePolicy::Hold {
            return Err(SetupError::Setting {
                name: "adaptive.tolerance",
                value: adaptive.tolerance,
                remedy: "a step that is held has no error to estimate: choose another failure policy, or no adaptive substeps",
            });
        }
    }
    let contact = &settings.contact;
    not_negative("contact.limit_margin", contact.limit_margin)?;
    let threshold = contact.restitution_threshold;
    not_negative("contact.restitution_threshold", threshold)?;
    not_negative("contact.near_rigid", contact.near_rigid)?;
    not_negative("contact.stiction", contact.stiction)?;
    let iterations = settings.solve.max_iterations;
    let remedy = "it must be at least 1";
    count("solve.max_iterations", iterations, 1..=usize::MAX, remedy)?;
    if settings.closure.enabled {
        let remedy = "it must be at least 1; without closure, set closure.enabled to false";
        let passes = settings.closure.max_passes;
        count("closure.max_passes", passes, 1..=usize::MAX, remedy)?;
    }
    if let FailurePolicy::Substep { depth } = settings.failure {
        // A step of 2^20 parts would appear to hang.
        let remedy = "it must be at most 20";
        count("failure.substep.depth", depth as usize, 0..=20, remedy)?;
    }
    Ok(())
}

/// Err if the joints of the model cannot be closed with these settings.
pub(crate) fn check_closure(model: &Model, settings: &Settings) -> Result<(), SetupError> {
    let closes = settings.closure.enabled && model.locked_rows() > 0;
    if closes && !settings.integrator.can_close() {
        return Err(SetupError::Setting {
            name: "integrator.theta_vq",
            value: 0.0,
            remedy: "with it no impulse moves a pose in its own step, so that joints cannot be closed at its end: choose a larger one, or leave joints open with closure.enabled = false (`--closure off`)",
        });
    }
    Ok(())
}

/// Err if the state does not fit the model, is not finite or has a quaternion whose norm is not 1.
pub(crate) fn check_state(model: &Model, state: &State) -> Result<(), SetupError> {
    let (bodies, coordinates) = (model.bodies().len(), model.coordinate_count());
    let counts = [
        ("poses", state.poses.len(), bodies),
        ("twists", state.twists.len(), bodies),
        ("coordinates", state.coordinates.len(), coordinates),
    ];
    if let Some((what, have, want)) = counts.into_iter().find(|(_, have, want)| have != want) {
        return Err(SetupError::State { what, have, want });
    }
    if let Some(what) = state.first_infinite(model) {
        return Err(SetupError::NotFinite { what });
    }
    for (body, pose) in model.bodies().iter().zip(&state.poses) {
        let norm = pose.rotation.coords.norm();
        // Accuracy of files with seven digits. Such a quaternion is refused and not normalised, which would change its
        // bits.
        if (norm - 1.0).abs() > 1e-6 {
            return Err(SetupError::Quaternion {
                body: body.name.clone(),
                norm,
            });
        }
    }
    Ok(())
}
