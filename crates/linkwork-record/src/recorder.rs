//! Writes a recording while a simulation runs.
//!
//! The calling thread encodes a step into memory; when a chunk is full it is handed to a thread that
//! compresses, checks and writes it. A few chunks may wait for that thread, then the caller waits.

use crate::batch::{Batch, MAX_CHUNK};
use crate::channels::{Channel, STEP_CHANNELS, checkpoint};
use crate::container::{Container, FileWriter, io_error};
use crate::error::RecordError;
use crate::foxglove::Foxglove;
use crate::header::{Header, Source};
use crate::options::RecordOptions;
use crate::signals::Signals;
use crate::step::StepRecord;
use linkwork::model::Model;
use linkwork::{Checkpoint, Moment, Settings};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, SyncSender, TryRecvError, channel, sync_channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Chunks that may wait for the writing thread: enough to sit out a system that stops to write to its disk for
/// some tenths of a second.
const QUEUE: usize = 16;
/// The writing thread looks for chunks this often and is never woken: to wake a thread is a system call, which on a
/// virtual machine may cost the simulation ten milliseconds a chunk.
const LOOK: Duration = Duration::from_millis(5);
/// Number of the channel of checkpoints, behind those of the step.
const CHECKPOINT_CHANNEL: u16 = STEP_CHANNELS.len() as u16 + 1;

/// What became of a recording.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordingStats {
    /// The file.
    pub path: PathBuf,
    /// Steps in it.
    pub steps: u64,
    /// Checkpoints in it.
    pub checkpoints: u64,
    /// Chunks in it.
    pub chunks: u64,
    /// Size of the file, bytes.
    pub bytes: u64,
    /// Size of its messages before compression, bytes.
    pub message_bytes: u64,
    /// Wall time the recorder took of the calling thread, waiting for the disk included, s.
    pub wall_s: f64,
}

/// Writes a recording.
pub struct Recorder {
    path: PathBuf,
    options: RecordOptions,
    batch: Batch,
    /// The last step, for its memory.
    captured: Option<StepRecord>,
    /// When the batch got its first message.
    began: Instant,
    full: Option<SyncSender<Batch>>,
    empty: Receiver<Batch>,
    thread: Option<JoinHandle<Result<u64, RecordError>>>,
    foxglove: Option<Foxglove>,
    signals: Option<Arc<dyn Signals>>,
    stats: RecordingStats,
    spent: Duration,
}

impl Recorder {
    /// Starts a recording. The file appears (replacing an existing one) with a complete head.
    pub fn create(
        path: &Path,
        options: RecordOptions,
        model: &Model,
        settings: &Settings,
        source: &Source,
    ) -> Result<Self, RecordError> {
        Self::create_with(path, options, model, settings, source, None)
    }

    /// Begin a recording that has the values of `signals` in every step.
    pub fn create_with(
        path: &Path,
        options: RecordOptions,
        model: &Model,
        settings: &Settings,
        source: &Source,
        signals: Option<Arc<dyn Signals>>,
    ) -> Result<Self, RecordError> {
        let start = Instant::now();
        let mut header = Header::new(source.clone(), settings.clone(), model.hash());
        header.every = options.every.max(1);
        header.first_step = options.first_step;
        if let Some(signals) = &signals {
            header.signals = signals.infos().to_vec();
        }
        let mut channels: Vec<Channel> = STEP_CHANNELS.iter().map(|c| c.channel).collect();
        channels.push(checkpoint::CHANNEL);
        let first = channels.len() as u16 + 1;
        let foxglove = options.foxglove.then(|| Foxglove::new(model, first));
        if foxglove.is_some() {
            channels.extend(Foxglove::CHANNELS);
        }
        let container = Container::create(path, &header, model, &channels, options.compression)?;
        let writer = container.appear()?;

        let (full, to_write) = sync_channel(QUEUE);
        let (written, empty) = channel();
        let file = path.to_owned();
        let thread = std::thread::spawn(move || write(writer, &file, &to_write, &written));
        let mut recorder = Self {
            path: path.to_owned(),
            batch: Batch::default(),
            captured: None,
            began: start,
            full: Some(full),
            empty,
            thread: Some(thread),
            stats: RecordingStats {
                path: path.to_owned(),
                steps: 0,
                checkpoints: 0,
                chunks: 0,
                bytes: 0,
                message_bytes: 0,
                wall_s: 0.0,
            },
            foxglove,
            signals,
            options,
            spent: Duration::ZERO,
        };
        if let Some(foxglove) = &recorder.foxglove {
            foxglove.scene(model, &mut recorder.batch);
        }
        recorder.spent = start.elapsed();
        Ok(recorder)
    }

    /// Record a moment of a run, if it is its turn.
    pub fn step(&mut self, moment: &Moment) -> Result<(), RecordError> {
        if !moment
            .step
            .is_multiple_of(u64::from(self.options.every.max(1)))
        {
            return Ok(());
        }
        let start = Instant::now();
        // The memory of the last step is used again: a hundred kilobytes per step are dear to allocate.
        let mut record = match self.captured.take() {
            Some(mut record) => {
                record.update(moment);
                record
            }
            None => StepRecord::of(moment),
        };
        if let Some(signals) = &self.signals {
            record.signals = signals.read(moment, &record.state);
        }
        record.step += self.options.first_step;
        let result = self.record(&record);
        self.captured = Some(record);
        self.spent += start.elapsed();
        result
    }

