//! Steps that are solved as well as their numbers allow are not called failed.

use linkwork::joints::{Distance, Planar};
use linkwork::math::{MassProperties, Pose, Quat, Vec3, rotation_between};
use linkwork::model::*;
use linkwork::{Control, FailurePolicy, Settings, Simulator};
use linkwork_scenes::scene;
use linkwork_solve::Status;
use std::sync::Arc;

fn all_converge(model: &Arc<Model>, settings: Settings, steps: usize) {
    let dt = settings.dt;
    let mut simulator = Simulator::new(model.clone(), settings).unwrap();
    let control = Control::new(model);
    for i in 0..steps {
        let report = simulator.step(&control).unwrap();
        assert_eq!(report.status, Status::Converged, "step {i} of {dt} s");
        assert!(report.closure_linear < 1e-9 && report.closure_angular < 1e-9);
    }
}

fn settings(dt: f64) -> Settings {
    Settings::with(|s| {
        s.dt = dt;
        s.failure = FailurePolicy::Accept;
    })
}

/// Seven rows on a body of six degrees of freedom, and friction: it stays at rest.
#[test]
fn a_body_held_more_than_once_is_solved() {
    let mut b = ModelBuilder::new();
    let turned = Pose::identity().rotated(Vec3::new(-0.31, -0.69, -0.53));
    let mass = MassProperties::principal(0.0159, Vec3::new(1.48e-4, 2.45e-4, 1.10e-4));
    let body = b.add_body(BodyDef::new("body", mass).pose(turned));
    let frame = |at: [f64; 3], z: [f64; 3]| {
        Pose::new(
            at.into(),
            rotation_between(&Vec3::z(), &Vec3::from(z).normalize()),
        )
    };
    let plane = frame([-0.098, 0.062, -0.053], [0.45, -0.80, 0.41]);
    b.add_joint(
        JointDef::new("planar", Planar, None, body)
            .frame(plane)
            .friction(0.185),
    );
    let base = Vec3::new(-0.031, 0.076, -0.062);
    let tip = base + 0.5 * Vec3::new(-0.3, -0.35, 0.2).normalize();
    let at = |p: Vec3| Pose::new(p, Quat::identity());
    let rod = JointDef::new("rod", Distance { length: 0.5 }, None, body);
    b.add_joint(rod.frames(at(base), at(turned.inverse_transform_point(&tip))));
    let ball = frame([-0.074, 0.029, -0.022], [0.0, 0.96, 0.27]);
    b.add_joint(JointDef::spherical("ball", None, body).frame(ball));
    let model = b.build().unwrap();
    for dt in [1e-3, 5e-3] {
        all_converge(&model, settings(dt), 500);
    }
}

/// Along a chain what each solve may leave open on its rows adds up.
#[test]
fn a_pendulum_of_five_hundred_links_converges_every_step() {
    let scene = scene("pendulum", &[("n", 500.0)]).unwrap();
    for dt in [1e-3, 2e-3] {
        all_converge(&scene.model, settings(dt), 60);
    }
}

/// Predicted hidden velocities leave little to the passes.
#[test]
fn closure_passes_are_few() {
    let few = [
        ("fourbar_fixed", 0.2),
        ("nunchuk", 0.2),
        ("fourbar_free", 0.2),
        ("quadruped", 1.2),
        ("biped14", 1.2),
        ("walker31", 1.2),
    ];
    for (name, most) in few {
        let mut run = linkwork::Run::of(scene(name, &[]).unwrap()).unwrap();
        let time = if most < 1.0 { 2.0 } else { 0.5 };
        let s = run.time(time, |_| std::ops::ControlFlow::Continue(()));
        println!("{name}: {} passes a step", s.closure_passes_mean);
        assert!(
            s.closure_passes_mean <= most,
            "{name}: {}",
            s.closure_passes_mean
        );
        assert_eq!(s.solves_failed, 0, "{name}");
    }
}
