//! The public MCAP tools for Python read recordings, every channel of them.

#[path = "../../../tests/missing.rs"]
mod missing;
mod support;

use linkwork_record::{RecordOptions, StepRecord};
use missing::missing;
use serde_json::Value;
use std::process::Command;
use support::{Scratch, record};

/// Python with the packages `mcap` and `mcap-ros2-support`: of `LINKWORK_MCAP_PYTHON`, or the system's.
fn python() -> Result<String, String> {
    let python = std::env::var("LINKWORK_MCAP_PYTHON").unwrap_or("python3".to_owned());
    let check = Command::new(&python)
        .args(["-c", "import mcap, mcap_ros2.decoder"])
        .output();
    match check {
        Ok(output) if output.status.success() => Ok(python),
        Ok(_) => Err(format!(
            "{python} has no packages mcap and mcap-ros2-support"
        )),
        Err(error) => Err(format!("{python}: {error}")),
    }
}

#[test]
fn python_decodes_every_channel() {
    let python = match python() {
        Ok(python) => python,
        Err(reason) => return missing(&format!("{reason}; set LINKWORK_MCAP_PYTHON")),
    };
    for (name, set, skip) in [
        ("nunchuk", &[][..], 700),
        // No joints, so that some lists are empty.
        ("clutter", &[("n", 12.0)][..], 60),
        ("gear_train", &[][..], 5),
    ] {
        let file = Scratch::new(&format!("python-{name}.lwrec"));
        let options = RecordOptions::with(|s| s.foxglove = true);
        let recorded = record(&file.0, name, set, (skip, 40), options);
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/read_with_mcap.py");
        let output = Command::new(&python)
            .arg(script)
            .arg(&file.0)
            .output()
            .unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{name}: {errors}");
        let seen: Value = serde_json::from_slice(&output.stdout).unwrap();
        check(&seen, recorded.steps.last().unwrap());
    }
}

/// Compare what Python saw with the last step.
fn check(seen: &Value, step: &StepRecord) {
    assert_eq!(
        (&seen["profile"], &seen["format"]),
        (&"linkwork".into(), &"1".into())
    );
    let topics = &seen["topics"];
    for topic in ["state", "joints", "contacts", "report"] {
        assert_eq!(topics[format!("/linkwork/{topic}")], 41, "{topic}");
    }
    assert_eq!(
        (&topics["/linkwork/checkpoint"], &topics["/scene"]),
        (&1.into(), &1.into())
    );
    let frames = topics["/tf"].as_u64().unwrap();
    assert!((2..=25).contains(&frames), "{frames}");

    let last = &seen["last"];
    let numbers = |value: &Value| -> Vec<f64> {
        value
            .as_array()
            .unwrap()
            .iter()
            .map(|x| x.as_f64().unwrap())
            .collect()
    };
    let state = &last["/linkwork/state"];
    assert_eq!(state["step"], 40);
    assert_eq!(state["time"].as_f64(), Some(step.state.time));
    let poses = step.state.poses.iter();
    let poses: Vec<f64> = poses
        .flat_map(|p| {
            p.position
                .iter()
                .chain(p.rotation.coords.iter())
                .copied()
                .collect::<Vec<_>>()
        })
        .collect();
    assert_eq!(numbers(&state["poses"]), poses);
    assert_eq!(numbers(&state["coordinates"]), step.state.coordinates);
    assert_eq!(
        numbers(&state["net_forces"]).len(),
        6 * step.state.poses.len()
    );
    let joints = &last["/linkwork/joints"];
    assert_eq!(numbers(&joints["targets"]), step.targets);
    assert_eq!(
        numbers(&joints["reactions"]).len(),
        9 * step.reactions.len()
    );
    let contacts = &last["/linkwork/contacts"];
    let gaps: Vec<f64> = step.contacts.iter().map(|c| c.contact.gap).collect();
    assert_eq!(numbers(&contacts["gaps"]), gaps);
    let features: Vec<u64> = step
        .contacts
        .iter()
        .map(|c| c.contact.key.feature)
        .collect();
    assert_eq!(contacts["feature"], Value::from(features));
    let report = (&last["/linkwork/report"], step.report.as_ref().unwrap());
    assert_eq!(report.0["iterations"], report.1.iterations);
    assert_eq!(report.0["energy"].as_f64(), Some(step.energy));
    assert_eq!(
        report.0["time_integrate"].as_f64(),
        Some(report.1.timings.integrate)
    );
    assert_eq!(last["/linkwork/checkpoint"]["step"], 40);
    let transforms = last["/tf"]["transforms"].as_array().unwrap();
    assert_eq!(transforms.len(), step.state.poses.len());
    assert_eq!(transforms[0]["header"]["frame_id"], "world");
    assert_eq!(transforms[0]["child_frame_id"], seen["bodies"][0]);
    let markers = last["/scene"]["markers"].as_array().unwrap();
    assert!(
        markers
            .iter()
            .all(|m| m["color"]["a"] == 1.0 && m["frame_locked"] == true)
    );
}
