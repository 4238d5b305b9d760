//! All forces on the bodies at a state, evaluated explicitly: nothing is implicit in time here.

use crate::control::Control;
use crate::integrate::applied_wrenches;
use crate::model::{Axis, Model};
use crate::rows::{Along, Rows};
use crate::state::State;

/// M⁻¹f, 6 values per body: gravity, user wrenches and forces, the gyroscopic torque −ω × Iω, springs, dampers and
/// drives. Expects the joints' kinematics in `rows`.
pub(super) fn free_accelerations(
    rows: &Rows,
    model: &Model,
    state: &State,
    control: &Control,
) -> Vec<f64> {
    let mut wrenches = Vec::new();
    applied_wrenches(rows, model, control, &mut wrenches);
    for (along, axis) in Along::all(model) {
        let q = rows.value(model, along);
        let rate = rows.velocity(model, along);
        let force = passive(axis, q, rate) + driven(axis, q, rate, along.targets(model, control));
        if force != 0.0 {
            rows.add_force(model, along, force, &mut wrenches);
        }
    }
    let mut free = Vec::with_capacity(6 * wrenches.len());
    for (b, body) in model.bodies().iter().enumerate() {
        let [force, torque] = wrenches[b];
        // Along the body's axes, where the small moment of a thin rod is not lost in the others.
        let turn = &state.poses[b].rotation;
        let (w, torque) = (
            turn.inverse() * state.twists[b].angular,
            turn.inverse() * torque,
        );
        let linear = model.gravity() * body.gravity_scale + force / body.mass;
        let angular = turn * (body.inverse_inertia * (torque - w.cross(&(body.inertia * w))));
        free.extend(linear.iter().chain(angular.iter()));
    }
    free
}

/// Force of spring and damper, N or N m.
fn passive(axis: &Axis, q: f64, rate: f64) -> f64 {
    let spring = axis.spring.at(q);
    spring.stiffness * (spring.rest - q) - spring.damping * rate
}

/// Force of the drive, N or N m, within its effort limit.
fn driven(axis: &Axis, q: f64, rate: f64, (target, velocity_target): (f64, f64)) -> f64 {
    let Some(drive) = axis.drive else { return 0.0 };
    // A target may be infinite if its gain is 0: the term is then absent, as in a step.
    let term = |gain: f64, error: f64| if gain > 0.0 { gain * error } else { 0.0 };
    let force = term(drive.stiffness, target - q) + term(drive.damping, velocity_target - rate);
    match drive.effort_limit {
        // Not `clamp`, which panics on a NaN bound; a NaN force stays NaN and is reported.
        Some(limit) if force.abs() > limit => limit.copysign(force),
        _ => force,
    }
}
