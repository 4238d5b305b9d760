//! Consistent states: poses that close every joint, and velocities that keep them closed [math.md §7].
//!
//! [`assemble()`] minimises the joint and coupling residuals over the poses, with hard or soft targets for joint
//! coordinates. Distant targets are approached in small steps, so that the mechanism stays on its assembly branch
//! (elbow up stays elbow up). Redundant rows are allowed. [`assemble_within_limits`] also moves coordinates within
//! their limits, where joints allow. [`project_velocities`] removes velocities that the joints do not allow, and
//! [`set_joint_coordinates`] and [`set_joint_velocities`] set one joint's motion consistently.

mod closing;
mod contradiction;
mod coordinates;
mod error;
mod limits;
mod loops;
mod start;
mod velocities;

pub use contradiction::Contradiction;
pub use coordinates::set_joint_coordinates;
pub use error::AssembleError;
pub use limits::{Outside, WithinLimits, assemble_within_limits};
pub use loops::groups as loop_groups;
pub use start::{ClosedStart, OPEN};
pub use velocities::{Projected, project_velocities, set_joint_velocities};

use crate::joints::Unit;
use crate::model::{BodyId, JointId, Model};
use crate::state::State;
use closing::{Closing, Goal};
use linkwork_solve::larger;

/// A target for a joint coordinate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Target {
    /// The joint.
    pub joint: JointId,
    /// Which of its coordinates.
    pub coordinate: usize,
    /// The value, m or rad; whole turns count.
    pub value: f64,
    /// `None`: must be reached. `Some(w)`: as near as joints and hard targets allow; contradicting soft targets
    /// minimise Σ w (q − value)², with angles times the characteristic length.
    pub weight: Option<f64>,
}

/// Targets of [`assemble()`] in addition to closed joints.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Targets {
    /// Joint coordinates.
    pub coordinates: Vec<Target>,
    /// Bodies that must not move.
    pub held: Vec<BodyId>,
}

impl Targets {
    /// Closed joints only.
    pub fn none() -> Self {
        Self::default()
    }

    /// A coordinate (m or rad) that must be met.
    pub fn hard(self, joint: JointId, coordinate: usize, value: f64) -> Self {
        self.with(joint, coordinate, value, None)
    }

    /// A target (m or rad) for a coordinate, with a weight > 0 relative to the other soft ones.
    pub fn soft(self, joint: JointId, coordinate: usize, value: f64, weight: f64) -> Self {
        self.with(joint, coordinate, value, Some(weight))
    }

    /// A body that must not move.
    pub fn hold(mut self, body: BodyId) -> Self {
        self.held.push(body);
        self
    }

    fn with(mut self, joint: JointId, coordinate: usize, value: f64, weight: Option<f64>) -> Self {
        self.coordinates.push(Target {
            joint,
            coordinate,
            value,
            weight,
        });
        self
    }
}

/// How [`assemble()`] works.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AssembleSettings {
    /// Largest residual (m or rad) of joints, couplings and hard targets that counts as success.
    pub tolerance: f64,
    /// Residual (m or rad) at which the iteration stops; nominal tolerance/100.
    pub aim: f64,
    /// Largest residual, rad or share of the characteristic length, that counts as success if joints contradict each
    /// other and are closed in the least-squares sense; nominal 0 (none) … 1e-5, the rounding of lengths and angles in
    /// a file. [`Assembled::residual`] is the remaining residual.
    pub contradiction: f64,
    /// Gauss-Newton iterations in each continuation step; nominal 50 … 500.
    pub max_iterations: usize,
    /// Largest change of a target in one continuation step: rad, or share of the characteristic
    /// length; nominal 0.05 … 0.3.
    pub max_change: f64,
}

impl Default for AssembleSettings {
    fn default() -> Self {
        Self {
            tolerance: 1e-10,
            aim: 1e-12,
            contradiction: 0.0,
            max_iterations: 200,
            max_change: 0.1,
        }
    }
}

/// How far a body was moved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moved {
    /// The body.
    pub body: BodyId,
    /// Displacement of its centre of mass, m.
    pub distance: f64,
    /// Angle it was turned by, rad, at most π.
    pub angle: f64,
}

/// A closed mechanism.
#[derive(Clone, Debug, PartialEq)]
pub struct Assembled {
    /// The closed poses and their coordinates; time and twists are those of the guess (see
    /// [`project_velocities`]).
    pub state: State,
    /// Largest residual left of joints, couplings and hard targets, m or rad.
    pub residual: f64,
    /// Gauss-Newton iterations, all continuation steps.
    pub iterations: usize,
    /// Displacement of each body from the guess, in order.
    pub moved: Vec<Moved>,
}

