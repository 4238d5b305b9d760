//! Blows that run through touching bodies ([`Impacts::Sequential`]).

use linkwork::math::{MassProperties, Vec3};
use linkwork::metrics::kinetic_energy;
use linkwork::model::*;
use linkwork::{Control, Impacts, Run, Settings, Simulator};
use std::ops::ControlFlow;
use std::sync::Arc;

const RADIUS: f64 = 0.05;

fn sequential() -> Settings {
    let mut settings = Settings::default();
    settings.contact.impacts = Impacts::Sequential;
    settings
}

fn surface(restitution: f64) -> Material {
    Material {
        restitution,
        ..Material::with_friction(0.0)
    }
}

/// A ball that flies at 1 m/s, and five at rest in a row that touch.
fn row(restitution: f64) -> Arc<Model> {
    let mut b = ModelBuilder::new();
    b.gravity(Vec3::zeros());
    for i in 0..6 {
        let mass = MassProperties::solid_sphere(0.2, RADIUS);
        let x = 2.0 * RADIUS * f64::from(i) - if i == 0 { 0.0303 } else { 0.0 };
        let ball = BodyDef::new(format!("ball{i}"), mass).at(x, 0.0, 0.0);
        let speed = if i == 0 { 1.0 } else { 0.0 };
        let ball = b.add_body(ball.twist(Vec3::x() * speed, Vec3::zeros()));
        let shape = ShapeDef::new(Geometry::Sphere { radius: RADIUS });
        b.add_shape(ball, shape.material(surface(restitution)));
    }
    b.build().unwrap()
}

fn speeds_after(restitution: f64, settings: Settings) -> (Vec<f64>, f64) {
    let model = row(restitution);
    let mut simulator = Simulator::new(model.clone(), settings).unwrap();
    let control = Control::new(&model);
    for _ in 0..100 {
        simulator.step(&control).unwrap();
    }
    let twists = &simulator.state().twists;
    let speeds = twists.iter().map(|t| t.linear.x).collect();
    (speeds, kinetic_energy(&model, simulator.state()))
}

#[test]
fn the_last_ball_of_a_row_takes_all_of_the_motion() {
    let (speeds, energy) = speeds_after(1.0, sequential());
    println!("{speeds:?}");
    assert!((speeds[5] - 1.0).abs() < 1e-9);
    assert!(speeds[..5].iter().all(|v| v.abs() < 1e-9), "{speeds:?}");
    assert!((energy - 0.1).abs() < 1e-9);
}

/// All at once, a contact that does not approach holds: the five fly off together, and the first one comes back.
#[test]
fn at_once_the_balls_of_a_row_stay_together() {
    let (speeds, _) = speeds_after(1.0, Settings::default());
    assert!(
        speeds[0] < -0.5 && (speeds[1] - speeds[5]).abs() < 1e-6,
        "{speeds:?}"
    );
}

#[test]
fn blows_that_lose_energy_leave_a_row_that_moves_apart() {
    let e = 0.5f64;
    let (speeds, energy) = speeds_after(e, sequential());
    println!("{speeds:?}, {energy} J");
    let momentum: f64 = speeds.iter().sum();
    assert!((momentum - 1.0).abs() < 1e-9);
    // Nothing approaches faster than the threshold, and the first blow through the row is the exact one.
    assert!(
        speeds.windows(2).all(|v| v[1] - v[0] > -0.011),
        "{speeds:?}"
    );
    assert!((speeds[5] - (0.5 * (1.0 + e)).powi(5)).abs() < 1e-9);
    assert!(energy < 0.1);
}

/// Five pendulums side by side; the first is let go at an angle.
#[test]
fn newtons_cradle_swings_and_keeps_its_energy() {
    const LENGTH: f64 = 0.5;
    const ANGLE: f64 = 0.4;
    let mut b = ModelBuilder::new();
    for i in 0..5 {
        let x = 2.0 * RADIUS * f64::from(i);
        let angle = if i == 0 { ANGLE } else { 0.0 };
        let ball = BodyDef::new(
            format!("ball{i}"),
            MassProperties::solid_sphere(0.2, RADIUS),
        );
        let ball = b.add_body(ball.at(x - LENGTH * angle.sin(), 0.0, -LENGTH * angle.cos()));
        let hinge = JointDef::revolute(format!("hinge{i}"), None, ball);
        b.add_joint(hinge.anchor(x, 0.0, 0.0).axis(0.0, 1.0, 0.0));
        let shape = ShapeDef::new(Geometry::Sphere { radius: RADIUS });
        b.add_shape(ball, shape.material(surface(1.0)));
    }
    let model = b.build().unwrap();
    let simulator = Simulator::new(model.clone(), sequential()).unwrap();
    let mut run = Run::new(simulator, None);
    let (mut last, mut middle) = (0.0f64, 0.0f64);
    let summary = run.time(1.1, |moment| {
        let state = moment.simulator.state();
        let lift = |i: usize| (state.poses[i].position.x - 2.0 * RADIUS * i as f64) / LENGTH;
        last = last.max(lift(4).asin());
        middle = (1..4).map(|i| lift(i).abs()).fold(middle, f64::max);
        ControlFlow::Continue(())
    });
    println!(
        "last {last}, middle {middle}, drift {}",
        summary.energy_drift_max
    );
    assert!((last - ANGLE).abs() < 0.01 * ANGLE, "{last}");
    assert!(middle < 0.05 * ANGLE, "{middle}");
    assert!(
        summary.energy_drift_max < 0.01
            && summary.work.contacts.abs() < 1e-3 * summary.energy_scale
    );
}

/// A ball dropped on a floor bounces as it does with impacts at once.
#[test]
fn a_single_bounce_is_the_same_in_turn_and_at_once() {
    let top = |settings: Settings| {
        let mut b = ModelBuilder::new();
        b.add_shape(
            None,
            ShapeDef::new(Geometry::HalfSpace).material(surface(0.8)),
        );
        let ball = b.add_body(
            BodyDef::new("ball", MassProperties::solid_sphere(0.3, RADIUS)).at(0.0, 0.0, 0.35),
        );
        let shape = ShapeDef::new(Geometry::Sphere { radius: RADIUS });
        b.add_shape(ball, shape.material(surface(0.8)));
        let model = b.build().unwrap();
        let mut run = Run::new(Simulator::new(model, settings).unwrap(), None);
        let mut highest = 0.0f64;
        let summary = run.time(0.55, |moment| {
            let state = moment.simulator.state();
            if state.time > 0.26 {
                highest = highest.max(state.poses[0].position.z - RADIUS);
            }
            ControlFlow::Continue(())
        });
        (highest, summary.energy_drift_max)
    };
    let (at_once, in_turn) = (top(Settings::default()), top(sequential()));
    println!("{at_once:?} {in_turn:?}");
    assert!((in_turn.0 - at_once.0).abs() < 1e-6);
    assert!((in_turn.0 - 0.64 * 0.3).abs() < 2e-3);
    assert!((in_turn.1 - at_once.1).abs() < 1e-9 && in_turn.1 < 1e-5);
}
