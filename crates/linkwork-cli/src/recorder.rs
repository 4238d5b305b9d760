//! `--record` and `--checkpoint` of a run.

use crate::args::RecordingArgs;
use crate::failure::{Failure, usage};
use linkwork::{Checkpoint, Moment, Run, Simulator};
use linkwork_record::{
    RecordError, RecordOptions, Recorder, RecordingStats, Signals, Source, save_checkpoint,
};
use serde::Serialize;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

/// Records a run with checkpoints in between.
pub struct RunRecorder {
    recorder: Recorder,
    /// Time between checkpoints, s.
    every: Option<f64>,
    /// Time of the next one, s.
    next: f64,
    /// Step of the last one.
    last: Option<u64>,
    began: Instant,
}

/// Result of a recording; fields are the keys of the JSON object.
#[derive(Clone, Debug, Serialize)]
pub struct Recorded {
    /// The file.
    pub file: PathBuf,
    /// Its size, bytes.
    pub bytes: u64,
    /// The same without compression.
    pub message_bytes: u64,
    /// Steps in it.
    pub steps: u64,
    /// Checkpoints in it.
    pub checkpoints: u64,
    /// Chunks in it.
    pub chunks: u64,
    /// Wall time of the simulation's thread that went into it, s.
    pub wall_s: f64,
    /// The same as a part of the wall time from its beginning to its end.
    pub share: f64,
}

impl RunRecorder {
    /// Starts the recording requested by `args`, if any, of a run that took `first_step` steps before.
    pub fn create(
        args: &RecordingArgs,
        simulator: &Simulator,
        source: &Source,
        signals: Arc<dyn Signals>,
        first_step: u64,
    ) -> Result<Option<Self>, Failure> {
        let Some(path) = &args.record else {
            return Ok(None);
        };
        let options = RecordOptions::with(|s| {
            s.every = args.record_every;
            s.compression = args.compress.into();
            s.chunk_bytes = 1024 * args.record_chunk as usize;
            s.foxglove = args.foxglove;
            s.first_step = first_step;
        });
        let began = Instant::now();
        let (model, settings) = (simulator.model(), simulator.settings());
        let signals = Some(signals);
        let recorder = Recorder::create_with(path, options, model, settings, source, signals);
        let recorder = recorder.map_err(usage)?;
        Ok(Some(Self {
            recorder,
            every: args.checkpoint_every,
            next: simulator.state().time + args.checkpoint_every.unwrap_or(0.0),
            last: None,
            began,
        }))
    }

    /// Record a moment, and a checkpoint if one is due.
    pub fn step(&mut self, moment: &Moment) -> Result<(), RecordError> {
        self.recorder.step(moment)?;
        let Some(every) = self.every else {
            return Ok(());
        };
        // Times are sums of steps: compare up to the last digits.
        let time = moment.simulator.state().time;
        if time >= self.next - 1e-9 * time.abs().max(1.0) {
            self.next += every * ((time - self.next) / every).round().max(0.0) + every;
            let checkpoint = moment.simulator.checkpoint(moment.control);
            self.last = Some(moment.step);
            self.recorder.checkpoint(moment.step, &checkpoint)?;
        }
        Ok(())
    }

    /// Add the checkpoint of the end, `steps` steps after the start, and close the file.
    pub fn finish(mut self, steps: u64, end: &Checkpoint) -> Result<Recorded, RecordError> {
        if self.last != Some(steps) {
            self.recorder.checkpoint(steps, end)?;
        }
        let stats: RecordingStats = self.recorder.finish()?;
        Ok(Recorded {
            share: stats.wall_s / self.began.elapsed().as_secs_f64(),
            file: stats.path,
            bytes: stats.bytes,
            message_bytes: stats.message_bytes,
            steps: stats.steps,
            checkpoints: stats.checkpoints,
            chunks: stats.chunks,
            wall_s: stats.wall_s,
        })
    }
}

/// Write the checkpoint file of a run that took `steps` steps in all.
pub fn save(args: &RecordingArgs, run: &Run, source: &Source, steps: u64) -> Result<(), Failure> {
    let Some(path) = &args.checkpoint else {
        return Ok(());
    };
    let model = run.simulator().model();
    let saved = save_checkpoint(path, model, source, steps, &run.checkpoint());
    saved.map_err(|e| Failure::Run(e.to_string()))
}
