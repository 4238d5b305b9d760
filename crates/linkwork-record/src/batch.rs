//! Messages on their way to the file: what becomes one chunk.

use mcap::records::MessageHeader;

/// Largest chunk before compression, bytes. Readers refuse larger ones before they allocate.
pub(crate) const MAX_CHUNK: usize = 256 << 20;

/// Encoded messages; the memory is reused.
#[derive(Default)]
pub(crate) struct Batch {
    bytes: Vec<u8>,
    /// Each message's header and where it ends in `bytes`.
    messages: Vec<(MessageHeader, usize)>,
}

impl Batch {
    /// Append a message of simulated time `time` (s), written by `encode`.
    pub fn push(
        &mut self,
        channel_id: u16,
        step: u64,
        time: f64,
        encode: impl FnOnce(&mut Vec<u8>),
    ) {
        encode(&mut self.bytes);
        let log_time = nanoseconds(time);
        let header = MessageHeader {
            channel_id,
            // It only serves to detect lost messages, so wrapping after 2³² does no harm.
            sequence: step as u32,
            log_time,
            publish_time: log_time,
        };
        self.messages.push((header, self.bytes.len()));
    }

    /// Bytes of all messages.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.messages.is_empty()
    }

    /// Forget the messages, keep the memory.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.messages.clear();
    }

    /// The messages in order.
    pub fn messages(&self) -> impl Iterator<Item = (&MessageHeader, &[u8])> {
        let mut start = 0;
        self.messages.iter().map(move |(header, end)| {
            let data = &self.bytes[start..*end];
            start = *end;
            (header, data)
        })
    }
}

/// Simulated time (s) as in MCAP: nanoseconds from the start.
pub(crate) fn nanoseconds(time: f64) -> u64 {
    // The cast turns negative values and NaN into 0.
    (1e9 * time).round() as u64
}
