//! Under the convex relaxation, rigid contacts rest on stiff springs.
//!
//! The loads of a heap are not unique. The error of a solve within its tolerance appears in the gaps of the next step,
//! where it contradicts other gaps by the same amount. Rigid contacts can satisfy these gaps only if loads of the order
//! of the whole weight move from one side of a body to the other: every step is hard again, for any tolerance. Contacts
//! therefore have at least the compliance
//!
//! ```text
//! R_N = min(1e-5 w, d / (dt G)),    R_T = R_N / 30,
//! ```
//!
//! with w the mean of the diagonal of D and G the impulse of the total weight in a step, so that loads are those of
//! springs. A contact that carried the total weight would overlap by d = 3e-6 m; those of a `heap` of 160 overlap by at
//! most 3e-7 m. Friction creeps at R_T λ_T, in a heap a few 1e-7 m/s, less than its tolerance.

use super::overlaps::weight_of_all;
use super::{Inputs, Rows};
use crate::model::Compliance;

/// R_N / w at most.
const SPRING: f64 = 1e-5;
/// Depth of a contact that carries all weight, m.
const DEPTH: f64 = 3e-6;
/// R_T / R_N.
const CREEP: f64 = 1.0 / 30.0;

impl Rows {
    /// Adds the compliance of springs to rigid contacts, unless they have more already.
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
