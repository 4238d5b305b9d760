//! Limits of coordinates and tendons: gap g = q − q_min or q_max − q, row along ± the coordinate,
//! K = NonNegative, v* = max(0, g/dt) + max(β min(0, g/dt), −s): open limits may close, never overshoot, and
//! violated ones are left at no more than the speed s. Soft ones act
//! where g < 0 and yield as [`softness`](super::softness) tells.

use super::softness::Law;
use super::{Inputs, Rows};
use crate::model::Softness;
use crate::settings::Stabilization;
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
            let mut bias = limit_bias(gap, &inputs.settings.stabilization, dt);
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

/// v* of a limit at the gap g, m/s or rad/s. Violation is removed at no more than the greatest speed of the
/// stabilisation: where a rotation vector passes half a turn it jumps to the other side of its limits, which
/// within one step would take 6000 rad/s (a bob on a ball joint, `linkwork campaign --seed 1 --first 299 --count 1`).
pub(crate) fn limit_bias(gap: f64, stabilization: &Stabilization, dt: f64) -> f64 {
    let removal = stabilization.limits * gap.min(0.0) / dt;
    gap.max(0.0) / dt + removal.max(-stabilization.max_depenetration_speed)
}
