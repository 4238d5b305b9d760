//! Motions whose forces are known in closed form.

use crate::support::Ran;
use linkwork::inverse::{Actuated, Before, Inverse, InverseSettings};
use linkwork::math::{MassProperties, Pose, Vec3, exp};
use linkwork::model::{
    BodyDef, Compliance, Geometry, JointDef, Material, Model, ModelBuilder, ShapeDef,
};
use linkwork::{Control, Run, Settings, Simulator, State};
use linkwork_scenes::scene;
use std::sync::Arc;

const MASS: f64 = 2.0;
const LENGTH: f64 = 0.8;
const INERTIA: [f64; 3] = [0.02, 0.11, 0.1];

/// A rod that hangs from a hinge about y, its centre `LENGTH` below.
fn pendulum(change: impl FnOnce(JointDef) -> JointDef) -> Arc<Model> {
    let mut b = ModelBuilder::new();
    let rod = MassProperties::principal(MASS, Vec3::from(INERTIA));
    let rod = b.add_body(BodyDef::new("rod", rod).at(0.0, 0.0, -LENGTH));
    b.add_joint(change(
        JointDef::revolute("hinge", None, rod).axis(0.0, 1.0, 0.0),
    ));
    b.build().unwrap()
}

/// The pendulum at the angle q.
fn at(model: &Model, time: f64, q: f64) -> State {
    let mut state = model.initial_state();
    let turn = exp(&Vec3::new(0.0, q, 0.0));
    state.poses[0] = Pose::new(turn * Vec3::new(0.0, 0.0, -LENGTH), turn);
    state.time = time;
    state.update_coordinates(model);
    state
}

/// I q̈ + m g l sin q, with q(t) = sin 3t. The error is of second order in the step.
#[test]
fn a_pendulum_is_swung_by_the_torque_of_its_equation() {
    let model = pendulum(|j| j);
    let q = |t: f64| (3.0 * t).sin();
    let error = |dt: f64| {
        let settings = Settings::with(|s| s.dt = dt);
        let options = InverseSettings::with(|s| s.actuated = Actuated::All);
        let mut inverse = Inverse::new(model.clone(), &settings, options).unwrap();
        let mut worst = 0.0_f64;
        for i in 1..8 {
            let t = 0.13 * f64::from(i);
            let [before, here, after] = [t - dt, t, t + dt].map(|t| at(&model, t, q(t)));
            let found = inverse
                .forces(Before::State(&before), &here, &after)
                .unwrap();
            let inertia = INERTIA[1] + MASS * LENGTH * LENGTH;
            let weight = -model.gravity().z * MASS * LENGTH * q(t).sin();
            let torque = -9.0 * inertia * q(t) + weight;
            worst = worst.max((found.efforts[0].drive - torque).abs());
            assert!(found.is_feasible() && found.determined[0]);
            assert!(found.joint_error[0] < 1e-14);
        }
        worst
    };
    let (coarse, fine) = (error(4e-3), error(2e-3));
    assert!(fine < 1e-3, "{fine:e}");
    let order = (coarse / fine).log2();
    assert!((order - 2.0).abs() < 0.05, "order {order}");
}

