//! Past frames, kept for pages that connect later or are reloaded.

use crate::frame::mark_past;
use std::collections::VecDeque;
use tungstenite::Bytes;

/// Memory for frames, bytes.
const MAX_BYTES: usize = 32 << 20;
/// Number of frames kept: a minute of all, or a longer time of fewer.
const MAX_FRAMES: usize = 3600;
/// Maximum size of the frames in a message, bytes, unless a single one is larger.
const MESSAGE_BYTES: usize = 2 << 20;

/// Frames in order of time. If there are too many, every second one of the older half is dropped: older times are kept
/// more coarsely.
#[derive(Default)]
pub struct History {
    frames: VecDeque<Bytes>,
    bytes: usize,
}

impl History {
    /// Keep a frame.
    pub fn push(&mut self, frame: Bytes) {
        self.bytes += frame.len();
        self.frames.push_back(frame);
        while self.frames.len() > 2 && (self.bytes > MAX_BYTES || self.frames.len() > MAX_FRAMES) {
            self.thin();
        }
    }

    /// Forget everything: time starts again.
    pub fn clear(&mut self) {
        self.frames.clear();
        self.bytes = 0;
    }

    fn thin(&mut self) {
        let half = self.frames.len().div_ceil(2);
        let mut i = 0;
        self.frames.retain(|_| {
            i += 1;
            i > half || i % 2 == 1
        });
        self.bytes = self.frames.iter().map(Bytes::len).sum();
    }

    /// All frames as messages, each marked as past.
    pub fn messages(&self) -> Vec<Bytes> {
        let mut messages = Vec::new();
        let mut message: Vec<u8> = Vec::new();
        for frame in &self.frames {
            if !message.is_empty() && message.len() + frame.len() > MESSAGE_BYTES {
                messages.push(Bytes::from(std::mem::take(&mut message)));
            }
            let start = message.len();
            message.extend_from_slice(frame);
            mark_past(&mut message[start..]);
        }
        if !message.is_empty() {
            messages.push(message.into());
        }
        messages
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(number: u32, bytes: usize) -> Bytes {
        let mut frame = vec![0; bytes];
        frame[..4].copy_from_slice(&number.to_le_bytes());
        frame.into()
    }

    fn numbers(history: &History, bytes: usize) -> Vec<u32> {
        let messages = history.messages();
        let frames = messages.iter().flat_map(|m| m.chunks_exact(bytes));
        let number = |f: &[u8]| {
            assert_eq!(f[28], 16, "marked as past");
            u32::from_le_bytes([f[0], f[1], f[2], f[3]])
        };
        frames.map(number).collect()
    }

    #[test]
    fn everything_is_kept_while_there_is_room_and_the_latest_always() {
        let mut history = History::default();
        (0..3000).for_each(|i| history.push(frame(i, 64)));
        assert_eq!(numbers(&history, 64), (0..3000).collect::<Vec<_>>());
        (3000..100_000).for_each(|i| history.push(frame(i, 64)));
        let kept = numbers(&history, 64);
        assert!(kept.len() <= MAX_FRAMES && kept.len() > MAX_FRAMES / 2);
        assert!(kept.is_sorted() && kept[0] == 0, "the first stays");
        assert_eq!(
            kept[kept.len() - 1000..].to_vec(),
            (99_000..100_000).collect::<Vec<_>>()
        );
        history.clear();
        assert!(history.messages().is_empty());
    }

    #[test]
    fn memory_and_messages_are_bounded() {
        let mut history = History::default();
        let bytes = 1 << 19;
        (0..1000).for_each(|i| history.push(frame(i, bytes)));
        let messages = history.messages();
        let total: usize = messages.iter().map(Bytes::len).sum();
        assert!(total <= MAX_BYTES, "{total}");
        assert!(messages.iter().all(|m| m.len() <= MESSAGE_BYTES));
        assert_eq!(numbers(&history, bytes).last(), Some(&999));
    }
}
