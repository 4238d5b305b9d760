//! Actuators, sensors, frames and stored states of a model that is built in Rust.

use linkwork::actuators::{Actuator, Transmission};
use linkwork::math::{MassProperties, Pose, Vec3};
use linkwork::model::{
    BodyDef, FrameId, JointDef, JointId, Keyframe, Model, ModelBuilder, ModelError,
};
use linkwork::sensors::{Reading, Sensor};
use linkwork::{Control, ControlError, Settings, Simulator};
use std::sync::Arc;

const MASS: f64 = 2.0;
const LENGTH: f64 = 0.5;

/// A ball on a light rod: inertia about the hinge m l² + I.
fn builder() -> (ModelBuilder, JointId, FrameId) {
    let mut b = ModelBuilder::new();
    let ball = MassProperties::solid_sphere(MASS, 0.05);
    let bob = b.add_body(BodyDef::new("bob", ball).at(0.0, 0.0, -LENGTH));
    let hinge = b.add_joint(JointDef::revolute("hinge", None, bob).axis(0.0, 1.0, 0.0));
    let tip = b.add_frame("tip", bob, Pose::at(0.0, 0.0, -0.1));
    (b, hinge, tip)
}

fn inertia() -> f64 {
    MASS * LENGTH * LENGTH + 0.4 * MASS * 0.05 * 0.05
}

fn sensors(b: &mut ModelBuilder, hinge: JointId, frame: FrameId) {
    let coordinate = 0;
    let joint = hinge;
    for (name, reading) in [
        ("angle", Reading::Position { joint, coordinate }),
        ("torque", Reading::Effort { joint, coordinate }),
        (
            "place",
            Reading::FramePosition {
                frame,
                reference: None,
            },
        ),
        ("felt", Reading::Acceleration { frame, local: true }),
    ] {
        b.add_sensor(Sensor::new(name, reading));
    }
}

fn still(model: &Arc<Model>) -> Simulator {
    Simulator::new(model.clone(), Settings::default()).unwrap()
}

#[test]
fn a_motor_turns_and_sensors_tell() {
    let (mut b, hinge, tip) = builder();
    b.gravity(Vec3::zeros());
    b.add_actuator(Actuator::motor("motor", hinge).control_range(-1.0, 1.0));
    sensors(&mut b, hinge, tip);
    let model = b.build().unwrap();
    let mut simulator = still(&model);
    let mut control = Control::new(&model);
    // Twice the upper bound of the range: 1 N m for 0.2 s.
    let controls = model.controls(&[("motor", 2.0)]).unwrap();
    for _ in 0..200 {
        simulator.step_actuated(&controls, &mut control).unwrap();
    }
    let angle = simulator.sense("angle", &control).unwrap()[0];
    let exact = 0.5 / inertia() * 0.2 * 0.2;
    assert!((angle - exact).abs() < 1e-4 * exact, "{angle}, {exact}");
    assert_eq!(simulator.sense("torque", &control).unwrap(), [1.0]);
    let place = simulator.sense("place", &control).unwrap();
    let (s, c) = angle.sin_cos();
    let reach = LENGTH + 0.1;
    assert!((place[0] + reach * s).abs() < 1e-9 && (place[2] + reach * c).abs() < 1e-9);
    // α l along the way and ω² l towards the hinge, in the middle of the last step.
    let felt = simulator.sense("felt", &control).unwrap();
    assert!((felt[0].abs() - reach / inertia()).abs() < 1e-3, "{felt:?}");
    assert_eq!(simulator.sense("nothing", &control), None);
}

#[test]
fn a_position_servo_has_the_drive_of_its_gains_and_holds_its_target() {
    let (mut b, hinge, _) = builder();
    b.add_actuator(Actuator::position("servo", hinge, 400.0, 40.0).force_range(-50.0, 50.0));
    let model = b.build().unwrap();
    let drive = model.joint(hinge).axes[0].drive.unwrap();
    assert_eq!((drive.stiffness, drive.damping), (400.0, 40.0));
    assert_eq!(drive.effort_limit, Some(50.0));
    let mut simulator = still(&model);
    let mut control = Control::new(&model);
    let controls = model.controls(&[("servo", 0.3)]).unwrap();
    for _ in 0..3000 {
        simulator.step_actuated(&controls, &mut control).unwrap();
    }
    // At rest the servo carries the weight: k (0.3 − q) = m g l sin q.
    let q = simulator.state().joint_coordinates(&model, hinge)[0];
    let off = 400.0 * (0.3 - q) - MASS * 9.81 * LENGTH * q.sin();
    assert!(off.abs() < 1e-6, "{off} N m at {q} rad");
}