    /// Record a step that was captured before.
    pub fn record(&mut self, record: &StepRecord) -> Result<(), RecordError> {
        let (step, time) = (record.step, record.state.time);
        for (i, c) in STEP_CHANNELS.iter().enumerate() {
            let encode = |out: &mut Vec<u8>| (c.encode)(record, out);
            self.batch.push(i as u16 + 1, step, time, encode);
        }
        if let Some(foxglove) = &mut self.foxglove {
            foxglove.transforms(record, &mut self.batch);
        }
        self.stats.steps += 1;
        self.pass_on()
    }

    /// Records a checkpoint, `step` steps after the start of the run.
    pub fn checkpoint(&mut self, step: u64, checkpoint: &Checkpoint) -> Result<(), RecordError> {
        let start = Instant::now();
        let step = step + self.options.first_step;
        let encode = |out: &mut Vec<u8>| checkpoint::encode(step, checkpoint, out);
        let time = checkpoint.state.time;
        self.batch.push(CHECKPOINT_CHANNEL, step, time, encode);
        self.stats.checkpoints += 1;
        let result = self.pass_on();
        self.spent += start.elapsed();
        result
    }

    /// Closes the file: writes the remaining data and the summary, and waits until the system has received all of it.
    pub fn finish(mut self) -> Result<RecordingStats, RecordError> {
        let start = Instant::now();
        if !self.batch.is_empty() {
            self.send()?;
        }
        self.full = None;
        self.stats.bytes = self.join()?;
        self.stats.wall_s = (self.spent + start.elapsed()).as_secs_f64();
        Ok(self.stats.clone())
    }

    /// Hand the batch on if it is large or old enough to be a chunk.
    fn pass_on(&mut self) -> Result<(), RecordError> {
        let bytes = self.batch.len();
        if bytes > MAX_CHUNK {
            let most = MAX_CHUNK;
            return Err(RecordError::TooLarge { bytes, most });
        }
        let old = self.began.elapsed().as_secs_f64() >= self.options.chunk_seconds;
        // A writer that failed is noticed now, not when the next chunk is full.
        let failed = self.thread.as_ref().is_none_or(JoinHandle::is_finished);
        if failed || old || bytes >= self.options.chunk_bytes {
            self.send()?;
        }
        Ok(())
    }

    fn send(&mut self) -> Result<(), RecordError> {
        let mut next = self.empty.try_recv().unwrap_or_default();
        next.clear();
        let batch = std::mem::replace(&mut self.batch, next);
        self.began = Instant::now();
        self.stats.chunks += 1;
        self.stats.message_bytes += batch.len() as u64;
        let sent = self.full.as_ref().map(|full| full.send(batch));
        match sent {
            Some(Ok(())) => Ok(()),
            // The thread only stops listening when it failed.
            _ => match self.join() {
                Err(error) => Err(error),
                Ok(_) => Err(self.broken()),
            },
        }
    }

    /// What the writing thread ended with: the size of the file.
    fn join(&mut self) -> Result<u64, RecordError> {
        match self.thread.take().map(JoinHandle::join) {
            Some(Ok(result)) => result,
            _ => Err(self.broken()),
        }
    }

    fn broken(&self) -> RecordError {
        let path = self.path.clone();
        RecordError::Broken { path }
    }
}

impl Drop for Recorder {
    /// A recorder that is not finished writes its data, but errors are lost: call [`finish`](Recorder::finish).
    fn drop(&mut self) {
        if self.thread.is_some() {
            let _ = self.send();
            self.full = None;
            let _ = self.join();
        }
    }
}

/// Write batches, each as one chunk, until there are no more; returns the size of the file.
fn write(
    mut writer: FileWriter,
    path: &Path,
    batches: &Receiver<Batch>,
    empty: &Sender<Batch>,
) -> Result<u64, RecordError> {
    let failed = RecordError::file("write", path);
    let mut go = || -> Result<(), mcap::McapError> {
        loop {
            let batch = match batches.try_recv() {
                Ok(batch) => batch,
                Err(TryRecvError::Empty) => {
                    std::thread::sleep(LOOK);
                    continue;
                }
                Err(TryRecvError::Disconnected) => return writer.finish().map(drop),
            };
            for (header, data) in batch.messages() {
                writer.write_to_known_channel(header, data)?;
            }
            writer.flush()?;
            // The recorder may be gone already.
            let _ = empty.send(batch);
        }
    };
    let written = go().map_err(io_error);
    // Not synced: hundreds of megabytes would take seconds, and against a crash of the program alone
    // it is no help.
    let file = written.and_then(|()| {
        let file = writer.into_inner().into_inner();
        file.map_err(|e| e.into_error())?.metadata()
    });
    file.map(|m| m.len()).map_err(failed)
}
