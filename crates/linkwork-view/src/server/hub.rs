//! All viewers of one server.

use super::outbox::Outbox;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tungstenite::{Bytes, Message, Utf8Bytes};

/// Passes frames and states to all viewers without waiting for any of them.
#[derive(Debug, Default)]
pub struct Hub {
    viewers: Mutex<Viewers>,
}

#[derive(Debug, Default)]
struct Viewers {
    present: Vec<Arc<Outbox>>,
    /// Frames and messages missed by viewers who have left since.
    dropped: u64,
    closed: bool,
}

impl Hub {
    /// Shows a frame to all viewers. A viewer who has not received the previous one yet never receives it.
    pub fn show(&self, frame: Bytes, jumped: bool) {
        let viewers = self.lock();
        viewers
            .present
            .iter()
            .for_each(|v| v.show(frame.clone(), jumped));
    }

    /// Sends a state (JSON) to all viewers, which replaces the previous one.
    pub fn tell(&self, status: String) {
        let status = Utf8Bytes::from(status);
        let viewers = self.lock();
        viewers.present.iter().for_each(|v| v.tell(status.clone()));
    }

    /// Show everyone an error.
    pub fn error(&self, message: &str) {
        self.lock().present.iter().for_each(|v| v.error(message));
    }

    /// Number of viewers.
    pub fn viewers(&self) -> usize {
        self.lock().present.len()
    }

    /// Frames and messages that some viewer was too slow for.
    pub fn dropped(&self) -> u64 {
        let viewers = self.lock();
        viewers.dropped + viewers.present.iter().map(|v| v.dropped()).sum::<u64>()
    }

    /// A new viewer, who is sent `hello` first. After [`Hub::close`] it is closed at once.
    pub(super) fn enter(&self, hello: String) -> Arc<Outbox> {
        let outbox = Arc::new(Outbox::default());
        outbox.send(Message::text(hello));
        let mut viewers = self.lock();
        if viewers.closed {
            outbox.close();
        }
        viewers.present.push(outbox.clone());
        outbox
    }

    pub(super) fn leave(&self, outbox: &Arc<Outbox>) {
        let mut viewers = self.lock();
        viewers.present.retain(|v| !Arc::ptr_eq(v, outbox));
        viewers.dropped += outbox.dropped();
    }

    /// End all connections, and those to come.
    pub(super) fn close(&self) {
        let mut viewers = self.lock();
        viewers.closed = true;
        viewers.present.iter().for_each(|v| v.close());
    }

    fn lock(&self) -> MutexGuard<'_, Viewers> {
        self.viewers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
