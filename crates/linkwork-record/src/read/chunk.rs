//! A chunk: decompressed, its checksum verified, its messages separated.

use super::fields::{self, Fields};
use crate::batch::MAX_CHUNK;
use mcap::records::op;
use mcap::sans_io::{LinearReadEvent, LinearReader, LinearReaderOptions};

/// Bytes before every record: opcode and length.
pub(super) const PREFIX: usize = 9;
/// Largest chunk that is read, bytes after decompression. Headers of small messages may double what
/// [`MAX_CHUNK`] counts.
const LIMIT: usize = 2 * MAX_CHUNK;

/// The messages of a chunk.
#[derive(Default)]
pub(super) struct Chunk {
    bytes: Vec<u8>,
    messages: Vec<Message>,
    /// Channels that are described in it.
    pub channels: Vec<(u16, String)>,
}

struct Message {
    channel: u16,
    start: usize,
    end: usize,
}

impl Chunk {
    /// Number of messages.
    pub fn len(&self) -> usize {
        self.messages.len()
    }

    /// Channel and data of a message.
    pub fn message(&self, i: usize) -> Option<(u16, &[u8])> {
        let m = self.messages.get(i)?;
        Some((m.channel, &self.bytes[m.start..m.end]))
    }

    /// Reads a chunk from its record, or returns the error in it.
    pub fn read(record: &[u8]) -> Result<Self, String> {
        check(record)?;
        let options = LinearReaderOptions::default()
            .with_skip_start_magic(true)
            .with_skip_end_magic(true)
            .with_prevalidate_chunk_crcs(true)
            .with_record_length_limit(LIMIT);
        let mut reader = LinearReader::new_with_options(options);
        let mut rest = record;
        let mut chunk = Chunk::default();
        while let Some(event) = reader.next_event() {
            match event.map_err(|e| e.to_string())? {
                LinearReadEvent::ReadRequest(need) => {
                    let (now, later) = rest.split_at(need.min(rest.len()));
                    reader.insert(now.len()).copy_from_slice(now);
                    // Without this the reader would not detect the end.
                    reader.notify_read(now.len());
                    rest = later;
                }
                LinearReadEvent::Record { opcode, data } => chunk.add(opcode, data)?,
            }
        }
        Ok(chunk)
    }

    fn add(&mut self, opcode: u8, data: &[u8]) -> Result<(), String> {
        match opcode {
            op::MESSAGE => {
                let mut fields = Fields(data);
                let channel = fields.u16();
                // Sequence number and the two times: the messages contain the necessary data.
                let (Some(channel), Some(_)) = (channel, fields.bytes(20)) else {
                    return Err("a message in it has no header".to_owned());
                };
                let start = self.bytes.len();
                self.bytes.extend_from_slice(fields.0);
                let end = self.bytes.len();
                self.messages.push(Message {
                    channel,
                    start,
                    end,
                });
            }
            op::CHANNEL => {
                let channel = fields::channel(data).ok_or("a channel in it is damaged")?;
                self.channels.push((channel.0, channel.1.to_owned()));
            }
            _ => {}
        }
        Ok(())
    }
}

/// Checks everything that the library trusts, before it reads the chunk.
fn check(record: &[u8]) -> Result<(), String> {
    let body = record.get(PREFIX..).unwrap_or_default();
    let head = fields::chunk_head(body, body.len() as u64).ok_or("its head is damaged")?;
    if head.uncompressed > LIMIT as u64 {
        return Err(format!("its size of {} bytes is absurd", head.uncompressed));
    }
    // For the library 0 means no checksum. Recordings of Linkwork always have one; the true checksum is 0 once in four
    // thousand million chunks.
    if head.crc == 0 {
        return Err("it has no checksum".to_owned());
    }
    if head.compression.is_empty() {
        let records = &body[head.size as usize..];
        if head.uncompressed != head.compressed || !tiles(records) {
            return Err("its records do not fill it".to_owned());
        }
    }
    Ok(())
}

/// Whether records fill the bytes exactly.
fn tiles(mut bytes: &[u8]) -> bool {
    while !bytes.is_empty() {
        let mut fields = Fields(&bytes[1..]);
        let Some(n) = fields.u64() else {
            return false;
        };
        if fields.bytes(n).is_none() {
            return false;
        }
        bytes = fields.0;
    }
    true
}
