//! Accelerations of robots agree with MuJoCo and Pinocchio: a hundred random states each, under gravity, moving,
//! without contacts, limits or dry friction; with MuJoCo also with springs, dampers and armatures, and with actuators
//! at random controls. Needs the third-party models (LINKWORK_DATA) and PyPI; prints a message and passes without them.

#[path = "../common/mod.rs"]
mod common;
mod compare;

use common::python;
use compare::compare;
use linkwork::model::{Axis, Model};
use linkwork_import::{Options, load};
use std::sync::Arc;

/// States of each robot.
const STATES: usize = 100;

/// Loads in addition to gravity.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Acting {
    Nothing,
    /// Springs, dampers and armatures.
    Passive,
    /// These, and the actuators.
    Actuated,
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
            let robot = unhindered(&read.model, acting);
            compare(&name, &robot, samples, 0, |_| true);
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
        let options = Options::with(|s| {
            s.assets = Some(models.clone());
            s.visuals = false;
            s.floating = floating;
        });
        let read = load(&path, &options).unwrap_or_else(|e| panic!("{e}"));
        let robot = unhindered(&read.model, Acting::Nothing);
        compare(file, &robot, samples, 0, |_| true);
    }
}

#[test]
fn a_robot_with_redundant_loops_accelerates_as_with_pinocchio() {
    let Some(models) = common::models() else {
        return;
    };
    let Some(python) = python::pinocchio() else {
        return;
    };
    let path = models.join("epr_robot_delta/robot.urdf");
    let loops = (1..=3).map(|i| format!("closedloop{i}_A,closedloop{i}_B"));
    let arguments = [path.display().to_string(), STATES.to_string()];
    let arguments: Vec<String> = arguments.into_iter().chain(loops).collect();
    let samples = python::run(&python, "pinocchio_loops.py", &arguments);
    let options = Options::with(|s| {
        s.assets = Some(models);
        s.visuals = false;
    });
    let read = load(&path, &options).unwrap_or_else(|e| panic!("{e}"));
    let robot = unhindered(&read.model, Acting::Nothing);
    // The balls in the joints that close the loops spin idly. With 2e-11 kg m² round-off of the forces about them
    // matters: their accelerations are accurate to 3e-4.
    let moves = |joint: &str| !joint.starts_with("closedloop");
    compare("epr_robot_delta", &robot, samples, 9, moves);
}

/// The mechanism without contacts, limits, dry friction and couplings.
fn unhindered(model: &Model, acting: Acting) -> Arc<Model> {
    let mut data = model.data().clone();
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
    // Sensors may refer to removed elements.
    data.sensors.clear();
    if acting != Acting::Actuated {
        data.actuators.clear();
    }
    data.build().expect("what is left of a model is one")
}
