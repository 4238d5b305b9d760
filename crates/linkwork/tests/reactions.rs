//! Forces of the last step against statics.

mod mechanisms;

use linkwork::math::{MassProperties, Vec3, Wrench};
use linkwork::mobility::mobility;
use linkwork::model::*;
use linkwork::{Control, FailurePolicy, Outcome, Settings, Simulator};
use mechanisms::*;
use std::sync::Arc;

const G: f64 = 9.81;

/// Run for `steps` of 1 ms with drives holding the initial coordinates.
fn run(model: &Arc<Model>, steps: usize) -> Simulator {
    let mut settings = Settings::default();
    settings.solve.tolerance = 1e-12;
    let mut simulator = Simulator::new(model.clone(), settings).unwrap();
    let control = Control::new(model);
    for _ in 0..steps {
        simulator.step(&control).unwrap();
    }
    simulator
}

/// Gravity, reactions and hinge efforts on every body, about its centre of mass; all hinges along y.
fn loads(simulator: &Simulator) -> Vec<Wrench> {
    let model = simulator.model();
    let state = simulator.state();
    let weight = |b: &Body| Wrench::new(b.mass * model.gravity(), Vec3::zeros());
    let mut loads: Vec<Wrench> = model.bodies().iter().map(weight).collect();
    let efforts = simulator.coordinate_efforts();
    for r in simulator.joint_reactions() {
        let joint = model.joint(r.joint);
        let e = efforts
            .get(joint.first_coordinate)
            .filter(|_| !joint.axes.is_empty());
        let along = e.map_or(0.0, |e| {
            e.drive + e.limit + e.friction + e.passive + e.coupling
        });
        for (body, sign) in [(Some(joint.follower), 1.0), (joint.base, -1.0)] {
            let Some(body) = body else { continue };
            let arm = r.point - state.poses[body.index()].position;
            let load = &mut loads[body.index()];
            load.force += sign * r.force;
            load.torque += sign * (r.torque + along * Y + arm.cross(&r.force));
        }
    }
    loads
}

#[test]
fn nothing_is_reported_before_the_first_step() {
    let mut simulator = run(&chain(1), 0);
    let empty = |s: &Simulator| {
        s.joint_reactions().is_empty()
            && s.contact_forces().is_empty()
            && s.net_force(BodyId(0)) == Wrench::zero()
            && s.coordinate_efforts() == [Default::default()]
    };
    assert!(empty(&simulator));
    let control = Control::new(simulator.model());
    simulator.step(&control).unwrap();
    assert!(!empty(&simulator));
    let state = simulator.state().clone();
    simulator.set_state(state).unwrap();
    assert!(empty(&simulator));
}

#[test]
fn a_hanging_pendulum_pulls_with_its_weight() {
    for n in [1usize, 4] {
        let simulator = run(&chain(n), 3);
        for (i, r) in simulator.joint_reactions().iter().enumerate() {
            let weight = (n - i) as f64 * G * Vec3::z();
            assert!((r.force - weight).norm() < 1e-9, "{r:?}");
            assert!(r.torque.norm() < 1e-9, "{r:?}");
        }
        assert!(simulator.net_force(BodyId(0)).force.norm() < 1e-9);
    }
}

#[test]
fn a_four_bar_held_by_a_drive_is_in_balance() {
    let mut b = ModelBuilder::new();
    let points = corners();
    add_four_bar(&mut b, "", points);
    let crank = BodyId(1);
    // The drive sits on a second hinge in the place of A: five more redundant rows.
    let held = JointDef::revolute("drive", BodyId(0), crank).drive(1e6, 1e4);
    b.add_joint(place(held, points[0], Y));
    let model = b.build().unwrap();
    let simulator = run(&model, 3000);
    for (load, body) in loads(&simulator).iter().zip(model.bodies()) {
        assert!(load.force.norm() < 1e-9, "{}: {load:?}", body.name);
        assert!(load.torque.norm() < 1e-9, "{}: {load:?}", body.name);
    }
    let efforts = simulator.coordinate_efforts();
    let drive = model.joint_named("drive").unwrap();
    let drive = efforts[model.joint(drive).first_coordinate].drive;
    assert!(drive.abs() > 1.0, "{drive}");
    // Virtual work: the drive's torque times the crank's turn lifts the three moving links.
    let mut state = simulator.state().clone();
    let joint = model.joint_named("A").unwrap();
    linkwork::assemble::set_joint_velocities(&model, &mut state, joint, &[1.0]).unwrap();
    let power: f64 = state.twists.iter().map(|t| G * t.linear.z).sum();
    assert!(
        (drive - power).abs() < 1e-6 * power.abs(),
        "{drive} {power}"
    );
}

