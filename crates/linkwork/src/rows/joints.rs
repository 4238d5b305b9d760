//! Locked rows of joints: v* = (α/dt) C, K = Free.
//!
//! Closure refinement adds the motion that J does not contain to v*, with α = 1.

use super::{Inputs, JointKinematics, RowSource, Rows, bodies_of};
use crate::joints::MAX_ROWS;
use crate::model::Model;
use linkwork_solve::ImpulseSet;
use std::sync::Arc;

pub(super) fn push(rows: &mut Rows, inputs: &Inputs) {
    let model = inputs.model;
    let gain = inputs.settings.joint_gain() / inputs.plan.span;
    let mut first = 0;
    let Rows {
        problem,
        kinematics,
        ..
    } = rows;
    for (k, &(id, dim)) in model.layout().locking.iter().enumerate() {
        let JointKinematics { place, locked, .. } = &kinematics[id.index()];
        let locked = &locked[..dim];
        let values = bodies_of(problem).block_mut(k);
        // The world has no share in a block.
        let (base, follower) = values.split_at_mut(values.len() - dim);
        let mut world = [0.0; 6];
        for (i, (row, jf)) in locked.iter().zip(follower).enumerate() {
            let jb = base.get_mut(i).unwrap_or(&mut world);
            place.write_jacobian(row, jb, jf);
        }
        for (bias, row) in problem.v_bias[first..].iter_mut().zip(locked) {
            *bias = gain * row.value;
        }
        problem.compliance[first..first + dim].fill(0.0);
        first += dim;
    }
}

/// Keeps the rows of the joints alone, to be filled again; makes space for them if the model is another one.
pub(super) fn lay_out(rows: &mut Rows, model: &Model) {
    let locking = &model.layout().locking;
    if rows
        .laid_out
        .as_ref()
        .is_some_and(|l| Arc::ptr_eq(l, locking))
    {
        rows.truncate(locking.len());
        return;
    }
    rows.truncate(0);
    rows.bodies_mut().1.clear(model.bodies().len());
    for &(id, dim) in locking.iter() {
        rows.push_block(RowSource::Joint(id), ImpulseSet::Free { dim });
        let joint = model.joint(id);
        let jacobian = rows.bodies_mut().1;
        for body in joint.base.iter().chain([&joint.follower]) {
            jacobian.push_entry(body.index(), &[[0.0; 6]; MAX_ROWS][..dim]);
        }
    }
    let end = rows.problem.sets.rows();
    rows.problem.v_bias.resize(end, 0.0);
    rows.problem.compliance.resize(end, 0.0);
    rows.laid_out = Some(locking.clone());
}
