//! Recording, reading back and resuming from the command line.

mod support;

use linkwork_record::{Quantity, Recording};
use serde_json::Value;
use support::{Folder, json, linkwork, stderr, stdout};

#[test]
fn a_run_taken_up_from_a_checkpoint_ends_in_the_same_bits() {
    // Loops with contact, a chain with contact, a heap; 1000 steps after the checkpoint.
    for (scene, first, whole) in [
        (&["fourbar_free"][..], 1.0, 2.0),
        (&["nunchuk"], 1.0, 2.0),
        (&["clutter", "--set", "n=30"], 1.0, 11.0),
    ] {
        let folder = Folder::new();
        let (recording, checkpoint) = (folder.file("a.lwrec"), folder.file("a.lwchk"));
        let (first, whole) = (first.to_string(), whole.to_string());
        let run = |rest: &[&str]| json(&[&["run"], scene, rest].concat());
        let straight = run(&[
            "--time",
            &whole,
            "--record",
            &recording,
            "--checkpoint-every",
            &first,
        ]);
        let half = run(&["--time", &first, "--checkpoint", &checkpoint]);
        assert_ne!(straight["state_hash"], half["state_hash"]);
        let steps = straight["steps"].as_u64().unwrap() - half["steps"].as_u64().unwrap();
        assert_eq!(steps, 1000, "{scene:?}");
        let rest = (straight["sim_time"].as_f64().unwrap() - half["sim_time"].as_f64().unwrap())
            .to_string();
        for args in [
            &["resume", &checkpoint, "--time", &rest][..],
            &["resume", &recording, "--at", &first, "--time", &rest],
        ] {
            let resumed = json(args);
            assert_eq!(resumed["steps"], 1000);
            assert_eq!(resumed["state_hash"], straight["state_hash"], "{args:?}");
            assert_eq!(resumed["start_time"], half["sim_time"]);
            assert_eq!(resumed["scene"], scene[0]);
        }
    }
}

#[test]
fn a_resumed_recording_counts_on() {
    let folder = Folder::new();
    let (a, b) = (folder.file("a.lwrec"), folder.file("b.lwrec"));
    json(&["run", "pendulum", "--time", "0.1", "--record", &a]);
    json(&["resume", &a, "--time", "0.05", "--record", &b]);
    let second = Recording::open(&b).unwrap();
    assert_eq!(second.header().first_step, 100);
    assert_eq!((second.step_number(0).unwrap(), second.len()), (100, 51));
    let last = Recording::open(&a).unwrap().step(100).unwrap();
    assert_eq!(second.step(0).unwrap().state, last.state);
    let ends: Vec<_> = second.checkpoints().collect();
    assert_eq!((ends.len(), ends[0].step), (1, 150));
}

#[test]
fn info_and_the_run_tell_of_the_recording() {
    let folder = Folder::new();
    let file = folder.file("a.lwrec");
    let run = json(&[
        "run",
        "fourbar_free",
        "--time",
        "0.5",
        "--record",
        &file,
        "--record-every",
        "5",
        "--checkpoint-every",
        "0.2",
        "--compress",
        "lz4",
        "--foxglove",
    ]);
    let record = &run["record"];
    assert_eq!(
        (&record["steps"], &record["checkpoints"]),
        (&101.into(), &3.into())
    );
    assert!(record["share"].as_f64().unwrap() > 0.0 && record["share"].as_f64().unwrap() < 1.0);
    let size = std::fs::metadata(&file).unwrap().len();
    assert_eq!(record["bytes"], size);
    let info = json(&["record", "info", &file]);
    assert_eq!(info["records"], 101);
    assert_eq!(
        (&info["complete"], &info["warning"]),
        (&true.into(), &Value::Null)
    );
    assert_eq!(
        (&info["compression"], &info["bytes"]),
        (&"lz4".into(), &size.into())
    );
    assert_eq!(
        (&info["scene"], &info["record_every"]),
        (&"fourbar_free".into(), &5.into())
    );
    let times: Vec<f64> = info["checkpoints"]
        .as_array()
        .unwrap()
        .iter()
        .map(|c| c["time"].as_f64().unwrap())
        .collect();
    assert!(
        times
            .iter()
            .zip([0.2, 0.4, 0.5])
            .all(|(a, b)| (a - b).abs() < 1e-9),
        "{times:?}"
    );
    assert!(
        info["channels"]
            .as_array()
            .unwrap()
            .iter()
            .any(|c| c["topic"] == "/tf")
    );
    let text = stdout(&linkwork(&["record", "info", &file]));
    assert!(
        text.contains("/linkwork/contacts") && text.contains("101 records"),
        "{text}"
    );
    let text = stdout(&linkwork(&[
        "run", "pendulum", "--time", "0.1", "--record", &file,
    ]));
    assert!(
        text.contains("Recording") && text.contains(" per step, 101 steps"),
        "{text}"
    );
    assert_eq!(
        Recording::open(&file).unwrap().len(),
        101,
        "the file was replaced"
    );
}

