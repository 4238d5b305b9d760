//! Bodies that are moved from outside: their poses, their effect on others, and that others do not affect them.

use linkwork::joints::Free;
use linkwork::linkwork_solve::Status;
use linkwork::math::{MassProperties, Pose, Quat, Vec3, exp};
use linkwork::model::{
    BodyDef, BodyId, Drive, Geometry, JointDef, Material, Model, ModelBuilder, ShapeDef,
};
use linkwork::{Control, Integrator, Settings, Simulator};
use std::sync::Arc;

const DT: f64 = 1e-3;
const TABLE: BodyId = BodyId(0);
const LOAD: BodyId = BodyId(1);

fn table(b: &mut ModelBuilder) -> BodyId {
    let mass = MassProperties::solid_sphere(1.0, 0.1);
    let table = b.add_body(BodyDef::new("table", mass));
    b.add_joint(JointDef::new("table", Free, None, table).moved());
    table
}

fn simulator(model: &Arc<Model>) -> Simulator {
    let settings = Settings::with(|s| s.dt = DT);
    Simulator::new(model.clone(), settings).unwrap()
}

/// A pose that turns more than half a turn about an axis that turns itself.
fn wanted(t: f64) -> Pose {
    let position = Vec3::new(t.sin(), 0.3 * t, 0.2 * (2.0 * t).cos());
    let axis = Vec3::new(1.0, 0.5 * t, -0.3);
    Pose::new(position, exp(&(1.5 * t * axis)))
}

fn apart(a: &Pose, b: &Pose) -> f64 {
    let turn = (a.rotation * b.rotation.inverse()).angle();
    (a.position - b.position).amax().max(turn)
}

#[test]
fn a_moved_body_is_where_it_was_placed_after_every_step() {
    // The last makes its rows where the velocities before lead, from which it goes back: turns about different axes do not commute, which
    // is of second order in the step.
    let integrators = [
        (Integrator::SemiImplicitEuler, 1e-12),
        (Integrator::Moreau, 1e-12),
        (Integrator::IMPLICIT, 1e-2 * DT * DT),
    ];
    for (integrator, bound) in integrators {
        let mut b = ModelBuilder::new();
        let body = table(&mut b);
        let model = b.build().unwrap();
        let settings = Settings::with(|s| {
            s.dt = DT;
            s.integrator = integrator;
        });
        let mut simulator = Simulator::new(model.clone(), settings).unwrap();
        let mut state = model.initial_state();
        state.poses[0] = wanted(0.0);
        state.update_coordinates(&model);
        simulator.set_state(state).unwrap();
        let mut control = Control::new(&model);
        let mut worst = 0.0_f64;
        for step in 1..=3000 {
            let to = wanted(DT * f64::from(step));
            control.place(&model, body, &to).unwrap();
            let report = simulator.step(&control).unwrap();
            assert_eq!(report.status, Status::Converged);
            worst = worst.max(apart(&simulator.state().poses[0], &to));
        }
        println!("{integrator}: {worst:e}");
        assert!(worst < bound, "{integrator}: {worst:e}");
    }
}

/// A load welded to a moved body goes with it, and the weld carries its weight and its inertia: F = m (g + a).
#[test]
fn a_welded_load_follows_and_is_felt_by_the_weld_only() {
    let mut b = ModelBuilder::new();
    let table = table(&mut b);
    let load = MassProperties::solid_sphere(3.0, 0.1);
    let load = b.add_body(BodyDef::new("load", load).at(0.0, 0.0, 0.5));
    let weld = b.add_joint(JointDef::fixed("weld", table, load));
    let model = b.build().unwrap();
    let mut simulator = simulator(&model);
    let mut control = Control::new(&model);
    // z = ½ a t².
    let a = 2.0;
    for step in 1..=500 {
        let t = DT * f64::from(step);
        let to = Pose::at(0.0, 0.0, 0.5 * a * t * t);
        control.place(&model, table, &to).unwrap();
        simulator.step(&control).unwrap();
        let z = simulator.state().poses[LOAD.index()].position.z;
        assert!((z - 0.5 - 0.5 * a * t * t).abs() < 1e-9);
        if step > 1 {
            let (reactions, _) = simulator.joint_forces();
            let force = reactions.iter().find(|r| r.joint == weld).unwrap().force;
            assert!((force.z - 3.0 * (9.81 + a)).abs() < 1e-6, "{force}");
        }
    }
}

