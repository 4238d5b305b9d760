//! Rigid contacts rest on stiff springs under the convex relaxation.
//!
//! The loads of a heap are not unique, and what a solve leaves of its tolerance is in the gaps of the next step, where it contradicts other gaps by as much.
//! If contacts are rigid, only loads that move from one side of a body to the other, by as much as all of them, meet that: each step
//! is hard again, whatever the tolerance. So contacts have at least the compliance
//!
//! ```text
//! R_N = min(1e-5 w, d / (dt G)),    R_T = R_N / 30,
//! ```
//!
//! with w the mean of the diagonal of D and G the impulse of all weight in a step, and loads are those of springs. A contact that carried the weight of all
//! bodies would be d = 1e-5 m deep; those of a `heap` of 160 are at most 7e-7 m deep. Friction creeps at R_T λ_T, in a heap a few
//! 1e-7 m/s, less than its tolerance.

use super::overlaps::weight_of_all;
use super::{Inputs, Rows};
use crate::model::Compliance;

/// R_N / w at most.
const SPRING: f64 = 1e-5;
/// Depth of a contact that carries all weight, m.
const DEPTH: f64 = 1e-5;
/// R_T / R_N.
const CREEP: f64 = 1.0 / 30.0;

impl Rows {
    /// Let rigid contacts yield as springs do, where they do not yield more already.
    pub(crate) fn rest_on_springs(&mut self, inputs: &Inputs) {
        let first = self.sources.len() - inputs.contacts.len();
        // Infinite without weight.
        let softest = DEPTH / (inputs.plan.span * weight_of_all(inputs));
        for (k, contact) in (first..).zip(inputs.contacts) {
            let key = &contact.key;
            let material = inputs.model.surface(key.shape_a, key.shape_b);
            if !matches!(material.compliance, Compliance::Rigid) {
                continue;
            }
            let spring = softest.min(SPRING * self.mean_diagonal(k));
            let range = self.problem.sets.range(k);
            let normal = range.end - 1;
            for i in range {
                let least = if i == normal { spring } else { CREEP * spring };
                self.problem.compliance[i] = self.problem.compliance[i].max(least);
            }
        }
    }
}
