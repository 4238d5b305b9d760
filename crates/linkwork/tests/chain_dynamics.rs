//! Bodies on chains move as in minimal coordinates and with equivalent joints.

use linkwork::assemble::{set_joint_coordinates, set_joint_velocities};
use linkwork::joints::{Chain, ChainLink, Planar, PointOnLine};
use linkwork::math::{MassProperties, Pose, Vec3, Wrench};
use linkwork::metrics::EnergyMeter;
use linkwork::mobility::mobility;
use linkwork::model::{BodyDef, BodyId, JointDef, JointId, Model, ModelBuilder, ModelData};
use linkwork::{Control, FirstKick, Settings, Simulator, State};
use std::f64::consts::FRAC_PI_2;
use std::sync::Arc;

/// Length of the massless first link, m.
const L: f64 = 0.4;
/// Distance from the second hinge to the centre of mass, m.
const A: f64 = 0.25;
const MASS: f64 = 1.3;
const G: f64 = 9.81;

fn rod() -> MassProperties {
    MassProperties::solid_box(MASS, Vec3::new(0.02, 0.03, 0.25))
}

/// A rod on two hinges along y, the second 0.4 m below the first without a body in between.
fn double_pendulum() -> Arc<Model> {
    let mut b = ModelBuilder::new();
    let body = b.add_body(BodyDef::new("rod", rod()).at(0.0, 0.0, -L - A));
    let links = vec![
        ChainLink::hinge(Vec3::y(), Vec3::zeros()),
        ChainLink::hinge(Vec3::y(), Vec3::new(0.0, 0.0, -L)),
    ];
    b.add_joint(JointDef::new("chain", Chain { links }, None, body));
    b.build().unwrap()
}

/// Rates of (θ, φ, θ̇, φ̇), the angles of both links from the vertical, by Lagrange.
fn rates(x: [f64; 4]) -> [f64; 4] {
    let [theta, phi, dtheta, dphi] = x;
    let inertia = rod().inertia[(1, 1)];
    let (s, c) = (theta - phi).sin_cos();
    let (m11, m12, m22) = (MASS * L * L, MASS * L * A * c, MASS * A * A + inertia);
    let f1 = -MASS * L * A * s * dphi * dphi - MASS * G * L * theta.sin();
    let f2 = MASS * L * A * s * dtheta * dtheta - MASS * G * A * phi.sin();
    let det = m11 * m22 - m12 * m12;
    [
        dtheta,
        dphi,
        (m22 * f1 - m12 * f2) / det,
        (m11 * f2 - m12 * f1) / det,
    ]
}

/// Runge-Kutta of fourth order, with steps far below those of the simulation.
fn reference(mut x: [f64; 4], time: f64) -> [f64; 4] {
    let steps = 20_000;
    let h = time / f64::from(steps);
    let add = |a: [f64; 4], k: f64, b: [f64; 4]| std::array::from_fn(|i| a[i] + k * b[i]);
    for _ in 0..steps {
        let k1 = rates(x);
        let k2 = rates(add(x, 0.5 * h, k1));
        let k3 = rates(add(x, 0.5 * h, k2));
        let k4 = rates(add(x, h, k3));
        x = std::array::from_fn(|i| x[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]));
    }
    x
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

/// The state after a time under a wrench on the body; the chain stays closed all the while.
fn after(model: &Arc<Model>, state: &State, wrench: Wrench, dt: f64, time: f64) -> State {
    let mut simulator = simulator(model, state, dt);
    let mut control = Control::new(model);
    control.wrench(BodyId(0), wrench);
    for _ in 0..(time / dt).round() as usize {
        let report = simulator.step(&control).unwrap();
        assert!(report.closure_linear.max(report.closure_angular) < 1e-9);
    }
    simulator.state().clone()
}

