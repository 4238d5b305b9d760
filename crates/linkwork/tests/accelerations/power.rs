//! Joints and couplings do no work: what acts on a mechanism changes its kinetic energy, armatures' included.

use linkwork::assemble::project_velocities;
use linkwork::dynamics::{Accelerations, accelerations};
use linkwork::math::Vec3;
use linkwork::mobility::mobility;
use linkwork::model::{Axis, JointId, Model, TendonId};
use linkwork::{Control, Run, State};
use linkwork_scenes::{all_scenes, scene};
use std::ops::ControlFlow;

/// Sums signed parts and their sizes.
#[derive(Default)]
struct Balance {
    left: f64,
    size: f64,
}

impl Balance {
    fn add(&mut self, part: f64) {
        self.left += part;
        self.size += part.abs();
    }
}

/// Rate of the kinetic energy less the power of all that acts, drives and the control's wrenches included, W: that
/// of the joints; and the sum of the sizes of these.
pub fn power_of_joints(
    model: &Model,
    state: &State,
    control: &Control,
    found: &Accelerations,
) -> (f64, f64) {
    let mut balance = Balance::default();
    for (b, body) in model.bodies().iter().enumerate() {
        let (twist, a) = (&state.twists[b], &found.bodies[b]);
        let turn = state.poses[b].rotation;
        let inertia_times = |x: &Vec3| turn * (body.inertia * (turn.inverse() * x));
        // ω·(ω × Iω) = 0, so the rate of ½ ω·Iω is ω·Iα.
        balance.add(body.mass * twist.linear.dot(&a.linear));
        balance.add(twist.angular.dot(&inertia_times(&a.angular)));
        balance.add(-body.mass * body.gravity_scale * model.gravity().dot(&twist.linear));
        let applied = &control.wrenches[b];
        balance.add(-applied.force.dot(&twist.linear) - applied.torque.dot(&twist.angular));
    }
    let mut along = |axis: &Axis, [q, rate, acceleration]: [f64; 3], [target, speed]: [f64; 2]| {
        let spring = &axis.spring;
        balance.add(axis.armature * acceleration * rate);
        balance.add(spring.stiffness * (q - spring.rest) * rate);
        balance.add(spring.damping * rate * rate);
        if let Some(drive) = axis.drive {
            let limit = drive.effort_limit.unwrap_or(f64::INFINITY);
            let force = drive.stiffness * (target - q) + drive.damping * (speed - rate);
            balance.add(-force.clamp(-limit, limit) * rate);
        }
    };
    // Of the forces that the control adds along coordinates, W.
    let mut applied = 0.0;
    for (j, joint) in model.joints().iter().enumerate() {
        let rates = state.joint_velocities(model, JointId(j as u32));
        for (c, axis) in joint.axes.iter().enumerate() {
            let at = joint.first_coordinate + c;
            let motion = [state.coordinates[at], rates[c], found.coordinates[at]];
            along(
                axis,
                motion,
                [control.targets[at], control.velocity_targets[at]],
            );
            applied += control.forces[at] * rates[c];
        }
    }
    for (t, tendon) in model.tendons().iter().enumerate() {
        let id = TendonId(t as u32);
        let (length, rate) = (
            state.tendon_length(model, id),
            state.tendon_velocity(model, id),
        );
        let targets = [
            control.tendon_targets[t],
            control.tendon_velocity_targets[t],
        ];
        along(&tendon.axis, [length, rate, found.tendons[t]], targets);
    }
    balance.add(-applied);
    (balance.left, balance.size)
}

/// The state of every scene after a fifth of a second, its contacts, limits and dry friction left out.
#[test]
fn joints_do_no_work_in_any_scene() {
    for entry in all_scenes() {
        let name = entry.name;
        let built = scene(name, &[]).unwrap();
        let mut run = Run::of(built).unwrap();
        run.time(0.2, |_| ControlFlow::Continue(()));
        let (model, control) = (run.simulator().model(), run.control());
        let state = project_velocities(model, run.simulator().state()).state;
        let found = accelerations(model, &state, control).unwrap();
        let bodies = found.bodies.iter();
        let most = bodies.fold(1.0, |m: f64, a| {
            m.max(a.linear.amax()).max(a.angular.amax())
        });
        assert!(found.residual < 1e-9 * most, "{name}: {}", found.residual);
        assert_eq!(found.rank, mobility(model, &state).rank, "{name}");
        let forces = found.reactions.iter().flat_map(|r| [r.force, r.torque]);
        let most = forces.fold(0.0, |m: f64, force| m.max(force.norm()));
        assert!(found.unbalanced < 1e-10 * (1.0 + most), "{name}");
        let (left, size) = power_of_joints(model, &state, control, &found);
        assert!(
            left.abs() < 1e-11 * (1.0 + size),
            "{name}: {left} of {size} W"
        );
    }
}
