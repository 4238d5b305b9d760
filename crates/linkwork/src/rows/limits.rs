//! Limits of coordinates, tendons and rotation angles of ball joints: gap g = q − q_min or q_max − q, row along ± the
//! coordinate, K = NonNegative, v* = max(0, g/dt) + max(β min(0, g/dt), −s). Open limits may close but not overshoot,
//! and violations are removed at no more than the speed s. Soft limits act where g < 0 and follow
//! [`softness`](super::softness). A range of zero width is one row with K = Free.

use super::softness::SoftLaw;
use super::{Inputs, Pushed, Rows};
use crate::integrator::Plan;
use crate::model::Softness;
use crate::settings::Stabilization;
use linkwork_solve::ImpulseSet;

pub(super) fn push(rows: &mut Rows, inputs: &Inputs) {
    let dt = inputs.plan.span;
    for &limited in &inputs.model.layout().limited {
        let Some(limits) = &limited.limits(inputs.model) else {
            continue;
        };
        let q = rows.limited_value(inputs.model, limited);
        let velocity = rows.limited_velocity(inputs.model, limited);
        if limits.min == limits.max && limits.softness.is_none() {
            let gap = found_gap(limits.max - q, -velocity, inputs.plan);
            let bias = held_bias(gap, -velocity, &inputs.settings.stabilization, inputs.plan);
            let (set, source) = (ImpulseSet::Free { dim: 1 }, limited.source(true));
            rows.push_limited(inputs.model, limited, -1.0, set, (bias, 0.0), source);
            continue;
        }
        for (upper, sign, gap) in [(false, 1.0, q - limits.min), (true, -1.0, limits.max - q)] {
            let (set, source) = (ImpulseSet::NonNegative, limited.source(upper));
            if inputs.released.contains(&source) {
                continue;
            }
            if let Some(softness) = &limits.softness {
                if gap < 0.0 {
                    let row = yielding(inputs, softness, gap, sign * velocity);
                    rows.push_limited(inputs.model, limited, sign, set, row, source);
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
            let approach = sign * velocity;
            let gap = found_gap(gap, approach, inputs.plan);
            let mut bias = limit_bias(gap, approach, &inputs.settings.stabilization, inputs.plan);
            let mut leaves = 0.0;
            if limits.restitution > 0.0
                && gap + dt * approach <= 0.0
                && approach < -inputs.settings.contact.restitution_threshold
            {
                leaves = -limits.restitution * approach;
                let closed = bias;
                bias = bias.min(-leaves);
                rows.note_bounce(0, closed, bias);
            }
            if bias < 0.0 && inputs.plan.ends_pushes() {
                let block = rows.sources.len();
                rows.pushed.push(Pushed { block, leaves });
            }
            rows.push_limited(inputs.model, limited, sign, set, (bias, 0.0), source);
        }
    }
}

/// v* and R of a violated soft limit. A separate function, because its power functions would otherwise also be
/// evaluated for hard limits.
#[inline(never)]
fn yielding(inputs: &Inputs, softness: &Softness, gap: f64, velocity: f64) -> (f64, f64) {
    let law = SoftLaw::at(inputs, &softness.impedance, gap);
    law.row(gap, velocity, softness.inverse_inertia)
}

/// The gap at the poses from which the new velocities move the bodies, m or rad, which may differ from the poses of the
/// rows; before the step it opens at the given rate.
pub(crate) fn found_gap(gap: f64, rate: f64, plan: &Plan) -> f64 {
    let shift = plan.shift();
    if shift == 0.0 {
        gap
    } else {
        gap + shift * rate
    }
}

/// v* of a range of zero width, whose two sides are both limits.
pub(crate) fn held_bias(gap: f64, rate: f64, stabilization: &Stabilization, plan: &Plan) -> f64 {
    let side = if gap > 0.0 { -1.0 } else { 1.0 };
    side * limit_bias(side * gap, side * rate, stabilization, plan)
}

/// v* of a limit at the gap g, m/s or rad/s, which opens at the given rate before the step. Violation is removed at no
/// more than the maximum speed of the stabilisation: where a rotation vector passes half a turn it jumps to the other
/// side of its limits, which within one step would require 6000 rad/s (a bob on a ball joint, `linkwork campaign --seed
/// 1 --first 299 --count 1`). The part of the violation that the old velocities caused in this step may be removed at
/// the speed at which it arose.
pub(crate) fn limit_bias(gap: f64, rate: f64, stabilization: &Stabilization, plan: &Plan) -> f64 {
    let dt = plan.span;
    let removal = stabilization.limits * gap.min(0.0) / dt;
    let most = stabilization.max_depenetration_speed;
    gap.max(0.0) / dt + removal.max(-most.max(plan.made(rate)))
}
