//! Robots without loops accelerate here as in MuJoCo and Pinocchio: a hundred random states each, under
//! gravity, moving, without contacts, limits or dry friction; with MuJoCo also under springs, dampers and armatures,
//! and with actuators at random controls. Needs the third-party models (LINKWORK_DATA) and PyPI; says so and passes
//! where they are absent.

mod common;

use common::python;
use linkwork::dynamics::accelerations;
use linkwork::math::{Pose, Quat, Twist, Vec3};
use linkwork::model::Axis;
use linkwork::{Control, State};
use linkwork_import::mechanism::{Keyframe, KeyframeBody};
use linkwork_import::{Mechanism, Options, load};
use serde::Deserialize;
use std::collections::BTreeMap;

/// States of each robot.
const STATES: usize = 100;
/// Largest difference of an acceleration, of its own size plus 1 m/s² or rad/s². Seen were 4e-10 for talos, whose
/// fingers accelerate at 1e5 rad/s² while its trunk moves as fast as any other, and 5e-11 for all others.
const AGREES: f64 = 1e-8;

/// A state of a robot, and what its accelerations are.
#[derive(Deserialize)]
struct Sample {
    /// Coordinate, rate and acceleration of each joint.
    joints: BTreeMap<String, [f64; 3]>,
    roots: BTreeMap<String, Root>,
    /// Of each actuator, in order.
    #[serde(default)]
    controls: Vec<f64>,
}

/// What acts besides gravity.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Acting {
    Nothing,
    /// Springs, dampers and armatures.
    Passive,
    /// These, and the actuators.
    Actuated,
}

/// The frame of a floating link: position and quaternion (w x y z); linear, then angular rates in the world.
#[derive(Deserialize)]
struct Root {
    pose: [f64; 7],
    twist: [f64; 6],
    acceleration: [f64; 6],
}

#[test]
fn accelerations_are_those_of_mujoco() {
    let Some(models) = common::models() else {
        return;
    };
    let Some(python) = python::mujoco() else {
        return;
    };
    let files = [
        "kuka_iiwa_14/iiwa14.xml",
        "shadow_hand/right_hand.xml",
        "google_barkour_vb/barkour_vb.xml",
        "pal_talos/talos_position.xml",
        "pal_talos/talos_motor.xml",
        "gymnasium_mujoco/humanoid.xml",
        "gymnasium_mujoco/ant.xml",
        "gymnasium_mujoco/half_cheetah.xml",
        "gymnasium_mujoco/walker2d.xml",
    ];
    for file in files {
        let path = models.join(file);
        let options = Options::default();
        let read = load(&path, &options).unwrap_or_else(|e| panic!("{e}"));
        for acting in [Acting::Nothing, Acting::Passive, Acting::Actuated] {
            let what = format!("{acting:?}").to_lowercase();
            let name = format!("{file} ({what})");
            let arguments = [path.display().to_string(), STATES.to_string(), what];
            let samples = python::run(&python, "mujoco_accelerations.py", &arguments);
            compare(&name, &unhindered(&read.mechanism, acting), samples);
        }
    }
}

#[test]
fn accelerations_are_those_of_pinocchio() {
    let Some(models) = common::models() else {
        return;
    };
    let Some(python) = python::pinocchio() else {
        return;
    };
    let files = [
        ("panda_description/urdf/panda.urdf", false),
        ("solo_description/robots/solo12.urdf", true),
        (
            "double_pendulum_description/urdf/double_pendulum.urdf",
            false,
        ),
        (
            "google_barkour_vb/barkour_vb_rev_1_0_head_straight.urdf",
            true,
        ),
    ];
    for (file, floating) in files {
        let path = models.join(file);
        let mut arguments = vec![path.display().to_string(), STATES.to_string()];
        arguments.extend(floating.then(|| "free".to_owned()));
        let samples = python::run(&python, "pinocchio_accelerations.py", &arguments);
        let options = Options {
            assets: Some(models.clone()),
            visuals: false,
            floating,
            ..Options::default()
        };
        let read = load(&path, &options).unwrap_or_else(|e| panic!("{e}"));
        compare(file, &unhindered(&read.mechanism, Acting::Nothing), samples);
    }
}

