//! Errors of an assembly, each with its remedy.

use super::Targets;
use crate::model::{JointId, Model};
use crate::state::State;

/// Why a consistent state was not found.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum AssembleError {
    /// The joints do not close.
    #[error(
        "{element} stays open by {linear:.3e} m and {angular:.3e} rad after {iterations} iterations{}",
        advice(.share)
    )]
    Open {
        /// The joint, coupling or target with the largest residual, e.g. `joint 'C'`.
        element: String,
        /// Largest translational residual of it, m.
        linear: f64,
        /// Largest rotational residual of it, rad.
        angular: f64,
        /// Iterations spent.
        iterations: usize,
        /// Share of the distance to the targets that was covered, in [0, 1]; `None` if the joints do not close even
        /// without targets.
        share: Option<f64>,
    },
    /// The joints do not allow the velocity.
    #[error(
        "the joints do not allow joint '{joint}' the requested velocity: the error is {miss:.3e} m/s or rad/s; the mobility report shows what can move"
    )]
    Velocity {
        /// The joint.
        joint: String,
        /// Largest residual of the velocity rows, m/s or rad/s.
        miss: f64,
    },
    /// An argument does not fit the model.
    #[error("{0}")]
    Misfit(String),
}

fn advice(share: &Option<f64>) -> String {
    match share {
        None => "; the bodies cannot meet from this guess: check link lengths and joint frames, \
                 release held bodies, or start nearer to the closed mechanism"
            .to_owned(),
        Some(s) => format!(
            ", {:.1} % of the way to the targets; they are out of reach on this branch: ask for less, \
             make a target soft, or start from another guess",
            100.0 * s
        ),
    }
}

/// Err if the arguments of an assembly do not fit the model.
pub(super) fn check(model: &Model, guess: &State, targets: &Targets) -> Result<(), AssembleError> {
    let bodies = model.bodies().len();
    let fits = guess.poses.len() == bodies
        && guess.twists.len() == bodies
        && guess.coordinates.len() == model.coordinate_count();
    if !fits {
        return misfit("the state does not fit the model; start from Model::initial_state".into());
    }
    if !(guess.is_finite() && guess.coordinates.iter().all(|q| q.is_finite())) {
        return misfit("the state has numbers that are not finite; give every body a pose".into());
    }
    if let Some(body) = targets.held.iter().find(|b| b.index() >= bodies) {
        return misfit(format!("body number {} is not in this model", body.0));
    }
    for t in &targets.coordinates {
        check_joint(model, t.joint, t.coordinate + 1)?;
        let name = &model.joint(t.joint).name;
        if !t.value.is_finite() {
            return misfit(format!("joint '{name}': a target must be finite"));
        }
        if t.weight.is_some_and(|w| !(w > 0.0 && w.is_finite())) {
            return misfit(format!(
                "joint '{name}': the weight of a soft target must be positive and finite"
            ));
        }
    }
    Ok(())
}

/// Err unless the joint exists and has at least `count` coordinates.
pub(super) fn check_joint(
    model: &Model,
    joint: JointId,
    count: usize,
) -> Result<(), AssembleError> {
    let Some(found) = model.joints().get(joint.index()) else {
        return misfit(format!("joint number {} is not in this model", joint.0));
    };
    let have = found.axes.len();
    if have >= count {
        return Ok(());
    }
    misfit(format!(
        "joint '{}': a {} joint has {have} coordinate(s), but {count} are used",
        found.name,
        found.kind.name()
    ))
}

pub(super) fn misfit<T>(why: String) -> Result<T, AssembleError> {
    Err(AssembleError::Misfit(why))
}
