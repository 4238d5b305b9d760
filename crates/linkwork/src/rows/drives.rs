//! Dry friction, springs, dampers, armature and drives of joint coordinates and tendons [math.md §3].
//!
//! A drive is implicit in the position at the end of the step, λ = h [k_p (q_d − q − dt v⁺) + k_d (w_d − v⁺)]: it damps
//! what is faster than the step, as a servo should. A spring must not. It follows the midpoint rule: over each step it acts
//! with its force at the middle between the poses of the start and of the end, one half of the step's impulse in the kick before
//! it and one in the kick after. With the rates v⁻ of the step before, of length dt₋, and v⁺ of this one
//! λ = −½ dt₋ k (q − q₀ − ½ dt₋ v⁻) − ½ dt k (q − q₀ + ½ dt v⁺) = −h k (q − q₀) + ¼ k (dt₋² v⁻ − dt² v⁺): a force at the start of the step, and an
//! inertia of ¼ k dt². Energy with velocities at the time of the poses is kept exactly where the mechanism is linear, and no step is too
//! long: the fastest oscillation that is left has two steps a period.
//!
//! All are the row R = 1/a, v* = −p/a of a law λ = p − a v⁺. h is the duration of the kick: dt, but for a half first one, where
//! forces of springs and drives act as long as gravity does. v⁻ and v⁺ of springs and armatures are mean rates of the coordinate
//! ([`geared`]).

use super::{Along, Geared, Inputs, RowSource, Rows, geared};
use crate::math::Vec3;
use crate::model::Model;
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
    let (ahead, behind, h) = (inputs.ahead, inputs.behind(), inputs.kick);
    rows.geared.clear();
    for &along in &inputs.model.layout().passive {
        let axis = along.axis(inputs.model);
        let spring = &axis.spring;
        let stiff = 0.25 * spring.stiffness;
        let mut law = Law {
            drag: axis.armature + stiff * ahead * ahead + h * spring.damping,
            push: 0.0,
        };
        let mut inertia = axis.armature;
        // Where nothing moves on, what completes the last step is among the wrenches (`Rows::add_springs`).
        if ahead > 0.0 {
            inertia += stiff * behind * behind;
            law.push += h * spring.stiffness * (spring.rest - rows.value(inputs.model, along));
        }
        let mut gear = axis.has_inertia().then(|| {
            let before = geared::rate_before(rows, inputs, rows.geared.len(), along);
            law.push += inertia * before;
            Geared::new(rows, inputs, along, before)
        });
        // A spring alone has no row where nothing moves on.
        if law.drag > 0.0 {
            if let Some(gear) = &mut gear {
                gear.block = Some(rows.sources.len());
                gear.bias = law.bias();
                gear.compliance = 1.0 / law.drag;
            }
            let set = ImpulseSet::Free { dim: 1 };
            law.push(rows, inputs, along, set, along.passive());
        }
        rows.geared.extend(gear);
    }
}

impl Rows {
    /// Add to the wrenches the forces of springs that complete the last step, of `dt` (s): those at its middle.
    /// `rates` as in [`Inputs`].
    pub(crate) fn add_springs(
        &self,
        model: &Model,
        dt: f64,
        rates: &[f64],
        wrenches: &mut [[Vec3; 2]],
    ) {
        for (i, &along) in model.layout().geared.iter().enumerate() {
            let spring = &along.axis(model).spring;
            if spring.stiffness > 0.0 {
                let carried = rates.get(i).copied();
                let rate = carried.unwrap_or_else(|| self.velocity(model, along));
                let q = self.value(model, along) - 0.5 * dt * rate;
                let force = spring.stiffness * (spring.rest - q);
                self.add_force(model, along, force, wrenches);
            }
        }
    }
}

/// Drives: Free, or Interval(h τ_max) with an effort limit.
pub(super) fn push_drives(rows: &mut Rows, inputs: &Inputs) {
    let (dt, h) = (inputs.dt, inputs.kick);
    for &along in &inputs.model.layout().driven {
        let Some(drive) = &along.axis(inputs.model).drive else {
            continue;
        };
        let (target, velocity_target) = along.targets(inputs.model, inputs.control);
        let q = rows.value(inputs.model, along);
        let law = Law {
            drag: h * drive.damping + h * dt * drive.stiffness,
            push: h * drive.stiffness * (target - q) + h * drive.damping * velocity_target,
        };
        let set = match drive.effort_limit {
            Some(limit) => ImpulseSet::Interval { bound: h * limit },
            None => ImpulseSet::Free { dim: 1 },
        };
        law.push(rows, inputs, along, set, along.drive());
    }
}

/// λ = p − a v⁺ on one coordinate or length.
struct Law {
    /// a, kg or kg m².
    drag: f64,
    /// p, N s or N m s.
    push: f64,
}

impl Law {
    /// v*, m/s or rad/s.
    fn bias(&self) -> f64 {
        -self.push / self.drag
    }

    fn push(
        &self,
        rows: &mut Rows,
        inputs: &Inputs,
        along: Along,
        set: ImpulseSet,
        source: RowSource,
    ) {
        let row = (self.bias(), 1.0 / self.drag);
        rows.push_along(inputs.model, along, 1.0, set, row, source);
    }
}
