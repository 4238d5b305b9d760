//! A limited ball joint beyond half a turn, where its rotation vector jumps to the other side of its limits.

use linkwork::math::{MassProperties, Vec3};
use linkwork::model::*;
use linkwork::rows::RowSource;
use linkwork::{Control, Run, Settings, Simulator};
use std::ops::ControlFlow;

#[test]
fn passing_half_a_turn_does_not_feed_the_mechanism() {
    for (dt, spin) in [(1e-3, 8.0), (5e-3, 8.0), (1e-3, 20.0)] {
        let mut b = ModelBuilder::new();
        b.gravity(Vec3::zeros());
        let mass = MassProperties::solid_box(1.0, Vec3::new(0.05, 0.1, 0.15));
        // It spins about z, beyond half a turn: θ_z jumps from π to −π, far below its limit.
        let angular = Vec3::new(0.0, 0.0, spin);
        let body = b.add_body(BodyDef::new("bob", mass).twist(Vec3::zeros(), angular));
        let ball = JointDef::spherical("ball", None, body);
        b.add_joint(ball.limits_of(2, Limits::new(-1.0, 10.0)));
        let settings = Settings::with(|s| s.dt = dt);
        let simulator = Simulator::new(b.build().unwrap(), settings).unwrap();
        let mut run = Run::new(simulator, None);
        let (mut start, mut most) = (None, 0.0f64);
        run.time(2.0, |moment| {
            let start = *start.get_or_insert(moment.energy);
            most = most.max(moment.energy / start);
            ControlFlow::Continue(())
        });
        // A limit that was jumped over is not in force.
        assert!(most < 1.0 + 1e-9, "{most} of its energy at dt {dt} s");
        let left = run.simulator().state().twists[0].angular.norm();
        assert!((left - spin).abs() < 1e-6, "{left} rad/s");
    }
}

/// Once the coordinate is inside its limits again they hold; a run resumed before that has the same bits.
#[test]
fn a_limit_that_was_jumped_over_holds_again_from_inside() {
    let mut b = ModelBuilder::new();
    b.gravity(Vec3::zeros());
    let mass = MassProperties::solid_box(1.0, Vec3::new(0.05, 0.1, 0.15));
    let angular = Vec3::new(0.0, 0.0, 8.0);
    let body = b.add_body(BodyDef::new("bob", mass).twist(Vec3::zeros(), angular));
    let ball =
        b.add_joint(JointDef::spherical("ball", None, body).limits_of(2, Limits::new(-1.0, 10.0)));
    let model = b.build().unwrap();
    let mut simulator = Simulator::new(model.clone(), Settings::default()).unwrap();
    let mut control = Control::new(&model);
    let angle = |s: &Simulator| s.state().joint_coordinates(&model, ball)[2];
    for _ in 0..600 {
        simulator.step(&control).unwrap();
    }
    assert!(angle(&simulator) < -1.2, "outside: {}", angle(&simulator));
    let saved = simulator.checkpoint(&control);
    let mut damaged = saved.clone();
    damaged.memory.released[0] = RowSource::Limit {
        joint: JointId(7),
        coordinate: 2,
        upper: false,
    };
    let error = Simulator::resume(model.clone(), &damaged).err().unwrap();
    assert!(error.to_string().contains("limits"), "{error}");
    let mut again = Simulator::resume(model.clone(), &saved).unwrap();
    for _ in 0..120 {
        simulator.step(&control).unwrap();
        again.step(&control).unwrap();
        assert_eq!(simulator.state().hash(), again.state().hash());
    }
    assert!(angle(&simulator) > -0.8, "inside: {}", angle(&simulator));
    // Turned back, it stops at the limit.
    control.wrenches[0].torque = Vec3::new(0.0, 0.0, -0.5);
    let mut least = f64::INFINITY;
    for _ in 0..3000 {
        simulator.step(&control).unwrap();
        least = least.min(angle(&simulator));
    }
    assert!(
        (angle(&simulator) + 1.0).abs() < 1e-6,
        "{}",
        angle(&simulator)
    );
    assert!(least > -1.0 - 1e-6, "{least}");
}
