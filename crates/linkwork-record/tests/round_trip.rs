//! What was recorded is read back to the bit.

mod support;

use linkwork_record::{
    Compression, Quantity, RecordError, RecordOptions, Recording, load_checkpoint, save_checkpoint,
};
use support::{Scratch, record, same};

#[test]
fn steps_are_read_back_to_the_bit() {
    // Contacts, loops, drives, couplings; from the start and from the middle of a run.
    let scenes = [
        ("nunchuk", &[][..], 700),
        ("fourbar_free", &[], 300),
        ("fourbar_fixed", &[], 0),
        ("gear_train", &[], 0),
        ("slider_crank", &[], 10),
        ("clutter", &[("n", 20.0)][..], 50),
        // Moments of friction.
        (
            "ball",
            &[
                ("height", 0.0),
                ("torsional_friction", 0.01),
                ("rolling_friction", 0.002),
                ("speed", 1.0),
                ("spin", 9.0),
            ],
            10,
        ),
    ];
    let (mut contacts, mut moments) = (0, 0);
    let compressions = [Compression::None, Compression::Lz4, Compression::Zstd];
    for (i, (name, set, skip)) in scenes.into_iter().enumerate() {
        let file = Scratch::new(&format!("bits-{name}.lwrec"));
        let options = RecordOptions::with(|s| {
            s.compression = compressions[i % 3];
            s.chunk_bytes = 20_000;
        });
        let recorded = record(&file.0, name, set, (skip, 60), options);
        let recording = Recording::open(&file.0).unwrap();
        assert!(recording.complete(), "{:?}", recording.warning());
        assert_eq!((recording.len(), recording.warning()), (61, None));
        assert!(recording.chunks() > 2, "{name}: {}", recording.chunks());
        // Backwards, so that it is no stream that is read.
        for (i, original) in recorded.steps.iter().enumerate().rev() {
            let step = recording.step(i).unwrap();
            assert!(same(&step, original), "{name}: step {i}");
            assert_eq!(recording.times()[i], original.state.time);
            assert_eq!(recording.step_number(i).unwrap(), i as u64);
            contacts += step.contacts.len();
            let turned = step.contacts.iter().filter(|c| c.moment.norm() > 0.0);
            moments += turned.count();
        }
        assert_eq!(
            recording.checkpoint(None).unwrap().checkpoint,
            recorded.checkpoint
        );
        assert_eq!(recording.file_bytes(), recorded.stats.bytes);
        assert_eq!(recording.header().source.scene, name);
        assert_eq!(recording.model().hash(), recorded.checkpoint.model_hash);
        assert_eq!(recording.settings(), &recorded.checkpoint.settings);
    }
    assert!(contacts > 1000, "{contacts}");
    assert!(moments >= 60, "{moments}");
}

#[test]
fn one_step_of_many_is_recorded_if_so_asked() {
    let file = Scratch::new("every.lwrec");
    let options = RecordOptions::with(|s| {
        s.every = 7;
        s.first_step = 1000;
    });
    let recorded = record(&file.0, "pendulum", &[], (0, 30), options);
    assert_eq!(recorded.stats.steps, 5);
    let recording = Recording::open(&file.0).unwrap();
    let numbers: Vec<_> = (0..recording.len())
        .map(|i| recording.step_number(i).unwrap())
        .collect();
    assert_eq!(numbers, [1000, 1007, 1014, 1021, 1028]);
    assert_eq!(recording.header().every, 7);
    assert_eq!(recording.index_at(0.0205), 2);
    assert_eq!((recording.index_at(-1.0), recording.index_at(9.0)), (0, 4));
    assert!(matches!(
        recording.step(5),
        Err(RecordError::NoStep { len: 5, .. })
    ));
}

#[test]
fn series_are_the_values_of_the_steps() {
    let file = Scratch::new("series.lwrec");
    let recorded = record(&file.0, "pendulum", &[], (0, 30), RecordOptions::default());
    let recording = Recording::open(&file.0).unwrap();
    let model = recording.model();
    let names = ["time", "energy", "residual"];
    let quantities = names.map(|n| Quantity::parse(model, &[], n).unwrap());
    let series = recording.series(&quantities).unwrap();
    assert_eq!(series[0], recording.times());
    for (i, step) in recorded.steps.iter().enumerate() {
        assert_eq!(series[1][i], step.energy);
        assert_eq!(series[2][i].is_nan(), step.report.is_none());
    }
}

