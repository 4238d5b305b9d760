//! Couplings of joint coordinates hold while driven.

mod mechanisms;

use linkwork::math::{MassProperties, Vec3};
use linkwork::model::*;
use linkwork::{Control, Settings, Simulator};
use mechanisms::{Y, at, hinge, link, place, residual};
use std::f64::consts::TAU;
use std::sync::Arc;

fn simulator(model: &Arc<Model>, dt: f64) -> Simulator {
    let settings = Settings::with(|s| s.dt = dt);
    Simulator::new(model.clone(), settings).unwrap()
}

fn rate(simulator: &Simulator, joint: JointId) -> f64 {
    simulator.state().joint_velocities(simulator.model(), joint)[0]
}

/// A wheel of 1 kg on a hinge along z at x, with a drive if asked.
fn wheel(b: &mut ModelBuilder, name: &str, x: f64, driven: bool) -> JointId {
    let mass = MassProperties::solid_cylinder(1.0, 0.2, 0.05);
    let body = b.add_body(BodyDef::new(name, mass).at(x, 0.0, 0.0));
    let mut joint = JointDef::revolute(format!("{name} hinge"), None, body);
    if driven {
        joint = joint.drive(0.0, 50.0);
    }
    b.add_joint(place(joint, at(x, 0.0), Vec3::z()))
}

/// Largest error of joints and couplings while joint 0 is driven to and fro through many turns.
fn coupling_error(b: ModelBuilder, load: Option<JointId>) -> f64 {
    let model = b.build().unwrap();
    let mut worst = 0.0f64;
    for dt in [1e-3, 1e-2] {
        let mut simulator = simulator(&model, dt);
        let mut control = Control::new(&model);
        let mut turns = 0.0f64;
        for i in 0..(5.0 / dt) as usize {
            let t = i as f64 * dt;
            control.velocity_target(&model, JointId(0), 30.0 * (0.9 * t).sin());
            if let Some(joint) = load {
                control.force(&model, joint, 2.0 * (5.0 * t).cos());
            }
            simulator.step(&control).unwrap();
            worst = worst.max(residual(&model, simulator.state()));
            turns = turns.max(simulator.state().coordinates[0].abs());
        }
        assert!(turns > 3.0 * TAU, "it turned by {turns} rad only");
    }
    println!("{}: error {worst:.1e}", model.couplings()[0].name);
    worst
}

#[test]
fn driven_gears_keep_their_ratio_to_1e_9() {
    let mut b = ModelBuilder::new();
    let joints = [("a", true), ("b", false), ("c", false)];
    let [a, c, d] =
        std::array::from_fn(|i| wheel(&mut b, joints[i].0, 0.5 * i as f64, joints[i].1));
    b.add_coupling(Coupling::gear("gear", a, 17.0, c, 34.0));
    b.add_coupling(Coupling::gear("internal", c, 20.0, d, -61.0));
    assert!(coupling_error(b, Some(d)) <= 1e-9);
}

#[test]
fn driven_mimic_joint_follows_to_1e_9() {
    let mut b = ModelBuilder::new();
    let (a, c) = (
        wheel(&mut b, "a", 0.0, true),
        wheel(&mut b, "b", 0.5, false),
    );
    b.add_coupling(Coupling::mimic("mimic", c, a, -1.75, 0.0));
    assert!(coupling_error(b, Some(c)) <= 1e-9);
}

#[test]
fn driven_rack_and_pinion_hold_to_1e_9() {
    let mut b = ModelBuilder::new();
    let pinion = wheel(&mut b, "pinion", 0.0, true);
    let mass = MassProperties::solid_box(2.0, Vec3::new(0.5, 0.02, 0.02));
    let body = b.add_body(BodyDef::new("rack", mass).at(0.0, 0.2, 0.0));
    let slide = JointDef::prismatic("slide", None, body).anchor(0.0, 0.2, 0.0);
    let rack = b.add_joint(slide.axis(1.0, 0.0, 0.0));
    b.add_coupling(Coupling::rack_and_pinion("rack", rack, pinion, 0.2));
    assert!(coupling_error(b, Some(rack)) <= 1e-9);
}

#[test]
fn driven_differential_holds_to_1e_9_and_splits_evenly() {
    let mut b = ModelBuilder::new();
    let carrier = wheel(&mut b, "carrier", 0.0, true);
    let (left, right) = (
        wheel(&mut b, "left", 0.5, false),
        wheel(&mut b, "right", 1.0, false),
    );
    b.add_coupling(Coupling::differential("differential", carrier, left, right));
    assert!(coupling_error(b.clone(), Some(left)) <= 1e-9);
    // Both outputs get the same torque at any speeds.
    let model = b.build().unwrap();
    let mut simulator = simulator(&model, 1e-3);
    let mut control = Control::new(&model);
    control.velocity_target(&model, carrier, 10.0);
    control.force(&model, left, -0.3);
    for _ in 0..1000 {
        simulator.step(&control).unwrap();
        let e = simulator.coordinate_efforts();
        assert!((e[1].coupling - e[2].coupling).abs() < 1e-9);
        assert!((e[0].coupling + 2.0 * e[1].coupling).abs() < 1e-9);
    }
    assert!((rate(&simulator, left) - rate(&simulator, right)).abs() > 1.0);
}

#[test]
fn hinges_coupled_on_moving_bases_hold_to_1e_9() {
    // A folding arm: each hinge follows the one before on a base that moves itself.
    let mut b = ModelBuilder::new();
    let first = link(&mut b, "first", at(0.0, 0.0), at(0.5, 0.0));
    let second = link(&mut b, "second", at(0.5, 0.0), at(1.0, 0.0));
    let third = link(&mut b, "third", at(1.0, 0.0), at(1.5, 0.0));
    let shoulder = JointDef::revolute("shoulder", None, first).drive(0.0, 200.0);
    let shoulder = b.add_joint(place(shoulder, at(0.0, 0.0), Y));
    let elbow = hinge(&mut b, "elbow", Some(first), second, at(0.5, 0.0), Y);
    let wrist = hinge(&mut b, "wrist", Some(second), third, at(1.0, 0.0), Y);
    b.add_coupling(Coupling::mimic("elbow drive", elbow, shoulder, -2.0, 0.0));
    b.add_coupling(Coupling::mimic("wrist drive", wrist, elbow, -0.5, 0.0));
    assert!(coupling_error(b, Some(wrist)) <= 1e-9);
}
