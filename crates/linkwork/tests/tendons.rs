//! Tendons act along a sum of joint coordinates as springs, drives and limits do on one.

mod mechanisms;

use linkwork::math::{MassProperties, Vec3};
use linkwork::metrics::{kinetic_energy, potential_energy};
use linkwork::model::*;
use linkwork::{Control, Run, Settings, Simulator};
use mechanisms::{Y, at, hinge, link, place};
use std::ops::ControlFlow;
use std::sync::Arc;

/// Moment of inertia of a wheel, kg m².
const INERTIA: f64 = 0.5 * 0.2 * 0.2;
const FIRST: JointId = JointId(0);
const SECOND: JointId = JointId(1);
const TENDON: TendonId = TendonId(0);

/// A wheel of `share` kg on a hinge along z at x.
fn wheel(b: &mut ModelBuilder, name: &str, x: f64, share: f64) -> JointDef {
    let mass = MassProperties::solid_cylinder(share, 0.2, 0.05);
    let body = b.add_body(BodyDef::new(name, mass).at(x, 0.0, 0.0));
    let joint = JointDef::revolute(format!("{name} hinge"), None, body);
    place(joint, at(x, 0.0), Vec3::z())
}

/// Two wheels of 1 kg, with a tendon L = q₁ + c q₂ over them.
fn wheels(factor: f64, act: impl FnOnce(Tendon) -> Tendon) -> Arc<Model> {
    let mut b = ModelBuilder::new();
    for (name, x) in [("a", 0.0), ("b", 1.0)] {
        let joint = wheel(&mut b, name, x, 1.0);
        b.add_joint(joint);
    }
    let tendon = Tendon::new("tendon", &[(FIRST, 0, 1.0), (SECOND, 0, factor)]);
    assert_eq!(b.add_tendon(act(tendon)), TENDON);
    b.build().unwrap()
}

fn simulator(model: &Arc<Model>) -> Simulator {
    Simulator::new(model.clone(), Settings::default()).unwrap()
}

#[test]
fn a_driven_tendon_moves_as_a_driven_wheel_geared_to_both() {
    // The third wheel's inertia is the tendon's armature.
    let act = |t: Tendon| t.drive(40.0, 0.5).with(|a| a.armature = INERTIA);
    let tendon = wheels(0.5, act);
    let mut b = ModelBuilder::new();
    for (name, x) in [("a", 0.0), ("b", 1.0)] {
        let joint = wheel(&mut b, name, x, 1.0);
        b.add_joint(joint);
    }
    let joint = wheel(&mut b, "c", 2.0, 1.0).drive(40.0, 0.5);
    let third = b.add_joint(joint);
    let terms = [(third, 0, 1.0), (FIRST, 0, -1.0), (SECOND, 0, -0.5)];
    b.add_coupling(Coupling::new("sum", &terms, 0.0));
    let geared = b.build().unwrap();

    let (mut a, mut g) = (simulator(&tendon), simulator(&geared));
    let (mut of_a, mut of_g) = (Control::new(&tendon), Control::new(&geared));
    let mut worst = 0.0f64;
    for step in 0..3000 {
        let t = 1e-3 * f64::from(step);
        let (target, speed, load) = (
            (3.0 * t).sin(),
            3.0 * (3.0 * t).cos(),
            0.3 * (5.0 * t).cos(),
        );
        of_a.tendon_targets[0] = target;
        of_a.tendon_velocity_targets[0] = speed;
        of_a.force(&tendon, SECOND, load);
        of_g.target(&geared, third, target);
        of_g.velocity_target(&geared, third, speed);
        of_g.force(&geared, SECOND, load);
        a.step(&of_a).unwrap();
        g.step(&of_g).unwrap();
        let length = a.state().tendon_length(&tendon, TENDON);
        let pairs = a.state().coordinates.iter().chain([&length]);
        for (mine, other) in pairs.zip(&g.state().coordinates) {
            worst = worst.max((mine - other).abs());
        }
        let (mine, other) = (a.tendon_efforts()[0].drive, g.coordinate_efforts()[2].drive);
        assert!(
            (mine - other).abs() < 1e-6 * (1.0 + other.abs()),
            "{mine} {other}"
        );
    }
    println!("apart by {worst:.1e} rad");
    assert!(worst < 1e-9);
    assert!(a.state().coordinates[0].abs() > 0.01);
}