/// The mechanism as a tree without contacts, limits and dry friction.
fn unhindered(mechanism: &Mechanism, acting: Acting) -> Mechanism {
    let mut data = mechanism.model.data();
    data.shapes.clear();
    data.couplings.clear();
    let joints = data.joints.iter_mut().flat_map(|j| &mut j.axes);
    for axis in joints.chain(data.tendons.iter_mut().map(|t| &mut t.axis)) {
        let drive = axis.drive.filter(|_| acting == Acting::Actuated);
        let passive = Axis {
            spring: axis.spring,
            armature: axis.armature,
            drive,
            ..Axis::default()
        };
        *axis = match acting {
            Acting::Nothing => Axis::default(),
            Acting::Passive | Acting::Actuated => passive,
        };
    }
    let mut actuators = mechanism.actuators.clone();
    actuators.retain(|_| acting == Acting::Actuated);
    Mechanism {
        model: data.build().expect("what is left of a model is one"),
        actuators,
        ..mechanism.clone()
    }
}

fn compare(name: &str, robot: &Mechanism, samples: serde_json::Value) {
    let samples: Vec<Sample> = serde_json::from_value(samples).expect("states");
    assert_eq!(samples.len(), STATES);
    let mut worst = 0.0f64;
    for sample in &samples {
        let state = placed(robot, sample);
        let found = accelerations_of(robot, sample, &state);
        let joints = sample.joints.values().map(|j| j[2]);
        let roots = sample.roots.values().flat_map(|r| r.acceleration);
        let expected: Vec<f64> = joints.chain(roots).collect();
        assert_eq!(found.len(), expected.len());
        for (a, b) in found.iter().zip(&expected) {
            let apart = (a - b).abs() / (1.0 + b.abs());
            assert!(!apart.is_nan(), "{name}");
            worst = worst.max(apart);
        }
    }
    println!("{name}: accelerations in {STATES} states differ by {worst:.1e}");
    assert!(worst <= AGREES, "{name}: {worst:e}");
}

/// The state of a sample.
fn placed(robot: &Mechanism, sample: &Sample) -> State {
    let mut joints: BTreeMap<usize, (Vec<f64>, Vec<f64>)> = BTreeMap::new();
    for (name, [q, rate, _]) in &sample.joints {
        let (id, c) = robot.coordinate(name).expect(name);
        let n = robot.model.joint(id).axes.len();
        let values = joints
            .entry(id.index())
            .or_insert_with(|| (vec![0.0; n], vec![0.0; n]));
        (values.0[c], values.1[c]) = (*q, *rate);
    }
    let id = |index: usize| linkwork::model::JointId(index as u32);
    let bodies = sample.roots.iter().map(|(name, root)| {
        let frame = &robot.link(name).expect(name).frame;
        let [x, y, z, w, i, j, k] = root.pose;
        let turn = Quat::from_quaternion(nalgebra::Quaternion::new(w, i, j, k));
        let pose = Pose::new(Vec3::new(x, y, z), turn).compose(&frame.local.inverse());
        let [vx, vy, vz, wx, wy, wz] = root.twist;
        let angular = Vec3::new(wx, wy, wz);
        let lever = pose.position - Vec3::new(x, y, z);
        let linear = Vec3::new(vx, vy, vz) + angular.cross(&lever);
        KeyframeBody {
            body: frame.body.expect("a root that floats"),
            pose,
            twist: Twist::new(linear, angular),
        }
    });
    robot.keyframe_state(&Keyframe {
        bodies: bodies.collect(),
        joints: joints.iter().map(|(i, v)| (id(*i), v.0.clone())).collect(),
        rates: joints.iter().map(|(i, v)| (id(*i), v.1.clone())).collect(),
        ..Keyframe::default()
    })
}

/// Accelerations of the sample's joints and roots, in its order.
fn accelerations_of(robot: &Mechanism, sample: &Sample, state: &State) -> Vec<f64> {
    let model = &robot.model;
    let mut control = Control::new(model);
    if !robot.actuators.is_empty() {
        assert_eq!(robot.actuators.len(), sample.controls.len());
        robot.actuate(&sample.controls, state, &mut control);
    }
    let found = accelerations(model, state, &control).expect("accelerations");
    assert!(found.left_out.is_empty() && found.rank == found.rows);
    let mut all = Vec::new();
    for name in sample.joints.keys() {
        let (id, c) = robot.coordinate(name).expect(name);
        all.push(found.coordinates[model.joint(id).first_coordinate + c]);
    }
    for (name, root) in &sample.roots {
        let frame = &robot.link(name).expect(name).frame;
        let body = frame.body.expect("a root that floats").index();
        let [x, y, z, ..] = root.pose;
        let arm = Vec3::new(x, y, z) - state.poses[body].position;
        let a = &found.bodies[body];
        let point = a.at(&arm, &state.twists[body].angular);
        all.extend(point.iter().chain(a.angular.iter()));
    }
    all
}