#[test]
fn a_speed_servo_and_a_drive_that_was_given() {
    let (mut b, hinge, _) = builder();
    b.gravity(Vec3::zeros());
    b.add_actuator(Actuator::velocity("speed", hinge, 20.0));
    let model = b.build().unwrap();
    let mut simulator = still(&model);
    let mut control = Control::new(&model);
    let controls = model.controls(&[("speed", 2.0)]).unwrap();
    for _ in 0..1000 {
        simulator.step_actuated(&controls, &mut control).unwrap();
    }
    let rate = simulator.state().joint_velocities(&model, hinge)[0];
    assert!((rate - 2.0).abs() < 1e-9, "{rate}");

    let mut b = ModelBuilder::new();
    let bob = b.add_body(BodyDef::new("bob", MassProperties::solid_sphere(1.0, 0.1)));
    let hinge = b.add_joint(JointDef::revolute("hinge", None, bob).drive(7.0, 1.0));
    b.add_actuator(Actuator::position("servo", hinge, 400.0, 40.0));
    let drive = b.build().unwrap().joint(hinge).axes[0].drive.unwrap();
    assert_eq!(drive.stiffness, 7.0, "a drive that is given stays");
}

#[test]
fn stored_states_place_bodies_along_the_tree() {
    let (mut b, hinge, _) = builder();
    b.add_keyframe(Keyframe {
        name: "up".to_owned(),
        joints: vec![(hinge, vec![1.2])],
        rates: vec![(hinge, vec![-0.7])],
        ..Keyframe::default()
    });
    let model = b.build().unwrap();
    assert_eq!(model.tree(), [hinge]);
    let state = model.keyframe_state(model.keyframe_named("up").unwrap());
    assert!((state.joint_coordinates(&model, hinge)[0] - 1.2).abs() < 1e-12);
    assert!((state.joint_velocities(&model, hinge)[0] + 0.7).abs() < 1e-12);
    let place = state.poses[0].position;
    assert!((place - LENGTH * Vec3::new(-1.2f64.sin(), 0.0, -1.2f64.cos())).norm() < 1e-12);
}

#[test]
fn everything_survives_json_to_the_bit() {
    let (mut b, hinge, tip) = builder();
    b.name("pendulum");
    b.add_actuator(Actuator::position("servo", hinge, 1.0 / 3.0, 0.1));
    sensors(&mut b, hinge, tip);
    let model = b.build().unwrap();
    let text = serde_json::to_string(model.data()).unwrap();
    let again: linkwork::model::ModelData = serde_json::from_str(&text).unwrap();
    let again = again.build().unwrap();
    assert_eq!(again.hash(), model.hash());
    assert_eq!(again.actuators(), model.actuators());
    assert_eq!(again.sensors(), model.sensors());
    assert_eq!(again.frames(), model.frames());
    assert_eq!(again.name(), "pendulum");
}

#[test]
fn wrong_references_and_numbers_are_refused() {
    let refused = |change: fn(&mut ModelBuilder, JointId)| {
        let (mut b, hinge, _) = builder();
        change(&mut b, hinge);
        b.build().err().expect("refused")
    };
    let missing = |e: ModelError| matches!(e, ModelError::MissingReference { .. });
    assert!(missing(refused(|b, _| {
        b.add_actuator(Actuator::motor("m", JointId(7)));
    })));
    assert!(missing(refused(|b, _| {
        let (frame, gear) = (FrameId(3), [0.0; 6]);
        b.add_actuator(Actuator::on("m", Transmission::Frame { frame, gear }));
    })));
    assert!(missing(refused(|b, _| {
        let frame = FrameId(9);
        b.add_sensor(Sensor::new("s", Reading::Range { frame }));
    })));
    let error = refused(|b, joint| {
        let coordinate = 1;
        b.add_sensor(Sensor::new("s", Reading::Velocity { joint, coordinate }));
    });
    assert!(matches!(
        error,
        ModelError::NoSuchCoordinate { asked: 1, .. }
    ));
    let bad = |e: ModelError, what: &str| {
        let text = e.to_string();
        assert!(text.contains(what), "{text}");
    };
    bad(
        refused(|b, hinge| {
            b.add_actuator(Actuator::position("m", hinge, -5.0, 0.0));
        }),
        "bias",
    );
    bad(
        refused(|b, hinge| {
            b.add_actuator(Actuator::motor("m", hinge).control_range(1.0, -1.0));
        }),
        "control range",
    );
    bad(
        refused(|b, hinge| {
            b.add_keyframe(Keyframe {
                name: "k".to_owned(),
                joints: vec![(hinge, vec![0.0, 1.0])],
                ..Keyframe::default()
            });
        }),
        "number of values",
    );
    let (b, ..) = builder();
    let model = b.build().unwrap();
    let unknown = model.controls(&[("moter", 1.0)]);
    assert!(matches!(unknown, Err(ControlError::UnknownActuator { .. })));
}
