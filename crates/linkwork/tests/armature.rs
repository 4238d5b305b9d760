//! Armatures on coordinates that are carried about: they store ½ I_a q̇² and no more.

use linkwork::assemble::{set_joint_coordinates, set_joint_velocities};
use linkwork::joints::{Chain, ChainLink, Gimbal};
use linkwork::math::{MassProperties, Vec3};
use linkwork::metrics::{EnergyMeter, kinetic_energy, potential_energy};
use linkwork::model::*;
use linkwork::{Control, FirstKick, Run, Settings, Simulator, State};
use std::sync::Arc;

/// Inertia of the drive trains, kg m²: about that of the links.
const ARMATURE: f64 = 0.03;

/// Two flat links that swing in space on three hinges and one, with armature on every coordinate and on a
/// tendon over the last two.
fn arm() -> Arc<Model> {
    let mut b = ModelBuilder::new();
    let plate = MassProperties::solid_box(1.0, Vec3::new(0.12, 0.02, 0.25));
    let first = b.add_body(BodyDef::new("first", plate).at(0.05, 0.0, -0.25));
    let second = b.add_body(BodyDef::new("second", plate).at(0.1, 0.0, -0.75));
    let links = vec![
        ChainLink::hinge(Vec3::z(), Vec3::zeros()),
        ChainLink::hinge(Vec3::new(0.0, 0.8, 0.6), Vec3::new(0.02, 0.0, 0.0)),
        ChainLink::hinge(Vec3::x(), Vec3::new(0.0, 0.03, -0.05)),
    ];
    let mut shoulder = JointDef::new("shoulder", Chain { links }, None, first);
    for c in 0..3 {
        shoulder = shoulder.with(c, |a| a.armature = ARMATURE);
    }
    let shoulder = b.add_joint(shoulder);
    let elbow = JointDef::revolute("elbow", first, second).anchor(0.1, 0.0, -0.5);
    let elbow = b.add_joint(elbow.axis(0.0, 1.0, 0.0).armature(ARMATURE));
    let tendon = Tendon::new("tendon", &[(shoulder, 2, 1.0), (elbow, 0, -0.5)]);
    b.add_tendon(tendon.with(|a| a.armature = ARMATURE));
    b.build().unwrap()
}

/// Largest change of the energy over 2 s, the armatures' included, J.
fn energy_drift(model: &Arc<Model>, dt: f64) -> f64 {
    let (shoulder, elbow) = (JointId(0), JointId(1));
    let mut state = model.initial_state();
    set_joint_coordinates(model, &mut state, shoulder, &[0.2, 0.3, 0.4]).unwrap();
    set_joint_coordinates(model, &mut state, elbow, &[0.5]).unwrap();
    set_joint_velocities(model, &mut state, shoulder, &[4.0, 0.5, 0.0]).unwrap();
    set_joint_velocities(model, &mut state, elbow, &[-1.0]).unwrap();
    let settings = Settings::with(|s| {
        s.dt = dt;
        s.first_kick = FirstKick::Half;
    });
    let mut simulator = Simulator::new(model.clone(), settings).unwrap();
    simulator.set_state(state).unwrap();
    let control = Control::new(model);
    let mut meter = EnergyMeter::new(model, simulator.state());
    let lengths = |s: &Simulator| {
        let mut q = s.state().coordinates.clone();
        q.push(s.state().tendon_length(model, TendonId(0)));
        q
    };
    let mut path = vec![lengths(&simulator)];
    let (mut start, mut worst) = (None, 0.0f64);
    for _ in 0..(2.0 / dt).round() as usize {
        simulator.step(&control).unwrap();
        path.push(lengths(&simulator));
        // Of the state before the step; the rates there from the lengths on both sides.
        let bodies = meter.update(model, simulator.state());
        if let [.., before, _, after] = &path[..] {
            let rates = after.iter().zip(before).map(|(a, b)| (a - b) / (2.0 * dt));
            let trains: f64 = rates.map(|rate| 0.5 * ARMATURE * rate * rate).sum();
            let energy = bodies + trains;
            worst = worst.max((energy - *start.get_or_insert(energy)).abs());
        }
    }
    println!("dt {dt}: energy off by {worst:.2e} J of {start:?}");
    worst
}

#[test]
fn carried_armatures_keep_the_energy_to_second_order() {
    let model = arm();
    let [coarse, fine] = [1e-3, 5e-4].map(|dt| energy_drift(&model, dt));
    // Taking J u⁻ for the rate of the last step would leave 0.96 J at any dt, rates found from J and J̇u 0.01 J.
    assert!(coarse < 1e-5 && fine < 0.3 * coarse);
}

/// A body on a ball joint that is measured by three rings, with armature on them.
fn gimbal(armatures: [f64; 3]) -> Arc<Model> {
    let mut b = ModelBuilder::new();
    let mass = MassProperties::solid_box(2.0, Vec3::new(0.06, 0.09, 0.05));
    let body = b.add_body(BodyDef::new("body", mass).at(0.1, 0.05, -0.2));
    let mut joint = JointDef::new("rings", Gimbal, None, body);
    for (c, armature) in armatures.into_iter().enumerate() {
        joint = joint.with(c, |a| a.armature = armature);
    }
    b.add_joint(joint);
    b.build().unwrap()
}

/// Near gimbal lock the rates of the outer and the inner ring grow as 1/cos b, and J turns around within a step.
#[test]
fn armatures_do_not_feed_a_body_that_passes_gimbal_lock() {
    let mut nearest = f64::INFINITY;
    for (armatures, dt) in [
        ([0.01, 0.0, 0.02], 1e-3),
        ([0.01, 0.0, 0.02], 5e-3),
        ([0.0, 0.0, 0.01], 5e-3),
        ([0.03, 0.01, 0.0], 2e-3),
    ] {
        let model = gimbal(armatures);
        let mut state = model.initial_state();
        set_joint_coordinates(&model, &mut state, JointId(0), &[0.2, 0.9, -0.3]).unwrap();
        set_joint_velocities(&model, &mut state, JointId(0), &[0.02, 6.0, -0.01]).unwrap();
        let settings = Settings::with(|s| s.dt = dt);
        let mut simulator = Simulator::new(model.clone(), settings).unwrap();
        simulator.set_state(state.clone()).unwrap();
        let rates = state.joint_velocities(&model, JointId(0));
        let trains = armatures.iter().zip(rates).map(|(i, w)| 0.5 * i * w * w);
        let bodies = |s: &State| kinetic_energy(&model, s) + potential_energy(&model, s);
        let start = bodies(&state) + trains.sum::<f64>();
        let lowest = -2.0 * 9.81 * 0.25;
        let mut most = f64::NEG_INFINITY;
        let mut run = Run::new(simulator, None);
        let summary = run.steps(1000, |moment| {
            most = most.max(moment.energy);
            let b = moment.simulator.state().coordinates[1];
            nearest = nearest.min(b.cos().abs());
            std::ops::ControlFlow::Continue(())
        });
        let gain = (most - start) / (start - lowest);
        println!(
            "{armatures:?} at {dt}: gain {gain:.1e}, failed {}",
            summary.solves_failed
        );
        assert!(gain < 0.01, "{armatures:?} at {dt}: {gain}");
        assert!(summary.closure_max_m < 1e-6);
    }
    assert!(nearest < 0.05, "{nearest} rad from gimbal lock");
}
