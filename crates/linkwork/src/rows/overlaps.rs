//! Rigid contacts that overlap yield a little while they are pushed apart: under the convex relaxation, and under Coulomb's
//! law in steps whose solve fails (friction locks a body that others push from three sides: `discardvisual.xml` of MuJoCo's tests).
//!
//! Where bodies overlap, contacts on opposite sides of one ask it to leave to both, and the relaxation asks them not to slide either. If they are rigid, only impulses without bound meet that
//! (`heap` of 160 while it falls: 1e4 N s, and solves that stall). A contact that is pushed apart at the speed p gets the compliance
//!
//! ```text
//! R = p / (Λ + min(λ⁻, 100 Λ)),    Λ = 10 s / w + G,
//! ```
//!
//! with s the greatest speed of a push, w the mean of its diagonal of D, λ⁻ its normal impulse in the last step and G the impulse of all weight
//! in a step. Pushes that contradict each other then end at impulses of Λ + λ⁻. A free body leaves at 10/11 of the speed
//! or more. A load that was there before does not make a contact sink: R λ⁻ < p. The bound of λ⁻ keeps bodies that stay wedged from being squeezed
//! more from step to step. R vanishes with the overlap: contacts at rest are rigid.

use super::contacts::push_speed;
use super::{Inputs, Rows};
use crate::model::Compliance;

/// Λ w / s of a body without weight.
const YIELD: f64 = 10.0;
/// λ⁻ counts up to so many Λ.
const MOST_LOADS: f64 = 100.0;

impl Rows {
    /// Let rigid contacts that overlap yield; `last` are their impulses of the last step, empty if there are none. Returns
    /// whether there are any.
    pub(crate) fn yield_overlaps(&mut self, inputs: &Inputs, last: &[f64]) -> bool {
        let fastest = inputs.settings.stabilization.max_depenetration_speed;
        let first = self.sources.len() - inputs.contacts.len();
        let (mut weight, mut any) = (None, false);
        for (k, contact) in (first..).zip(inputs.contacts) {
            let push = push_speed(inputs, contact);
            // Most contacts do not overlap. Without a bound on the speed nothing yields.
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
