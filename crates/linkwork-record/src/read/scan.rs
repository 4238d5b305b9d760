//! One pass over a file: positions of its parts, and lost parts.
//!
//! A file may be truncated anywhere and have wrong bits anywhere. Every chunk is checked; an invalid one is skipped and
//! listed. If even the lengths of records are invalid, the pass continues at the next bytes that look like a chunk.
//! Memory is bounded: no record above [`MAX_RECORD`] is read, and no more than [`MAX_ENTRIES`] steps and checkpoints
//! are listed.

use super::chunk::{Chunk, PREFIX};
use super::fields;
use super::file::Bytes;
use crate::batch::MAX_CHUNK;
use crate::channels::checkpoint::CheckpointInfo;
use crate::channels::{STEP_CHANNELS, checkpoint, stamp};
use crate::header;
use mcap::MAGIC;
use mcap::records::op;
use std::collections::BTreeMap;
use std::io::Result;

/// Largest record that is read, bytes: a chunk without compression, or the model.
pub(super) const MAX_RECORD: u64 = 2 * MAX_CHUNK as u64 + 4096;
/// Steps and checkpoints that are listed, at 48 bytes each in memory. A few kilobytes of a compressed chunk may hold
/// millions.
pub(super) const MAX_ENTRIES: usize = 100_000_000;

/// A part of the file that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loss {
    /// Its start.
    pub offset: u64,
    /// How long it is.
    pub bytes: u64,
    /// What is wrong with it.
    pub why: String,
}

/// A channel and its content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChannelInfo {
    /// Topic.
    pub topic: String,
    /// Messages.
    pub messages: u64,
    /// Their size before compression, bytes.
    pub bytes: u64,
}

/// Where a chunk's record is.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub offset: u64,
    pub length: u64,
}

/// A step: its number, its time (s), and its messages within a chunk.
pub(super) struct StepEntry {
    pub step: u64,
    pub time: f64,
    pub chunk: u32,
    pub messages: [u32; 4],
}

/// What a file holds.
#[derive(Default)]
pub(super) struct Scan {
    pub profile: Option<String>,
    /// The record of the attachment with the model, as it is in the file.
    pub model: Option<Vec<u8>>,
    pub metadata: Option<BTreeMap<String, String>>,
    pub channels: BTreeMap<u16, ChannelInfo>,
    pub compression: String,
    pub chunks: Vec<Place>,
    pub steps: Vec<StepEntry>,
    /// Each with its chunk and its message.
    pub checkpoints: Vec<(CheckpointInfo, u32, u32)>,
    pub losses: Vec<Loss>,
    data_ended: bool,
    /// Whether the file was closed: its end is there.
    pub closed: bool,
}

/// Look through a file that starts as an MCAP file does, until `most` steps and checkpoints are found.
pub(super) fn scan(file: &mut Bytes, most: usize) -> Result<Scan> {
    let mut scan = Scan::default();
    let mut at = MAGIC.len() as u64;
    while at < file.len && !scan.closed {
        if scan.steps.len() + scan.checkpoints.len() >= most {
            let why = format!("no more than {most} steps are read: record fewer with --every");
            scan.lose(at, file.len - at, &why);
            break;
        }
        let length = match record_at(file, at)? {
            Some(length) if scan.record(file, at, length)? => length,
            _ => {
                let next = file.find_chunk(at + 1)?.unwrap_or(file.len);
                let why = match next == file.len {
                    true => "the file ends within it, or its length is damaged",
                    false => "the length of a record is damaged or too large",
                };
                scan.lose(at, next - at, why);
                next - at
            }
        };
        at += length;
    }
    Ok(scan)
}

/// Length of the record at `at` with its prefix, if the file is that long and the record may be.
fn record_at(file: &mut Bytes, at: u64) -> Result<Option<u64>> {
    let left = file.len - at;
    let prefix = file.at(at, PREFIX as u64)?;
    let Some(length) = prefix.get(1..).and_then(|p| p.first_chunk()) else {
        return Ok(None);
    };
    let whole = u64::from_le_bytes(*length).checked_add(PREFIX as u64);
    Ok(whole.filter(|whole| *whole <= left.min(MAX_RECORD)))
}

