//! What a worker leaves behind, also when it dies: counts in a file that is written before every input.

use std::fs::File;
use std::io::Result;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How far a worker is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Number of the input that is being read, from 0; when all is done, how many there were.
    pub run: u64,
    /// Inputs that were read without an error.
    pub read: u64,
    /// Longest time of an input.
    pub slowest: Duration,
    /// Greatest resident memory, kB; looked up now and then.
    pub memory: u64,
    /// Inputs kept because they reached something new.
    pub kept: u64,
}

/// The file.
pub struct ProgressFile(File);

fn path(folder: &Path) -> PathBuf {
    folder.join("progress")
}

impl ProgressFile {
    /// A new one in the folder of a worker.
    pub fn create(folder: &Path) -> Result<Self> {
        File::create(path(folder)).map(Self)
    }

    /// Write the counts in place of the last ones.
    pub fn write(&self, p: &Progress) -> Result<()> {
        let slowest = p.slowest.as_micros() as u64;
        let mut bytes = [0; 40];
        for (to, value) in bytes
            .chunks_exact_mut(8)
            .zip([p.run, p.read, slowest, p.memory, p.kept])
        {
            to.copy_from_slice(&value.to_le_bytes());
        }
        self.0.write_all_at(&bytes, 0)
    }

    /// What a worker left in its folder.
    pub fn read(folder: &Path) -> Result<Progress> {
        let bytes = std::fs::read(path(folder))?;
        let mut values = bytes
            .chunks_exact(8)
            .map(|c| u64::from_le_bytes(c.try_into().expect("eight bytes")));
        let mut next = || values.next().unwrap_or(0);
        Ok(Progress {
            run: next(),
            read: next(),
            slowest: Duration::from_micros(next()),
            memory: next(),
            kept: next(),
        })
    }
}

/// Maximum resident memory of the process so far, kB; Linux only.
pub fn greatest_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|l| l.starts_with("VmHWM"));
    line.and_then(|l| l.split_whitespace().nth(1)?.parse().ok())
        .unwrap_or(0)
}
