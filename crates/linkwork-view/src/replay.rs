//! A recording behind the server: pages request its frames and quantities over time.

use crate::command::Command;
use crate::frame::{Stamp, encode};
use crate::hello::{Hello, Mode};
use crate::series::thin;
use crate::server::{Backend, Outbox, Viewer};
use linkwork_record::{Quantity, RecordError, Recording, scalar_quantities};
use serde_json::json;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use tungstenite::{Message, Utf8Bytes};

/// Most points of a series.
const MAX_POINTS: usize = 8000;
/// Series that may be waited for at a time.
const MAX_WAITING: usize = 256;
/// Series that are kept: some hundred kilobytes each.
const MAX_KEPT: usize = 256;

/// Serves a recording.
pub struct Replay {
    recording: Arc<Recording>,
    hello: Hello,
    asked: SyncSender<(String, Arc<Outbox>)>,
}

impl Replay {
    /// Serve a recording under this name.
    pub fn new(recording: Recording, title: &str) -> Self {
        let recording = Arc::new(recording);
        let hello = hello(&recording, Mode::Replay, title);
        let (asked, answering) = sync_channel(MAX_WAITING);
        let reader = recording.clone();
        // Reading all of a long recording takes seconds, during which frames remain available. Ends with the replay.
        std::thread::spawn(move || Librarian::new(reader).answer(&answering));
        Self {
            recording,
            hello,
            asked,
        }
    }

    fn frame(&self, index: usize) -> Result<Vec<u8>, String> {
        let count = self.recording.len();
        if index >= count {
            return Err(format!(
                "there is no record {index}; the recording has {count}"
            ));
        }
        let step = self.recording.step(index).map_err(|e| e.to_string())?;
        let stamp = Stamp {
            index: index as u32,
            ..Stamp::default()
        };
        Ok(encode(self.recording.model(), &step, stamp))
    }
}

impl Backend for Replay {
    fn hello(&self, _: bool) -> String {
        // There is no simulation to control.
        self.hello.text(false)
    }

    fn entered(&self, _: &Viewer) {}

    fn message(&self, viewer: &Viewer, text: &str) {
        let outbox = &viewer.outbox;
        match Command::parse(text) {
            Err(reason) => outbox.error(&reason),
            Ok(Command::Frame { index }) => match self.frame(index) {
                Ok(frame) => outbox.send(Message::binary(frame)),
                Err(reason) => outbox.error(&reason),
            },
            Ok(Command::Series { name }) => match self.asked.try_send((name, outbox.clone())) {
                Ok(()) => {}
                Err(TrySendError::Full(_)) => {
                    outbox.error("too many series were requested at once")
                }
                Err(TrySendError::Disconnected(_)) => {
                    outbox.error("series are no longer to be had")
                }
            },
            Ok(_) => outbox.error("this is a recording: it can be looked at, not controlled"),
        }
    }

    fn left(&self, _: &Viewer) {}
}

/// The hello of a recording; the number of frames is still missing if it is not replayed as a whole.
pub fn hello(recording: &Recording, mode: Mode, title: &str) -> Hello {
    let times = recording.times();
    let mut hello = Hello::new(mode, title, recording.model(), recording.settings());
    hello.records = times.len();
    hello.start = times.first().copied().unwrap_or(0.0);
    hello.end = times.last().copied().unwrap_or(0.0);
    hello.warning = recording.warning();
    hello.signals = recording.header().signals.clone();
    hello
}

/// Reads series out of the recording, and keeps them.
struct Librarian {
    recording: Arc<Recording>,
    known: HashMap<String, Utf8Bytes>,
}

impl Librarian {
    fn new(recording: Arc<Recording>) -> Self {
        Self {
            recording,
            known: HashMap::new(),
        }
    }

    fn answer(mut self, asked: &Receiver<(String, Arc<Outbox>)>) {
        for (name, outbox) in asked {
            match self.series(&name) {
                Ok(text) => outbox.send(Message::Text(text)),
                Err(reason) => outbox.error(&reason),
            }
        }
    }

    fn series(&mut self, name: &str) -> Result<Utf8Bytes, String> {
        if !self.known.contains_key(name) {
            let wanted = self.recording.quantity(name).map_err(|e| e.to_string())?;
            // The whole recording is read once for all scalars, because pages show several of them.
            let mut quantities = scalar_quantities();
            if !quantities.iter().any(|q| q.name() == name) {
                quantities = vec![wanted];
            }
            if self.known.len() + quantities.len() > MAX_KEPT {
                self.known.clear();
            }
            self.read(&quantities).map_err(|e| e.to_string())?;
        }
        let found = self.known.get(name).cloned();
        found.ok_or_else(|| format!("there is no series '{name}'"))
    }

    fn read(&mut self, quantities: &[Quantity]) -> Result<(), RecordError> {
        let all = self.recording.series(quantities)?;
        for (quantity, y) in quantities.iter().zip(all) {
            let (t, y) = thin(self.recording.times(), &y, MAX_POINTS);
            let series = json!({
                "type": "series",
                "name": quantity.name(),
                "unit": quantity.unit(),
                "t": t,
                "y": y,
                "of": self.recording.len(),
            });
            let text = Utf8Bytes::from(series.to_string());
            self.known.insert(quantity.name().to_owned(), text);
        }
        Ok(())
    }
}
