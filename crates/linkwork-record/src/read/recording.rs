//! A recording to look things up in.

use super::file::Bytes;
use super::head::{check_magic, header, model};
use super::scan::{ChannelInfo, Loss, MAX_ENTRIES, Scan, StepEntry, scan};
use super::store::Store;
use crate::channels::checkpoint::{CheckpointInfo, TimedCheckpoint};
use crate::channels::{MessageError, decode};
use crate::error::RecordError;
use crate::header::Header;
use crate::quantities::{Quantity, UnknownQuantity};
use crate::step::StepRecord;
use linkwork::model::Model;
use linkwork::{Settings, plain_time};
use std::fs::File;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// A recording or checkpoint file, opened for reading. May be shared between threads.
pub struct Recording {
    path: PathBuf,
    header: Header,
    model: Arc<Model>,
    scan: Scan,
    times: Vec<f64>,
    file_bytes: u64,
    store: Mutex<Store>,
}

impl Recording {
    /// Opens a recording and scans all of it. A truncated or damaged one opens if its head is complete;
    /// [`Recording::warning`] reports what is missing.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, RecordError> {
        let path = path.as_ref();
        let failed = || RecordError::file("read", path);
        // Opening a pipe would wait for its writer forever.
        if std::fs::metadata(path).is_ok_and(|there| !there.is_file()) {
            return Err(failed()(std::io::Error::other("it is not a regular file")));
        }
        let file = File::open(path).map_err(RecordError::file("open", path))?;
        let mut file = Bytes::new(file).map_err(failed())?;
        check_magic(&mut file, path)?;
        let mut scan = scan(&mut file, MAX_ENTRIES).map_err(failed())?;
        let header = header(&scan, path)?;
        let model = model(&scan.model.take().unwrap_or_default(), &header, path)?;
        Ok(Self {
            path: path.to_owned(),
            header,
            model,
            times: scan.steps.iter().map(|s| s.time).collect(),
            scan,
            file_bytes: file.len,
            store: Mutex::new(Store::new(file)),
        })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Metadata of the recording.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The mechanism, bit for bit the one that was simulated.
    pub fn model(&self) -> &Arc<Model> {
        &self.model
    }

    /// Settings the run began with.
    pub fn settings(&self) -> &Settings {
        &self.header.settings
    }

    /// The quantity of this name: of the model, or one of the signals.
    pub fn quantity(&self, name: &str) -> Result<Quantity, UnknownQuantity> {
        Quantity::parse(&self.model, &self.header.signals, name)
    }

    /// Number of recorded steps, including the start of the run.
    pub fn len(&self) -> usize {
        self.scan.steps.len()
    }

    /// Whether no step is in it.
    pub fn is_empty(&self) -> bool {
        self.scan.steps.is_empty()
    }

    /// Time of every recorded step, s.
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// Number of recorded step `index`, counted from the start of the run.
    pub fn step_number(&self, index: usize) -> Result<u64, RecordError> {
        Ok(self.entry(index)?.step)
    }

    /// Recorded step `index`.
    pub fn step(&self, index: usize) -> Result<StepRecord, RecordError> {
        let entry = self.entry(index)?;
        let place = self.scan.chunks[entry.chunk as usize];
        let chunk = self.store().chunk(place, &self.path)?;
        let failed = |source: MessageError| RecordError::Step {
            path: self.path.clone(),
            step: entry.step,
            source,
        };
        let message = |i: u32| chunk.message(i as usize).map_or(&[][..], |m| m.1);
        let step = decode(entry.messages.map(message), &self.model).map_err(failed)?;
        let (have, want) = (step.signals.len(), self.header.signals.len());
        if have != want {
            let what = "signals";
            return Err(failed(MessageError::Length { what, have, want }));
        }
        Ok(step)
    }

    /// The last recorded step that is not after `time` (s), or the first.
    pub fn index_at(&self, time: f64) -> usize {
        let after = self.times.partition_point(|t| not_after(*t, time));
        after.saturating_sub(1)
    }

    /// The recorded steps from one time to another, both included, s.
    pub fn between(&self, from: f64, to: f64) -> Range<usize> {
        let first = self.times.partition_point(|t| !not_after(from, *t));
        let end = self.times.partition_point(|t| not_after(*t, to));
        first..end.max(first)
    }

