//! Checkpoints in separate files: recordings without steps.

use crate::batch::{Batch, MAX_CHUNK};
use crate::channels::checkpoint::{self, TimedCheckpoint};
use crate::container::{Container, io_error};
use crate::error::RecordError;
use crate::header::{Header, Source};
use crate::options::Compression;
use crate::read::Recording;
use linkwork::Checkpoint;
use linkwork::model::Model;
use std::path::Path;

/// Writes a checkpoint, taken `step` steps after the start of the run, to a separate file. The file appears completely
/// or not at all, and replaces an existing one.
pub fn save_checkpoint(
    path: &Path,
    model: &Model,
    source: &Source,
    step: u64,
    checkpoint: &Checkpoint,
) -> Result<(), RecordError> {
    let settings = checkpoint.settings.clone();
    let mut header = Header::new(source.clone(), settings, model.hash());
    header.first_step = step;
    let channels = [checkpoint::CHANNEL];
    let mut container = Container::create(path, &header, model, &channels, Compression::None)?;
    let mut batch = Batch::default();
    let encode = |out: &mut Vec<u8>| checkpoint::encode(step, checkpoint, out);
    batch.push(1, step, checkpoint.state.time, encode);
    if batch.len() > MAX_CHUNK {
        let (bytes, most) = (batch.len(), MAX_CHUNK);
        return Err(RecordError::TooLarge { bytes, most });
    }
    let failed = |e| RecordError::file("write", path)(io_error(e));
    for (header, data) in batch.messages() {
        let written = container.writer.write_to_known_channel(header, data);
        written.map_err(failed)?;
    }
    container.finish()
}

/// Reads a checkpoint from its own file or from a recording: the last one, or the last that is not after `at` (s). The
/// opened recording is returned with it, since it contains model, source and settings.
pub fn load_checkpoint(
    path: &Path,
    at: Option<f64>,
) -> Result<(Recording, TimedCheckpoint), RecordError> {
    let recording = Recording::open(path)?;
    let checkpoint = recording.checkpoint(at)?;
    Ok((recording, checkpoint))
}
