//! Starts within limits: coordinates outside are moved to the nearest limit, the others keep their position.
//!
//! Limits are stops, not targets. Which of several coordinates in a loop moves is decided by the closure, which has
//! soft targets for all coordinates of a loop at once. This also decides the branch where there are several (a
//! parallelogram laid flat, a change point): the mechanism takes the one that brings the coordinates within their
//! limits together. With one target after the other, the first could take either branch.

use super::loops::{groups, roots};
use super::{
    AssembleError, AssembleSettings, Assembled, Targets, assemble, coordinates, finish,
    set_joint_coordinates,
};
use crate::joints::Unit;
use crate::locked::characteristic_length;
use crate::model::{BodyId, JointId, Model};
use crate::state::State;

/// A joint coordinate of a start that is, or was, outside its limits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outside {
    /// The joint.
    pub joint: JointId,
    /// Which of its coordinates.
    pub coordinate: usize,
    /// Value in the guess, m or rad.
    pub from: f64,
    /// Present value, m or rad.
    pub to: f64,
    /// Present violation, m or rad; at most 0 inside the limits.
    pub by: f64,
}

/// A closed mechanism, within its limits as far as possible.
#[derive(Clone, Debug, PartialEq)]
pub struct WithinLimits {
    /// The closed mechanism.
    pub assembled: Assembled,
    /// The coordinates that were outside their limits in the guess after closing it, or on the way, in the order of the
    /// joints. Where `by` is positive they still are, because the joints do not allow them inside.
    pub outside: Vec<Outside>,
}

/// Violations up to this are round-off, m or rad.
const TOLERATED: f64 = 1e-9;
/// Maximum distance by which coordinates are moved inside the limits: rad, or share of the characteristic length. Large
/// enough that the stop is not touched in the first steps.
const INSIDE: f64 = 1e-2;
/// The same as a share of the range.
const INSIDE_RANGE: f64 = 1e-2;
/// Maximum number of rounds for coordinates that soft targets leave or push outside.
const MAX_ROUNDS: usize = 8;

/// Share of the violations that may remain after a round; if more remains, there is no progress.
const MOST_LEFT: f64 = 0.9;

/// Closes the mechanism from `guess` like [`assemble()`], then moves coordinates that are outside their limits inside,
/// by the amount of the violation, at most 0.01 rad (or 0.01 of the characteristic length) and 1 % of the range. If a
/// joint alone connects its two sides, one of them moves rigidly, as with [`set_joint_coordinates`]. In loops the first
/// body of a part that is not connected to the world keeps its pose, and joints that share no loop or coupling with
/// those outside keep their coordinates. Limits of tendons are ignored.
///
/// Coordinates that the joints do not allow inside are not an error: [`WithinLimits::outside`] lists them.
///
/// # Errors
///
/// As [`assemble()`], if the mechanism does not close.
pub fn assemble_within_limits(
    model: &Model,
    guess: &State,
    settings: &AssembleSettings,
) -> Result<WithinLimits, AssembleError> {
    let mut found = assemble(model, guess, &Targets::none(), settings)?;
    let mut outside = violated(model, &found.state);
    if outside.is_empty() {
        let assembled = found;
        return Ok(WithinLimits {
            assembled,
            outside: Vec::new(),
        });
    }
    for &at in &outside {
        if coordinates::movable_side(model, at.0).is_some() {
            turn(model, &mut found.state, at)?;
        }
    }
    let groups = groups(model);
    let mut moving: Vec<usize> = outside.iter().map(|at| groups[at.0.index()]).collect();
    moving.sort_unstable();
    moving.dedup();
    let mut pull = |moving: &[usize]| {
        let moves = |joint: JointId| moving.binary_search(&groups[joint.index()]).is_ok();
        pull_inside(model, &mut found, moves, settings, &mut outside)
    };
    // A loop that does not close on the way stays as it was, which the report shows; it does not prevent the others
    // from moving inside.
    if pull(&moving).is_err() {
        for group in moving {
            pull(&[group]).ok();
        }
    }
    outside.sort_unstable();
    outside.dedup();
    let report = |&(joint, coordinate): &At| {
        let at = model.joint(joint).first_coordinate + coordinate;
        Outside {
            joint,
            coordinate,
            from: guess.coordinates[at],
            to: found.state.coordinates[at],
            by: excess(model, &found.state, (joint, coordinate)),
        }
    };
    Ok(WithinLimits {
        outside: outside.iter().map(report).collect(),
        assembled: finish(guess, found.state, found.residual, found.iterations),
    })
}