    /// Values of quantities at every recorded step, one list each.
    pub fn series(&self, quantities: &[Quantity]) -> Result<Vec<Vec<f64>>, RecordError> {
        let mut series = vec![Vec::with_capacity(self.len()); quantities.len()];
        for i in 0..self.len() {
            let step = self.step(i)?;
            for (list, quantity) in series.iter_mut().zip(quantities) {
                list.push(quantity.of(&self.model, &step));
            }
        }
        Ok(series)
    }

    /// The checkpoints in it, in the order they were written.
    pub fn checkpoints(&self) -> impl ExactSizeIterator<Item = CheckpointInfo> {
        self.scan.checkpoints.iter().map(|c| c.0)
    }

    /// The last checkpoint, or the last one that is not after `at` (s).
    pub fn checkpoint(&self, at: Option<f64>) -> Result<TimedCheckpoint, RecordError> {
        let all = &self.scan.checkpoints;
        let early = |time: f64| at.is_none_or(|at| not_after(time, at));
        let Some(&(_, chunk, message)) = all.iter().rev().find(|c| early(c.0.time)) else {
            return Err(self.no_checkpoint(at));
        };
        let place = self.scan.chunks[chunk as usize];
        let chunk = self.store().chunk(place, &self.path)?;
        let data = chunk.message(message as usize).map_or(&[][..], |m| m.1);
        serde_json::from_slice(data).map_err(|e| RecordError::Damaged {
            path: self.path.clone(),
            part: "a checkpoint",
            why: e.to_string(),
        })
    }

    fn no_checkpoint(&self, at: Option<f64>) -> RecordError {
        RecordError::NoCheckpoint {
            path: self.path.clone(),
            before: at.map_or(String::new(), |at| {
                format!(" at or before {} s", plain_time(at))
            }),
            known: match self.scan.checkpoints.first() {
                Some((first, ..)) => format!("the first is at {} s", plain_time(first.time)),
                None => "record with --checkpoint-every S to have some".to_owned(),
            },
        }
    }

    /// Whether the file was closed properly and everything in it could be read.
    pub fn complete(&self) -> bool {
        self.scan.closed && self.scan.losses.is_empty()
    }

    /// Parts of the file that could not be read.
    pub fn losses(&self) -> &[Loss] {
        &self.scan.losses
    }

    /// Bytes that could not be read.
    pub fn lost_bytes(&self) -> u64 {
        self.scan.losses.iter().map(|l| l.bytes).sum()
    }

    /// A message for users about a recording that is not complete.
    pub fn warning(&self) -> Option<String> {
        if self.complete() {
            return None;
        }
        let mut text = match self.scan.closed {
            true => "the recording is damaged".to_owned(),
            false => "the recording was not closed (the run goes on, or was killed)".to_owned(),
        };
        match &self.scan.losses[..] {
            [] => text += "; everything that is in it could be read",
            [one] => {
                text += &format!(
                    "; {} bytes at {} are lost: {}",
                    one.bytes, one.offset, one.why
                );
            }
            more => {
                text += &format!(
                    "; {} bytes in {} places are lost",
                    self.lost_bytes(),
                    more.len()
                );
            }
        }
        Some(text)
    }

    /// Channels, in the order of their numbers.
    pub fn channels(&self) -> impl ExactSizeIterator<Item = &ChannelInfo> {
        self.scan.channels.values()
    }

    /// Chunks that could be read.
    pub fn chunks(&self) -> usize {
        self.scan.chunks.len()
    }

    /// Compression of the chunks: `none`, `lz4` or `zstd`.
    pub fn compression(&self) -> &str {
        match self.scan.compression.as_str() {
            "" => "none",
            name => name,
        }
    }

    /// Size of the file, bytes.
    pub fn file_bytes(&self) -> u64 {
        self.file_bytes
    }

    fn entry(&self, index: usize) -> Result<&StepEntry, RecordError> {
        let len = self.len();
        self.scan.steps.get(index).ok_or(RecordError::NoStep {
            path: self.path.clone(),
            index,
            len,
        })
    }

    fn store(&self) -> std::sync::MutexGuard<'_, Store> {
        // If a reader panicked, the store is still valid: at worst a chunk is read again.
        self.store.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether `time` ≤ `at`, s. Times are sums of steps, so values that should be equal may differ in the last digits.
fn not_after(time: f64, at: f64) -> bool {
    time <= at + 1e-9 * at.abs().max(1.0)
}
