//! The books of a run on mechanisms whose energy and momentum are known.

use linkwork::math::{MassProperties, Vec3};
use linkwork::model::{BodyDef, JointDef, Model, ModelBuilder};
use linkwork::{FirstKick, Run, RunSummary, Settings, Simulator};
use linkwork_scenes::scene;
use std::ops::ControlFlow;
use std::sync::Arc;

fn run(model: Arc<Model>, dt: f64, time: f64) -> RunSummary {
    let settings = Settings::with(|s| s.dt = dt);
    let simulator = Simulator::new(model, settings).unwrap();
    Run::new(simulator, None).time(time, |_| ControlFlow::Continue(()))
}

fn rod() -> MassProperties {
    MassProperties::solid_box(1.0, Vec3::new(0.5, 0.02, 0.02))
}

/// A rod hinged at one end, let go from the horizontal.
fn pendulum(change: impl FnOnce(JointDef) -> JointDef) -> Arc<Model> {
    let mut b = ModelBuilder::new();
    let body = b.add_body(BodyDef::new("rod", rod()).at(0.5, 0.0, 0.0));
    let hinge = JointDef::revolute("hinge", None, body).axis(0.0, 1.0, 0.0);
    b.add_joint(change(hinge));
    b.build().unwrap()
}

#[test]
fn damped_pendulum_energy_is_accounted_for() {
    let coarse = run(pendulum(|j| j.damping(0.5)), 2e-3, 3.0);
    let fine = run(pendulum(|j| j.damping(0.5)), 1e-3, 3.0);
    assert!(fine.work.drives < -1.0, "{}", fine.work.drives);
    assert!(fine.energy_drift_max < 1e-5, "{}", fine.energy_drift_max);
    // Second order: half the step, a quarter of the error.
    assert!(fine.energy_drift_max < 0.3 * coarse.energy_drift_max);
    assert_eq!(fine.momentum_drift, None);
}

#[test]
fn spring_energy_is_energy_and_not_work() {
    let s = run(pendulum(|j| j.spring(20.0, 0.3, 0.0)), 1e-4, 3.0);
    // The implicit spring damps with k dt, which is work; its stored energy (1 J and more) is not.
    assert!(s.work.drives.abs() < 0.1, "{}", s.work.drives);
    assert!(s.energy_drift.abs() < 1e-4, "{}", s.energy_drift);
    // Half a step apart, the spring damps by 2e-6 J.
    let books = s.energy_end - s.energy_start - s.work.non_conservative();
    let error = books - s.energy_drift * s.energy_scale;
    assert!(error.abs() < 1e-5, "{error} J");
}

#[test]
fn impacts_are_work_of_contacts() {
    let settings = [("height", 0.5), ("speed", 1.0), ("restitution", 0.5)];
    let mut scene = scene("box_on_plane", &settings).unwrap();
    // Half a kick would leave a difference of m (g dt)²/8 between the times of energies.
    scene.settings.first_kick = FirstKick::Full;
    let s = Run::of(scene)
        .unwrap()
        .time(0.4, |_| ControlFlow::Continue(()));
    assert!(s.work.contacts < -1.0);
    assert!(s.energy_drift_max < 1e-6, "{}", s.energy_drift_max);
    assert_eq!(s.momentum_drift, None);
}

#[test]
fn momentum_of_a_flight_under_gravity_is_kept() {
    let mut b = ModelBuilder::new();
    let spin = Vec3::new(0.3, 2.0, -1.0);
    let first = b.add_body(BodyDef::new("first", rod()).twist(Vec3::x(), spin));
    let second = b.add_body(BodyDef::new("second", rod()).at(1.0, 0.0, 0.0));
    b.add_joint(JointDef::spherical("ball", first, second).anchor(0.5, 0.0, 0.0));
    let s = run(b.build().unwrap(), 1e-3, 2.0);
    assert!(s.momentum_drift.unwrap() < 1e-12);
    assert!(s.angular_momentum_drift.unwrap() < 1e-12);
    assert_eq!(s.solves_failed, 0);
}

#[test]
fn standing_still_is_no_drift() {
    let scene = scene("box_on_plane", &[]).unwrap();
    let s = Run::of(scene)
        .unwrap()
        .time(1.0, |_| ControlFlow::Continue(()));
    assert!(s.energy_drift.abs() < 1e-3, "{}", s.energy_drift);
}

#[test]
fn whole_steps_cover_the_time() {
    let simulator = Simulator::new(pendulum(|j| j), Settings::default()).unwrap();
    let run = Run::new(simulator, None);
    assert_eq!(run.steps_in(1.0), 1000);
    assert_eq!(run.steps_in(0.3), 300);
    assert_eq!(run.steps_in(1.0004), 1001);
    assert_eq!(run.steps_in(1e-9), 1);
}

#[test]
fn an_observer_can_break_off() {
    let simulator = Simulator::new(pendulum(|j| j), Settings::default()).unwrap();
    let s = Run::new(simulator, None).time(1.0, |m| {
        if m.step == 10 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    assert_eq!(s.steps, 10);
}

/// However a run is cut into pieces, the errors of their books add up to that of the whole.
#[test]
fn a_run_in_pieces_and_a_resumed_one_have_the_books_of_the_whole() {
    let start = || {
        let simulator = Simulator::new(pendulum(|j| j), Settings::default()).unwrap();
        Run::new(simulator, None)
    };
    let error = |s: &RunSummary| s.energy_drift * s.energy_scale;
    let go = |run: &mut Run, steps| run.steps(steps, |_| ControlFlow::Continue(()));
    let whole = error(&go(&mut start(), 600));
    let mut run = start();
    // The first piece ends after the half kick of the first step.
    let mut sum = error(&go(&mut run, 1)) + error(&go(&mut run, 299));
    let model = run.simulator().model().clone();
    let mut resumed = Run::resume(model, &run.checkpoint(), None).unwrap();
    sum += error(&go(&mut resumed, 300));
    assert!((sum - whole).abs() < 1e-12, "{sum} J in pieces, {whole} J");
}