/// Largest change of the energy over a time, J.
fn energy_drift(model: &Arc<Model>, state: &State, dt: f64, time: f64) -> f64 {
    let mut simulator = simulator(model, state, dt);
    let control = Control::new(model);
    let mut meter = EnergyMeter::new(model, simulator.state());
    let start = meter.energy();
    let (mut worst, mut passes) = (0.0f64, 0);
    for step in 0..(time / dt).round() as usize {
        let report = simulator.step(&control).unwrap();
        passes = passes.max(report.closure_passes);
        let energy = meter.update(model, simulator.state());
        // The first is that of the start, from velocities that are not half a step apart.
        if step > 0 {
            worst = worst.max((energy - start).abs());
        }
    }
    println!("dt {dt}: energy off by {worst:.2e} J of {start:.2} J, {passes} passes at most");
    worst
}

#[test]
fn a_pendulum_on_two_hinges_follows_its_equations_of_motion() {
    let model = double_pendulum();
    let (first, second, time) = (1.0, 0.7, 1.0);
    let mut state = model.initial_state();
    set_joint_coordinates(&model, &mut state, JointId(0), &[first, second]).unwrap();
    let exact = reference([first, first + second, 0.0, 0.0], time);
    let error = |dt: f64| {
        let q = after(&model, &state, Wrench::zero(), dt, time).coordinates;
        (q[0] - exact[0]).abs().max((q[0] + q[1] - exact[1]).abs())
    };
    let errors = [2e-3, 1e-3, 5e-4].map(error);
    println!("errors {errors:?} rad at {exact:?}");
    assert!(errors[1] < 1e-4);
    assert!(errors[0] > 3.5 * errors[1] && errors[1] > 3.5 * errors[2]);
}

#[test]
fn a_hopper_on_slides_and_a_hinge_falls_as_on_a_planar_joint() {
    let build = |chain: bool| {
        let mut b = ModelBuilder::new();
        let mass = MassProperties::solid_box(2.0, Vec3::new(0.1, 0.2, 0.3));
        let body = b.add_body(BodyDef::new(
            "torso",
            mass.with_com(Vec3::new(0.05, 0.0, 0.1)),
        ));
        let links = vec![
            ChainLink::slide(Vec3::x()),
            ChainLink::slide(Vec3::z()).offset(1.25),
            ChainLink::hinge(Vec3::y(), Vec3::new(0.0, 0.0, 0.2)),
        ];
        b.add_joint(if chain {
            JointDef::new("base", Chain { links }, None, body)
        } else {
            // z of the joint frame is the plane's normal, along −y of the world.
            let frame = Pose::identity().rotated(Vec3::new(FRAC_PI_2, 0.0, 0.0));
            JointDef::new("base", Planar, None, body).frame(frame)
        });
        let model = b.build().unwrap();
        let mut state = model.initial_state();
        state.twists[0].linear = Vec3::new(0.7, 0.0, 2.0);
        state.twists[0].angular = Vec3::new(0.0, 3.0, 0.0);
        (model, state)
    };
    let [(chain, start), (planar, other)] = [build(true), build(false)];
    assert_eq!(chain.initial_state().coordinates, [0.0, 1.25, 0.0]);
    let falling = after(&chain, &start, Wrench::zero(), 1e-3, 2.0);
    let (before, now) = (start.twists[0], falling.twists[0]);
    assert!((now.linear.x - before.linear.x).abs() < 1e-11);
    assert!((now.angular - before.angular).norm() < 1e-11);
    assert!(energy_drift(&chain, &start, 1e-3, 2.0) < 1e-9);
    // Pushed out of the plane, both joints hold the body in it.
    let push = Wrench::new(Vec3::new(0.3, 5.0, 1.0), Vec3::new(2.0, 0.1, -3.0));
    let p = after(&chain, &start, push, 1e-3, 2.0).poses[0];
    let q = after(&planar, &other, push, 1e-3, 2.0).poses[0];
    let apart = (p.position - q.position).norm() + p.rotation.angle_to(&q.rotation);
    println!("apart {apart:.1e}");
    assert!(apart < 1e-9 && p.position.y.abs() < 1e-9);
}

