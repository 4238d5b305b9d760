//! Behaviour of a step that cannot be solved or has invalid input.

use linkwork::math::{MassProperties, Pose, Vec3, Wrench};
use linkwork::model::*;
use linkwork::{Control, FailurePolicy, Outcome, Run, Settings, Simulator, StepError};
use linkwork_solve::Status;
use std::ops::ControlFlow;
use std::sync::Arc;

/// A body welded to the world at two places that are a centimetre further apart than its own.
fn contradiction() -> Arc<Model> {
    let mut b = ModelBuilder::new();
    let mass = MassProperties::solid_box(1.0, Vec3::repeat(0.1));
    let body = b.add_body(BodyDef::new("block", mass));
    b.add_joint(JointDef::fixed("left", None, body).anchor(-0.1, 0.0, 0.0));
    let right = JointDef::fixed("right", None, body);
    b.add_joint(right.frames(Pose::at(0.11, 0.0, 0.0), Pose::at(0.1, 0.0, 0.0)));
    b.build().unwrap()
}

/// What the joints of the [`contradiction`] cannot close, m. Rows that follow from others get no impulse
/// of the default solver: the first joint is closed, and the second is off by all of it.
const LEFT_OVER: f64 = 0.01;

fn simulator(failure: FailurePolicy) -> Simulator {
    let settings = Settings::with(|s| s.failure = failure);
    Simulator::new(contradiction(), settings).unwrap()
}

#[test]
fn contradicting_joints_are_never_called_converged() {
    let mut sim = simulator(FailurePolicy::Accept);
    let control = Control::new(sim.model());
    for _ in 0..20 {
        let report = sim.step(&control).unwrap();
        assert_ne!(report.status, Status::Converged);
        assert_eq!(report.outcome, Outcome::Applied);
        assert!((report.closure_linear - LEFT_OVER).abs() < 1e-6);
    }
}

#[test]
fn the_error_policy_names_the_joint_and_leaves_the_state() {
    let mut sim = simulator(FailurePolicy::Error);
    let (control, before) = (Control::new(sim.model()), sim.state().clone());
    let error = sim.step(&control).unwrap_err();
    assert!(matches!(error, StepError::NotConverged { .. }));
    let text = error.to_string();
    assert!(text.contains("(joints right)"), "{text}");
    assert_eq!(*sim.state(), before);
}

#[test]
fn hold_keeps_the_state_and_lets_time_go_on() {
    let mut sim = simulator(FailurePolicy::Hold);
    let (control, before) = (Control::new(sim.model()), sim.state().clone());
    let report = sim.step(&control).unwrap();
    assert_eq!(report.outcome, Outcome::Held);
    assert_eq!(sim.state().poses, before.poses);
    assert!((sim.state().time - 1e-3).abs() < 1e-15);
}

#[test]
fn substepping_goes_no_deeper_than_it_helps_and_reports_it() {
    let mut sim = simulator(FailurePolicy::Substep { depth: 4 });
    let control = Control::new(sim.model());
    let report = sim.step(&control).unwrap();
    assert!(matches!(report.outcome, Outcome::Substepped(n) if n <= 16));
    // It did not help: the next ones are not tried as deep.
    let report = sim.step(&control).unwrap();
    assert_eq!(report.outcome, Outcome::Substepped(2));
    assert_ne!(report.status, Status::Converged);
    assert!((report.closure_linear - LEFT_OVER).abs() < 1e-6);
    assert!((sim.state().time - 2e-3).abs() < 1e-15);
}

#[test]
fn a_force_that_is_not_finite_is_an_error_and_leaves_the_state() {
    let mut b = ModelBuilder::new();
    let mass = MassProperties::solid_sphere(1.0, 0.1);
    let ball = b.add_body(BodyDef::new("ball", mass));
    let model = b.build().unwrap();
    let mut sim = Simulator::new(model.clone(), Settings::default()).unwrap();
    let mut control = Control::new(&model);
    sim.step(&control).unwrap();
    let before = sim.state().clone();
    control.wrench(ball, Wrench::new(Vec3::repeat(f64::NAN), Vec3::zeros()));
    let error = sim.step(&control).unwrap_err();
    assert!(error.to_string().contains("ball"), "{error}");
    assert_eq!(*sim.state(), before);
    // And the simulator is as good as before.
    sim.step(&Control::new(&model)).unwrap();
    assert!(sim.state().is_finite());
}