impl Scan {
    /// Take in the record at `at`; `false` if it makes no sense there.
    fn record(&mut self, file: &mut Bytes, at: u64, length: u64) -> Result<bool> {
        let end = file.len;
        let record = file.at(at, length)?;
        let (opcode, body) = (record[0], &record[PREFIX..]);
        Ok(match opcode {
            op::HEADER => match fields::profile(body) {
                Some(profile) => {
                    self.profile.get_or_insert(profile.to_owned());
                    true
                }
                None => false,
            },
            op::ATTACHMENT => match fields::attachment(body) {
                Some((name, _)) => {
                    if name == header::MODEL {
                        self.model.get_or_insert(body.to_vec());
                    }
                    true
                }
                None => false,
            },
            op::METADATA => match fields::metadata(body) {
                Some((name, map)) => {
                    if name == header::METADATA {
                        self.metadata.get_or_insert(map);
                    }
                    true
                }
                None => false,
            },
            op::CHUNK => match fields::chunk_head(body, body.len() as u64) {
                Some(head) => {
                    head.compression.clone_into(&mut self.compression);
                    let place = Place { offset: at, length };
                    match Chunk::read(record) {
                        Ok(chunk) => self.chunk(place, &chunk),
                        Err(why) => self.lose(at, length, &why),
                    }
                    true
                }
                None => false,
            },
            op::MESSAGE_INDEX => fields::is_message_index(body),
            op::DATA_END => {
                self.data_ended |= body.len() == 4;
                body.len() == 4
            }
            // The records of the summary repeat known data. Before the summary, these opcodes would be other records
            // with a damaged opcode.
            op::SCHEMA | op::CHANNEL | op::CHUNK_INDEX | op::ATTACHMENT_INDEX => self.data_ended,
            op::STATISTICS | op::METADATA_INDEX | op::SUMMARY_OFFSET => self.data_ended,
            op::FOOTER => {
                let magic = at + length;
                let last = body.len() == 20 && magic + MAGIC.len() as u64 == end;
                self.closed = last && file.at(magic, MAGIC.len() as u64)? == MAGIC;
                self.closed
            }
            _ => false,
        })
    }

    fn lose(&mut self, offset: u64, bytes: u64, why: &str) {
        let why = why.to_owned();
        self.losses.push(Loss { offset, bytes, why });
    }

    /// Take in the messages of a chunk.
    fn chunk(&mut self, place: Place, chunk: &Chunk) {
        for (id, topic) in &chunk.channels {
            self.channels.entry(*id).or_insert(ChannelInfo {
                topic: topic.clone(),
                messages: 0,
                bytes: 0,
            });
        }
        let number = self.chunks.len() as u32;
        self.chunks.push(place);
        let mut open = None;
        for i in 0..chunk.len() {
            let Some((id, data)) = chunk.message(i) else {
                continue;
            };
            let Some(channel) = self.channels.get_mut(&id) else {
                continue;
            };
            channel.messages += 1;
            channel.bytes += data.len() as u64;
            let topic = channel.topic.as_str();
            if topic == checkpoint::CHANNEL.topic {
                if let Ok(info) = serde_json::from_slice(data) {
                    self.checkpoints.push((info, number, i as u32));
                }
            } else if let Some(slot) = STEP_CHANNELS.iter().position(|c| c.channel.topic == topic) {
                open = self.step_message(open, slot, data, (number, i as u32));
            }
        }
    }

    /// Take in a message of a step. The messages of a step follow each other in the order of their
    /// channels; `open` is the step as far as it is known.
    fn step_message(
        &mut self,
        open: Option<(usize, StepEntry)>,
        slot: usize,
        data: &[u8],
        (chunk, message): (u32, u32),
    ) -> Option<(usize, StepEntry)> {
        let (step, time) = stamp(data).ok()?;
        let mut entry = match open {
            _ if slot == 0 => StepEntry {
                step,
                time,
                chunk,
                messages: [0; 4],
            },
            Some((before, entry)) if before + 1 == slot && entry.step == step => entry,
            _ => return None,
        };
        entry.messages[slot] = message;
        if slot + 1 < STEP_CHANNELS.len() {
            return Some((slot, entry));
        }
        self.steps.push(entry);
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{RecordOptions, Recorder, Source};
    use linkwork::Run;
    use linkwork_scenes::scene;

    #[test]
    fn what_is_beyond_the_limit_of_steps_is_listed_as_lost() {
        let path = std::env::temp_dir().join(format!("linkwork-limit-{}", std::process::id()));
        let mut run = Run::of(scene("pendulum", &[]).unwrap()).unwrap();
        let simulator = run.simulator();
        let (model, settings) = (simulator.model().clone(), simulator.settings().clone());
        let options = RecordOptions {
            chunk_bytes: 1,
            ..RecordOptions::default()
        };
        let source = Source {
            scene: "pendulum".to_owned(),
            parameters: Default::default(),
            pilot: None,
        };
        let mut recorder = Recorder::create(&path, options, &model, &settings, &source).unwrap();
        for step in 1..=20 {
            let report = run.step().unwrap();
            recorder.step(&run.moment(step, Some(&report))).unwrap();
        }
        recorder.finish().unwrap();
        let read = |most| {
            let mut file = Bytes::new(std::fs::File::open(&path).unwrap()).unwrap();
            scan(&mut file, most).unwrap()
        };
        let (all, some) = (read(MAX_ENTRIES), read(7));
        std::fs::remove_file(&path).unwrap();
        assert_eq!((all.steps.len(), all.losses.len()), (20, 0));
        assert_eq!(some.steps.len(), 7);
        assert!(some.losses[0].why.contains("--every"), "{:?}", some.losses);
    }
}
