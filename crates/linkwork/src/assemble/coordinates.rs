//! Sets a joint's coordinates: by a rigid motion of one side of a tree, or by assembly in a loop.

use super::error::{check, misfit};
use super::{AssembleError, AssembleSettings, Targets, assemble};
use crate::math::Pose;
use crate::model::{JointId, Model};
use crate::state::State;

/// Sets a joint's coordinates to `values` (m, rad; whole turns count).
///
/// If the joint alone connects its two sides, the whole follower side (or the base side, if the other is connected to
/// the world) moves as one rigid body, and its velocities rotate with it. In a loop, or with a coupling on the joint,
/// the mechanism is assembled with the values as hard targets and the twists do not change: see
/// [`project_velocities`](super::project_velocities).
///
/// # Errors
///
/// As [`assemble()`](super::assemble()); the state is then unchanged.
pub fn set_joint_coordinates(
    model: &Model,
    state: &mut State,
    joint: JointId,
    values: &[f64],
) -> Result<(), AssembleError> {
    let mut targets = Targets::none();
    for (c, value) in values.iter().enumerate() {
        targets = targets.hard(joint, c, *value);
    }
    check(model, state, &targets)?;
    super::error::check_joint(model, joint, values.len())?;
    let definition = model.joint(joint);
    if values.len() != definition.axes.len() {
        return misfit(format!(
            "joint '{}' takes {} coordinates, {} were given",
            definition.name,
            definition.axes.len(),
            values.len()
        ));
    }
    let Some(side) = movable_side(model, joint) else {
        *state = assemble(model, state, &targets, &AssembleSettings::default())?.state;
        return Ok(());
    };
    // New placement = place(new) place(old)⁻¹ old placement: motions that are not measured, and the residual, are kept.
    let kind = &definition.kind;
    let old = state.placement(definition).relative.as_pose();
    let now = kind.place(state.joint_coordinates(model, joint)).as_pose();
    let new = kind
        .place(values)
        .as_pose()
        .compose(&now.inverse())
        .compose(&old);
    let base = definition
        .base
        .map_or(Pose::identity(), |b| state.poses[b.index()]);
    let base_frame = base.compose(&definition.frame_base);
    let follower_frame = base_frame.compose(&old);
    let motion = if side.follower {
        base_frame.compose(&new).compose(&follower_frame.inverse())
    } else {
        follower_frame
            .compose(&new.inverse())
            .compose(&base_frame.inverse())
    };
    for &body in &side.bodies {
        state.poses[body] = motion.compose(&state.poses[body]);
        state.poses[body].rotation.renormalize();
        let twist = &mut state.twists[body];
        twist.linear = motion.rotation * twist.linear;
        twist.angular = motion.rotation * twist.angular;
    }
    let first = definition.first_coordinate;
    state.coordinates[first..first + values.len()].copy_from_slice(values);
    state.update_coordinates(model);
    Ok(())
}

/// The bodies on one side of a joint.
pub(super) struct Side {
    pub bodies: Vec<usize>,
    /// Whether it is the follower's side.
    pub follower: bool,
}

/// The side that can move rigidly when the joint's coordinates change: the follower's, unless it is connected to the
/// world; `None` if the joint is part of a loop or of a coupling.
pub(super) fn movable_side(model: &Model, joint: JointId) -> Option<Side> {
    let coupled = |c: &crate::model::Coupling| c.terms.iter().any(|t| t.joint == joint);
    if model.couplings().iter().any(coupled) {
        return None;
    }
    let world = model.bodies().len();
    let definition = model.joint(joint);
    let base = definition.base.map_or(world, |b| b.index());
    let follower = reachable(model, joint, definition.follower.index());
    if follower[base] {
        return None;
    }
    let listed = |side: Vec<bool>, follower| Side {
        bodies: (0..world).filter(|&b| side[b]).collect(),
        follower,
    };
    Some(if follower[world] {
        listed(reachable(model, joint, base), false)
    } else {
        listed(follower, true)
    })
}

/// Bodies (and the world, last) connected with `start` by joints other than `without`.
fn reachable(model: &Model, without: JointId, start: usize) -> Vec<bool> {
    let world = model.bodies().len();
    let mut neighbours = vec![Vec::new(); world + 1];
    for (j, joint) in model.joints().iter().enumerate() {
        // A joint without locked rows does not connect its bodies.
        if j == without.index() || joint.kind.locked().is_empty() {
            continue;
        }
        let (b, f) = (
            joint.base.map_or(world, |b| b.index()),
            joint.follower.index(),
        );
        neighbours[b].push(f);
        neighbours[f].push(b);
    }
    let mut seen = vec![false; world + 1];
    seen[start] = true;
    let mut todo = vec![start];
    while let Some(node) = todo.pop() {
        for &next in &neighbours[node] {
            if !seen[next] {
                seen[next] = true;
                todo.push(next);
            }
        }
    }
    seen
}
