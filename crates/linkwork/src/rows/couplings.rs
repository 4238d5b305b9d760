//! Couplings Σ cᵢ qᵢ = c₀: one Free row each, v* = (α/dt) (Σ cᵢ qᵢ − c₀).

use super::{Inputs, RowSource, Rows};
use crate::model::CouplingId;
use linkwork_solve::ImpulseSet;

pub(super) fn push(rows: &mut Rows, inputs: &Inputs) {
    let gain = inputs.settings.stabilization.joints / inputs.dt;
    for (c, coupling) in inputs.model.couplings().iter().enumerate() {
        rows.push_block(
            RowSource::Coupling(CouplingId(c as u32)),
            ImpulseSet::Free { dim: 1 },
        );
        let mut error = -coupling.offset;
        for term in &coupling.terms {
            error += term.factor
                * rows.kinematics[term.joint.index()].coordinates[term.coordinate].value;
            rows.add_coordinate(inputs.model, term.joint, term.coordinate, term.factor);
        }
        rows.problem.v_bias.push(gain * error);
        rows.problem.compliance.push(0.0);
    }
}