/// Moves the coordinates of joints that may move inside, in rounds, until none is outside; adds them to `outside`.
fn pull_inside(
    model: &Model,
    found: &mut Assembled,
    moves: impl Fn(JointId) -> bool,
    settings: &AssembleSettings,
    outside: &mut Vec<At>,
) -> Result<(), AssembleError> {
    let mut last = f64::INFINITY;
    for _ in 0..MAX_ROUNDS {
        // Coordinates inside have no target at their position; otherwise several would meet half way.
        let mut pulled = violated(model, &found.state);
        pulled.retain(|at| moves(at.0));
        let sizes = pulled.iter().map(|&at| excess(model, &found.state, at));
        let left: f64 = sizes.sum();
        if pulled.is_empty() || left > MOST_LEFT * last {
            break;
        }
        last = left;
        let targets = targets(model, &found.state, &pulled, &moves);
        outside.extend(pulled);
        let next = assemble(model, &found.state, &targets, settings)?;
        found.iterations += next.iterations;
        (found.state, found.residual) = (next.state, next.residual);
    }
    Ok(())
}

/// A coordinate of a joint.
type At = (JointId, usize);

/// Coordinates outside their limits.
fn violated(model: &Model, state: &State) -> Vec<At> {
    let joints = model.joints().iter().enumerate();
    let all = joints.flat_map(|(j, joint)| {
        let id = JointId(j as u32);
        (0..joint.axes.len()).map(move |c| (id, c))
    });
    all.filter(|&at| excess(model, state, at) > TOLERATED)
        .collect()
}

/// Violation of the limits by a coordinate, m or rad; not positive inside.
fn excess(model: &Model, state: &State, (joint, coordinate): At) -> f64 {
    let q = state.joint_coordinates(model, joint)[coordinate];
    let turned = match turn_inside(model, state, (joint, coordinate), 0.0) {
        Some(target) => (target - q).abs(),
        None => f64::NEG_INFINITY,
    };
    match model.joint(joint).axes[coordinate].limits {
        Some(limits) => (limits.min - q).max(q - limits.max).max(turned),
        None => turned,
    }
}

/// Target of a coordinate of a rotation vector beyond its limit: back along its own axis, `depth` (rad) inside. `None`
/// if it is inside.
fn turn_inside(model: &Model, state: &State, (joint, c): At, depth: f64) -> Option<f64> {
    let definition = model.joint(joint);
    let limits = definition.turn_limits?;
    let first = definition.kind.rotation_vector()?;
    let values = state.joint_coordinates(model, joint);
    let angle = definition.turn(values)?;
    let counts = (first..first + 3).contains(&c) && angle > limits.max;
    counts.then(|| values[c] * (limits.max - depth) / angle)
}

/// Target of a coordinate outside its limits; `None` inside.
fn inside(model: &Model, state: &State, at: At) -> f64 {
    let (joint, coordinate) = at;
    let definition = model.joint(joint);
    let q = state.joint_coordinates(model, joint)[coordinate];
    let by = excess(model, state, at);
    if let Some(max) = definition.turn_limits.map(|l| l.max) {
        let values = state.joint_coordinates(model, joint);
        let beyond = definition.turn(values).unwrap_or(0.0) - max;
        let depth = beyond.min(INSIDE).min(INSIDE_RANGE * max);
        if let Some(target) = turn_inside(model, state, at, depth) {
            return target;
        }
    }
    let Some(limits) = definition.axes[coordinate].limits.filter(|_| by > 0.0) else {
        return q;
    };
    let most = match definition.kind.coordinates()[coordinate].1 {
        Unit::Angle => INSIDE,
        Unit::Length => INSIDE * characteristic_length(model),
    };
    let range = INSIDE_RANGE * (limits.max - limits.min);
    let depth = by.min(most).min(range);
    if q < limits.min {
        limits.min + depth
    } else {
        limits.max - depth
    }
}

/// Moves a coordinate of a joint that alone connects its two sides inside: one side moves rigidly.
fn turn(model: &Model, state: &mut State, at: At) -> Result<(), AssembleError> {
    // Together with all coordinates of the joint that are outside, because those of a rotation vector move together.
    let count = model.joint(at.0).axes.len();
    let values: Vec<f64> = (0..count)
        .map(|c| inside(model, state, (at.0, c)))
        .collect();
    set_joint_coordinates(model, state, at.0, &values)
}

/// Soft targets for the coordinates to be moved inside; joints that must not move keep theirs.
fn targets(
    model: &Model,
    state: &State,
    pulled: &[At],
    moves: impl Fn(JointId) -> bool,
) -> Targets {
    let mut targets = Targets::none();
    for &(joint, coordinate) in pulled {
        let value = inside(model, state, (joint, coordinate));
        targets = targets.soft(joint, coordinate, value, 1.0);
    }
    for (j, joint) in model.joints().iter().enumerate() {
        let id = JointId(j as u32);
        if moves(id) || joint.kind.locked().is_empty() {
            continue;
        }
        for (c, &q) in state.joint_coordinates(model, id).iter().enumerate() {
            targets = targets.hard(id, c, q);
        }
    }
    for root in roots(model) {
        targets = targets.hold(BodyId(root as u32));
    }
    targets
}
