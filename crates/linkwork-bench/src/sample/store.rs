//! Samples on the disk: `SYSTEM.jsonl.zst`, a [`Sample`] a line; `index.jsonl`, a [`SampleInfo`] a line;
//! and `taken.json`, how each system was sampled.

use super::SampleOptions;
use crate::error::BenchError;
use crate::folder::Folder;
use crate::lines::{read_lines, replace, write_lines};
use crate::results::SampleInfo;
use crate::suite::{SYSTEMS, System};
use linkwork_solve::Problem;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Compression of the sample files: a second for all, a quarter smaller than the default.
const LEVEL: i32 = 12;

/// A problem of a run, with the data available before its solve.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sample {
    /// Name and facts.
    pub info: SampleInfo,
    /// The problem as it was solved last: with the biases that close the joints.
    pub problem: Problem,
    /// Impulses of the step before, matched by joint and contact: the warm start. N s or N m s.
    pub guess: Vec<f64>,
}

/// How a system was sampled.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Taken {
    time_s: f64,
    most: usize,
    /// Hash of the model, 16 hexadecimal digits.
    model: String,
}

impl Taken {
    /// With the given `options`.
    pub fn of(system: &System, options: &SampleOptions) -> Result<Self, BenchError> {
        Ok(Self {
            time_s: options.time_s,
            most: options.most,
            model: format!("{:016x}", system.scene()?.model.hash()),
        })
    }
}

/// The samples of a folder while they are taken.
pub(super) struct Store {
    folder: Folder,
    books: Mutex<Books>,
}

/// What the index files hold.
struct Books {
    index: Vec<SampleInfo>,
    taken: BTreeMap<String, Taken>,
}

impl Store {
    /// Continues with the content of `folder`.
    pub fn open(folder: &Folder) -> Result<Self, BenchError> {
        let path = taken_file(folder);
        // Written by this program only; an unreadable one counts as missing.
        let taken = std::fs::read(path).unwrap_or_default();
        let taken = serde_json::from_slice(&taken).unwrap_or_default();
        let index = load_index(folder)?;
        Ok(Self {
            folder: folder.clone(),
            books: Mutex::new(Books { index, taken }),
        })
    }

    /// Whether the system was sampled as in `wanted`.
    pub fn holds(&self, system: &System, wanted: &Taken) -> bool {
        let books = self.books.lock().unwrap_or_else(PoisonError::into_inner);
        books.taken.get(system.name) == Some(wanted) && file(&self.folder, system.name).is_file()
    }

    /// Put the samples of a system in place of those there were; true if there were others.
    pub fn put(
        &self,
        system: &System,
        taken: Taken,
        samples: &[Sample],
    ) -> Result<bool, BenchError> {
        let path = file(&self.folder, system.name);
        let bytes = compress(samples).map_err(BenchError::io("write", &path))?;
        let before = std::fs::read(&path).ok();
        replace(&path, &bytes)?;
        let mut books = self.books.lock().unwrap_or_else(PoisonError::into_inner);
        books.index.retain(|info| info.system != system.name);
        books.index.extend(samples.iter().map(|s| s.info.clone()));
        books.index.sort_by_key(|info| (rank(info), info.step));
        books.taken.insert(system.name.to_owned(), taken);
        write_lines(&index_file(&self.folder), &books.index)?;
        let path = taken_file(&self.folder);
        let text = serde_json::to_vec(&books.taken);
        let text = text.map_err(|e| BenchError::io("write", &path)(e.into()))?;
        replace(&path, &text)?;
        Ok(before.is_some_and(|before| before != bytes))
    }
}

/// The index of the samples in `folder`, in the order of the suite and of time.
pub fn load_index(folder: &Folder) -> Result<Vec<SampleInfo>, BenchError> {
    read_lines(&index_file(folder))
}

/// The samples of a system, in the order of time.
pub fn load_samples(folder: &Folder, system: &str) -> Result<Vec<Sample>, BenchError> {
    let path = file(folder, system);
    let input = std::fs::File::open(&path).map_err(BenchError::io("read", &path))?;
    let input = zstd::Decoder::new(input).map_err(BenchError::io("read", &path))?;
    let mut samples = Vec::new();
    for (i, line) in BufReader::new(input).lines().enumerate() {
        let line = line.map_err(BenchError::io("read", &path))?;
        samples.push(parse(&path, i + 1, &line)?);
    }
    Ok(samples)
}

fn parse(path: &Path, line: usize, text: &str) -> Result<Sample, BenchError> {
    let malformed = |message| BenchError::Malformed {
        path: path.to_owned(),
        line,
        message,
    };
    let sample: Sample = serde_json::from_str(text).map_err(|e| malformed(e.to_string()))?;
    match sample.problem.check() {
        Ok(()) => Ok(sample),
        Err(error) => Err(malformed(error.to_string())),
    }
}

fn compress(samples: &[Sample]) -> std::io::Result<Vec<u8>> {
    let mut out = zstd::Encoder::new(Vec::new(), LEVEL)?;
    for sample in samples {
        serde_json::to_writer(&mut out, sample)?;
        out.write_all(b"\n")?;
    }
    out.finish()
}

/// Place of a sample's system in the suite.
fn rank(info: &SampleInfo) -> usize {
    let place = SYSTEMS.iter().position(|s| s.name == info.system);
    place.unwrap_or(SYSTEMS.len())
}

fn file(folder: &Folder, system: &str) -> PathBuf {
    folder.samples().join(format!("{system}.jsonl.zst"))
}

fn index_file(folder: &Folder) -> PathBuf {
    folder.samples().join("index.jsonl")
}

fn taken_file(folder: &Folder) -> PathBuf {
    folder.samples().join("taken.json")
}
