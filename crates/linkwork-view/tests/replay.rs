//! Recordings behind the server and in exported pages.

mod common;

use common::{Frame, PAGE, Page};
use data_encoding::BASE64;
use linkwork::Run;
use linkwork_record::{RecordOptions, Recorder, Recording, Source, StepRecord};
use linkwork_scenes::scene;
use linkwork_view::clip::{Clip, TooLarge};
use linkwork_view::frame::{Stamp, encode};
use linkwork_view::hello::Mode;
use linkwork_view::replay::{Replay, hello};
use linkwork_view::server::{Listen, Server};
use serde_json::{Value, json};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A recording in a file of its own, with the steps that went into it.
struct Recorded {
    path: PathBuf,
    steps: Vec<StepRecord>,
}

impl Recorded {
    fn new(name: &str, set: &[(&str, f64)], steps: u64) -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let file = format!("linkwork-replay-{}-{number}.lwrec", std::process::id());
        let path = std::env::temp_dir().join(file);
        let mut run = Run::of(scene(name, set).unwrap()).unwrap();
        let simulator = run.simulator();
        let (model, settings) = (simulator.model().clone(), simulator.settings().clone());
        let options = RecordOptions::default();
        let source = Source::default();
        let mut recorder = Recorder::create(&path, options, &model, &settings, &source).unwrap();
        let mut all = Vec::new();
        run.steps(steps, |moment| {
            recorder.step(moment).unwrap();
            all.push(StepRecord::of(moment));
            ControlFlow::Continue(())
        });
        recorder.finish().unwrap();
        Self { path, steps: all }
    }

    fn open(&self) -> Recording {
        Recording::open(&self.path).unwrap()
    }

    fn serve(&self) -> Server {
        let replay = Replay::new(self.open(), "a run");
        Server::start(&Listen::default(), PAGE, Arc::default(), replay).unwrap()
    }
}

