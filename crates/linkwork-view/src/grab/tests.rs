//! Pulls at free bodies of all kinds, and at a mechanism with a loop.

use super::*;
use linkwork::math::MassProperties;
use linkwork::model::{BodyDef, JointDef, ModelBuilder};
use linkwork::{Control, Settings, Simulator};
use linkwork_scenes::scene;
use std::sync::Arc;

fn simulator(model: Arc<Model>, dt: f64) -> Simulator {
    let settings = Settings::with(|s| s.dt = dt);
    Simulator::new(model, settings).unwrap()
}

/// A step under the pull.
fn step(simulator: &mut Simulator, grab: &Grab) -> linkwork::StepReport {
    let mut control = Control::new(simulator.model());
    control.wrench(grab.body, grab.wrench(simulator.state()));
    simulator.step(&control).unwrap()
}

fn point(simulator: &Simulator, grab: &Grab) -> Vec3 {
    simulator.state().poses[grab.body.index()].transform_point(&grab.local)
}

/// A box without gravity, with its frame at the origin.
fn free_box(mass: f64, half: f64) -> Arc<Model> {
    let mut b = ModelBuilder::new();
    b.gravity(Vec3::zeros());
    let solid = MassProperties::solid_box(mass, Vec3::repeat(half));
    b.add_body(BodyDef::new("box", solid));
    b.build().unwrap()
}

#[test]
fn a_free_body_comes_to_rest_at_the_pointer_without_overshoot() {
    for (mass, half) in [(1e-3, 0.01), (1.0, 0.1), (1e4, 1.0)] {
        for dt in [1e-4, 1e-3, 1e-2] {
            let model = free_box(mass, half);
            let target = Vec3::new(0.5, 0.0, 0.0);
            let grab = Grab::new(&model, BodyId(0), Vec3::zeros(), target, dt);
            let mut simulator = simulator(model, dt);
            let mut furthest = 0.0_f64;
            for _ in 0..(1.5 / dt) as usize {
                step(&mut simulator, &grab);
                furthest = furthest.max(point(&simulator, &grab).x);
            }
            let rest = simulator.state().twists[0].linear.norm();
            let error = (point(&simulator, &grab) - target).norm();
            assert!(
                furthest < 0.5 * 1.02,
                "m {mass} dt {dt}: overshoot to {furthest}"
            );
            assert!(
                error < 1e-4 && rest < 1e-3,
                "m {mass} dt {dt}: {error} m, {rest} m/s"
            );
        }
    }
}

/// Pulled at a corner, the body swings and spins about it, but gains no energy and stays near.
#[test]
fn a_pull_at_a_corner_is_stable_for_any_mass_and_step() {
    for (mass, half) in [(1e-3, 0.01), (1.0, 0.1), (1e4, 1.0)] {
        for dt in [1e-4, 1e-3, 1e-2] {
            let model = free_box(mass, half);
            let corner = Vec3::repeat(half);
            let target = Vec3::new(2.0 * half, -3.0 * half, half);
            let grab = Grab::new(&model, BodyId(0), corner, target, dt);
            let mut simulator = simulator(model, dt);
            let mut last = [f64::INFINITY; 2];
            let quarter = (1.0 / dt) as usize;
            for part in 0..4 {
                let mut worst = [0.0_f64; 2];
                for _ in 0..quarter {
                    step(&mut simulator, &grab);
                    let error = (point(&simulator, &grab) - target).norm() / half;
                    worst[0] = worst[0].max(error);
                    worst[1] = worst[1].max(simulator.state().twists[0].angular.norm());
                }
                assert!(
                    worst[0] <= last[0] * 1.05,
                    "m {mass} dt {dt} part {part}: {worst:?} after {last:?}"
                );
                assert!(
                    worst[1] <= last[1] * 1.05,
                    "m {mass} dt {dt} part {part}: {worst:?} after {last:?}"
                );
                last = worst;
            }
            assert!(
                last[0] < 0.5,
                "m {mass} dt {dt}: ends {} half lengths away",
                last[0]
            );
        }
    }
}

#[test]
fn gravity_hangs_from_the_pointer_as_from_the_spring() {
    let mut b = ModelBuilder::new();
    let ball = MassProperties::solid_sphere(2.0, 0.1);
    b.add_body(BodyDef::new("ball", ball));
    let model = b.build().unwrap();
    let grab = Grab::new(&model, BodyId(0), Vec3::zeros(), Vec3::zeros(), 1e-3);
    let mut simulator = simulator(model, 1e-3);
    for _ in 0..2000 {
        step(&mut simulator, &grab);
    }
    let sag = -point(&simulator, &grab).z;
    let expected = 9.81 / (FREQUENCY * FREQUENCY);
    assert!((sag - expected).abs() < 1e-5, "{sag} against {expected}");
}