#[test]
fn a_body_at_home_has_the_offsets_as_coordinates() {
    let mut b = ModelBuilder::new();
    let body = b.add_body(BodyDef::new("rod", rod()));
    let links = vec![
        ChainLink::hinge(Vec3::y(), Vec3::zeros()).offset(4.0),
        ChainLink::hinge(Vec3::x(), Vec3::z()).offset(-20.0),
    ];
    b.add_joint(JointDef::new("chain", Chain { links }, None, body));
    assert_eq!(b.build().unwrap().initial_state().coordinates, [4.0, -20.0]);
}

/// Three hinges with axes askew and no common point, and a slide: a shoulder on a rail.
fn shoulder() -> Arc<Model> {
    let mut b = ModelBuilder::new();
    let body = b.add_body(BodyDef::new("arm", rod()).at(0.1, 0.0, -0.3));
    let links = vec![
        ChainLink::slide(Vec3::new(0.6, 0.8, 0.0)),
        ChainLink::hinge(Vec3::new(0.0, 0.28, 0.96), Vec3::new(0.05, 0.0, 0.0)),
        ChainLink::hinge(Vec3::y(), Vec3::new(0.0, 0.03, -0.05)),
        ChainLink::hinge(Vec3::new(0.96, 0.0, 0.28), Vec3::new(0.02, 0.0, -0.1)),
    ];
    b.add_joint(JointDef::new("shoulder", Chain { links }, None, body));
    b.build().unwrap()
}

#[test]
fn a_skew_chain_conserves_energy_and_stays_closed() {
    let model = shoulder();
    let mut state = model.initial_state();
    set_joint_coordinates(&model, &mut state, JointId(0), &[0.1, 0.4, 0.3, 0.5]).unwrap();
    set_joint_velocities(&model, &mut state, JointId(0), &[0.2, 1.0, -0.5, 1.0]).unwrap();
    let rates = state.joint_velocities(&model, JointId(0));
    for (rate, asked) in rates.iter().zip([0.2, 1.0, -0.5, 1.0]) {
        assert!((rate - asked).abs() < 1e-9, "{rates:?}");
    }
    let [coarse, fine] = [1e-3, 5e-4].map(|dt| energy_drift(&model, &state, dt, 3.0));
    assert!(fine < 1e-3 && fine < 0.3 * coarse);
}

/// A slider-crank whose rod ends in a ball in a groove, or in a slide and a hinge without a slider.
#[test]
fn a_chain_closes_a_loop() {
    let end = |chain: bool| {
        let mut b = ModelBuilder::new();
        let bar = |half: f64| MassProperties::solid_box(1.0, Vec3::new(half, 0.02, 0.02));
        let crank = b.add_body(BodyDef::new("crank", bar(0.1)).at(0.1, 0.0, 0.0));
        let rod = b.add_body(BodyDef::new("rod", bar(0.3)).at(0.5, 0.0, 0.0));
        let hinge = |j: JointDef, x: f64| j.anchor(x, 0.0, 0.0).axis(0.0, 1.0, 0.0);
        let a = b.add_joint(hinge(JointDef::revolute("A", None, crank), 0.0));
        b.add_joint(hinge(JointDef::revolute("B", crank, rod), 0.2));
        let links = vec![
            ChainLink::slide(Vec3::x()),
            ChainLink::hinge(Vec3::y(), Vec3::zeros()),
        ];
        b.add_joint(if chain {
            JointDef::new("C", Chain { links }, None, rod).anchor(0.8, 0.0, 0.0)
        } else {
            hinge(JointDef::new("C", PointOnLine, None, rod), 0.8).axis(1.0, 0.0, 0.0)
        });
        let model = b.build().unwrap();
        let mut state = model.initial_state();
        set_joint_coordinates(&model, &mut state, a, &[0.8]).unwrap();
        set_joint_velocities(&model, &mut state, a, &[20.0]).unwrap();
        if chain {
            let report = mobility(&model, &state);
            assert_eq!((report.degrees_of_freedom, report.redundant_rows), (1, 3));
        }
        after(&model, &state, Wrench::zero(), 1e-3, 2.0)
    };
    let (chain, groove) = (end(true), end(false));
    assert!(chain.coordinates[0] > 6.0, "it turned over");
    for (p, q) in chain.poses.iter().zip(&groove.poses) {
        let apart = (p.position - q.position).norm() + p.rotation.angle_to(&q.rotation);
        assert!(apart < 1e-8, "{apart}");
    }
    assert!((chain.coordinates[2] - groove.coordinates[2]).abs() < 1e-8);
}

