//! Dry friction, springs, dampers, armature and drives of joint coordinates and tendons [math.md §3].
//!
//! An implicit law λ = −I_a (v⁺ − v⁻) + h [k_p (q_d − q − dt v⁺) + k_d (w_d − v⁺)] is the row
//! R = 1/a, v* = −(I_a v⁻ + h k_p (q_d − q) + h k_d w_d)/a, a = I_a + h k_d + h dt k_p, with v⁻ from
//! [`armature`]. h is the duration of the kick: dt, but for a half first one, where forces of springs and
//! drives act as long as gravity does.

use super::{Along, Inputs, RowSource, Rows, armature};
use linkwork_solve::ImpulseSet;

/// Dry friction τ_f: K = Interval(h τ_f), v* = 0, R = 0.
pub(super) fn push_friction(rows: &mut Rows, inputs: &Inputs) {
    for &along in &inputs.model.layout().rubbing {
        let bound = inputs.kick * along.axis(inputs.model).friction;
        let set = ImpulseSet::Interval { bound };
        let source = along.friction();
        rows.push_along(inputs.model, along, 1.0, set, (0.0, 0.0), source);
    }
}

/// Spring, damper and armature: one Free row for the three.
pub(super) fn push_passive(rows: &mut Rows, inputs: &Inputs) {
    armature::prepare(rows, inputs);
    for &along in &inputs.model.layout().passive {
        let axis = along.axis(inputs.model);
        let law = Law {
            armature: axis.armature,
            stiffness: axis.spring.stiffness,
            damping: axis.spring.damping,
            target: axis.spring.rest,
            velocity_target: 0.0,
        };
        let set = ImpulseSet::Free { dim: 1 };
        law.push(rows, inputs, along, set, along.passive());
    }
}

/// Drives: Free, or Interval(h τ_max) with an effort limit.
pub(super) fn push_drives(rows: &mut Rows, inputs: &Inputs) {
    for &along in &inputs.model.layout().driven {
        let Some(drive) = &along.axis(inputs.model).drive else {
            continue;
        };
        let (target, velocity_target) = along.targets(inputs.model, inputs.control);
        let law = Law {
            armature: 0.0,
            stiffness: drive.stiffness,
            damping: drive.damping,
            target,
            velocity_target,
        };
        let set = match drive.effort_limit {
            Some(limit) => ImpulseSet::Interval {
                bound: inputs.kick * limit,
            },
            None => ImpulseSet::Free { dim: 1 },
        };
        law.push(rows, inputs, along, set, along.drive());
    }
}

/// An implicit law on one coordinate or length.
struct Law {
    armature: f64,
    stiffness: f64,
    damping: f64,
    target: f64,
    velocity_target: f64,
}

impl Law {
    fn push(
        &self,
        rows: &mut Rows,
        inputs: &Inputs,
        along: Along,
        set: ImpulseSet,
        source: RowSource,
    ) {
        let (dt, h) = (inputs.dt, inputs.kick);
        let q = rows.value(inputs.model, along);
        let v = if self.armature > 0.0 {
            armature::velocity(rows, inputs, along)
        } else {
            0.0
        };
        let a = self.armature + h * self.damping + h * dt * self.stiffness;
        let push = self.armature * v
            + h * self.stiffness * (self.target - q)
            + h * self.damping * self.velocity_target;
        let row = (-push / a, 1.0 / a);
        rows.push_along(inputs.model, along, 1.0, set, row, source);
    }
}
