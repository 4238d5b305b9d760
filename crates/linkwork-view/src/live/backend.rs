//! The viewers' side of a live view: their messages become events for the simulation's loop.

use crate::command::Command;
use crate::hello::Hello;
use crate::server::{Backend, Outbox, Viewer};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

/// Maximum number of events waiting for the simulation; beyond it the viewers' threads wait, not the simulation.
const MAX_WAITING: usize = 256;

/// An event that the simulation's loop processes between steps.
pub enum Event {
    /// A viewer has connected and has no frame yet.
    Entered(Arc<Outbox>),
    /// A request of a viewer who may control the simulation.
    Command(Command, Arc<Outbox>),
    /// A viewer left.
    Left(Arc<Outbox>),
}

/// Passes on what viewers send.
pub struct LiveBackend {
    hello: Hello,
    events: SyncSender<Event>,
}

impl LiveBackend {
    /// With the other end of its events.
    pub fn new(hello: Hello) -> (Self, Receiver<Event>) {
        let (events, received) = sync_channel(MAX_WAITING);
        (Self { hello, events }, received)
    }

    fn pass(&self, event: Event) {
        // Fails if the loop has ended; then nobody needs the event.
        let _ = self.events.send(event);
    }
}

impl Backend for LiveBackend {
    fn hello(&self, control: bool) -> String {
        self.hello.text(control)
    }

    fn entered(&self, viewer: &Viewer) {
        self.pass(Event::Entered(viewer.outbox.clone()));
    }

    fn message(&self, viewer: &Viewer, text: &str) {
        match Command::parse(text) {
            Err(reason) => viewer.outbox.error(&reason),
            Ok(Command::Frame { .. } | Command::Series { .. }) => {
                viewer.outbox.error("frames and series can be asked of recordings only");
            }
            Ok(_) if !viewer.control => viewer.outbox.error(
                "this page may look, not touch: open the address with the token that linkwork printed",
            ),
            Ok(command) => self.pass(Event::Command(command, viewer.outbox.clone())),
        }
    }

    fn left(&self, viewer: &Viewer) {
        self.pass(Event::Left(viewer.outbox.clone()));
    }
}