#[test]
fn a_chain_leaves_as_many_freedoms_as_it_has_links() {
    let model = shoulder();
    let mut state = model.initial_state();
    set_joint_coordinates(&model, &mut state, JointId(0), &[0.1, 0.4, 0.3, 0.5]).unwrap();
    let report = mobility(&model, &state);
    assert_eq!((report.degrees_of_freedom, report.redundant_rows), (4, 0));
}

#[test]
fn a_chain_survives_json_to_the_bit() {
    let model = shoulder();
    let text = serde_json::to_string(model.data()).unwrap();
    let again: ModelData = serde_json::from_str(&text).unwrap();
    let again = again.build().unwrap();
    assert_eq!(model.hash(), again.hash());
    let bits = |m: &Arc<Model>| {
        let start = m.initial_state();
        after(m, &start, Wrench::zero(), 1e-3, 0.1).hash()
    };
    assert_eq!(bits(&model), bits(&again));
    let refused = |from: &str, to: &str| {
        let bad = text.replacen(from, to, 1);
        assert_ne!(bad, text);
        serde_json::from_str::<ModelData>(&bad)
            .unwrap_err()
            .to_string()
    };
    let error = refused("\"slide\":true", "\"slid\":true");
    assert!(error.contains("slid"), "{error}");
    let error = refused("\"links\":[", "\"extra\":1,\"links\":[");
    assert!(error.contains("no parameter 'extra'"), "{error}");
}

/// The data of a chain at the end of a step must be the same as in a run resumed there.
#[test]
fn chains_go_on_from_a_checkpoint_with_the_same_bits() {
    let axes = [Vec3::y(), Vec3::new(0.6, 0.0, 0.8), Vec3::x()];
    for count in 2..=3 {
        let mut b = ModelBuilder::new();
        let upper = b.add_body(BodyDef::new("upper", rod()).at(0.0, 0.0, -0.25));
        let lower = b.add_body(BodyDef::new("lower", rod()).at(0.0, 0.0, -0.75));
        let ball = |anchor: Vec3| {
            let links = axes.map(|axis| ChainLink::hinge(axis, anchor));
            let links = links[..count].to_vec();
            Chain { links }
        };
        b.add_joint(JointDef::new("hip", ball(Vec3::zeros()), None, upper).armature(0.01));
        let knee = ball(Vec3::new(0.0, 0.0, -0.5));
        b.add_joint(JointDef::new("knee", knee, upper, lower));
        let model = b.build().unwrap();
        let mut state = model.initial_state();
        for joint in [JointId(0), JointId(1)] {
            set_joint_velocities(&model, &mut state, joint, &[3.0, -2.0, 1.0][..count]).unwrap();
        }
        let mut run = simulator(&model, &state, 1e-3);
        let control = Control::new(&model);
        for step in 0..400 {
            run.step(&control).unwrap();
            if step % 40 == 0 {
                let saved = run.checkpoint(&control);
                let mut again = Simulator::resume(model.clone(), &saved).unwrap();
                again.step(&control).unwrap();
                run.step(&control).unwrap();
                assert_eq!(run.state(), again.state(), "{count} hinges, step {step}");
            }
        }
        for joint in [JointId(0), JointId(1)] {
            let [shift, turn] = run.state().joint_residual(&model, joint);
            assert!(shift < 1e-10 && turn < 1e-10);
        }
    }
}