#[test]
fn the_limits_of_a_tendon_hold_to_1e_7() {
    let mut b = ModelBuilder::new();
    for (name, x) in [("a", 0.0), ("b", 1.0)] {
        let body = link(&mut b, name, at(x, 0.0), at(x, -0.5));
        hinge(&mut b, &format!("{name} hinge"), None, body, at(x, 0.0), Y);
    }
    let terms = [(FIRST, 0, 1.0), (SECOND, 0, -2.0)];
    b.add_tendon(Tendon::new("tendon", &terms).limits(-0.3, 0.2));
    let model = b.build().unwrap();
    let mut simulator = simulator(&model);
    let mut control = Control::new(&model);
    let (mut least, mut most, mut touched) = (0.0f64, 0.0f64, [false; 2]);
    for step in 0..5000 {
        control.force(&model, FIRST, 1.5 * (2e-3 * f64::from(step)).sin());
        let report = simulator.step(&control).unwrap();
        assert!(report.limit_violation <= 1e-7, "{}", report.limit_violation);
        let length = simulator.state().tendon_length(&model, TENDON);
        (least, most) = (least.min(length), most.max(length));
        let force = simulator.tendon_efforts()[0].limit;
        touched[usize::from(force < 0.0)] |= force != 0.0;
    }
    println!("length in [{least:.9}, {most:.9}]");
    assert!(least >= -0.3 - 1e-7 && most <= 0.2 + 1e-7);
    assert_eq!(touched, [true, true]);
}

#[test]
fn a_spring_along_a_tendon_oscillates_as_one_on_a_wheel_of_half_the_inertia() {
    let tendon = wheels(1.0, |t| t.spring(8.0, 0.25, 0.02));
    // L̈ = 2 f / I.
    let mut b = ModelBuilder::new();
    let joint = wheel(&mut b, "one", 0.0, 0.5).spring(8.0, 0.25, 0.02);
    b.add_joint(joint);
    let single = b.build().unwrap();
    let (mut a, mut s) = (simulator(&tendon), simulator(&single));
    let (of_a, of_s) = (Control::new(&tendon), Control::new(&single));
    let kinetic = |s: &Simulator| kinetic_energy(s.model(), s.state());
    let (start, mut work) = (kinetic(&a), 0.0);
    for _ in 0..2000 {
        work += a.step(&of_a).unwrap().work.drives;
        s.step(&of_s).unwrap();
        let length = a.state().tendon_length(&tendon, TENDON);
        assert!((length - s.state().coordinates[0]).abs() < 1e-12);
        let rate = a.state().tendon_velocity(&tendon, TENDON);
        assert!((rate - s.state().joint_velocities(&single, FIRST)[0]).abs() < 1e-11);
        // Gravity has no effect on wheels at height 0.
        let energies = [
            potential_energy(&tendon, a.state()),
            potential_energy(&single, s.state()),
        ];
        assert!((energies[0] - energies[1]).abs() < 1e-12);
        let (mine, other) = (a.tendon_efforts()[0], s.coordinate_efforts()[0]);
        assert!((mine.passive - other.passive).abs() < 1e-9);
    }
    assert!((kinetic(&a) - start - work).abs() < 1e-12);
    assert!(potential_energy(&tendon, a.state()) < 0.25);
}

#[test]
fn a_run_counts_the_energy_of_a_tendon_spring_as_that_of_a_joint_spring() {
    let tendon = wheels(1.0, |t| t.spring(8.0, 0.25, 0.0));
    let mut b = ModelBuilder::new();
    let joint = wheel(&mut b, "one", 0.0, 0.5).spring(8.0, 0.25, 0.0);
    b.add_joint(joint);
    let [a, s] = [tendon, b.build().unwrap()].map(|model| {
        let mut run = Run::new(simulator(&model), None);
        run.time(1.0, |_| ControlFlow::Continue(()))
    });
    assert!((a.energy_start - 0.25).abs() < 1e-12);
    // Springs dissipate nothing.
    assert!(
        (a.energy_end - a.energy_start).abs() < 1e-9,
        "{}",
        a.energy_end
    );
    assert!((a.energy_end - s.energy_end).abs() < 1e-12);
    assert!((a.energy_drift - s.energy_drift).abs() < 1e-12);
    assert!((a.work.drives - s.work.drives).abs() < 1e-12);
    assert_eq!(a.momentum_drift, None);
}

#[test]
fn a_force_along_a_tendon_pulls_each_joint_by_its_factor() {
    let model = wheels(-2.0, |t| t);
    let mut simulator = simulator(&model);
    let mut control = Control::new(&model);
    control.tendon_forces[0] = 0.3;
    let mut work = 0.0;
    for _ in 0..100 {
        work += simulator.step(&control).unwrap().work.applied;
    }
    let now = simulator.synchronised(&control).unwrap();
    let rates = [FIRST, SECOND].map(|j| now.joint_velocities(&model, j)[0]);
    assert!((rates[0] - 0.1 * 0.3 / INERTIA).abs() < 1e-11, "{rates:?}");
    assert!((rates[1] + 2.0 * rates[0]).abs() < 1e-11, "{rates:?}");
    assert!((work - kinetic_energy(&model, simulator.state())).abs() < 1e-12);
}

