//! Rigid contacts yield a little under the convex relaxation.
//!
//! **Where they overlap.** Contacts on opposite sides of a body ask it to leave to both, and the relaxation asks them not to slide either. If they are rigid, only impulses without bound meet that
//! (`heap` of 160 while it falls: 1e4 N s, and solves that stall). A contact that is pushed apart at the speed p gets the compliance
//!
//! ```text
//! R = p / (Λ + min(λ⁻, 100 Λ)),    Λ = 10 s / w + G,
//! ```
//!
//! with s the greatest speed of a push, w the mean of its diagonal of D, λ⁻ its normal impulse in the last step and G the impulse of all weight
//! in a step. Pushes that contradict each other then end at impulses of Λ + λ⁻. A free body leaves at 10/11 of the speed
//! or more. A load that was there before does not make a contact sink: R λ⁻ < p. The bound of λ⁻ keeps bodies that stay wedged from being squeezed
//! more from step to step.
//!
//! **Where they rest.** The loads of a heap are not unique, and what a solve leaves of its tolerance is in the gaps of the next step, where it contradicts
//! other gaps by as much. If contacts are rigid, only loads that move from one side of a body to the other, by as much as all of them, meet
//! that: each step is hard again, whatever the tolerance. So contacts have at least the compliance
//!
//! ```text
//! R_N = min(1e-5 w, d / (dt G)),    R_T = R_N / 30,
//! ```
//!
//! and loads are those of springs. A contact that carried the weight of all bodies would be d = 1e-5 m deep; those of a `heap` of 160 are at most
//! 7e-7 m deep. Friction creeps at R_T λ_T, in a heap a few 1e-7 m/s, less than its tolerance.

use super::contacts::push_speed;
use super::{Inputs, Rows};
use crate::model::Compliance;

/// Λ w / s of a body without weight.
const YIELD: f64 = 10.0;
/// λ⁻ counts up to so many Λ.
const MOST_LOADS: f64 = 100.0;
/// R_N / w at most, of contacts that do not overlap.
const SPRING: f64 = 1e-5;
/// Depth of a contact that carries all weight, m.
const DEPTH: f64 = 1e-5;
/// R_T / R_N.
const CREEP: f64 = 1.0 / 30.0;

impl Rows {
    /// Let rigid contacts yield; `last` are their impulses of the last step, empty if there are none.
    pub(crate) fn let_rigid_yield(&mut self, inputs: &Inputs, last: &[f64]) {
        let fastest = inputs.settings.stabilization.max_depenetration_speed;
        let first = self.sources.len() - inputs.contacts.len();
        let weight = weight_of_all(inputs);
        for (k, contact) in (first..).zip(inputs.contacts) {
            let key = &contact.key;
            let material = inputs.model.surface(key.shape_a, key.shape_b);
            if !matches!(material.compliance, Compliance::Rigid) {
                continue;
            }
            let range = self.problem.sets.range(k);
            let diagonal = self.mean_diagonal(k);
            // Without weight the second is infinite.
            let spring = (SPRING * diagonal).min(DEPTH / (inputs.plan.span * weight));
            let push = push_speed(inputs, contact);
            let mut pushed = 0.0;
            // Most contacts do not overlap. Without a bound on the speed nothing is pushed for long.
            if push > 0.0 && fastest < f64::INFINITY {
                let before = last.get(range.end - 1).map_or(0.0, |l| l.max(0.0));
                let load = YIELD * fastest / diagonal + weight;
                pushed = push / (load + before.min(MOST_LOADS * load));
            }
            let compliance = &mut self.problem.compliance[range];
            compliance.fill(pushed.max(CREEP * spring));
            if let Some(normal) = compliance.last_mut() {
                *normal = pushed.max(spring);
            }
        }
    }

    /// Mean of the diagonal of D_kk without compliance, 1/kg.
    fn mean_diagonal(&self, k: usize) -> f64 {
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
fn weight_of_all(inputs: &Inputs) -> f64 {
    let bodies = inputs.model.bodies().iter();
    let mass: f64 = bodies.map(|b| b.mass * b.gravity_scale.abs()).sum();
    mass * inputs.model.gravity().norm() * inputs.plan.kick
}
