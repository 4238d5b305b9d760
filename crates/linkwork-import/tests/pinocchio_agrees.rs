//! URDF files have the same meaning as for Pinocchio: total mass, numbers of coordinates and poses of all links. The
//! PyPI package `pin` is installed in its own environment; without network, Python or the third-party models the test
//! is skipped.

mod common;

use linkwork_import::{Imported, Options, load, xml};
use serde_json::Value;
use std::path::Path;

/// Files, and whether the root floats.
const FILES: [(&str, bool); 11] = [
    ("panda_description/urdf/panda.urdf", false),
    ("panda_description/urdf/panda_collision.urdf", false),
    ("solo_description/robots/solo12.urdf", true),
    ("solo_description/robots/solo.urdf", true),
    (
        "double_pendulum_description/urdf/double_pendulum.urdf",
        false,
    ),
    (
        "double_pendulum_description/urdf/double_pendulum_simple.urdf",
        false,
    ),
    (
        "double_pendulum_description/urdf/double_pendulum_continuous.urdf",
        false,
    ),
    (
        "google_barkour_vb/barkour_vb_rev_1_0_head_straight.urdf",
        true,
    ),
    ("epr_robot_delta/robot.urdf", false),
    ("epr_disney_robot/robot.urdf", true),
    ("epr_digit_like_2legs/robot.urdf", true),
];

/// Largest difference of masses (kg), positions (m) and rotation matrices.
const TOLERANCE: f64 = 1e-9;

#[test]
fn mass_coordinates_and_home_poses_agree_with_pinocchio() {
    let Some(models) = common::models() else {
        return;
    };
    let Some(python) = common::python::pinocchio() else {
        return;
    };
    // Without its loops file a URDF is the tree that Pinocchio reads.
    let no_loops = common::Folder::new();
    let no_loops = no_loops.write("none.loops.yaml", "closures: []\n");
    for (file, floating) in FILES {
        let path = models.join(file);
        let options = Options::with(|s| {
            s.assets = Some(models.clone());
            s.visuals = false;
            s.loops = Some(no_loops.clone());
            s.floating = floating;
        });
        let ours = load(&path, &options).unwrap_or_else(|e| panic!("{e}"));
        let theirs = facts(&python, &path, floating);
        let worst = compare(&path, &ours, &theirs, floating);
        println!(
            "{file}: {} links, largest difference {worst:.1e}",
            ours.counts.links
        );
    }
}

/// Largest difference of the two.
fn compare(file: &Path, ours: &Imported, theirs: &Value, floating: bool) -> f64 {
    let name = file.display();
    let m = &ours.model;
    let number = |key: &str| theirs[key].as_u64().expect("a count") as usize;
    assert_eq!(ours.counts.degrees_of_freedom, number("nv"), "{name}");
    // The root's quaternion has a fourth number.
    let nq = number("nv") + continuous(file) + usize::from(floating);
    assert_eq!(nq, number("nq"), "{name}");
    let mass = theirs["mass"].as_f64().expect("a mass");
    let mut worst = (ours.counts.mass - mass).abs();
    let state = m.initial_state();
    let links = theirs["links"].as_object().expect("links");
    assert_eq!(m.links().len(), links.len(), "{name}");
    for (link, pose) in links {
        let placed = m
            .link_named(link)
            .unwrap_or_else(|| panic!("{name}: no {link}"));
        let own = placed.frame.pose(&state);
        let turn = own.rotation.to_rotation_matrix();
        let rows = turn.matrix().transpose();
        let mine = own.position.iter().chain(rows.iter());
        let given = pose.as_array().expect("12 numbers");
        for (a, b) in mine.zip(given) {
            let difference = (a - b.as_f64().expect("a number")).abs();
            assert!(
                difference < TOLERANCE,
                "{name}: {link} differs by {difference:e}"
            );
            worst = worst.max(difference);
        }
    }
    assert!(worst < TOLERANCE, "{name}: {worst:e}");
    worst
}

/// Joints that the file calls continuous: Pinocchio has a cosine and a sine for each.
fn continuous(file: &Path) -> usize {
    let bytes = std::fs::read(file).expect("a file");
    let root = xml::parse(file, &bytes).expect("XML");
    let joints = root.all("joint");
    joints
        .filter(|j| j.get("type") == Some("continuous"))
        .count()
}

fn facts(python: &Path, file: &Path, floating: bool) -> Value {
    let end = if floating { ":free" } else { "" };
    let argument = format!("{}{end}", file.display());
    common::python::run(python, "pinocchio_facts.py", &[argument])
}