#[test]
fn dry_friction_holds_the_length_and_lets_the_rest_slip() {
    let model = wheels(1.0, |t| t.with(|a| a.friction = 0.5));
    let mut simulator = simulator(&model);
    let mut control = Control::new(&model);
    // Along the tendon 0.4 N m on each wheel are 0.4 N m; against each other 0.2 N m slip.
    control.force(&model, FIRST, 0.6).force(&model, SECOND, 0.2);
    for _ in 0..500 {
        simulator.step(&control).unwrap();
    }
    let q = &simulator.state().coordinates;
    assert!(simulator.state().tendon_length(&model, TENDON).abs() < 1e-9);
    assert!((q[0] - 0.5 * 0.2 / INERTIA * 0.25).abs() < 0.01, "{q:?}");
    let friction = simulator.tendon_efforts()[0].friction;
    assert!((friction + 0.4).abs() < 1e-6, "{friction}");
    control.force(&model, FIRST, 0.8).force(&model, SECOND, 0.8);
    let report = simulator.step(&control).unwrap();
    assert!((simulator.tendon_efforts()[0].friction + 0.5).abs() < 1e-6);
    assert!(report.work.friction < 0.0);
}

#[test]
fn tendons_survive_json_and_give_the_same_bits() {
    let act = |t: Tendon| {
        t.drive(40.0, 0.5)
            .spring(1.0, 0.1, 0.2)
            .limits(-1.0, f64::INFINITY)
    };
    let model = wheels(0.5, act);
    let text = serde_json::to_string(model.data()).unwrap();
    let again: ModelData = serde_json::from_str(&text).unwrap();
    let again = again.build().unwrap();
    assert_eq!(model.tendons(), again.tendons());
    assert_eq!(model.hash(), again.hash());
    assert_eq!(again.tendon_named("tendon"), Some(TENDON));
    let bits = |model: &Arc<Model>| {
        let mut simulator = simulator(model);
        let mut control = Control::new(model);
        control.tendon_targets[0] = -3.0;
        for _ in 0..300 {
            simulator.step(&control).unwrap();
        }
        let checkpoint = simulator.checkpoint(&control);
        let saved = serde_json::to_string(&checkpoint).unwrap();
        let mut resumed = Simulator::resume(model.clone(), &serde_json::from_str(&saved).unwrap());
        let resumed = resumed.as_mut().unwrap();
        for _ in 0..100 {
            simulator.step(&control).unwrap();
            resumed.step(&control).unwrap();
        }
        assert_eq!(simulator.state().hash(), resumed.state().hash());
        simulator.state().hash()
    };
    assert_eq!(bits(&model), bits(&again));
    let plain = linkwork_scenes::scene("gear_train", &[]).unwrap().model;
    assert!(
        !serde_json::to_string(plain.data())
            .unwrap()
            .contains("tendon")
    );
    let control = serde_json::to_string(&Control::new(&plain)).unwrap();
    assert!(!control.contains("tendon"));
    assert_eq!(
        serde_json::from_str::<Control>(&control).unwrap(),
        Control::new(&plain)
    );
}

#[test]
fn controls_that_miss_a_tendon_are_refused() {
    let model = wheels(0.5, |t| t.drive(1.0, 1.0));
    let mut control = Control::new(&model);
    control.tendon_forces.clear();
    let error = simulator(&model).step(&control).unwrap_err().to_string();
    assert!(error.contains("tendon_forces has 0 entries"), "{error}");
}

#[test]
fn bad_tendons_are_refused_with_a_remedy() {
    let refused = |change: fn(&mut Vec<Tendon>)| {
        let mut data = wheels(0.5, |t| t.spring(1.0, 0.0, 0.0)).data().clone();
        change(&mut data.tendons);
        data.build().err().unwrap().to_string()
    };
    assert!(refused(|t| t[0].terms.clear()).contains("at least one"));
    assert!(refused(|t| t[0].terms[0].joint = JointId(9)).contains("joint number 9"));
    assert!(refused(|t| t[0].terms[1].coordinate = 1).contains("coordinate 1"));
    assert!(refused(|t| t[0].terms[0].factor = 0.0).contains("not zero"));
    assert!(refused(|t| t[0].axis.armature = -1.0).contains("armature"));
    assert!(refused(|t| t[0].axis.spring.rest = f64::NAN).contains("rest"));
    assert!(refused(|t| t.push(t[0].clone())).contains("exists already"));
    let bent = refused(|t| {
        t[0].terms[0].curve = Some(Curve {
            reference: 0.0,
            powers: [0.1, 0.0, 0.0],
        });
    });
    assert!(bent.contains("linear"), "{bent}");
}
