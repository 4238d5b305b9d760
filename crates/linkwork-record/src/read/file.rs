//! The bytes of a recording, read where they are needed.

use super::chunk::{Chunk, PREFIX};
use super::fields::{CHUNK_HEAD, chunk_head};
use mcap::records::op;
use std::fs::File;
use std::io::{Read, Result, Seek, SeekFrom};

/// Bytes looked through at a time for a chunk.
const WINDOW: usize = 1 << 20;

/// A file of known size.
pub(super) struct Bytes {
    file: File,
    /// Size when it was opened; what is appended later is not seen.
    pub len: u64,
    buffer: Vec<u8>,
}

impl Bytes {
    pub fn new(file: File) -> Result<Self> {
        let len = file.metadata()?.len();
        Ok(Self {
            file,
            len,
            buffer: Vec::new(),
        })
    }

    /// Up to `n` bytes at `offset`: fewer at the end of the file.
    pub fn at(&mut self, offset: u64, n: u64) -> Result<&[u8]> {
        let n = n.min(self.len.saturating_sub(offset));
        self.file.seek(SeekFrom::Start(offset))?;
        self.buffer.clear();
        (&mut self.file).take(n).read_to_end(&mut self.buffer)?;
        Ok(&self.buffer)
    }

    /// Read a chunk whose record is `length` bytes long, prefix included.
    pub fn chunk(
        &mut self,
        offset: u64,
        length: u64,
    ) -> Result<std::result::Result<Chunk, String>> {
        Ok(Chunk::read(self.at(offset, length)?))
    }

    /// Start of the next record that looks like a chunk, at or after `offset`.
    pub fn find_chunk(&mut self, mut offset: u64) -> Result<Option<u64>> {
        let head = PREFIX + CHUNK_HEAD;
        while offset < self.len {
            let end = self.len;
            let window = self.at(offset, (WINDOW + head) as u64)?;
            let found = (0..window.len().min(WINDOW)).find(|&i| {
                let rest = &window[i..];
                let looks = |length: &[u8; 8]| {
                    let length = u64::from_le_bytes(*length);
                    let left = end - offset - i as u64 - PREFIX as u64;
                    length <= left && chunk_head(&rest[PREFIX..], length).is_some()
                };
                rest[0] == op::CHUNK && rest[1..].first_chunk().is_some_and(looks)
            });
            if let Some(i) = found {
                return Ok(Some(offset + i as u64));
            }
            offset += WINDOW as u64;
        }
        Ok(None)
    }
}
