//! A limited ball joint beyond half a turn, where its rotation vector jumps to the other side of its limits.

use linkwork::math::{MassProperties, Vec3};
use linkwork::model::*;
use linkwork::{Run, Settings, Simulator};
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
        // Removal at 0.5 rad/s is far less than it had.
        assert!(most < 1.001, "{most} of its energy at dt {dt} s");
        let left = run.simulator().state().twists[0].angular.norm();
        assert!(left < spin + 1e-6, "{left} rad/s");
    }
}
