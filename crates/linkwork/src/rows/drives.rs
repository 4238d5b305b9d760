//! Dry friction, springs, dampers, armature and drives of joint coordinates and tendons [math.md §3].
//!
//! A drive is implicit in the position at the end of the step, λ = h [k_p (q_d − q − dt v⁺) + k_d (w_d − v⁺)]: it damps
//! motion that is faster than the step, which is acceptable in a servo. A spring must not damp. It follows the midpoint
//! rule: over each step it acts with its force at the middle between the poses of the start and of the end, with one
//! half of the step's impulse in the kick before it and one in the kick after. With the rates v⁻ of the step before, of
//! length dt₋, and v⁺ of this one
//! λ = −½ dt₋ k (q − q₀ − ½ dt₋ v⁻) − ½ dt k (q − q₀ + ½ dt v⁺) = −h k (q − q₀) + ¼ k (dt₋² v⁻ − dt² v⁺): a force at
//! the start of the step, and an inertia of ¼ k dt². Energy with velocities at the time of the poses is conserved
//! exactly in linear mechanisms, for any step size: the fastest possible oscillation has two steps per period.
//!
//! This holds for semi-implicit Euler. Other integrators have other weights of v⁻ and v⁺
//! ([`Laws`](crate::integrator::Laws)).
//!
//! All are the row R = 1/a, v* = −p/a of a law λ = p − a v⁺. h is the duration of the kick: dt, except for a half first
//! one, where forces of springs and drives act as long as gravity does. v⁻ and v⁺ of springs and armatures are mean
//! rates of the coordinate ([`geared`]).

use super::{Along, Carried, Geared, Inputs, RowSource, Rows, geared};
use crate::control::Control;
use crate::integrator::Plan;
use crate::math::{Vec3, log};
use crate::model::{Axis, Drive, JointId, Model};
use linkwork_solve::ImpulseSet;

/// Dry friction τ_f: K = Interval(h τ_f), v* = 0, R = 0.
pub(super) fn push_friction(rows: &mut Rows, inputs: &Inputs) {
    for &along in &inputs.model.layout().rubbing {
        let bound = inputs.plan.kick * along.axis(inputs.model).friction;
        let set = ImpulseSet::Interval { bound };
        let source = along.friction();
        rows.push_along(inputs.model, along, 1.0, set, (0.0, 0.0), source);
    }
}

