//! Limits of the whole angle of ball joints, |θ| ≤ max, against motions in closed form.

use linkwork::assemble::{
    AssembleSettings, assemble_within_limits, set_joint_coordinates, set_joint_velocities,
};
use linkwork::joints::Revolute;
use linkwork::linkwork_solve::Status;
use linkwork::math::{MassProperties, Vec3};
use linkwork::metrics::{kinetic_energy, potential_energy};
use linkwork::model::{BodyDef, JointDef, JointId, Limits, Model, ModelBuilder};
use linkwork::{Control, Settings, Simulator};
use std::sync::Arc;

const BALL: JointId = JointId(0);
/// Greatest angle, rad.
const MAX: f64 = 0.8;
/// Step, s.
const DT: f64 = 1e-3;

/// A ball of 2 kg on a ball joint at its centre: every axis has the same inertia.
fn top(limits: Limits) -> Arc<Model> {
    let mut b = ModelBuilder::new();
    b.gravity(Vec3::zeros());
    let ball = b.add_body(BodyDef::new("ball", MassProperties::solid_sphere(2.0, 0.1)));
    b.add_joint(JointDef::spherical("ball", None, ball).turn_limits(limits));
    b.build().unwrap()
}

fn hard(max: f64) -> Limits {
    Limits::new(f64::NEG_INFINITY, max)
}

/// A simulator with the ball joint at `angles` (rad), which change at `rates` (rad/s).
fn started(model: &Arc<Model>, angles: [f64; 3], rates: [f64; 3]) -> Simulator {
    let settings = Settings::with(|s| s.dt = DT);
    let mut simulator = Simulator::new(model.clone(), settings).unwrap();
    let mut state = model.initial_state();
    set_joint_coordinates(model, &mut state, BALL, &angles).unwrap();
    set_joint_velocities(model, &mut state, BALL, &rates).unwrap();
    simulator.set_state(state).unwrap();
    simulator
}

fn turn(simulator: &Simulator) -> f64 {
    let model = simulator.model();
    let values = simulator.state().joint_coordinates(model, BALL);
    model.joint(BALL).turn(values).unwrap()
}

#[test]
fn a_spinning_ball_stops_at_its_limit_about_any_axis() {
    let axis = Vec3::new(1.0, -2.0, 0.5).normalize();
    let model = top(hard(MAX));
    let rate = 3.0 * axis;
    let mut simulator = started(&model, [0.0; 3], [rate.x, rate.y, rate.z]);
    let control = Control::new(&model);
    for step in 1..=600 {
        let report = simulator.step(&control).unwrap();
        assert_eq!(report.status, Status::Converged);
        let expected = (3.0 * DT * f64::from(step)).min(MAX);
        assert!((turn(&simulator) - expected).abs() < 1e-9, "step {step}");
    }
    let theta = simulator.state().joint_coordinates(&model, BALL);
    let theta = Vec3::from_column_slice(theta);
    assert!((theta - MAX * axis).amax() < 1e-9, "{theta}");
    assert!(kinetic_energy(&model, simulator.state()) < 1e-15);
}

#[test]
fn with_restitution_1_it_returns_as_fast_as_it_came() {
    let limits = Limits {
        restitution: 1.0,
        ..hard(MAX)
    };
    let model = top(limits);
    let mut simulator = started(&model, [0.0; 3], [0.0, 2.0, 0.0]);
    let control = Control::new(&model);
    for _ in 0..600 {
        simulator.step(&control).unwrap();
        assert!(turn(&simulator) < MAX + 1e-9);
    }
    let spin = simulator.state().twists[0].angular;
    assert!((spin - Vec3::new(0.0, -2.0, 0.0)).amax() < 1e-9, "{spin}");
}

/// On the limit θ = max (cos φ, sin φ, 0) the ball turns at |ω| = 2 sin(max/2) φ̇, and the limit, which is perpendicular to
/// the motion, does no work: φ̇ is constant.
#[test]
fn a_ball_that_slides_along_its_limit_goes_round_at_a_constant_rate() {
    let model = top(hard(MAX));
    let rate = 2.0;
    let mut simulator = started(&model, [MAX, 0.0, 0.0], [0.0, MAX * rate, 0.0]);
    let control = Control::new(&model);
    let start = simulator.state().twists[0].angular.norm();
    assert!((start - 2.0 * (0.5 * MAX).sin() * rate).abs() < 1e-12);
    let energy = kinetic_energy(&model, simulator.state());
    let (mut off, mut most) = (0.0_f64, 0.0_f64);
    for step in 1..=1000 {
        simulator.step(&control).unwrap();
        assert!((turn(&simulator) - MAX).abs() < 1e-9, "step {step}");
        let theta = simulator.state().joint_coordinates(&model, BALL);
        let phase = rate * DT * f64::from(step);
        let exact = MAX * Vec3::new(phase.cos(), phase.sin(), 0.0);
        off = off.max((Vec3::from_column_slice(theta) - exact).norm());
        let now = simulator.synchronised(&control).unwrap();
        most = most.max((kinetic_energy(&model, &now) / energy - 1.0).abs());
    }
    println!("off by {off:e} rad, energy by {most:e}");
    assert!(off < 1e-5, "{off:e}");
    assert!(most < 1e-5, "{most:e}");
}