#[test]
fn a_checkpoint_file_is_read_like_a_recording() {
    let (recording, file) = (Scratch::new("source.lwrec"), Scratch::new("alone.lwchk"));
    let recorded = record(
        &recording.0,
        "nunchuk",
        &[],
        (0, 20),
        RecordOptions::default(),
    );
    let opened = Recording::open(&recording.0).unwrap();
    let source = &opened.header().source;
    save_checkpoint(&file.0, opened.model(), source, 20, &recorded.checkpoint).unwrap();
    for path in [&recording.0, &file.0] {
        let (from, loaded) = load_checkpoint(path, None).unwrap();
        assert!(from.complete(), "{:?}", from.warning());
        assert_eq!(loaded.checkpoint, recorded.checkpoint);
        assert_eq!(
            (loaded.step, loaded.time),
            (20, recorded.checkpoint.state.time)
        );
        assert_eq!(from.model().hash(), opened.model().hash());
        assert_eq!(&from.header().source, source);
    }
    let early = load_checkpoint(&file.0, Some(0.001))
        .err()
        .unwrap()
        .to_string();
    assert!(early.contains("0.001 s; the first is at 0.02"), "{early}");
    let left: Vec<_> = std::fs::read_dir(std::env::temp_dir())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .filter(|name| name.contains("alone.lwchk") && name.ends_with(".part"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn what_cannot_be_written_or_is_no_recording_is_said_so() {
    let folder = std::path::Path::new("/no/such/folder/a.lwrec");
    let model = linkwork_scenes::scene("pendulum", &[]).unwrap().model;
    let source = linkwork_record::Source::default();
    let settings = linkwork::Settings::default();
    let options = RecordOptions::default();
    let error = linkwork_record::Recorder::create(folder, options, &model, &settings, &source);
    assert!(error.err().unwrap().to_string().contains("/no/such/folder"));
    assert!(matches!(
        Recording::open(folder),
        Err(RecordError::File { .. })
    ));

    let file = Scratch::new("text.lwrec");
    std::fs::write(&file.0, "time,x\n0,1\n").unwrap();
    assert!(matches!(
        Recording::open(&file.0),
        Err(RecordError::NotMcap { .. })
    ));
    let other = mcap::WriteOptions::new().profile("ros2");
    drop(
        other
            .create(std::fs::File::create(&file.0).unwrap())
            .unwrap(),
    );
    assert!(matches!(
        Recording::open(&file.0),
        Err(RecordError::NotLinkwork { .. })
    ));
}

/// A disk that is full: every write fails, and the recorder says so instead of losing steps silently. The test runs itself
/// again in a process whose files are limited to 64 blocks.
#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_an_error_of_a_later_step() {
    const LIMITED: &str = "LINKWORK_TEST_LIMITED";
    if std::env::var_os(LIMITED).is_some() {
        return record_until_the_disk_is_full();
    }
    let script = "trap '' XFSZ; ulimit -f 64; exec \"$0\" --exact a_full_disk_is_an_error_of_a_later_step --nocapture";
    let output = std::process::Command::new("sh")
        .args(["-c", script])
        .arg(std::env::current_exe().unwrap())
        .env(LIMITED, "1")
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        output.status.success(),
        "{text}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(text.contains("refused after"), "{text}");
}

#[cfg(target_os = "linux")]
fn record_until_the_disk_is_full() {
    let file = Scratch::new("full.lwrec");
    let mut run = linkwork::Run::of(linkwork_scenes::scene("pendulum", &[]).unwrap()).unwrap();
    let (model, settings) = (
        run.simulator().model().clone(),
        run.simulator().settings().clone(),
    );
    let options = RecordOptions::with(|s| {
        s.chunk_bytes = 4000;
        s.compression = Compression::None;
    });
    let source = linkwork_record::Source::default();
    let mut recorder =
        linkwork_record::Recorder::create(&file.0, options, &model, &settings, &source).unwrap();
    let refused = (1..10_000).find_map(|step| {
        let report = run.step().unwrap();
        recorder
            .step(&run.moment(step, Some(&report)))
            .err()
            .map(|e| (step, e))
    });
    let (step, error) = refused.expect("the file cannot grow");
    assert!(matches!(error, RecordError::File { .. }), "{error}");
    println!("refused after {step} steps: {error}");
    assert!(matches!(recorder.finish(), Err(RecordError::Broken { .. })));
    // What is there is still a recording.
    let recording = Recording::open(&file.0).unwrap();
    assert!(!recording.complete() && !recording.is_empty());
}
