//! Polynomial couplings: a cam between two pendulums.

mod mechanisms;

use linkwork::assemble::{AssembleSettings, Targets, assemble, set_joint_velocities};
use linkwork::metrics::EnergyMeter;
use linkwork::model::*;
use linkwork::{Control, FirstKick, Settings, Simulator, State};
use mechanisms::{Y, at, hinge, link, residual};
use std::sync::Arc;

/// Length of a pendulum, m; its mass is 1 kg.
const L: f64 = 0.5;
/// y = x + 0.3 x² − 0.2 x³.
const CAM: [f64; 5] = [0.0, 1.0, 0.3, -0.2, 0.0];
const X: JointId = JointId(0);
const Y_JOINT: JointId = JointId(1);

fn polynomial(a: [f64; 5], x: f64) -> [f64; 3] {
    [
        a[0] + x * (a[1] + x * (a[2] + x * (a[3] + x * a[4]))),
        a[1] + x * (2.0 * a[2] + x * (3.0 * a[3] + x * 4.0 * a[4])),
        2.0 * a[2] + x * (6.0 * a[3] + x * 12.0 * a[4]),
    ]
}

/// Two pendulums that hang down at zero, the second following the first.
fn pendulums(coefficients: [f64; 5]) -> Arc<Model> {
    let mut b = ModelBuilder::new();
    for (name, x) in [("leader", 0.0), ("follower", 1.0)] {
        let body = link(&mut b, name, at(x, 0.0), at(x, -L));
        hinge(&mut b, &format!("{name} hinge"), None, body, at(x, 0.0), Y);
    }
    b.add_coupling(Coupling::polynomial(
        "cam",
        Y_JOINT,
        X,
        (0.0, 0.0),
        coefficients,
    ));
    b.build().unwrap()
}

fn assembled(model: &Model, x: f64) -> State {
    let targets = Targets::none().hard(X, 0, x);
    let start = model.initial_state();
    let found = assemble(model, &start, &targets, &AssembleSettings::default()).unwrap();
    assert!(found.residual <= 1e-12, "{}", found.residual);
    found.state
}

fn simulator(model: &Arc<Model>, state: &State, dt: f64) -> Simulator {
    let settings = Settings::with(|s| {
        s.dt = dt;
        s.first_kick = FirstKick::Half;
    });
    let mut simulator = Simulator::new(model.clone(), settings).unwrap();
    simulator.set_state(state.clone()).unwrap();
    simulator
}

/// Largest coupling error and energy change over 10 s.
fn drift(model: &Arc<Model>, x: f64) -> (f64, f64) {
    let mut simulator = simulator(model, &assembled(model, x), 1e-3);
    let control = Control::new(model);
    let mut meter = EnergyMeter::new(model, simulator.state());
    let start = meter.energy();
    let mut worst = (0.0f64, 0.0f64);
    for step in 0..10_000 {
        simulator.step(&control).unwrap();
        let energy = meter.update(model, simulator.state());
        worst.0 = worst.0.max(residual(model, simulator.state()));
        // The first is that of the start, from velocities that are not half a step apart.
        if step > 0 {
            worst.1 = worst.1.max((energy - start).abs());
        }
    }
    worst
}

#[test]
fn a_cam_holds_to_1e_9_and_keeps_the_energy_as_well_as_gears_do() {
    let (error, energy) = drift(&pendulums(CAM), 1.2);
    let gears = drift(&pendulums([0.0, 1.0, 0.0, 0.0, 0.0]), 1.2);
    println!(
        "cam {error:.1e} rad, {energy:.1e} J; gears {:.1e} rad, {:.1e} J",
        gears.0, gears.1
    );
    assert!(error <= 1e-9 && gears.0 <= 1e-9);
    assert!(energy <= 3.0 * gears.1);
}

/// Lagrange: (1 + y′²) J ẍ + J y′ y″ ẋ² + m g a (sin x + y′ sin y) = 0, J about the hinge.
fn reference(mut x: f64, time: f64) -> f64 {
    let inertia = (L * L + 4.0 * 0.02 * 0.02) / 12.0 + 0.25 * L * L;
    let acceleration = |x: f64, v: f64| {
        let [y, dy, ddy] = polynomial(CAM, x);
        let gravity = 9.81 * 0.5 * L * (x.sin() + dy * y.sin());
        -(inertia * dy * ddy * v * v + gravity) / (inertia * (1.0 + dy * dy))
    };
    let steps = 20_000;
    let h = time / f64::from(steps);
    let mut v = 0.0;
    for _ in 0..steps {
        let (v1, a1) = (v, acceleration(x, v));
        let (v2, a2) = (
            v + 0.5 * h * a1,
            acceleration(x + 0.5 * h * v1, v + 0.5 * h * a1),
        );
        let (v3, a3) = (
            v + 0.5 * h * a2,
            acceleration(x + 0.5 * h * v2, v + 0.5 * h * a2),
        );
        let (v4, a4) = (v + h * a3, acceleration(x + h * v3, v + h * a3));
        x += h / 6.0 * (v1 + 2.0 * v2 + 2.0 * v3 + v4);
        v += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
    }
    x
}

