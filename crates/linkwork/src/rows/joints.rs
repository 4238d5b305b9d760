//! Locked rows of joints: v* = (α/dt) C, K = Free.
//!
//! Closure refinement adds to v* what J does not see of the motion, with α = 1.

use super::{Inputs, RowSource, Rows};
use crate::joints::{MAX_ROWS, Row};
use crate::model::JointId;
use linkwork_solve::ImpulseSet;

pub(super) fn push(rows: &mut Rows, inputs: &Inputs) {
    let gain = inputs.settings.joint_gain() / inputs.dt;
    let mut locked = [Row::ZERO; MAX_ROWS];
    for (j, joint) in inputs.model.joints().iter().enumerate() {
        let dim = joint.kind.locked().len();
        if dim == 0 {
            continue;
        }
        let locked = &mut locked[..dim];
        let place = rows.kinematics[j].place;
        let turns = &inputs.state.coordinates[joint.first_coordinate..];
        joint.kind.constrain(&place.relative, turns, locked);
        rows.push_block(
            RowSource::Joint(JointId(j as u32)),
            ImpulseSet::Free { dim },
        );
        let mut base = [[0.0; 6]; MAX_ROWS];
        let mut follower = [[0.0; 6]; MAX_ROWS];
        for (i, row) in locked.iter().enumerate() {
            (base[i], follower[i]) = place.jacobian(row);
            rows.problem.v_bias.push(gain * row.value);
            rows.problem.compliance.push(0.0);
        }
        let jacobian = rows.bodies_mut().1;
        if let Some(body) = joint.base {
            jacobian.push_entry(body.index(), &base[..dim]);
        }
        jacobian.push_entry(joint.follower.index(), &follower[..dim]);
    }
}
