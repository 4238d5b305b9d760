//! Locked rows of joints: v* = (α/dt) C, K = Free.
//!
//! With closure refinement v* starts from the last step's bias instead: the refinement enforces C at
//! the end of the step whatever v* it starts from, and the bias it finds changes slowly.

use super::{Inputs, RowSource, Rows, bodies_of};
use crate::joints::{MAX_ROWS, Row};
use crate::model::Model;
use linkwork_solve::ImpulseSet;

pub(super) fn push(rows: &mut Rows, inputs: &Inputs) {
    let model = inputs.model;
    if !are_laid_out(rows, model) {
        lay_out(rows, model);
    }
    let gain = inputs.settings.stabilization.joints / inputs.dt;
    let mut locked = [Row::ZERO; MAX_ROWS];
    let mut first = 0;
    let Rows {
        problem,
        kinematics,
        ..
    } = rows;
    for (k, &(id, dim)) in model.layout().locking.iter().enumerate() {
        let joint = model.joint(id);
        let locked = &mut locked[..dim];
        let place = &kinematics[id.index()].place;
        let turns = &inputs.state.coordinates[joint.first_coordinate..];
        joint.kind.constrain(&place.relative, turns, locked);
        let values = bodies_of(problem).block_mut(k);
        // The world has no share in a block.
        let follower = values.len() - dim;
        for (i, row) in locked.iter().enumerate() {
            let (jb, jf) = place.jacobian(row);
            if follower > 0 {
                values[i] = jb;
            }
            values[follower + i] = jf;
        }
        for (bias, row) in problem.v_bias[first..].iter_mut().zip(&*locked) {
            *bias = gain * row.value;
        }
        problem.compliance[first..first + dim].fill(0.0);
        first += dim;
    }
}

/// Whether the blocks of the last step are those of the model's joints.
fn are_laid_out(rows: &Rows, model: &Model) -> bool {
    let locking = &model.layout().locking;
    let jacobian = rows.bodies().1;
    let fits = |k: usize| {
        let (id, dim) = locking[k];
        let joint = model.joint(id);
        let bodies = joint.base.iter().chain([&joint.follower]);
        let entries = jacobian.entries_of(k).iter();
        rows.sources[k] == RowSource::Joint(id)
            && jacobian.rows_of(k).len() == dim
            && entries.map(|e| e.body).eq(bodies.map(|b| b.index()))
    };
    rows.sources.len() == locking.len()
        && jacobian.bodies() == model.bodies().len()
        && (0..locking.len()).all(fits)
}

/// Make room for the rows of all joints.
fn lay_out(rows: &mut Rows, model: &Model) {
    rows.truncate(0);
    rows.bodies_mut().1.clear(model.bodies().len());
    for &(id, dim) in &model.layout().locking {
        rows.push_block(RowSource::Joint(id), ImpulseSet::Free { dim });
        let joint = model.joint(id);
        let jacobian = rows.bodies_mut().1;
        for body in joint.base.iter().chain([&joint.follower]) {
            jacobian.push_entry(body.index(), &[[0.0; 6]; MAX_ROWS][..dim]);
        }
        let end = rows.problem.sets.rows();
        rows.problem.v_bias.resize(end, 0.0);
        rows.problem.compliance.resize(end, 0.0);
    }
}
