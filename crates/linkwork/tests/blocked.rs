//! Contacts that cannot open: the problem of a step has no solution, and the answer is the one of least violation.

use linkwork::collision::ContactPoint;
use linkwork::math::{MassProperties, Pose, Quat, Vec3};
use linkwork::metrics::kinetic_energy;
use linkwork::model::*;
use linkwork::rows::RowSource;
use linkwork::{Control, Outcome, Settings, Simulator, StepReport};
use linkwork_solve::Status;
use std::sync::Arc;

fn settings(dt: f64) -> Settings {
    Settings::with(|s| s.dt = dt)
}

fn cuboid(x: f64, y: f64, z: f64) -> Geometry {
    Geometry::Box {
        half_extents: Vec3::new(x, y, z),
    }
}

/// Requirements on every step: joints closed, few iterations, a status that reports the violation.
fn judge(report: &StepReport, simulator: &Simulator) {
    assert!(report.status.is_solved(), "{report:?}");
    assert_eq!(
        report.status == Status::Blocked,
        !simulator.blocked().is_empty()
    );
    assert!(report.closure_linear <= 1e-9 && report.closure_angular <= 1e-9);
    let parts = match report.outcome {
        Outcome::Substepped(parts) => parts as usize,
        _ => 1,
    };
    assert!(report.iterations <= 40 * parts, "{report:?}");
    assert!(report.residuals.meets(1e-8));
}

/// Velocity requested by a hard contact of this depth, m/s.
fn push(settings: &Settings, depth: f64) -> f64 {
    let s = &settings.stabilization;
    (s.contacts * (depth - s.slop) / settings.dt).min(s.max_depenetration_speed)
}

/// A can on a hinge about z that overlaps the floor by `depth`, and an arm that swings on it.
fn shoulder(depth: f64, floor: bool, friction: f64) -> Arc<Model> {
    let mut b = ModelBuilder::new();
    let can = BodyDef::new("can", MassProperties::solid_sphere(4.0, 0.1));
    let can = b.add_body(can.at(0.0, 0.0, 0.1 - depth));
    b.add_joint(JointDef::revolute("pan", None, can).axis(0.0, 0.0, 1.0));
    let arm = BodyDef::new("arm", MassProperties::solid_sphere(3.0, 0.03));
    let arm = b.add_body(arm.at(0.3, 0.0, 0.1 - depth));
    let lift = JointDef::revolute("lift", can, arm);
    b.add_joint(lift.anchor(0.0, 0.0, 0.1 - depth).axis(0.0, 1.0, 0.0));
    let material = Material::with_friction(friction);
    let ball = ShapeDef::new(Geometry::Sphere { radius: 0.1 });
    b.add_shape(can, ball.material(material));
    if floor {
        b.add_shape(None, ShapeDef::new(Geometry::HalfSpace).material(material));
    }
    b.build().unwrap()
}

#[test]
fn what_joints_do_not_let_out_of_the_floor_moves_as_if_it_were_not_in_it() {
    for friction in [0.0, 0.8] {
        for depth in [1e-5, 2e-3] {
            let settings = settings(1e-3);
            let wanted = push(&settings, depth);
            let [mut held, mut free] = [true, false].map(|floor| {
                let model = shoulder(depth, floor, friction);
                Simulator::new(model, settings.clone()).unwrap()
            });
            let control = Control::new(held.model());
            for _ in 0..300 {
                let report = held.step(&control).unwrap();
                judge(&report, &held);
                free.step(&control).unwrap();
                let [blocked] = held.blocked() else {
                    panic!("one contact is blocked, not {:?}", held.blocked());
                };
                assert!(matches!(blocked.source, RowSource::Contact(_)));
                assert!(
                    (blocked.speed - wanted).abs() <= 1e-6 * wanted + 1e-9,
                    "{} against {wanted}",
                    blocked.speed
                );
            }
            let [a, b] = [&held, &free].map(|s| s.state().poses[1].position);
            println!(
                "μ {friction}, {depth} m deep: {:.1e} m apart",
                (a - b).norm()
            );
            assert!((a - b).norm() <= 1e-7);
        }
    }
}

/// Walls on both sides of a slider, closer to each other than it is long.
#[test]
fn two_walls_share_what_a_slider_is_too_long_by() {
    between_walls(true);
}

#[test]
fn two_walls_share_what_a_loose_body_is_too_long_by() {
    between_walls(false);
}

