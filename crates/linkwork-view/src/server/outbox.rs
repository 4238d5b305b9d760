//! Outgoing data for one viewer. Adding to it never waits for the viewer.

use crate::frame::mark_jumped;
use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tungstenite::{Bytes, Message, Utf8Bytes};

/// Maximum number of messages waiting for a viewer; older ones are dropped.
const MAX_QUEUE: usize = 64;

/// A mailbox between the simulation (or the reader of requests) and the thread that writes to a viewer. It keeps only
/// the latest frame and state.
#[derive(Debug, Default)]
pub struct Outbox {
    slots: Mutex<Slots>,
    filled: Condvar,
}

#[derive(Debug, Default)]
struct Slots {
    queue: VecDeque<Message>,
    status: Option<Utf8Bytes>,
    frame: Option<Bytes>,
    /// The frame, or one it replaced, came after a jump.
    jumped: bool,
    dropped: u64,
    closed: bool,
}

/// What the writer has to do next.
#[derive(Debug, PartialEq)]
pub enum Next {
    /// Send this.
    Send(Message),
    /// Nothing came in the time given.
    Nothing,
    /// End the connection.
    Close,
}

impl Outbox {
    /// Show this frame, in place of one that was not sent yet.
    pub fn show(&self, frame: Bytes, jumped: bool) {
        let mut slots = self.lock();
        slots.jumped |= jumped;
        if slots.frame.replace(frame).is_some() {
            slots.dropped += 1;
        }
        self.filled.notify_one();
    }

    /// Sends this state, in place of one that was not sent yet.
    pub fn tell(&self, status: Utf8Bytes) {
        self.lock().status = Some(status);
        self.filled.notify_one();
    }

    /// Send this message after those before it.
    pub fn send(&self, message: Message) {
        let mut slots = self.lock();
        if slots.queue.len() >= MAX_QUEUE {
            slots.queue.pop_front();
            slots.dropped += 1;
        }
        slots.queue.push_back(message);
        self.filled.notify_one();
    }

    /// Send an `error` message.
    pub fn error(&self, message: &str) {
        let text = serde_json::json!({"type": "error", "message": message}).to_string();
        self.send(Message::text(text));
    }

    /// Ends the connection; unsent data is discarded.
    pub fn close(&self) {
        self.lock().closed = true;
        self.filled.notify_all();
    }

    /// Messages and frames dropped so far.
    pub fn dropped(&self) -> u64 {
        self.lock().dropped
    }

    /// Removes the next item to be sent, waiting for at most `patience`.
    pub fn next(&self, patience: Duration) -> Next {
        let slots = self.lock();
        let waited = self
            .filled
            .wait_timeout_while(slots, patience, |s| s.is_empty());
        let (mut slots, _) = waited.unwrap_or_else(PoisonError::into_inner);
        if slots.closed {
            return Next::Close;
        }
        if let Some(message) = slots.queue.pop_front() {
            return Next::Send(message);
        }
        if let Some(status) = slots.status.take() {
            return Next::Send(Message::Text(status));
        }
        let Some(frame) = slots.frame.take() else {
            return Next::Nothing;
        };
        let jumped = std::mem::take(&mut slots.jumped);
        drop(slots);
        Next::Send(Message::Binary(stamped(frame, jumped)))
    }

    fn lock(&self) -> MutexGuard<'_, Slots> {
        // Nothing in here can be left half done.
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Slots {
    fn is_empty(&self) -> bool {
        !self.closed && self.queue.is_empty() && self.status.is_none() && self.frame.is_none()
    }
}

/// The frame, marked as a jump even if the frame after the jump was dropped.
fn stamped(frame: Bytes, jumped: bool) -> Bytes {
    if !jumped {
        return frame;
    }
    let mut frame = Vec::from(frame);
    mark_jumped(&mut frame);
    frame.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Duration = Duration::ZERO;

    fn frame(number: u8) -> Bytes {
        let mut bytes = vec![0; 32];
        bytes[0] = number;
        bytes.into()
    }

    #[test]
    fn only_the_latest_frame_and_state_are_kept_and_messages_go_first() {
        let outbox = Outbox::default();
        (0..5).for_each(|i| outbox.show(frame(i), false));
        outbox.tell("old".into());
        outbox.tell("new".into());
        outbox.send(Message::text("a"));
        outbox.send(Message::text("b"));
        let sent: Vec<Next> = (0..5).map(|_| outbox.next(NOW)).collect();
        let expected = [
            Message::text("a"),
            Message::text("b"),
            Message::text("new"),
            Message::Binary(frame(4)),
        ];
        let expected: Vec<Next> = expected
            .map(Next::Send)
            .into_iter()
            .chain([Next::Nothing])
            .collect();
        assert_eq!(sent, expected);
        assert_eq!(outbox.dropped(), 4);
    }

    #[test]
    fn a_jump_is_told_even_if_its_frame_was_dropped() {
        let outbox = Outbox::default();
        outbox.show(frame(1), true);
        outbox.show(frame(2), false);
        let Next::Send(Message::Binary(sent)) = outbox.next(NOW) else {
            panic!("a frame is due");
        };
        assert_eq!((sent[0], sent[28]), (2, 2));
        outbox.show(frame(3), false);
        assert_eq!(outbox.next(NOW), Next::Send(Message::Binary(frame(3))));
    }

    #[test]
    fn a_queue_that_nobody_empties_stays_short() {
        let outbox = Outbox::default();
        (0..1000).for_each(|i| outbox.error(&i.to_string()));
        let mut sent = 0;
        while let Next::Send(message) = outbox.next(NOW) {
            sent += 1;
            assert!(sent < MAX_QUEUE || message.to_text().unwrap().contains("999"));
        }
        assert_eq!(sent, MAX_QUEUE);
    }
}