#[test]
fn an_error_leaves_no_trace() {
    for failure in [FailurePolicy::Accept, FailurePolicy::Substep { depth: 4 }] {
        error_leaves_no_trace(failure);
    }
}

fn error_leaves_no_trace(failure: FailurePolicy) {
    let scene = linkwork_scenes::scene("fourbar_fixed", &[]).unwrap();
    let model = scene.model;
    let mut settings = scene.settings;
    settings.failure = failure;
    let runs = [false, true].map(|disturbed| {
        let mut sim = Simulator::new(model.clone(), settings.clone()).unwrap();
        let control = Control::new(&model);
        for i in 0..50 {
            if disturbed && i == 20 {
                let mut broken = Control::new(&model);
                // Finite, but with a result that is not.
                let force = Wrench::new(Vec3::zeros(), Vec3::repeat(f64::MAX));
                broken.wrench(model.body_named("coupler").unwrap(), force);
                let before = sim.checkpoint(&control);
                sim.step(&broken).unwrap_err();
                assert_eq!(sim.checkpoint(&control), before);
            }
            sim.step(&control).unwrap();
        }
        sim.state().hash()
    });
    assert_eq!(runs[0], runs[1]);
}

/// Joints that contradict each other make every step fail and be repeated as halves. A ball is shot at the floor from
/// 0.5 m: as the whole step and its first half begin it is too far away, as the second half begins it is not, and
/// `direct` refuses contacts.
#[test]
fn an_error_in_the_second_half_of_a_step_leaves_no_trace() {
    let mut b = ModelBuilder::new();
    let block = MassProperties::solid_box(1.0, Vec3::repeat(0.1));
    let block = b.add_body(BodyDef::new("block", block).at(5.0, 0.0, 5.0));
    let at = |x: f64| Pose::at(x, 0.0, 0.0);
    b.add_joint(JointDef::fixed("left", None, block).frames(Pose::at(4.9, 0.0, 5.0), at(-0.1)));
    b.add_joint(JointDef::fixed("right", None, block).frames(Pose::at(5.11, 0.0, 5.0), at(0.1)));
    b.add_shape(None, ShapeDef::new(Geometry::HalfSpace));
    let ball = MassProperties::solid_sphere(1.0, 0.1);
    let ball = b.add_body(
        BodyDef::new("ball", ball)
            .at(0.0, 0.0, 0.6)
            .gravity_scale(0.0),
    );
    b.add_shape(ball, ShapeDef::new(Geometry::Sphere { radius: 0.1 }));
    let model = b.build().unwrap();
    let settings = Settings::with(|s| {
        s.solver = "direct".to_owned();
        s.failure = FailurePolicy::Substep { depth: 1 };
    });
    let mut sim = Simulator::new(model.clone(), settings).unwrap();
    let idle = Control::new(&model);
    for _ in 0..3 {
        let report = sim.step(&idle).unwrap();
        assert_eq!(report.outcome, Outcome::Substepped(2));
    }
    let before = sim.checkpoint(&idle);
    let mut shot = idle.clone();
    shot.wrench(ball, Wrench::new(Vec3::new(0.0, 0.0, -1e6), Vec3::zeros()));
    let error = sim.step(&shot).unwrap_err();
    assert!(matches!(error, StepError::Unsupported(_)), "{error}");
    assert_eq!(sim.checkpoint(&idle), before);
}

#[test]
fn a_control_of_another_model_is_refused() {
    let mut sim = simulator(FailurePolicy::Accept);
    let empty = ModelBuilder::new().build().unwrap();
    let error = sim.step(&Control::new(&empty)).unwrap_err();
    assert!(matches!(error, StepError::Misfit(_)));
}