impl Drop for Recorded {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

fn numbers(value: &Value) -> Vec<Option<f64>> {
    value
        .as_array()
        .unwrap()
        .iter()
        .map(Value::as_f64)
        .collect()
}

#[test]
fn every_record_can_be_asked_for() {
    let recorded = Recorded::new("nunchuk", &[], 300);
    let server = recorded.serve();
    let mut page = Page::open(&server, false);
    let model = recorded.open().model().clone();
    assert_eq!(page.hello["mode"], "replay");
    assert_eq!(page.hello["title"], "a run");
    assert_eq!(page.hello["records"], 301);
    assert_eq!(page.hello["start"], 0.0);
    assert!((page.hello["end"].as_f64().unwrap() - 0.3).abs() < 1e-9);
    assert_eq!(page.hello["warning"], Value::Null);
    for index in [0, 300, 17, 16, 299] {
        page.send(json!({"type": "frame", "index": index}));
        let frame = page.frame(|_| true);
        let stamp = Stamp {
            index,
            ..Stamp::default()
        };
        let expected = Frame::decode(&encode(&model, &recorded.steps[index as usize], stamp));
        // NaN at the start is not equal to itself.
        assert_eq!(format!("{frame:?}"), format!("{expected:?}"));
    }
}

#[test]
fn what_a_recording_cannot_do_is_told() {
    let recorded = Recorded::new("pendulum", &[], 10);
    let server = recorded.serve();
    // Even with the token there is no simulation to control.
    let mut page = Page::open(&server, true);
    assert_eq!(page.hello["control"], false);
    let cases = [
        (json!({"type": "frame", "index": 11}), "has 11"),
        (json!({"type": "frame", "index": -1}), "understand"),
        (json!({"type": "series", "name": "happiness"}), "happiness"),
        (json!({"type": "step", "count": 1}), "recording"),
        (
            json!({"type": "grab", "body": 0, "local": [0, 0, 0], "target": [0, 0, 0]}),
            "recording",
        ),
    ];
    for (message, reason) in cases {
        page.send(message);
        let error = page.error();
        assert!(error.contains(reason), "{error}");
    }
    page.send(json!({"type": "frame", "index": 3}));
    assert_eq!(page.frame(|_| true).index, 3);
}

#[test]
fn series_are_those_of_the_steps() {
    let recorded = Recorded::new("fourbar_fixed", &[("drive", 1.0)], 200);
    let server = recorded.serve();
    let mut page = Page::open(&server, false);
    let mut series = |name: &str| {
        page.send(json!({"type": "series", "name": name}));
        let series = page.text("series");
        assert_eq!(series["name"], name);
        assert_eq!(series["of"], 201);
        let t = numbers(&series["t"]);
        assert!(
            t.iter()
                .zip(&recorded.steps)
                .all(|(t, s)| *t == Some(s.state.time))
        );
        (
            series["unit"].as_str().unwrap().to_owned(),
            numbers(&series["y"]),
        )
    };
    let (unit, energy) = series("energy");
    assert_eq!(unit, "J");
    assert!(
        energy
            .iter()
            .zip(&recorded.steps)
            .all(|(e, s)| *e == Some(s.energy))
    );
    let (unit, angle) = series("A.angle");
    assert_eq!(unit, "rad");
    assert!(
        angle
            .iter()
            .zip(&recorded.steps)
            .all(|(q, s)| *q == Some(s.state.coordinates[0]))
    );
    let (unit, force) = series("B.force");
    assert_eq!(unit, "N");
    assert!(force[200].unwrap() > 0.0);
    let (_, residual) = series("residual");
    assert_eq!(residual[0], None, "there was no step at the start");
    assert!(residual[200].is_some());
}

#[test]
fn long_series_come_with_fewer_points() {
    let recorded = Recorded::new("pendulum", &[], 20_000);
    let server = recorded.serve();
    let mut page = Page::open(&server, false);
    page.send(json!({"type": "series", "name": "kinetic"}));
    let series = page.text("series");
    let (t, y) = (numbers(&series["t"]), numbers(&series["y"]));
    assert_eq!(series["of"], 20_001);
    assert!(
        t.len() == y.len() && t.len() <= 8000 && t.len() > 4000,
        "{} points",
        t.len()
    );
    let kinetic = recorded.open().quantity("kinetic").unwrap();
    let model = recorded.open().model().clone();
    let peak = recorded
        .steps
        .iter()
        .map(|s| kinetic.of(&model, s))
        .fold(0.0, f64::max);
    assert_eq!(y.iter().flatten().copied().fold(0.0, f64::max), peak);
}

#[test]
fn an_exported_page_carries_its_frames() {
    let recorded = Recorded::new("nunchuk", &[], 50);
    let recording = recorded.open();
    let mut clip = Clip::new(50.0);
    for step in recorded.steps.iter().step_by(10) {
        clip.push(recording.model(), step).unwrap();
    }
    let title = "</script><script>alert(1)</script><!--";
    let page = "<body><!--DATA--><script>1</script></body>";
    let html = clip.embed(page, hello(&recording, Mode::Embedded, title));
    let (_, data) = html
        .split_once(r#"<script id="linkwork-data" type="application/json">"#)
        .unwrap();
    let (data, rest) = data.split_once("</script>").unwrap();
    assert_eq!(rest, "<script>1</script></body>");
    assert!(!data.contains('<'));
    let data: Value = serde_json::from_str(data).unwrap();
    assert_eq!(data["hello"]["title"], title);
    assert_eq!(data["hello"]["mode"], "embedded");
    assert_eq!(data["hello"]["records"], 6);
    let times = numbers(&data["hello"]["times"]);
    let frames = BASE64
        .decode(data["frames"].as_str().unwrap().as_bytes())
        .unwrap();
    // The frames differ in size; each begins with its magic.
    let starts: Vec<usize> = (0..frames.len() - 3)
        .filter(|&i| &frames[i..i + 4] == b"LWF1")
        .collect();
    assert_eq!(starts.len(), 6);
    for (k, &start) in starts.iter().enumerate() {
        let end = starts.get(k + 1).copied().unwrap_or(frames.len());
        let frame = Frame::decode(&frames[start..end]);
        assert_eq!(frame.index as usize, k);
        assert_eq!(Some(frame.scalars[0]), times[k]);
        assert_eq!(frame.scalars[1], 10.0 * k as f64);
    }
}

#[test]
fn a_page_that_grows_too_large_is_refused_with_remedies() {
    let recorded = Recorded::new("nunchuk", &[], 50);
    let recording = recorded.open();
    let mut clip = Clip::new(0.01);
    let mut steps = recorded.steps.iter();
    let refused: TooLarge = steps
        .find_map(|s| clip.push(recording.model(), s).err())
        .unwrap();
    let text = refused.to_string();
    for remedy in ["--fps", "--from", "--max-mb", "0.01 MB"] {
        assert!(text.contains(remedy), "{text}");
    }
}
