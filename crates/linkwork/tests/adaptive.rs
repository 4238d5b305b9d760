//! Adaptive substeps: the error of a run follows the tolerance, on smooth motion with a loop and on contacts.

use linkwork::math::{MassProperties, Pose, Vec3};
use linkwork::model::*;
use linkwork::{Adaptive, Control, FailurePolicy, Integrator, Outcome, Settings, Simulator};
use std::sync::Arc;

/// A four-bar that swings from rest, with its joints closed nonlinearly: one loop, redundant rows.
fn four_bar() -> Arc<Model> {
    let mut b = ModelBuilder::new();
    let points = [[0.0, 0.0], [0.1, 0.3], [0.6, 0.4], [0.5, 0.0]];
    let mut last = None;
    for k in 0..3 {
        let (p, q) = (points[k], points[k + 1]);
        let (x, z) = (0.5 * (p[0] + q[0]), 0.5 * (p[1] + q[1]));
        let half = Vec3::new(0.02, 0.02, 0.15);
        let link = BodyDef::new(format!("link{k}"), MassProperties::solid_box(1.0, half));
        let link = b.add_body(link.at(x, 0.0, z));
        let hinge = JointDef::revolute(format!("pin{k}"), last, link);
        b.add_joint(hinge.anchor(p[0], 0.0, p[1]).axis(0.0, 1.0, 0.0));
        last = Some(link);
    }
    let hinge = JointDef::revolute("pin3", None, last.expect("three links"));
    b.add_joint(hinge.anchor(0.5, 0.0, 0.0).axis(0.0, 1.0, 0.0));
    b.build().unwrap()
}

/// A rod that leans on the floor and falls, with its foot sliding.
fn rod() -> Arc<Model> {
    let (radius, half_length, tilt) = (0.02, 0.3, 0.5);
    let mut b = ModelBuilder::new();
    let surface = Material::with_friction(0.2);
    b.add_shape(None, ShapeDef::new(Geometry::HalfSpace).material(surface));
    let height = radius + half_length * f64::cos(tilt);
    let pose = Pose::at(0.0, 0.0, height).rotated(Vec3::new(0.0, tilt, 0.0));
    let mass = MassProperties::solid_capsule(1.0, radius, half_length);
    let body = b.add_body(BodyDef::new("rod", mass).pose(pose));
    let shape = ShapeDef::new(Geometry::Capsule {
        radius,
        half_length,
    });
    b.add_shape(body, shape.material(surface));
    b.build().unwrap()
}

fn settings(dt: f64, adaptive: Option<f64>) -> Settings {
    let mut settings = Settings::with(|s| {
        s.dt = dt;
        s.adaptive = adaptive.map(Adaptive::new);
    });
    settings.solve.tolerance = 1e-10;
    settings
}

/// Run for `time` (s): positions of the bodies, parts taken and the largest estimate.
fn run(model: &Arc<Model>, settings: Settings, time: f64) -> (Vec<Vec3>, u32, f64) {
    let steps = (time / settings.dt).round() as usize;
    let mut simulator = Simulator::new(model.clone(), settings).unwrap();
    let control = Control::new(model);
    let (mut parts, mut estimate) = (0, 0.0f64);
    for _ in 0..steps {
        let report = simulator.step(&control).unwrap();
        assert!(report.status.is_solved());
        assert!(report.closure_linear < 1e-8);
        parts += match report.outcome {
            Outcome::Substepped(n) => n,
            _ => 1,
        };
        estimate = estimate.max(report.local_error);
    }
    let poses = &simulator.state().poses;
    (poses.iter().map(|p| p.position).collect(), parts, estimate)
}

fn apart(a: &[Vec3], b: &[Vec3]) -> f64 {
    let each = a.iter().zip(b).map(|(a, b)| (a - b).norm());
    each.fold(0.0, f64::max)
}

/// Errors at three tolerances (m/s) against what two runs at fine steps extrapolate to: within `growth` times the tolerance a second.
fn follows(
    model: &Arc<Model>,
    integrator: Integrator,
    time: f64,
    tolerances: [f64; 3],
    growth: f64,
) {
    let fine = [1e-4, 5e-5].map(|dt| run(model, settings(dt, None), time).0);
    let both = fine[1].iter().zip(&fine[0]);
    let reference: Vec<Vec3> = both.map(|(b, a)| (4.0 * b - a) / 3.0).collect();
    let mut found = Vec::new();
    for tolerance in tolerances {
        let mut chosen = settings(0.02, Some(tolerance));
        chosen.integrator = integrator;
        let (end, parts, estimate) = run(model, chosen, time);
        let error = apart(&end, &reference);
        println!(
            "{integrator} {tolerance:e}: error {error:.2e} m, {parts} parts, estimate {estimate:.2e} m/s"
        );
        assert!(estimate <= tolerance, "{estimate}");
        assert!(error < growth * tolerance * time, "{error} at {tolerance}");
        found.push((error, parts));
    }
    // A coarse run may be near by luck, hardly two.
    let coarse = found[0].0.max(found[1].0);
    assert!(found[2].0 < 0.5 * coarse, "{found:?}");
    assert!(
        found[0].1 < found[1].1 && found[1].1 < found[2].1,
        "{found:?}"
    );
}

#[test]
fn the_error_of_a_loop_follows_the_tolerance() {
    for integrator in [Integrator::SemiImplicitEuler, Integrator::MIDPOINT] {
        follows(&four_bar(), integrator, 1.0, [1e-3, 1e-4, 1e-5], 2.0);
    }
}

#[test]
fn the_error_of_a_sliding_contact_follows_the_tolerance() {
    for integrator in [Integrator::SemiImplicitEuler, Integrator::MIDPOINT] {
        follows(&rod(), integrator, 0.3, [1e-2, 1e-3, 1e-4], 5.0);
    }
}

#[test]
fn parts_follow_from_where_a_step_begins() {
    let model = four_bar();
    let control = Control::new(&model);
    let chosen = settings(0.02, Some(1e-4));
    let mut simulator = Simulator::new(model.clone(), chosen).unwrap();
    for _ in 0..7 {
        simulator.step(&control).unwrap();
    }
    let checkpoint = simulator.checkpoint(&control);
    let mut resumed = Simulator::resume(model, &checkpoint).unwrap();
    for _ in 0..7 {
        let (a, b) = (simulator.step(&control), resumed.step(&control));
        assert_eq!(a.unwrap().outcome, b.unwrap().outcome);
        assert_eq!(simulator.state().hash(), resumed.state().hash());
    }
}

#[test]
fn settings_without_meaning_are_refused() {
    let refused = |change: fn(&mut Settings)| {
        let mut chosen = settings(0.01, Some(1e-3));
        change(&mut chosen);
        Simulator::new(rod(), chosen)
            .err()
            .expect("it is refused")
            .to_string()
    };
    assert!(refused(|s| s.adaptive = Some(Adaptive::new(0.0))).contains("adaptive.tolerance"));
    assert!(
        refused(|s| s.adaptive = Some(Adaptive {
            tolerance: 1e-3,
            depth: 0
        }))
        .contains("adaptive.depth")
    );
    assert!(refused(|s| s.failure = FailurePolicy::Hold).contains("policy"));
}