#[test]
fn a_model_of_nothing_steps_through_time() {
    let model = ModelBuilder::new().build().unwrap();
    let mut sim = Simulator::new(model.clone(), Settings::default()).unwrap();
    let report = sim.step(&Control::new(&model)).unwrap();
    assert_eq!((report.status, report.rows), (Status::Converged, 0));
}

#[test]
fn bodies_that_start_overlapping_part_gently() {
    let mut b = ModelBuilder::new();
    let half = Vec3::repeat(0.1);
    b.add_shape(None, ShapeDef::new(Geometry::HalfSpace));
    for (i, z) in [0.05, 0.15, 0.3].into_iter().enumerate() {
        let mass = MassProperties::solid_box(1.0, half);
        let id = b.add_body(BodyDef::new(format!("box{i}"), mass).at(0.0, 0.0, z));
        b.add_shape(id, ShapeDef::new(Geometry::Box { half_extents: half }));
    }
    let model = b.build().unwrap();
    let settings = Settings::default();
    let greatest = settings.stabilization.max_depenetration_speed;
    let mut sim = Simulator::new(model.clone(), settings).unwrap();
    let control = Control::new(&model);
    for _ in 0..2000 {
        sim.step(&control).unwrap();
        // Each of the three contacts adds at most its own speed.
        let fastest = |t: &linkwork::math::Twist| t.linear.norm();
        assert!(
            sim.state()
                .twists
                .iter()
                .map(fastest)
                .all(|v| v < 3.0 * greatest + 0.5)
        );
    }
    let overlap = sim
        .detect_contacts()
        .iter()
        .fold(0.0f64, |p, c| p.max(-c.gap));
    assert!(overlap < 1e-6, "{overlap}");
}

#[test]
fn a_solver_that_cannot_take_the_rows_is_an_error_with_its_reason() {
    let scene = linkwork_scenes::scene("box_on_plane", &[]).unwrap();
    let mut settings = scene.settings;
    settings.solver = "direct".to_owned();
    let mut sim = Simulator::new(scene.model.clone(), settings).unwrap();
    let error = sim.step(&Control::new(&scene.model)).unwrap_err();
    assert!(matches!(error, StepError::Unsupported(_)));
    assert!(error.to_string().contains("direct"), "{error}");
}

/// A block held by contradicting joints makes every step fail and be halved; beside it a box stands on its four
/// corners.
#[test]
fn summaries_of_substepped_runs_count_contacts() {
    let mut b = ModelBuilder::new();
    let block = MassProperties::solid_box(1.0, Vec3::repeat(0.1));
    let block = b.add_body(BodyDef::new("block", block).at(5.0, 0.0, 5.0));
    let at = |x: f64| Pose::at(x, 0.0, 0.0);
    b.add_joint(JointDef::fixed("left", None, block).frames(Pose::at(4.9, 0.0, 5.0), at(-0.1)));
    b.add_joint(JointDef::fixed("right", None, block).frames(Pose::at(5.11, 0.0, 5.0), at(0.1)));
    b.add_shape(None, ShapeDef::new(Geometry::HalfSpace));
    let half_extents = Vec3::repeat(0.1);
    let stands = MassProperties::solid_box(1.0, half_extents);
    let stands = b.add_body(BodyDef::new("box", stands).at(0.0, 0.0, 0.1));
    b.add_shape(stands, ShapeDef::new(Geometry::Box { half_extents }));
    let settings = Settings::with(|s| s.failure = FailurePolicy::Substep { depth: 2 });
    let simulator = Simulator::new(b.build().unwrap(), settings).unwrap();
    let mut halved = 0;
    let summary = Run::new(simulator, None).steps(20, |moment| {
        let outcome = moment.report.map(|r| r.outcome);
        halved += u32::from(matches!(outcome, Some(Outcome::Substepped(_))));
        ControlFlow::Continue(())
    });
    assert_eq!(halved, 20);
    assert_eq!(summary.contacts_max, 4);
    assert_eq!(summary.contacts_mean, 4.0);
}