fn between_walls(joint: bool) {
    let (deep, deeper) = (1e-4, 3e-4);
    let mut b = ModelBuilder::new();
    b.gravity(Vec3::zeros());
    let slider = BodyDef::new("slider", MassProperties::solid_sphere(2.0, 0.1));
    let slider = b.add_body(slider);
    if joint {
        b.add_joint(JointDef::prismatic("rail", None, slider).axis(1.0, 0.0, 0.0));
    }
    let smooth = Material::with_friction(0.0);
    b.add_shape(
        slider,
        ShapeDef::new(cuboid(0.1, 0.05, 0.05)).material(smooth),
    );
    for (side, depth) in [(-1.0, deep), (1.0, deeper)] {
        let wall = ShapeDef::new(cuboid(0.1, 0.2, 0.2)).material(smooth);
        let place = Vec3::new(side * (0.2 - depth), 0.0, 0.0);
        b.add_shape(None, wall.pose(Pose::new(place, Quat::identity())));
    }
    let model = b.build().unwrap();
    let settings = settings(1e-3);
    let mut simulator = Simulator::new(model, settings.clone()).unwrap();
    let control = Control::new(simulator.model());
    let speeds = [deep, deeper].map(|d| push(&settings, d));
    let report = simulator.step(&control).unwrap();
    judge(&report, &simulator);
    // u ≥ a on one side and u ≤ −b on the other: both are least violated by half of a + b.
    let half = 0.5 * (speeds[0] + speeds[1]);
    for blocked in simulator.blocked() {
        // Each side shares its half among the points of a face.
        assert!((blocked.speed - half).abs() <= 1e-3 * half, "{blocked:?}");
    }
    let u = simulator.state().twists[0].linear.x;
    let wanted = 0.5 * (speeds[0] - speeds[1]);
    println!("moves at {u} m/s, least violation {wanted}");
    assert!((u - wanted).abs() <= 1e-3 * half);
}

/// A hinged arm at 30 rad/s, and a bar inside the circle of its end, 5 mm from it and 0.5 mm in its way along the
/// hinge. The end starts beside the bar and curves onto it within a step of 0.3 rad; the smallest overlap is then along
/// the hinge.
fn swinging(bar: bool, dt: f64) -> Simulator {
    let (radius, speed) = (0.5, 30.0);
    let mut b = ModelBuilder::new();
    b.gravity(Vec3::zeros());
    let arm = BodyDef::new("arm", MassProperties::solid_sphere(1.0, 0.1));
    let spin = Vec3::new(0.0, 0.0, speed);
    let velocity = spin.cross(&Vec3::new(radius, 0.0, 0.0));
    let arm = b.add_body(arm.at(radius, 0.0, 0.0).twist(velocity, spin));
    let hinge = JointDef::revolute("hinge", None, arm);
    b.add_joint(hinge.anchor(0.0, 0.0, 0.0).axis(0.0, 0.0, 1.0));
    let smooth = Material::with_friction(0.0);
    let end = ShapeDef::new(cuboid(0.02, 0.02, 0.02));
    b.add_shape(arm, end.material(smooth));
    if bar {
        let bar = ShapeDef::new(cuboid(0.015, 0.12, 0.015)).material(smooth);
        let at = Vec3::new(radius - 0.04, 0.1, 0.0345);
        b.add_shape(None, bar.pose(Pose::new(at, Quat::identity())));
    }
    let mut settings = settings(dt);
    // Steps of 0.3 rad in one piece: in halves the arm would stop before it is jammed.
    settings.closure.energy = 1e-2;
    Simulator::new(b.build().unwrap(), settings).unwrap()
}

#[test]
fn a_jam_in_the_middle_of_a_run_leaves_joints_closed_and_feeds_nothing() {
    let dt = 1e-2;
    let [mut simulator, mut free] = [true, false].map(|bar| swinging(bar, dt));
    let control = Control::new(simulator.model());
    let apart = |c: &ContactPoint| c.gap > 1e-3;
    assert!(simulator.detect_contacts().iter().all(apart));
    let energy = |s: &Simulator| kinetic_energy(s.model(), s.state());
    let mut jams = Vec::new();
    let mut most: f64 = 0.0;
    for step in 0..20 {
        let report = simulator.step(&control).unwrap();
        judge(&report, &simulator);
        if report.status == Status::Blocked {
            jams.push(step);
            let deep = report.penetration;
            assert!((deep - 5e-4).abs() < 1e-6, "{deep} m deep");
        }
        free.step(&control).unwrap();
        // Velocities of mid-step are those of chords: the free arm's energy is not constant.
        most = most.max(energy(&free));
        assert!(energy(&simulator) <= most * (1.0 + 1e-9));
    }
    println!("jammed in steps {jams:?}");
    assert!(!jams.is_empty());
}
