//! Who sees every step of a live run, such as a recorder.

mod common;

use common::LiveServer;
use linkwork::Moment;
use linkwork_view::live::{LiveOptions, Witness};
use serde_json::json;
use std::sync::{Arc, Mutex};

#[derive(Default)]
struct Seen {
    steps: Vec<u64>,
    end: Option<u64>,
}

struct Notes(Arc<Mutex<Seen>>);

impl Witness for Notes {
    fn moment(&mut self, moment: &Moment) -> Result<(), String> {
        self.0.lock().unwrap().steps.push(moment.step);
        Ok(())
    }

    fn end(self: Box<Self>, moment: &Moment) -> Result<String, String> {
        self.0.lock().unwrap().end = Some(moment.step);
        Ok("it is all in my notes".to_owned())
    }
}

/// A pendulum whose steps are noted.
fn noted(time: Option<f64>, paused: bool) -> (LiveServer, Arc<Mutex<Seen>>) {
    let options = LiveOptions {
        title: "pendulum".to_owned(),
        speed: 0.0,
        paused,
        time,
    };
    let seen = Arc::new(Mutex::new(Seen::default()));
    let witness = Box::new(Notes(seen.clone()));
    (
        LiveServer::start("pendulum", &[], options, Some(witness)),
        seen,
    )
}

#[test]
fn a_run_with_an_end_stops_there_and_a_witness_sees_every_step() {
    let (server, seen) = noted(Some(0.1), false);
    let mut page = server.viewer();
    page.frame(|f| f.index == 100 && f.flags & 1 == 1);
    let more = [
        json!({"type": "pause", "value": false}),
        json!({"type": "step", "count": 1}),
    ];
    for message in more {
        page.send(message);
        let error = page.error();
        assert!(error.contains("reset"), "{error}");
    }
    page.send(json!({"type": "reset"}));
    page.step(0, 3);
    let seen = seen.lock().unwrap();
    assert_eq!(seen.steps, (0..=100).collect::<Vec<u64>>());
    assert_eq!(seen.end, Some(100));
}

#[test]
fn a_witness_sees_a_run_up_to_its_reset() {
    let (server, seen) = noted(None, true);
    let mut page = server.viewer();
    page.step(0, 7);
    page.send(json!({"type": "reset"}));
    let told = page.error();
    assert!(
        told.contains("not recorded") && told.contains("my notes"),
        "{told}"
    );
    page.step(0, 3);
    let seen = seen.lock().unwrap();
    assert_eq!((seen.steps.len(), seen.end), (8, Some(7)));
}