fn carried(friction: f64) -> (Arc<Model>, Simulator) {
    let mut b = ModelBuilder::new();
    let table = table(&mut b);
    let block = MassProperties::solid_box(2.0, Vec3::new(0.1, 0.1, 0.1));
    let block = b.add_body(BodyDef::new("block", block).at(0.0, 0.0, 0.15));
    let material = Material {
        friction,
        ..Material::default()
    };
    for (body, half) in [(table, [1.0, 1.0, 0.05]), (block, [0.1; 3])] {
        let half_extents = Vec3::from(half);
        let shape = ShapeDef::new(Geometry::Box { half_extents });
        b.add_shape(body, shape.material(material));
    }
    let model = b.build().unwrap();
    let simulator = simulator(&model);
    (model, simulator)
}

/// A block on a moved table: friction accelerates it at μ g until it has the table's speed, which it then keeps.
#[test]
fn contacts_feel_the_velocity_of_a_moved_body() {
    let (model, mut simulator) = carried(0.3);
    let mut control = Control::new(&model);
    let (speed, slip) = (0.5, 0.3 * 9.81);
    for step in 1..=600 {
        let t = DT * f64::from(step);
        control
            .place(&model, TABLE, &Pose::at(speed * t, 0.0, 0.0))
            .unwrap();
        simulator.step(&control).unwrap();
        let v = simulator.state().twists[LOAD.index()].linear;
        // The velocities found live half a step before.
        let exact = (slip * (t - 0.5 * DT)).min(speed);
        assert!(
            (v.x - exact).abs() < 1e-6 + slip * DT,
            "{t}: {} {exact}",
            v.x
        );
        assert!(v.z.abs() < 1e-6);
    }
    let v = simulator.state().twists[LOAD.index()].linear;
    assert!((v.x - speed).abs() < 1e-9, "{v}");
}

/// However heavy, what falls on it does not move it; and it falls as on the ground.
#[test]
fn nothing_moves_a_moved_body() {
    let (model, mut simulator) = carried(0.5);
    let control = Control::new(&model);
    let mut state = model.initial_state();
    state.poses[LOAD.index()].position.z = 0.6;
    simulator.set_state(state).unwrap();
    for _ in 0..1000 {
        simulator.step(&control).unwrap();
        let moved = &simulator.state().poses[TABLE.index()];
        assert!(apart(moved, &Pose::identity()) < 1e-12);
    }
    let z = simulator.state().poses[LOAD.index()].position.z;
    assert!((z - 0.15).abs() < 1e-6, "{z}");
}

/// A hinge with a rigid drive is at its target after every step.
#[test]
fn a_rigid_drive_holds_any_coordinate() {
    let mut b = ModelBuilder::new();
    let mass = MassProperties::solid_cylinder(5.0, 0.05, 1.0);
    let arm = b.add_body(BodyDef::new("arm", mass).at(0.0, 0.0, -0.5));
    let hinge = JointDef::revolute("hinge", None, arm).axis(0.0, 1.0, 0.0);
    let hinge = b.add_joint(hinge.drive_of(0, Drive::RIGID));
    let model = b.build().unwrap();
    let mut simulator = simulator(&model);
    let mut control = Control::new(&model);
    for step in 1..=1000 {
        let target = (3.0 * DT * f64::from(step)).sin();
        control.target(&model, hinge, target);
        simulator.step(&control).unwrap();
        assert!((simulator.state().coordinates[0] - target).abs() < 1e-9);
    }
}

#[test]
fn what_cannot_be_placed_is_refused_by_name() {
    let (model, _) = carried(0.5);
    let mut control = Control::new(&model);
    let error = control.place(&model, LOAD, &Pose::identity()).err();
    assert!(error.expect("refused").to_string().contains("'block'"));
    let nowhere = Pose::new(Vec3::new(f64::NAN, 0.0, 0.0), Quat::identity());
    assert!(control.place(&model, TABLE, &nowhere).is_err());
}
