//! Couplings Σ gᵢ(qᵢ) = c₀: one Free row Σ gᵢ′ Jᵢ each, v* = (α/dt) (Σ gᵢ(qᵢ) − c₀).

use super::{Inputs, RowSource, Rows};
use crate::model::CouplingId;
use linkwork_solve::ImpulseSet;

pub(super) fn push(rows: &mut Rows, inputs: &Inputs) {
    let gain = inputs.settings.joint_gain() / inputs.plan.span;
    for (c, coupling) in inputs.model.couplings().iter().enumerate() {
        rows.push_block(
            RowSource::Coupling(CouplingId(c as u32)),
            ImpulseSet::Free { dim: 1 },
        );
        let error = coupling.residual(|term| rows.coordinate(term.joint, term.coordinate));
        for term in &coupling.terms {
            let slope = term.slope(rows.coordinate(term.joint, term.coordinate));
            rows.add_coordinate(inputs.model, term.joint, term.coordinate, slope);
        }
        rows.problem.v_bias.push(gain * error);
        rows.problem.compliance.push(0.0);
    }
}