/// A box on a ball joint, 0.4 m above its centre, thrown so that it hits its limit again and again.
#[test]
fn a_pendulum_stays_within_its_limit_and_gains_no_energy() {
    let mut b = ModelBuilder::new();
    let mass = MassProperties::solid_box(1.0, Vec3::new(0.15, 0.1, 0.2));
    let bob = b.add_body(BodyDef::new("bob", mass).at(0.0, 0.0, -0.4));
    b.add_joint(JointDef::spherical("ball", None, bob).turn_limit(MAX));
    let model = b.build().unwrap();
    let mut simulator = started(&model, [0.3, 0.2, -0.1], [3.0, 1.0, 4.0]);
    let control = Control::new(&model);
    let energy = |s: &Simulator| {
        let now = s.synchronised(&control).unwrap();
        kinetic_energy(&model, &now) + potential_energy(&model, &now)
    };
    // Energies of the last two steps: over an impact one is too low (`EnergyMeter`).
    let mut last = [energy(&simulator); 2];
    let (size, mut reached) = (last[0].abs(), 0);
    for step in 0..5000 {
        let report = simulator.step(&control).unwrap();
        assert_eq!(report.status, Status::Converged, "step {step}");
        assert!(turn(&simulator) < MAX + 1e-9, "step {step}");
        reached += usize::from(turn(&simulator) > MAX - 1e-9);
        let now = energy(&simulator);
        let before = last[0].max(last[1]);
        assert!(now < before + 1e-4 * size, "step {step}: {before} to {now}");
        last = [last[1], now];
    }
    assert!(reached > 50, "the limit was reached in {reached} steps");
}

/// The torque of the limit is along the rotation axis, and efforts report it along the coordinates.
#[test]
fn the_limit_pushes_along_the_axis_of_the_turn() {
    let model = top(hard(MAX));
    let axis = Vec3::new(2.0, 1.0, -1.0).normalize();
    let start = MAX * axis;
    let mut simulator = started(&model, [start.x, start.y, start.z], [0.0; 3]);
    let mut control = Control::new(&model);
    let torque = Vec3::new(0.3, -0.1, -0.4) + 0.2 * axis;
    control.wrenches[0].torque = torque;
    simulator.step(&control).unwrap();
    let efforts = simulator.joint_forces().1;
    let limit = Vec3::from_fn(|i, _| efforts[i].limit);
    let expected = -torque.dot(&axis);
    assert!(limit.cross(&axis).amax() < 1e-9, "{limit}");
    // Beside it the limit bends the motion that the rest of the torque has begun: I ω² (½ cot ½ max) at most.
    let spin = simulator.state().twists[0].angular.norm();
    let bend = 0.008 * spin * spin * 0.5 / (0.5 * MAX).tan();
    let off = (limit.dot(&axis) - expected).abs();
    assert!(off < bend, "{off:e}, {bend:e}");
}

#[test]
fn a_start_beyond_the_limit_is_brought_inside_along_its_own_axis() {
    let model = top(hard(MAX));
    let simulator = started(&model, [0.9, 0.9, 0.0], [0.0; 3]);
    let settings = AssembleSettings::default();
    let within = assemble_within_limits(&model, simulator.state(), &settings).unwrap();
    let values = within.assembled.state.joint_coordinates(&model, BALL);
    let turned = model.joint(BALL).turn(values).unwrap();
    assert!(turned < MAX && turned > 0.97 * MAX, "{turned}");
    assert!((values[0] - values[1]).abs() < 1e-2 && values[2].abs() < 1e-9);
}

#[test]
fn limits_that_a_turn_cannot_have_are_refused() {
    let refused = |joint: JointDef| {
        let mut b = ModelBuilder::new();
        b.add_body(BodyDef::new("ball", MassProperties::solid_sphere(2.0, 0.1)));
        b.add_joint(joint);
        b.build().err().expect("refused").to_string()
    };
    let ball = linkwork::model::BodyId(0);
    let spherical = || JointDef::spherical("ball", None, ball);
    assert!(refused(spherical().turn_limit(0.0)).contains("above 0"));
    assert!(refused(spherical().turn_limit(4.0)).contains("half a turn"));
    assert!(refused(spherical().turn_limit(f64::NAN)).contains("half a turn"));
    let hinge = JointDef::new("ball", Revolute, None, ball).turn_limit(1.0);
    assert!(refused(hinge).contains("rotation vector"));
}