#[test]
fn the_force_is_bounded_by_the_weight_of_what_is_connected() {
    let model = scene("fourbar_fixed", &[]).unwrap().model;
    let total: f64 = model.bodies().iter().map(|b| b.mass).sum();
    let far = Vec3::new(1e6, 0.0, 0.0);
    let grab = Grab::new(&model, BodyId(2), Vec3::zeros(), far, 1e-3);
    let force = grab.wrench(&model.initial_state()).force.norm();
    assert!(
        (force / (20.0 * total * 9.81) - 1.0).abs() < 1e-12,
        "{force} N"
    );
}

#[test]
fn bodies_connected_only_through_the_world_are_not_counted() {
    let mut b = ModelBuilder::new();
    let unit = MassProperties::solid_sphere(1.0, 0.1);
    let bodies: Vec<_> = (0..4)
        .map(|i| b.add_body(BodyDef::new(format!("b{i}"), unit)))
        .collect();
    b.add_joint(JointDef::revolute("a", None, bodies[0]));
    b.add_joint(JointDef::revolute("b", bodies[2], bodies[0]));
    b.add_joint(JointDef::revolute("c", None, bodies[1]));
    let model = b.build().unwrap();
    let masses: Vec<f64> = bodies
        .iter()
        .map(|&body| connected_mass(&model, body))
        .collect();
    assert_eq!(masses, [2.0, 1.0, 2.0, 1.0]);
}

/// The coupler of a four-bar is dragged along its curve: it follows, and the loop stays closed.
#[test]
fn a_coupler_follows_and_its_loop_stays_closed() {
    let model = scene("fourbar_fixed", &[]).unwrap().model;
    let coupler = model.body_named("coupler").unwrap();
    // Where the coupler goes when the mechanism swings freely is where it can be dragged to.
    let mut free = simulator(model.clone(), 1e-3);
    let control = Control::new(&model);
    for _ in 0..300 {
        free.step(&control).unwrap();
    }
    let target = free.state().poses[coupler.index()].position;

    let mut simulator = simulator(model.clone(), 1e-3);
    let grab = Grab::new(&model, coupler, Vec3::zeros(), target, 1e-3);
    let start = (point(&simulator, &grab) - target).norm();
    let mut closure = 0.0_f64;
    for _ in 0..3000 {
        let report = step(&mut simulator, &grab);
        closure = closure.max(report.closure_linear);
    }
    let error = (point(&simulator, &grab) - target).norm();
    assert!(closure <= 1e-8, "{closure} m");
    assert!(
        start > 0.05 && error < 0.2 * start,
        "from {start} m to {error} m"
    );
}

/// A light handle on a heavy arm: the pull is only as stiff as the handle allows in a step.
#[test]
fn a_light_handle_pulls_a_heavy_arm() {
    for dt in [1e-4, 1e-3, 1e-2] {
        let mut b = ModelBuilder::new();
        b.gravity(Vec3::zeros());
        let arm = MassProperties::solid_box(10.0, Vec3::new(0.5, 0.05, 0.05));
        let arm = b.add_body(BodyDef::new("arm", arm).at(0.5, 0.0, 0.0));
        let handle = MassProperties::solid_sphere(0.01, 0.02);
        let handle = b.add_body(BodyDef::new("handle", handle).at(1.0, 0.0, 0.0));
        b.add_joint(JointDef::revolute("shoulder", None, arm).axis(0.0, 0.0, 1.0));
        b.add_joint(JointDef::spherical("grip", arm, handle).anchor(1.0, 0.0, 0.0));
        let model = b.build().unwrap();
        let (sin, cos) = 0.5_f64.sin_cos();
        let target = Vec3::new(cos, sin, 0.0);
        let grab = Grab::new(&model, handle, Vec3::zeros(), target, dt);
        let mut simulator = simulator(model, dt);
        let mut errors = Vec::new();
        for _ in 0..8 {
            let mut worst = 0.0_f64;
            for _ in 0..(0.5 / dt) as usize {
                step(&mut simulator, &grab);
                worst = worst.max((point(&simulator, &grab) - target).norm());
            }
            errors.push(worst);
        }
        assert!(
            errors.iter().all(|e| *e <= errors[0]),
            "dt {dt}: {errors:?}"
        );
        // At 1/100 s the handle allows 25 N/m only: the arm follows slowly, and swings.
        assert!(dt > 5e-3 || errors[7] < 0.01, "dt {dt}: {errors:?}");
    }
}