#[test]
fn csv_of_a_recording_is_the_csv_of_the_run() {
    let folder = Folder::new();
    let (recording, during, after) = (
        folder.file("a.lwrec"),
        folder.file("a.csv"),
        folder.file("b.csv"),
    );
    json(&[
        "run", "nunchuk", "--time", "0.8", "--record", &recording, "--out", &during,
    ]);
    assert!(
        linkwork(&["record", "csv", &recording, "--out", &after])
            .status
            .success()
    );
    let (during, after) = (
        std::fs::read(&during).unwrap(),
        std::fs::read(&after).unwrap(),
    );
    assert!(during == after, "the same bytes");

    let model = Recording::open(&recording).unwrap().model().clone();
    let names = stdout(&linkwork(&["record", "quantities", &recording]));
    assert!(names.lines().count() > 20);
    let hinge = names
        .lines()
        .find(|l| l.contains(".angle "))
        .map(|l| l.split(' ').next().unwrap());
    let unit = |name: &str| {
        Quantity::parse(&model, &[], name)
            .unwrap()
            .unit()
            .to_owned()
    };
    let y = hinge.map_or("energy,contacts".to_owned(), |h| {
        format!("energy,contacts,{h}")
    });
    let chosen = [
        "record", "csv", &recording, "--y", &y, "--every", "10", "--from", "0.1", "--to", "0.5",
    ];
    let text = stdout(&linkwork(&chosen));
    let mut lines = text.lines();
    let header = lines.next().unwrap();
    assert!(
        header.starts_with("time (s),energy (J),contacts"),
        "{header}"
    );
    assert_eq!([unit("energy"), unit("contacts")], ["J", ""]);
    assert_eq!(lines.clone().count(), 41);
    let first: Vec<f64> = lines
        .next()
        .unwrap()
        .split(',')
        .map(|x| x.parse().unwrap())
        .collect();
    assert!((first[0] - 0.1).abs() < 1e-9, "{first:?}");
}

#[test]
fn bad_questions_about_recordings_exit_with_2_and_say_why() {
    let folder = Folder::new();
    let (file, text, cut) = (
        folder.file("a.lwrec"),
        folder.file("a.txt"),
        folder.file("cut.lwrec"),
    );
    json(&["run", "pendulum", "--time", "0.1", "--record", &file]);
    std::fs::write(&text, "not a recording").unwrap();
    let bytes = std::fs::read(&file).unwrap();
    std::fs::write(&cut, &bytes[..600]).unwrap();
    let run = |rest: &[&'static str]| [&["run", "pendulum", "--time", "0.1"], rest].concat();
    let cases: [(Vec<&str>, &str); 14] = [
        (vec!["record", "info", "/no/such.lwrec"], "/no/such.lwrec"),
        (vec!["record", "info", &text], "MCAP"),
        (vec!["record", "info", &cut], "model.json"),
        (vec!["record", "csv", &file, "--y", "enrgy"], "energy"),
        (vec!["record", "csv", &file, "--every", "0"], "every"),
        (
            vec!["record", "csv", &file, "--out", "/no/such/a.csv"],
            "/no/such/a.csv",
        ),
        (vec!["resume", &file, "--at", "0.05"], "first is at"),
        (vec!["resume", &text], "MCAP"),
        (vec!["resume", &file, "--record", &file], "another file"),
        (run(&["--record", "/no/such/a.lwrec"]), "/no/such/a.lwrec"),
        (run(&["--record", "/dev/null"]), "not a regular file"),
        (run(&["--record-every", "2"]), "--record"),
        (
            run(&["--record", "x.lwrec", "--replay", "x.lwrec"]),
            "written twice",
        ),
        (run(&["--record", "x.lwrec", "--compress", "gzip"]), "zstd"),
    ];
    for (args, reason) in cases {
        let output = linkwork(&args);
        let message = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {message}");
        assert!(message.contains(reason), "{args:?}: {message}");
        assert!(!message.contains("panicked"), "{args:?}: {message}");
    }
    // A damaged file is used as far as it goes, with a word of warning.
    std::fs::write(&cut, &bytes[..bytes.len() - 100]).unwrap();
    let output = linkwork(&["record", "csv", &cut, "--y", "energy"]);
    assert!(output.status.success() && stderr(&output).starts_with("warning: "));
    assert_eq!(stdout(&output).lines().count(), 102);
}

/// A scene that has changed cannot be resumed: its script may not fit.
#[test]
fn another_scene_of_the_same_name_is_refused() {
    let folder = Folder::new();
    let file = folder.file("a.lwchk");
    let mut run = linkwork::Run::of(linkwork_scenes::scene("pendulum", &[]).unwrap()).unwrap();
    run.step().unwrap();
    let model = run.simulator().model();
    let refused = |scene: &str| {
        let source = linkwork_record::Source {
            scene: scene.to_owned(),
            ..Default::default()
        };
        linkwork_record::save_checkpoint(file.as_ref(), model, &source, 1, &run.checkpoint())
            .unwrap();
        let output = linkwork(&["resume", &file, "--time", "1"]);
        assert_eq!(output.status.code(), Some(2));
        stderr(&output)
    };
    assert!(refused("fourbar_fixed").contains("no longer the one"));
    assert!(refused("no_such_scene").contains("choose one of"));
    assert!(refused("").contains("Run::resume"));
}
