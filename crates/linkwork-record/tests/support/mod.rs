//! Recordings of scenes for the tests.
#![allow(dead_code)]

use linkwork::{Checkpoint, Run};
use linkwork_record::{RecordOptions, Recorder, RecordingStats, Source, StepRecord};
use linkwork_scenes::scene;
use std::path::{Path, PathBuf};

/// A file in the system's folder for such, removed in the end.
pub struct Scratch(pub PathBuf);

impl Scratch {
    pub fn new(name: &str) -> Self {
        let name = format!("linkwork-{}-{name}", std::process::id());
        Self(std::env::temp_dir().join(name))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// What was recorded.
pub struct Recorded {
    pub steps: Vec<StepRecord>,
    pub checkpoint: Checkpoint,
    pub stats: RecordingStats,
}

/// Run a scene for `skip` steps, then record `steps` more and a checkpoint at the end.
pub fn record(
    path: &Path,
    name: &str,
    set: &[(&str, f64)],
    (skip, steps): (u64, u64),
    options: RecordOptions,
) -> Recorded {
    let mut run = Run::of(scene(name, set).unwrap()).unwrap();
    for _ in 0..skip {
        run.step().unwrap();
    }
    let (model, settings) = (
        run.simulator().model().clone(),
        run.simulator().settings().clone(),
    );
    let parameters = set.iter().map(|(n, v)| ((*n).to_owned(), *v)).collect();
    let source = Source {
        scene: name.to_owned(),
        parameters,
        pilot: None,
    };
    let mut recorder = Recorder::create(path, options, &model, &settings, &source).unwrap();
    let mut all = vec![StepRecord::of(&run.moment(0, None))];
    recorder.step(&run.moment(0, None)).unwrap();
    for step in 1..=steps {
        let report = run.step().unwrap();
        let moment = run.moment(step, Some(&report));
        all.push(StepRecord::of(&moment));
        recorder.step(&moment).unwrap();
    }
    let checkpoint = run.checkpoint();
    recorder.checkpoint(steps, &checkpoint).unwrap();
    Recorded {
        steps: all,
        checkpoint,
        stats: recorder.finish().unwrap(),
    }
}

/// Whether two steps are the same in all they hold: their text shows every number to the last bit.
pub fn same(a: &StepRecord, b: &StepRecord) -> bool {
    format!("{a:?}") == format!("{b:?}")
}

/// Numbers that look random and are the same every time (splitmix64).
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }
}
