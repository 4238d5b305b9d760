//! A step tends to the accelerations as dt → 0, with everything on board that a step has implicit in time.

use linkwork::assemble::project_velocities;
use linkwork::dynamics::accelerations;
use linkwork::joints::{Distance, Gimbal, Screw, Universal};
use linkwork::math::{MassProperties, Pose, Twist, Vec3, log};
use linkwork::model::{BodyDef, Coupling, JointDef, JointId, Model, ModelBuilder, Tendon};
use linkwork::{Control, FirstKick, Settings, Simulator, State};
use std::sync::Arc;

/// Four bodies on a gimbal, a universal joint, a driven slide and a screw, a rod that closes a loop, a cam between
/// two joints and a tendon over three; springs, dampers and armatures on nearly all.
fn everything() -> Arc<Model> {
    let mut b = ModelBuilder::new();
    let bodies: Vec<_> = (0..4)
        .map(|i| {
            let half = Vec3::new(0.05, 0.08 + 0.01 * f64::from(i), 0.15);
            let solid = MassProperties::solid_box(1.0 + 0.5 * f64::from(i), half);
            let place = Pose::at(0.1 * f64::from(i), 0.05, -0.3 * f64::from(i) - 0.2);
            b.add_body(BodyDef::new(format!("body {i}"), solid).pose(place))
        })
        .collect();
    let mut hang = |joint: JointDef, i: usize| {
        let top = Pose::at(0.1 * i as f64, 0.02, -0.3 * i as f64);
        let joint = joint.frame(top.rotated(Vec3::new(0.2, 0.3 * i as f64, -0.1)));
        b.add_joint(joint)
    };
    let mut gimbal = JointDef::new("gimbal", Gimbal, None, bodies[0]);
    for c in 0..3 {
        gimbal = gimbal.with(c, |a| {
            a.armature = 0.05;
            a.spring.stiffness = 4.0;
            a.spring.damping = 0.3;
        });
    }
    let gimbal = hang(gimbal, 0);
    let universal = JointDef::new("universal", Universal, bodies[0], bodies[1]);
    let universal = hang(universal.spring(5.0, 0.2, 0.4).armature(0.02), 1);
    let slide = JointDef::prismatic("slide", bodies[1], bodies[2]);
    let slide = hang(slide.drive(300.0, 20.0).armature(0.7).damping(2.0), 2);
    let screw = JointDef::new("screw", Screw { pitch: 0.05 }, bodies[2], bodies[3]);
    let screw = hang(screw.damping(0.05), 3);
    let length = 1.0;
    let rod = JointDef::new("rod", Distance { length }, None, bodies[3]);
    // From a hook straight above the centre of the last body.
    let hook = Pose::at(0.3, 0.05, -1.1 + length);
    b.add_joint(rod.frames(hook, Pose::identity()));
    let curve = [0.0, 0.2, 0.8, 0.0, 0.0];
    b.add_coupling(Coupling::polynomial(
        "cam",
        slide,
        gimbal,
        (0.0, 0.0),
        curve,
    ));
    let terms = [(universal, 1, 1.0), (slide, 0, -3.0), (screw, 0, 0.2)];
    let tendon = Tendon::new("tendon", &terms).spring(8.0, 0.1, 0.6);
    b.add_tendon(tendon.with(|a| a.armature = 0.03));
    b.build().unwrap()
}

/// Accelerations implied by one step from `state`, (linear, angular) per body: 2 (x(dt) − x − dt ẋ)/dt².
fn stepped(model: &Arc<Model>, state: &State, control: &Control, dt: f64) -> Vec<Vec3> {
    let mut settings = Settings::with(|s| {
        s.dt = dt;
        s.first_kick = FirstKick::Half;
    });
    settings.solve.tolerance = 1e-14;
    settings.closure.tolerance = 1e-15;
    let mut simulator = Simulator::new(model.clone(), settings).unwrap();
    simulator.set_state(state.clone()).unwrap();
    simulator.step(control).unwrap();
    let bodies = state.poses.iter().zip(&state.twists);
    let ends = bodies.zip(&simulator.state().poses);
    ends.flat_map(|((from, twist), to)| {
        let moved = to.position - from.position - dt * twist.linear;
        let turned = log(&(to.rotation * from.rotation.inverse())) - dt * twist.angular;
        [moved, turned].map(|x| 2.0 * x / (dt * dt))
    })
    .collect()
}

#[test]
fn steps_tend_to_the_accelerations_in_first_order() {
    let model = everything();
    let mut state = model.initial_state();
    for (b, twist) in state.twists.iter_mut().enumerate() {
        let k = b as f64;
        let linear = Vec3::new(0.4 - 0.2 * k, 0.3, 0.1 * k);
        *twist = Twist::new(linear, Vec3::new(1.0, -0.6 * k, 0.8));
    }
    let state = project_velocities(&model, &state).state;
    assert!(state.twists.iter().any(|t| t.angular.norm() > 0.5));
    let mut control = Control::new(&model);
    control.target(&model, JointId(2), 0.05);
    control.velocity_target(&model, JointId(2), 0.3);
    control.force(&model, JointId(3), 0.7);
    control.tendon_forces[0] = 1.5;

    let found = accelerations(&model, &state, &control).unwrap();
    assert!(found.left_out.is_empty() && found.residual < 1e-10);
    assert!(found.position_error < 1e-12 && found.velocity_error < 1e-12);
    let bodies = found.bodies.iter();
    let expected: Vec<Vec3> = bodies.flat_map(|a| [a.linear, a.angular]).collect();
    let scale = expected.iter().map(Vec3::norm).fold(0.0, f64::max);
    let error = |dt: f64| {
        let steps = stepped(&model, &state, &control, dt);
        let apart = steps.iter().zip(&expected).map(|(s, e)| (s - e).norm());
        apart.fold(0.0, f64::max) / scale
    };
    let errors = [4e-4, 2e-4, 1e-4].map(error);
    assert!(errors[2] < 3e-3, "{errors:?}");
    for pair in errors.windows(2) {
        let order = (pair[0] / pair[1]).log2();
        assert!((order - 1.0).abs() < 0.1, "{errors:?}");
    }
}
