//! Rigid contacts that overlap get a small compliance while the overlap is removed: under the convex relaxation, and
//! under Coulomb's law in steps whose solve fails (friction locks a body that others overlap from three sides:
//! `discardvisual.xml` of MuJoCo's tests).
//!
//! If bodies overlap, contacts on opposite sides of a body request motion in both directions, and the relaxation also
//! requests that they do not slide. Rigid contacts can satisfy this only with unbounded impulses (`heap` of 160 while
//! it falls: 1e4 N s, and solves that stall). A contact whose overlap is removed at the speed p gets the compliance
//!
//! ```text
//! R = p / (Λ + min(λ⁻, 100 Λ)),    Λ = 10 s / w + G,
//! ```
//!
//! with s the maximum removal speed, w the mean of its diagonal of D, λ⁻ its normal impulse in the last step and G the
//! impulse of the total weight in a step. Contradicting requests then end at impulses of Λ + λ⁻. A free body separates
//! at 10/11 of the speed or more. An existing load does not make a contact sink: R λ⁻ < p. The bound on λ⁻ keeps the
//! impulses on wedged bodies from growing from step to step. R vanishes with the overlap: contacts at rest are rigid.

use super::contacts::push_speed;
use super::{Inputs, Rows};
use crate::model::Compliance;

/// Λ w / s of a body without weight.
const YIELD: f64 = 10.0;
/// λ⁻ counts up to so many Λ.
const MOST_LOADS: f64 = 100.0;

impl Rows {
    /// Adds compliance to rigid contacts that overlap; `last` are their impulses of the last step, empty if there are
    /// none. Returns whether there are any.
    pub(crate) fn yield_overlaps(&mut self, inputs: &Inputs, last: &[f64]) -> bool {
        let fastest = inputs.settings.stabilization.max_depenetration_speed;
        let first = self.sources.len() - inputs.contacts.len();
        let (mut weight, mut any) = (None, false);
        for (k, contact) in (first..).zip(inputs.contacts) {
            let push = push_speed(inputs, contact);
            // Most contacts do not overlap. Without a bound on the speed no compliance is added.
            if push <= 0.0 || fastest == f64::INFINITY {
                continue;
            }
            let key = &contact.key;
            let material = inputs.model.surface(key.shape_a, key.shape_b);
            if !matches!(material.compliance, Compliance::Rigid) {
                continue;
            }
            let weight = *weight.get_or_insert_with(|| weight_of_all(inputs));
            let range = self.problem.sets.range(k);
            let before = last.get(range.end - 1).map_or(0.0, |l| l.max(0.0));
            let load = YIELD * fastest / self.mean_diagonal(k) + weight;
            let carried = before.min(MOST_LOADS * load);
            self.problem.compliance[range].fill(push / (load + carried));
            any = true;
        }
        any
    }

    /// Mean of the diagonal of D_kk without compliance, 1/kg.
    pub(super) fn mean_diagonal(&self, k: usize) -> f64 {
        let (mass, jacobian, _) = self.bodies();
        let dim = jacobian.rows_of(k).len();
        let squares = jacobian.entries_of(k).iter().flat_map(|entry| {
            let rows = jacobian.values_of(entry, dim);
            rows.iter().map(|row| mass.inverse_square(entry.body, row))
        });
        squares.sum::<f64>() / dim as f64
    }
}

/// Impulse of the weight of all bodies in a kick, N s.
pub(super) fn weight_of_all(inputs: &Inputs) -> f64 {
    let bodies = inputs.model.bodies().iter();
    let mass: f64 = bodies.map(|b| b.mass * b.gravity_scale.abs()).sum();
    mass * inputs.model.gravity().norm() * inputs.plan.kick
}
