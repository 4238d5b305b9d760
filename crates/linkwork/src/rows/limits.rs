//! Limits of coordinates and tendons: gap g = q − q_min or q_max − q, row along ± the coordinate,
//! K = NonNegative, v* = max(0, g/dt) + β min(0, g/dt): open limits may close, never overshoot. Soft ones act
//! where g < 0 and yield as [`softness`](super::softness) tells.

use super::softness::Law;
use super::{Inputs, Rows};
use crate::model::Softness;
use linkwork_solve::ImpulseSet;

pub(super) fn push(rows: &mut Rows, inputs: &Inputs) {
    let dt = inputs.dt;
    for &along in &inputs.model.layout().limited {
        let Some(limits) = &along.axis(inputs.model).limits else {
            continue;
        };
        let q = rows.value(inputs.model, along);
        let velocity = rows.velocity(inputs.model, along);
        for (upper, sign, gap) in [(false, 1.0, q - limits.min), (true, -1.0, limits.max - q)] {
            let (set, source) = (ImpulseSet::NonNegative, along.limit(upper));
            if let Some(softness) = &limits.softness {
                if gap < 0.0 {
                    let row = yielding(inputs, softness, gap, sign * velocity);
                    rows.push_along(inputs.model, along, sign, set, row, source);
                    rows.some_yield = true;
                }
                continue;
            }
            // The gap may also close during the step: twice the present rate covers accelerations
            // up to velocity/dt, the margin covers a start from rest.
            let closing = (-sign * velocity * dt).max(0.0);
            if gap > inputs.settings.contact.limit_margin + 2.0 * closing {
                continue;
            }
            let mut bias = biased_gap(gap, inputs.settings.stabilization.limits) / dt;
            let approach = sign * velocity;
            if limits.restitution > 0.0
                && gap + dt * approach <= 0.0
                && approach < -inputs.settings.contact.restitution_threshold
            {
                bias = bias.min(limits.restitution * approach);
            }
            rows.push_along(inputs.model, along, sign, set, (bias, 0.0), source);
        }
    }
}

/// v* and R of a soft limit that is violated. Kept apart: inlined, its powers are taken for hard limits, too.
#[inline(never)]
fn yielding(inputs: &Inputs, softness: &Softness, gap: f64, velocity: f64) -> (f64, f64) {
    let law = Law::at(inputs, &softness.impedance, gap);
    law.row(gap, velocity, softness.inverse_inertia)
}

/// The gap, with overlap weighted by the gain β.
pub(crate) fn biased_gap(gap: f64, gain: f64) -> f64 {
    gap.max(0.0) + gain * gap.min(0.0)
}
