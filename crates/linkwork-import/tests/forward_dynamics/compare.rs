//! Samples of other simulators against our accelerations.

use crate::STATES;
use linkwork::dynamics::{Accelerations, accelerations};
use linkwork::math::{Pose, Quat, Twist, Vec3};
use linkwork::model::{Keyframe, KeyframeBody, Model};
use linkwork::{Control, State};
use serde::Deserialize;
use std::collections::BTreeMap;

/// Largest difference of an acceleration, of its own size plus 1 m/s² or rad/s². Seen were 4e-10 for talos, whose
/// fingers accelerate at 2e5 rad/s² while its trunk moves as fast as any other, 2e-10 for the delta robot and 3e-11
/// for all others.
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

/// The frame of a floating link: position and quaternion (w x y z); linear, then angular rates in the world.
#[derive(Deserialize)]
struct Root {
    pose: [f64; 7],
    twist: [f64; 6],
    acceleration: [f64; 6],
}

/// The accelerations of the joints that are `compared` and of floating links are the samples', in states where
/// `redundant` rows depend on others.
pub fn compare(
    name: &str,
    robot: &Model,
    samples: serde_json::Value,
    redundant: usize,
    compared: impl Fn(&str) -> bool,
) {
    let samples: Vec<Sample> = serde_json::from_value(samples).expect("states");
    assert_eq!(samples.len(), STATES);
    let mut worst = 0.0f64;
    for sample in &samples {
        let state = placed(robot, sample);
        let model = &robot;
        let found = accelerations(model, &state, &controlled(robot, sample, &state)).expect(name);
        assert_eq!(found.rows - found.rank, redundant, "{name}");
        assert!(found.left_out.is_empty(), "{name}");
        let forces = found.reactions.iter().flat_map(|r| [r.force, r.torque]);
        let most = forces.fold(0.0, |m: f64, force| m.max(force.norm()));
        assert!(found.unbalanced < 1e-9 * (1.0 + most), "{name}");
        let found = as_told(robot, sample, &state, &found, &compared);
        let joints = sample.joints.iter().filter(|j| compared(j.0));
        let joints = joints.map(|(_, [.., a])| *a);
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
fn placed(robot: &Model, sample: &Sample) -> State {
    let mut joints: BTreeMap<usize, (Vec<f64>, Vec<f64>)> = BTreeMap::new();
    for (name, [q, rate, _]) in &sample.joints {
        let (id, c) = robot.coordinate_named(name).expect(name);
        let n = robot.joint(id).axes.len();
        let values = joints
            .entry(id.index())
            .or_insert_with(|| (vec![0.0; n], vec![0.0; n]));
        (values.0[c], values.1[c]) = (*q, *rate);
    }
    let id = |index: usize| linkwork::model::JointId(index as u32);
    let bodies = sample.roots.iter().map(|(name, root)| {
        let frame = &robot.link_named(name).expect(name).frame;
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

/// The control of a sample.
fn controlled(robot: &Model, sample: &Sample, state: &State) -> Control {
    let mut control = Control::new(robot);
    if !robot.actuators().is_empty() {
        assert_eq!(robot.actuators().len(), sample.controls.len());
        robot.actuate(&sample.controls, state, &mut control);
    }
    control
}

/// Accelerations of the sample's joints that are `compared`, then of its roots' frames.
fn as_told(
    robot: &Model,
    sample: &Sample,
    state: &State,
    found: &Accelerations,
    compared: impl Fn(&str) -> bool,
) -> Vec<f64> {
    let mut all = Vec::new();
    for name in sample.joints.keys().filter(|name| compared(name)) {
        let (id, c) = robot.coordinate_named(name).expect(name);
        all.push(found.coordinates[robot.joint(id).first_coordinate + c]);
    }
    for (name, root) in &sample.roots {
        let frame = &robot.link_named(name).expect(name).frame;
        let body = frame.body.expect("a root that floats").index();
        let [x, y, z, ..] = root.pose;
        let arm = Vec3::new(x, y, z) - state.poses[body].position;
        let a = &found.bodies[body];
        let point = a.at(&arm, &state.twists[body].angular);
        all.extend(point.iter().chain(a.angular.iter()));
    }
    all
}
