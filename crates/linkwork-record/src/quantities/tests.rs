//! Quantities compared with values from the simulator.

use super::*;
use linkwork::{Moment, Run};
use linkwork_scenes::scene;

/// Every quantity is found by its name, has a value after a step, and names are not given twice.
#[test]
fn every_quantity_has_a_value_after_a_step() {
    for name in ["fourbar_free", "gear_train", "nunchuk", "spinning_top"] {
        let mut run = Run::of(scene(name, &[]).unwrap()).unwrap();
        let report = run.step().unwrap();
        let step = StepRecord::of(&run.moment(1, Some(&report)));
        let model = run.simulator().model();
        let all = all_quantities(model, &[]);
        for quantity in &all {
            let again = Quantity::parse(model, &[], quantity.name()).unwrap();
            let value = again.of(model, &step);
            assert!(value.is_finite(), "{name}: {} = {value}", quantity.name());
            assert_eq!(value.to_bits(), quantity.of(model, &step).to_bits());
            assert!(!quantity.label().is_empty());
        }
        let mut names: Vec<_> = all.iter().map(Quantity::name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all.len(), "{name}");
    }
}

#[test]
fn values_are_those_of_the_simulator() {
    let mut run = Run::of(scene("fourbar_fixed", &[]).unwrap()).unwrap();
    let report = (0..50).map(|_| run.step().unwrap()).last().unwrap();
    let moment: Moment = run.moment(50, Some(&report));
    let step = StepRecord::of(&moment);
    let (model, simulator) = (run.simulator().model(), run.simulator());
    let value = |name: &str| Quantity::parse(model, &[], name).unwrap().of(model, &step);
    let hinged = |j: &linkwork::model::Joint| j.kind.name() == "revolute";
    let first = model.joints().iter().position(hinged).unwrap();
    let (id, joint) = (JointId(first as u32), &model.joints()[first]);
    let (coordinate, _) = joint.kind.coordinates()[0];
    let name = format!("{}.{coordinate}", joint.name);
    assert_eq!(
        value(&name),
        simulator.state().joint_coordinates(model, id)[0]
    );
    // Velocities are those at the time of the poses.
    let state = simulator.synchronised(run.control()).unwrap();
    let rate = state.joint_velocities(model, id)[0];
    assert_eq!(value(&format!("{name}.rate")), rate);
    let force = simulator.joint_reactions()[first].force.norm();
    assert!(force > 0.0);
    assert_eq!(value(&format!("{}.force", joint.name)), force);
    let body = &model.bodies()[1].name;
    assert_eq!(
        value(&format!("{body}.z")),
        simulator.state().poses[1].position.z
    );
    let speed = state.twists[1].linear.norm();
    assert_eq!(value(&format!("{body}.speed")), speed);
    assert_eq!(value("time"), simulator.state().time);
    let closure = report.closure_linear.max(report.closure_angular);
    assert_eq!(value("closure_error"), closure);
    assert_eq!((value("status"), value("outcome")), (0.0, 0.0));
}

#[test]
fn an_unknown_name_gets_near_ones() {
    let model = scene("fourbar_fixed", &[]).unwrap().model;
    let error = Quantity::parse(&model, &[], "enrgy").unwrap_err();
    assert!(error.near.starts_with("energy"), "{error}");
}

#[test]
fn before_the_first_step_nothing_was_solved() {
    let run = Run::of(scene("fourbar_fixed", &[]).unwrap()).unwrap();
    let step = StepRecord::of(&run.moment(0, None));
    let model = run.simulator().model();
    let value = |name: &str| Quantity::parse(model, &[], name).unwrap().of(model, &step);
    assert!(value("residual").is_nan() && value("closure_error").is_nan());
    assert!(value("energy").is_finite() && value("kinetic").is_finite());
    assert_eq!(value("status"), -1.0);
}

/// The torque of a motor is no drive effort; it is the applied effort, gear included.
#[test]
fn the_torque_of_a_motor_is_an_applied_effort() {
    let mut run = Run::of(scene("fourbar_fixed", &[]).unwrap()).unwrap();
    run.control_mut().forces[0] = 0.7;
    let start = StepRecord::of(&run.moment(0, None));
    let report = run.step().unwrap();
    let step = StepRecord::of(&run.moment(1, Some(&report)));
    let model = run.simulator().model();
    // The first coordinate of the scene is that of hinge A.
    let applied = Quantity::parse(model, &[], "A.angle.applied_effort").unwrap();
    assert_eq!(applied.of(model, &start), 0.0);
    assert_eq!(applied.of(model, &step), 0.7);
}

/// A body and a joint of one name, whose coordinates are called as the positions of the body.
#[test]
fn no_two_quantities_have_one_name_where_body_and_joint_share_theirs() {
    let mut b = linkwork::model::ModelBuilder::new();
    let mass = linkwork::math::MassProperties::solid_sphere(1.0, 0.1);
    let arm = b.add_body(linkwork::model::BodyDef::new("arm", mass).at(1.0, 2.0, 3.0));
    let kind = std::sync::Arc::new(linkwork::joints::Cartesian);
    let joint = linkwork::model::JointDef::of("arm", kind, None, arm);
    b.add_joint(joint.frame(linkwork::math::Pose::at(1.0, 2.0, 3.0)));
    let model = b.build().unwrap();
    let simulator = linkwork::Simulator::new(model.clone(), linkwork::Settings::default()).unwrap();
    let run = Run::new(simulator, None);
    let start = StepRecord::of(&run.moment(0, None));
    let names = |all: Vec<Quantity>| -> Vec<String> { all.into_iter().map(|q| q.name).collect() };
    for mut all in [all_quantities(&model, &[]), trajectory(&model, &[])].map(names) {
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
    }
    let value = |name: &str| {
        Quantity::parse(&model, &[], name)
            .unwrap()
            .of(&model, &start)
    };
    assert_eq!((value("arm.y"), value("body arm.y")), (0.0, 2.0));
    assert_eq!((value("arm.qw"), value("arm.qx")), (1.0, 0.0));
}
