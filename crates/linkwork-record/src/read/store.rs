//! Chunks of a file, the last few kept.

use super::chunk::Chunk;
use super::file::Bytes;
use super::scan::Place;
use crate::error::RecordError;
use std::collections::VecDeque;
use std::path::Path;
use std::sync::Arc;

/// Chunks kept: scrubbing to and fro stays among a few.
const KEPT: usize = 8;

/// Reads chunks.
pub(super) struct Store {
    file: Bytes,
    kept: VecDeque<(u64, Arc<Chunk>)>,
}

impl Store {
    pub fn new(file: Bytes) -> Self {
        Self {
            file,
            kept: VecDeque::with_capacity(KEPT),
        }
    }

    /// The chunk at `place`, which was whole when the file was opened.
    pub fn chunk(&mut self, place: Place, path: &Path) -> Result<Arc<Chunk>, RecordError> {
        if let Some(i) = self.kept.iter().position(|(at, _)| *at == place.offset) {
            let kept = self.kept.remove(i).expect("it was found");
            let chunk = kept.1.clone();
            self.kept.push_back(kept);
            return Ok(chunk);
        }
        let read = self.file.chunk(place.offset, place.length);
        let read = read.map_err(RecordError::file("read", path))?;
        let chunk = Arc::new(read.map_err(|why| RecordError::Changed {
            path: path.to_owned(),
            why,
        })?);
        if self.kept.len() == KEPT {
            self.kept.pop_front();
        }
        self.kept.push_back((place.offset, chunk.clone()));
        Ok(chunk)
    }
}
