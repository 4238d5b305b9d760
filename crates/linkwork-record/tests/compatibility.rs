//! Files of format 1, written by version 0.1.0 with `linkwork run fourbar_free --time 0.02 --compress zstd`, stay readable.

use linkwork::Run;
use linkwork_record::{FORMAT, Recording, load_checkpoint};
use std::path::PathBuf;

fn sample(name: &str) -> PathBuf {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/samples");
    PathBuf::from(folder).join(name)
}

#[test]
fn a_recording_of_format_1_reads_and_goes_on() {
    let recording = Recording::open(sample("format1.lwrec")).unwrap();
    assert!(recording.complete() && recording.header().format <= FORMAT);
    assert_eq!(recording.header().source.scene, "fourbar_free");
    assert_eq!(recording.len(), 21);
    for i in 0..recording.len() {
        let step = recording.step(i).unwrap();
        assert_eq!(step.step, i as u64);
        assert!(step.state.is_finite());
    }
    let model = recording.model().clone();
    let saved = recording.checkpoint(None).unwrap();
    let mut run = Run::resume(model, &saved.checkpoint, None).unwrap();
    for _ in 0..10 {
        run.step().unwrap();
    }
}

#[test]
fn a_checkpoint_of_format_1_goes_on_from_where_it_was() {
    let (recording, saved) = load_checkpoint(&sample("format1.lwchk"), None).unwrap();
    assert_eq!(saved.step, 20);
    let model = recording.model().clone();
    let mut run = Run::resume(model, &saved.checkpoint, None).unwrap();
    assert!((run.simulator().state().time - 0.02).abs() < 1e-12);
    run.step().unwrap();
}