/// Spring, damper and armature: one Free row for the three.
pub(super) fn push_passive(rows: &mut Rows, inputs: &Inputs) {
    rows.geared.clear();
    for &along in &inputs.model.layout().passive {
        let axis = along.axis(inputs.model);
        let mut law = DriveLaw::passive(rows, inputs.model, inputs.plan, along);
        let q = rows.value(inputs.model, along);
        let inertia = passive_inertia(axis, q, inputs.plan);
        let mut gear = axis.has_inertia().then(|| {
            let last = geared::carried(rows, inputs, rows.geared.len(), along);
            law.push += inertia * last.rate + last.beyond;
            Geared::new(rows, inputs, along, last.rate)
        });
        if gear.is_none() && inertia != 0.0 {
            law.push += inertia * rows.velocity(inputs.model, along);
        }
        // Elements without a row act as forces (`Rows::add_springs`, `Rows::add_explicit`).
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

/// Weight of the old rate in the impulse of spring, damper and armature, kg or kg m².
fn passive_inertia(axis: &Axis, q: f64, plan: &Plan) -> f64 {
    let mut inertia = axis.armature;
    // Where no motion follows, the completion of the last step is among the wrenches (`Rows::add_springs`).
    if plan.ahead > 0.0 {
        let behind = plan.laws.spring[0];
        inertia += 0.25 * axis.spring.at(q).stiffness * behind * behind;
        inertia -= plan.laws.damper[0] * axis.spring.damping;
    }
    inertia
}

impl Rows {
    /// Adds the forces of springs that complete the last step, of `dt` (s), to the wrenches: those at its middle.
    /// `rates` as in [`Inputs`].
    pub(crate) fn add_springs(
        &self,
        model: &Model,
        dt: f64,
        rates: &[Carried],
        wrenches: &mut [[Vec3; 2]],
    ) {
        for (i, &along) in model.layout().geared.iter().enumerate() {
            let spring = &along.axis(model).spring;
            if spring.stiffness > 0.0 {
                let carried = rates.get(i).copied();
                let last = carried.unwrap_or_else(|| Carried::rate(self.velocity(model, along)));
                let q = self.value(model, along);
                let (spring, q) = (spring.at(q), q - 0.5 * dt * last.rate);
                let force = spring.stiffness * (spring.rest - q) + last.beyond / (0.5 * dt);
                self.add_force(model, along, force, wrenches);
            }
        }
    }

    /// Adds to the wrenches the forces of springs, dampers and drives that do not depend on the unknown velocities and
    /// therefore have no row: those of the theta-method where θ or θ_vq is 0.
    pub(crate) fn add_explicit(
        &self,
        model: &Model,
        control: &Control,
        plan: &Plan,
        wrenches: &mut [[Vec3; 2]],
    ) {
        for &along in &model.layout().passive {
            let law = DriveLaw::passive(self, model, plan, along);
            if law.drag == 0.0 {
                let q = self.value(model, along);
                let inertia = passive_inertia(along.axis(model), q, plan);
                let impulse = law.push + inertia * self.velocity(model, along);
                self.add_force(model, along, impulse / plan.kick, wrenches);
            }
        }
        for &along in &model.layout().driven {
            let Some(drive) = &along.axis(model).drive else {
                continue;
            };
            if drive.is_rigid() {
                continue;
            }
            let law = DriveLaw::drive(self, model, control, (plan, drive), along);
            if law.drag == 0.0 {
                let limit = drive.effort_limit.unwrap_or(f64::INFINITY);
                let force = (law.push / plan.kick).clamp(-limit, limit);
                self.add_force(model, along, force, wrenches);
            }
        }
    }
}

/// Drives: Free, or Interval(h τ_max) with an effort limit. A rigid one is an equation, R = 0.
pub(super) fn push_drives(rows: &mut Rows, inputs: &Inputs) {
    for &along in &inputs.model.layout().driven {
        let Some(drive) = &along.axis(inputs.model).drive else {
            continue;
        };
        if drive.is_rigid() {
            let rate = rigid_rate(rows, inputs, along);
            push_rate(rows, inputs, along, rate);
            continue;
        }
        let plan = inputs.plan;
        let law = DriveLaw::drive(rows, inputs.model, inputs.control, (plan, drive), along);
        let set = match drive.effort_limit {
            Some(limit) => ImpulseSet::Interval {
                bound: plan.kick * limit,
            },
            None => ImpulseSet::Free { dim: 1 },
        };
        if law.drag > 0.0 {
            law.push(rows, inputs, along, set, along.drive());
        }
    }
}

/// Rigid drives in impacts, which keep their rates.
pub(super) fn push_rigid(rows: &mut Rows, inputs: &Inputs) {
    for &along in &inputs.model.layout().driven {
        if along.axis(inputs.model).drive.is_some_and(|d| d.is_rigid()) {
            let rate = rows.velocity(inputs.model, along);
            push_rate(rows, inputs, along, rate);
        }
    }
}

/// A row that gives a coordinate or length this rate, m/s or rad/s.
fn push_rate(rows: &mut Rows, inputs: &Inputs, along: Along, rate: f64) {
    let set = ImpulseSet::Free { dim: 1 };
    rows.push_along(inputs.model, along, 1.0, set, (-rate, 0.0), along.drive());
}

/// The rate with which a rigid drive is at its target at the end of the whole step. In a kick that only completes
/// velocities it keeps its rate.
fn rigid_rate(rows: &Rows, inputs: &Inputs, along: Along) -> f64 {
    let (model, plan) = (inputs.model, inputs.plan);
    let before = rows.velocity(model, along);
    if plan.ahead == 0.0 {
        return before;
    }
    let way = match along {
        Along::Coordinate(id, c) if model.joint(id).is_moved() => moved_way(rows, inputs, id, c),
        _ => along.targets(model, inputs.control).0 - rows.value(model, along),
    };
    (way - plan.shift() * before) / (plan.span + plan.later)
}

/// Distance to the target of a coordinate of a body that is moved from outside: along the row, with the displacement
/// and rotation from pose to pose. The difference of the coordinates would be wrong to second order, and jump where the
/// rotation vector does.
fn moved_way(rows: &Rows, inputs: &Inputs, id: JointId, coordinate: usize) -> f64 {
    let joint = inputs.model.joint(id);
    let targets = &inputs.control.targets[joint.range()];
    let frame = joint
        .frame_base
        .compose(&joint.kind.place(targets).as_pose());
    let to = frame.compose(&joint.frame_follower.inverse());
    let from = &inputs.state.poses[joint.follower.index()];
    let shift = to.position - from.position;
    let turn = log(&(to.rotation * from.rotation.inverse()));
    let row = &rows.coordinate_jacobian(id, coordinate)[1];
    let linear = Vec3::new(row[0], row[1], row[2]).dot(&shift);
    linear + Vec3::new(row[3], row[4], row[5]).dot(&turn)
}

/// λ = p − a v⁺ on one coordinate or length.
struct DriveLaw {
    /// a, kg or kg m².
    drag: f64,
    /// p, N s or N m s.
    push: f64,
}

impl DriveLaw {
    /// The value for spring, damper and armature without the old rate.
    fn passive(rows: &Rows, model: &Model, plan: &Plan, along: Along) -> Self {
        let axis = along.axis(model);
        let q = rows.value(model, along);
        let spring = axis.spring.at(q);
        let (h, ahead) = (plan.kick, plan.laws.spring[1]);
        let stiff = 0.25 * spring.stiffness;
        let moves = plan.ahead > 0.0;
        Self {
            drag: axis.armature + stiff * ahead * ahead + plan.laws.damper[1] * spring.damping,
            push: if moves {
                h * spring.stiffness * (spring.rest - q)
            } else {
                0.0
            },
        }
    }

    /// That of a drive.
    fn drive(
        rows: &Rows,
        model: &Model,
        control: &Control,
        (plan, drive): (&Plan, &Drive),
        along: Along,
    ) -> Self {
        let (target, velocity_target) = along.targets(model, control);
        let (h, laws) = (plan.kick, &plan.laws);
        let q = rows.value(model, along);
        let mut law = Self {
            drag: laws.servo_damper[1] * drive.damping + laws.servo[1] * drive.stiffness,
            push: h * drive.stiffness * (target - q) + h * drive.damping * velocity_target,
        };
        let before = laws.servo[0] * drive.stiffness - laws.servo_damper[0] * drive.damping;
        if before != 0.0 {
            law.push += before * rows.velocity(model, along);
        }
        law
    }

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
