//! Robots of the shared models compared with the `mujoco` package: numbers of actuators, sensors and stored states, and
//! the values of all sensors of position and velocity at 100 random states. Needs the files (LINKWORK_DATA) and PyPI;
//! prints a message and passes without them.

mod common;

use linkwork::sensors::Sensor;
use linkwork_import::{Options, load};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Robots as their makers describe them, with all that drives and reads them.
const ROBOTS: [&str; 10] = [
    "agility_cassie/scene.xml",
    "google_barkour_vb/scene.xml",
    "google_barkour_vb/scene_mjx.xml",
    "kuka_iiwa_14/scene.xml",
    "pal_talos/scene_motor.xml",
    "pal_talos/scene_position.xml",
    "robotiq_2f85/scene.xml",
    "shadow_hand/scene_right.xml",
    "iit_softfoot/scene.xml",
    "gymnasium_mujoco/ant.xml",
];

/// Absolute, in m, m/s, rad, rad/s; MuJoCo computes with the same numbers in another order.
const AGREES: f64 = 1e-9;

#[derive(Deserialize)]
struct Facts {
    counts: [usize; 3],
    values: Vec<BTreeMap<String, Vec<f64>>>,
}

/// A copy of a folder: MuJoCo searches for the parts of a file beside it.
fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder");
    for entry in std::fs::read_dir(from).expect("a folder").flatten() {
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() {
            copy(&path, &target);
        } else {
            std::fs::copy(&path, &target).expect("a copy");
        }
    }
}

#[test]
fn actuators_sensors_and_stored_states_are_those_of_mujoco() {
    let Some(folder) = common::models() else {
        return;
    };
    let Some(python) = common::python::mujoco() else {
        return;
    };
    let scratch = common::Folder::new();
    let mut pairs: Vec<(PathBuf, PathBuf)> = Vec::new();
    for robot in ROBOTS {
        let (robot, file) = robot.split_once('/').expect("folder and file");
        let target = scratch.path().join(robot);
        if !target.exists() {
            copy(&folder.join(robot), &target);
        }
        let states = format!("states_of_{file}");
        pairs.push((target.join(file), target.join(states)));
    }
    let argument = |(a, b): &(PathBuf, PathBuf)| format!("{}:{}", a.display(), b.display());
    let arguments: Vec<String> = pairs.iter().map(argument).collect();
    let facts = common::python::run(&python, "mujoco_sensors.py", &arguments);
    let facts: Vec<Facts> = serde_json::from_value(facts).expect("facts of every robot");
    let mut read = 0;
    for ((file, states), theirs) in pairs.iter().zip(&facts) {
        let ours = load(file, &Options::default()).expect("it loads").model;
        let counts = [
            &ours.actuators().len(),
            &ours.sensors().len(),
            &ours.keyframes().len(),
        ];
        assert_eq!(counts.map(|n| *n), theirs.counts, "{}", file.display());

        let ours = load(states, &Options::default()).expect("it loads").model;
        let random = ours
            .keyframes()
            .iter()
            .filter(|k| k.name.starts_with("random"));
        assert_eq!(random.clone().count(), theirs.values.len());
        for (keyframe, theirs) in random.zip(&theirs.values) {
            let state = ours.keyframe_state(keyframe);
            let kinematic = ours.sensors().iter().filter(|s| !s.needs_step());
            assert_eq!(
                kinematic.clone().count(),
                theirs.len(),
                "{}",
                file.display()
            );
            for sensor in kinematic {
                let values = ours.read(sensor, &state, None).expect("of the state");
                let expected = &theirs[&sensor.name];
                let apart = apart(sensor, &values, expected);
                let (name, state) = (&sensor.name, &keyframe.name);
                assert!(
                    apart <= AGREES,
                    "{}, {name} at {state}: {values:?} for {expected:?}",
                    file.display()
                );
                read += 1;
            }
        }
    }
    println!("{read} values of sensors agree");
    assert!(read > 5000);
}

/// The largest difference; a quaternion and its negative are one rotation.
fn apart(sensor: &Sensor, ours: &[f64], theirs: &[f64]) -> f64 {
    assert_eq!(ours.len(), theirs.len(), "{}", sensor.name);
    let with = |sign: f64| {
        let pairs = ours.iter().zip(theirs);
        pairs.fold(0.0, |a: f64, (x, y)| a.max((sign * x - y).abs()))
    };
    match sensor.components().first().map(AsRef::as_ref) {
        Some("w") => with(1.0).min(with(-1.0)),
        _ => with(1.0),
    }
}