/// Aim and tolerance of intermediate continuation steps, m or rad.
const ON_THE_WAY: (f64, f64) = (1e-8, 1e-7);
/// Continuation steps shorter than this share of the first one are not tried: the target is out of reach.
const LEAST_STEP: f64 = 1.0 / 32.0;
/// Maximum number of continuation steps: 1600 turns, or 1e4 characteristic lengths, of the default step.
const MOST_STEPS: f64 = 1e5;

/// Closes the mechanism from `guess`, staying near it, and brings joint coordinates to their targets.
///
/// # Errors
///
/// [`AssembleError::Open`] names the joint with the largest residual if the links cannot meet, or if a target is out of
/// reach. The other errors are about the arguments.
pub fn assemble(
    model: &Model,
    guess: &State,
    targets: &Targets,
    settings: &AssembleSettings,
) -> Result<Assembled, AssembleError> {
    error::check(model, guess, targets)?;
    let mut closing = Closing::new(model, &targets.held, settings);
    let mut state = guess.clone();
    let targets = &targets.coordinates;
    let (tolerance, aim) = (settings.tolerance, settings.aim);
    if targets.is_empty() {
        let residual = closing.reach(&mut state, &[], (aim, tolerance), None)?;
        return Ok(finish(guess, state, residual, closing.iterations));
    }
    // Without targets first: the guess alone determines the branch.
    closing.reach(&mut state, &[], ON_THE_WAY, None)?;
    approach(&mut closing, &mut state, targets)?;
    let mut goals = goals_between(model, &[], targets, 1.0);
    goals.retain(|g| g.weight.is_none());
    let residual = closing.reach(&mut state, &goals, (aim, tolerance), Some(1.0))?;
    Ok(finish(guess, state, residual, closing.iterations))
}

/// Iterations that close what a step left open: the poses are near closed ones.
const NEAR: usize = 30;

/// Moves the bodies of `state` by the least distance, in the metric of their masses, that closes the joints; as far as
/// possible.
pub(crate) fn close_nearby(model: &Model, state: &mut State, aim: f64) {
    let settings = AssembleSettings {
        max_iterations: NEAR,
        ..AssembleSettings::default()
    };
    Closing::by_mass(model, &settings).close(state, &[], aim);
}

/// Continuation: move the targets from the present coordinates to their values in small steps.
fn approach(
    closing: &mut Closing,
    state: &mut State,
    targets: &[Target],
) -> Result<(), AssembleError> {
    let model = closing.model();
    let at = |t: &Target| model.joint(t.joint).first_coordinate + t.coordinate;
    let start: Vec<f64> = targets.iter().map(|t| state.coordinates[at(t)]).collect();
    let steps = targets.iter().zip(&start).map(|(t, q)| {
        let scale = match model.joint(t.joint).kind.coordinates()[t.coordinate].1 {
            Unit::Length => closing.length(),
            Unit::Angle => 1.0,
        };
        (t.value - q).abs() / (scale * closing.settings().max_change)
    });
    let steps = steps.fold(1.0, larger).ceil();
    if steps > MOST_STEPS {
        return Err(AssembleError::Misfit(format!(
            "a target is {steps:e} steps of max_change away, more than {MOST_STEPS:e}: ask for less"
        )));
    }
    let full = 1.0 / steps;
    let (mut share, mut step) = (0.0, full);
    while share < 1.0 {
        let next = if share + step > 1.0 - 1e-9 {
            1.0
        } else {
            share + step
        };
        let goals = goals_between(model, &start, targets, next);
        let mut trial = state.clone();
        match closing.reach(&mut trial, &goals, ON_THE_WAY, Some(share)) {
            Ok(_) => {
                *state = trial;
                share = next;
                step = full.min(2.0 * step);
            }
            Err(_) if step > full * LEAST_STEP => step *= 0.5,
            Err(out_of_reach) => return Err(out_of_reach),
        }
    }
    Ok(())
}

/// The targets, the given share of the way from `start` (not needed at the end).
fn goals_between(model: &Model, start: &[f64], targets: &[Target], share: f64) -> Vec<Goal> {
    let value = |(i, t): (usize, &Target)| match start.get(i) {
        Some(q) if share < 1.0 => q + share * (t.value - q),
        _ => t.value,
    };
    let goal = |(i, t): (usize, &Target)| Goal {
        at: (t.joint, t.coordinate),
        value: value((i, t)),
        weight: t.weight,
        unit: model.joint(t.joint).kind.coordinates()[t.coordinate].1,
    };
    targets.iter().enumerate().map(goal).collect()
}

fn finish(guess: &State, state: State, residual: f64, iterations: usize) -> Assembled {
    let pairs = guess.poses.iter().zip(&state.poses).enumerate();
    let moved = pairs
        .map(|(b, (from, to))| Moved {
            body: BodyId(b as u32),
            distance: (to.position - from.position).norm(),
            angle: from.rotation.angle_to(&to.rotation),
        })
        .collect();
    Assembled {
        state,
        residual,
        iterations,
        moved,
    }
}
