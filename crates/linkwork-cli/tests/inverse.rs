//! `linkwork inverse`.

mod support;

use linkwork_record::Recording;
use support::{Folder, json, linkwork, stderr, stdout};

#[test]
fn the_torques_of_a_recording_are_those_of_its_drives() {
    let folder = Folder::new();
    let (file, csv) = (folder.file("a.lwrec"), folder.file("a.csv"));
    json(&["run", "quadruped", "--time", "0.4", "--record", &file]);
    let found = json(&["inverse", &file, "--csv", &csv]);
    assert_eq!(found["steps_infeasible"], 0);
    assert_eq!(
        found["steps_at_ends"], 1,
        "the first step starts the motion"
    );
    let recording = Recording::open(&file).unwrap();
    assert_eq!(found["steps"].as_u64().unwrap(), recording.len() as u64 - 1);
    let text = std::fs::read_to_string(&csv).unwrap();
    let (mut largest, mut error) = (0.0_f64, 0.0_f64);
    for (i, line) in text.lines().skip(1).enumerate() {
        let row: Vec<f64> = line.split(',').map(|x| x.parse().unwrap()).collect();
        let record = recording.step(i).unwrap();
        assert_eq!(row[0], record.state.time);
        // What acts at a record leads to the next one.
        for (effort, found) in recording.step(i + 1).unwrap().efforts.iter().zip(&row[3..]) {
            largest = largest.max(effort.drive.abs());
            error = error.max((effort.drive - found).abs());
        }
    }
    assert!(largest > 10.0, "{largest}");
    assert!(error < 1e-6 * largest, "{error:e} of {largest} N m");
}

#[test]
fn a_pushed_mechanism_shows_what_pushed_it() {
    let folder = Folder::new();
    let file = folder.file("a.lwrec");
    json(&["run", "pendulum", "--time", "0.05", "--record", &file]);
    // It has no drive, so no torque is solved for; if it is named, its torque is zero.
    let output = linkwork(&["inverse", &file]);
    assert!(output.status.success());
    assert!(stdout(&output).contains("--actuated all"));
    let found = json(&["inverse", &file, "--actuated", "hinge0"]);
    let torque = found["torques"][0]["largest"].as_f64().unwrap();
    assert!(torque.abs() < 1e-8, "{torque:e}");
    assert_eq!(found["torques"][0]["steps_not_unique"], 0);
}

#[test]
fn recordings_without_what_is_needed_are_refused_with_a_remedy() {
    let folder = Folder::new();
    let (sparse, short) = (folder.file("a.lwrec"), folder.file("b.lwrec"));
    let every = ["--record-every", "5"];
    json(
        &[
            &["run", "pendulum", "--time", "0.05", "--record", &sparse],
            &every[..],
        ]
        .concat(),
    );
    json(&["run", "pendulum", "--time", "0.001", "--record", &short]);
    for (args, said) in [
        (&[&sparse[..]][..], "--record-every 1"),
        (&[&short], "at least three"),
        (
            &[&short, "--actuated", "elbow"],
            "there is no joint 'elbow'",
        ),
        (
            &[&short, "--from", "9"],
            "nothing was recorded in that time",
        ),
        (&["missing.lwrec"], "missing.lwrec"),
    ] {
        let output = linkwork(&[&["inverse"], args].concat());
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(stderr(&output).contains(said), "{}", stderr(&output));
    }
}