/// Spring, damper, armature and dry friction are no part of the actuator's torque; those of a forward run are found again.
#[test]
fn passive_forces_are_told_apart_from_the_torque() {
    let model = pendulum(|j| j.spring(7.0, 0.3, 0.4).armature(0.05).friction(0.6));
    let mut simulator = Simulator::new(model.clone(), Settings::default()).unwrap();
    let mut control = Control::new(&model);
    let mut states = vec![simulator.state().clone()];
    let options = InverseSettings::with(|s| s.actuated = Actuated::Coordinates(vec![0]));
    let mut inverse = Inverse::new(model.clone(), simulator.settings(), options).unwrap();
    let mut moving = 0;
    for i in 0..400 {
        let torque = 9.0 * (0.02 * f64::from(i)).sin();
        control.forces[0] = torque;
        simulator.step(&control).unwrap();
        states.push(simulator.state().clone());
        let before = match i {
            0 => Before::Start,
            _ => Before::State(&states[states.len() - 3]),
        };
        let [here, after] = [&states[states.len() - 2], &states[states.len() - 1]];
        let found = inverse.forces(before, here, after).unwrap().efforts[0];
        let acted = simulator.coordinate_efforts()[0];
        // With sticking dry friction, the motion determines only the sum of the two.
        let both = found.drive + found.friction - torque - acted.friction;
        assert!(both.abs() < 1e-6, "step {i}: {both:e}");
        assert!((found.passive - acted.passive).abs() < 1e-6);
        if after.twists[0].angular.norm() > 1e-6 {
            let error = (found.drive - torque).abs();
            assert!(error < 1e-6, "step {i}: {error:e} N m");
            assert!((found.friction - acted.friction).abs() < 1e-9);
            moving += 1;
        }
    }
    assert!(moving > 300, "{moving}");
}

/// A sliding box: its weight on four corners, and μ times it against the motion.
#[test]
fn a_sliding_box_is_braked_by_coulombs_friction() {
    let set = [("friction", 0.3), ("speed", 2.0), ("mass", 5.0)];
    let mut run = Run::of(scene("box_on_plane", &set).unwrap()).unwrap();
    let ran = Ran::of(&mut run, 200, 9);
    for (_, found) in ran.invert(InverseSettings::default(), false) {
        let impulses = found.contacts.iter().map(|c| c.impulse);
        let sum = impulses.fold(Vec3::zeros(), |a, b| a + b) / found.duration;
        // The floor has the lower id: the impulse on body B is that on the box.
        let weight = 5.0 * 9.81;
        assert!((sum.z - weight).abs() < 1e-6 * weight, "{sum}");
        assert!((sum.x + 0.3 * weight).abs() < 1e-6 * weight, "{sum}");
        assert!(sum.y.abs() < 1e-9 && found.is_feasible());
    }
}

/// Compliant contacts: their velocities determine each impulse, corner by corner [Carpentier eq. 47].
#[test]
fn compliant_contacts_are_told_by_their_velocities() {
    let soft = Material {
        compliance: Compliance::Physical {
            stiffness: 2e4,
            dissipation_time: 0.01,
        },
        ..Material::with_friction(0.4)
    };
    let mut b = ModelBuilder::new();
    b.add_shape(None, ShapeDef::new(Geometry::HalfSpace).material(soft));
    let size = Vec3::new(0.2, 0.15, 0.1);
    let body = BodyDef::new("box", MassProperties::solid_box(3.0, size)).at(0.0, 0.0, 0.101);
    let body = b.add_body(body.twist(Vec3::new(0.7, 0.2, 0.0), Vec3::zeros()));
    let shape = ShapeDef::new(Geometry::Box { half_extents: size });
    b.add_shape(body, shape.material(soft));
    let model = b.build().unwrap();
    // An error of the velocities counts 1/R times in the impulses: the forward solve must be as exact as the test.
    let mut settings = Settings::default();
    settings.solve.tolerance = 1e-13;
    let mut run = Run::new(Simulator::new(model, settings).unwrap(), None);
    let ran = Ran::of(&mut run, 400, 7);
    let mut loaded = 0;
    for (acted, found) in ran.invert(InverseSettings::default(), false) {
        assert!(found.is_feasible(), "{:e}", found.unexplained);
        assert_eq!(acted.contacts.len(), found.contacts.len());
        for (want, have) in acted.contacts.iter().zip(&found.contacts) {
            let error = (want.impulse - have.impulse).norm();
            assert!(error < 1e-8, "{error:e} N s at {} s", found.time);
            loaded += usize::from(want.impulse.norm() > 1e-3);
        }
    }
    assert!(loaded > 50);
}