/// A box of 3 kg resting on the ground.
fn box_on_ground() -> Arc<Model> {
    let mut b = ModelBuilder::new();
    let half = Vec3::new(0.2, 0.3, 0.1);
    let mass = MassProperties::solid_box(3.0, half);
    let body = b.add_body(BodyDef::new("box", mass).at(0.0, 0.0, 0.1));
    b.add_shape(body, ShapeDef::new(Geometry::Box { half_extents: half }));
    b.add_shape(None, ShapeDef::new(Geometry::HalfSpace));
    b.build().unwrap()
}

#[test]
fn a_held_step_reports_no_forces() {
    let model = box_on_ground();
    // A first-order solver that is stopped at once.
    let mut settings = Settings::with(|s| {
        s.solver = "admm-ncp-sa".to_owned();
        s.failure = FailurePolicy::Hold;
    });
    settings.solve.max_iterations = 1;
    settings.solve.tolerance = 1e-15;
    let mut simulator = Simulator::new(model.clone(), settings).unwrap();
    let report = simulator.step(&Control::new(&model)).unwrap();
    assert_eq!(report.outcome, Outcome::Held);
    assert!(simulator.contact_forces().is_empty() && simulator.joint_reactions().is_empty());
    assert_eq!(simulator.net_force(BodyId(0)), Wrench::zero());
}

#[test]
fn contact_impulses_carry_a_box() {
    let model = box_on_ground();
    let body = BodyId(0);
    let simulator = run(&model, 5);
    let forces = simulator.contact_forces();
    assert_eq!(forces.len(), 4);
    let mut sum = Vec3::zeros();
    for f in &forces {
        let on_box = if f.contact.body_b == Some(body) {
            1.0
        } else {
            -1.0
        };
        assert!(on_box * f.contact.normal.z > 0.999 && f.contact.gap.abs() < 1e-6);
        assert!((f.contact.point.z).abs() < 1e-6);
        sum += on_box * f.impulse;
    }
    assert!((sum - 3.0 * G * 1e-3 * Vec3::z()).norm() < 1e-10, "{sum}");
}

#[test]
fn a_beam_welded_at_both_ends_shares_its_load_evenly() {
    let mut b = ModelBuilder::new();
    let beam = link(&mut b, "beam", at(-1.0, 0.0), at(1.0, 0.0));
    b.add_joint(JointDef::fixed("left", None, beam).anchor(-1.0, 0.0, 0.0));
    b.add_joint(JointDef::fixed("right", None, beam).anchor(1.0, 0.0, 0.0));
    let model = b.build().unwrap();
    let simulator = run(&model, 3);
    let [left, right] = simulator.joint_reactions()[..] else {
        panic!("two joints");
    };
    assert!((left.force - 0.5 * G * Vec3::z()).norm() < 1e-6, "{left:?}");
    assert!((left.force - right.force).norm() < 1e-6);
    assert!((left.torque + right.torque).norm() < 1e-6);
    let load = &loads(&simulator)[0];
    assert!(
        load.force.norm() < 1e-9 && load.torque.norm() < 1e-9,
        "{load:?}"
    );
    assert_eq!(mobility(&model, simulator.state()).not_unique.len(), 2);
}

#[test]
fn limits_friction_and_springs_report_their_torque() {
    // A horizontal 1 m link on a hinge whose coordinate grows upwards, held one way at a time.
    let held = |prepare: fn(JointDef) -> JointDef| {
        let mut b = ModelBuilder::new();
        let arm = link(&mut b, "arm", at(0.0, 0.0), at(1.0, 0.0));
        let joint = prepare(JointDef::revolute("hinge", None, arm));
        b.add_joint(place(joint, at(0.0, 0.0), -Y));
        let simulator = run(&b.build().unwrap(), 400);
        simulator.coordinate_efforts()[0]
    };
    let torque = 0.5 * G;
    let limit = held(|j| j.limits(0.0, 1.0));
    assert!((limit.limit - torque).abs() < 1e-6, "{limit:?}");
    let friction = held(|j| j.friction(10.0));
    assert!((friction.friction - torque).abs() < 1e-6, "{friction:?}");
    let spring = held(|j| j.spring(1e5, 0.0, 1e3));
    assert!((spring.passive - torque).abs() < 1e-3, "{spring:?}");
}