#[test]
fn a_cam_follows_the_equations_of_motion() {
    let model = pendulums(CAM);
    let start = assembled(&model, 1.2);
    let exact = reference(1.2, 1.5);
    let error = |dt: f64| {
        let mut simulator = simulator(&model, &start, dt);
        let control = Control::new(&model);
        for _ in 0..(1.5 / dt).round() as usize {
            simulator.step(&control).unwrap();
        }
        (simulator.state().coordinates[0] - exact).abs()
    };
    let errors = [2e-3, 1e-3, 5e-4].map(error);
    println!("errors {errors:?} rad");
    assert!(errors[1] < 1e-4);
    assert!(errors[0] > 3.5 * errors[1] && errors[1] > 3.5 * errors[2]);
}

#[test]
fn rates_and_torques_go_through_the_slope() {
    let a = [0.05, 0.8, 0.3, -0.2, 0.1];
    let model = pendulums(a);
    let mut state = assembled(&model, 0.9);
    let [y, slope, _] = polynomial(a, state.coordinates[0]);
    assert!((state.coordinates[1] - y).abs() < 1e-11);
    set_joint_velocities(&model, &mut state, X, &[2.0]).unwrap();
    let rate = state.joint_velocities(&model, Y_JOINT)[0];
    assert!((rate - 2.0 * slope).abs() < 1e-9, "{rate}");
    let mut simulator = simulator(&model, &state, 1e-3);
    simulator.step(&Control::new(&model)).unwrap();
    let efforts = simulator.coordinate_efforts();
    assert!(efforts[1].coupling.abs() > 0.01);
    assert!((efforts[0].coupling + slope * efforts[1].coupling).abs() < 1e-9);
}

#[test]
fn slopes_are_derivatives_and_home_is_where_mujoco_has_it() {
    let a = [0.4, -0.7, 0.3, 0.2, -0.1];
    let (y0, x0) = (0.2, -0.5);
    let cam = Coupling::polynomial("cam", Y_JOINT, X, (y0, x0), a);
    for x in [-2.0, -0.5, 0.0, 0.3, 1.7] {
        let y = y0 + polynomial(a, x - x0)[0];
        let error = cam.residual(|term| if term.joint == X { x } else { y });
        assert!(error.abs() < 1e-14, "{error}");
        let leader = cam.terms[1];
        let (h, q) = (1e-5, x);
        let difference = (leader.value(q + h) - leader.value(q - h)) / (2.0 * h);
        assert!((difference - leader.slope(q)).abs() < 1e-9);
    }
    // Without a way to the leader the follower is held.
    let held = Coupling::polynomial("held", Y_JOINT, X, (y0, x0), [0.3, 0.0, 0.0, 0.0, 0.0]);
    assert_eq!((held.terms.len(), held.offset), (1, 0.5));
}

#[test]
fn a_purely_quadratic_cam_is_assembled_too() {
    let model = pendulums([0.2, 0.0, 0.5, 0.0, 0.0]);
    let state = assembled(&model, 0.8);
    assert!((state.coordinates[1] - (0.2 + 0.5 * 0.64)).abs() < 1e-11);
    let (error, _) = drift(&model, 0.8);
    assert!(error <= 1e-9, "{error}");
}

#[test]
fn curves_survive_json_and_linear_terms_read_as_before() {
    let model = pendulums(CAM);
    let text = serde_json::to_string(model.data()).unwrap();
    let again: ModelData = serde_json::from_str(&text).unwrap();
    assert_eq!(again.build().unwrap().hash(), model.hash());
    let linear = pendulums([0.0, 1.0, 0.0, 0.0, 0.0]);
    let text = serde_json::to_string(linear.data()).unwrap();
    assert!(!text.contains("curve") && text.contains("\"factor\":-1.0}"));
}

#[test]
fn bad_curves_are_refused_with_a_remedy() {
    let refused = |change: fn(&mut Term)| {
        let mut data = pendulums(CAM).data().clone();
        change(&mut data.couplings[0].terms[1]);
        data.build().err().unwrap().to_string()
    };
    assert!(refused(|t| t.curve.as_mut().unwrap().reference = f64::NAN).contains("finite"));
    let infinite = refused(|t| t.curve.as_mut().unwrap().powers[1] = f64::INFINITY);
    assert!(infinite.contains("finite"));
    assert!(refused(|t| (t.factor, t.curve) = (0.0, None)).contains("not zero"));
    let flat = refused(|t| {
        t.factor = 0.0;
        t.curve = Some(Curve {
            reference: 0.0,
            powers: [0.0; 3],
        });
    });
    assert!(flat.contains("not zero"));
}
