//! Problems as files: JSON whose numbers read back to the same bits.

use crate::check::ProblemError;
use crate::problem::Problem;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Format of the files that [`Problem::save`] writes, under the key `linkwork_problem`. Files without the key are of format 1.
pub const PROBLEM_FORMAT: u32 = 1;

/// Largest file that is read, bytes: in memory it takes about as much.
pub const MAX_PROBLEM_BYTES: u64 = 1 << 30;

/// A problem could not be saved or loaded.
#[non_exhaustive]
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The file could not be opened, read or written.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// Message of the system.
        source: std::io::Error,
    },
    /// The file is too large.
    #[error("{path}: {bytes} bytes; problems above {MAX_PROBLEM_BYTES} bytes are not read")]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// Its size.
        bytes: u64,
    },
    /// The problem is of a later format.
    #[error(
        "{path}: format {have}, this program reads up to {PROBLEM_FORMAT}: use a later linkwork"
    )]
    Format {
        /// The file.
        path: PathBuf,
        /// Its format.
        have: u32,
    },
    /// The text is not a problem.
    #[error(
        "{path}:{line}:{column}: not a Linkwork problem: {message}; write problems with `linkwork run --dump` or Problem::save"
    )]
    Syntax {
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// Message of the parser.
        message: String,
    },
    /// The parts do not fit together, or a number is out of range.
    #[error("{path}: {source}")]
    Inconsistent {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: ProblemError,
    },
}

/// A problem as it is written.
#[derive(Serialize)]
struct Saved<'a> {
    linkwork_problem: u32,
    #[serde(flatten)]
    problem: &'a Problem,
}

/// The key that defines the format of a file.
#[derive(Deserialize)]
struct Head {
    #[serde(default = "first")]
    linkwork_problem: u32,
}

fn first() -> u32 {
    1
}

impl Problem {
    /// Write the problem to `path`.
    pub fn save(&self, path: &Path) -> Result<(), FileError> {
        let io = |source| FileError::Io {
            path: path.to_owned(),
            source,
        };
        let mut out = BufWriter::new(File::create(path).map_err(io)?);
        let file = Saved {
            linkwork_problem: PROBLEM_FORMAT,
            problem: self,
        };
        serde_json::to_writer(&mut out, &file).map_err(|e| io(e.into()))?;
        out.flush().map_err(io)
    }

    /// Read a problem from `path` and check that its parts fit together.
    pub fn load(path: &Path) -> Result<Self, FileError> {
        let io = |source| FileError::Io {
            path: path.to_owned(),
            source,
        };
        let facts = std::fs::metadata(path).map_err(io)?;
        // Opening a pipe would wait for its writer forever.
        if !facts.is_file() {
            return Err(io(std::io::Error::other("not a regular file")));
        }
        if facts.len() > MAX_PROBLEM_BYTES {
            return Err(FileError::TooLarge {
                path: path.to_owned(),
                bytes: facts.len(),
            });
        }
        let syntax = |e: serde_json::Error| {
            let (message, at) = (e.to_string(), format!(" at line {}", e.line()));
            FileError::Syntax {
                path: path.to_owned(),
                line: e.line(),
                column: e.column(),
                // The place is in the error already.
                message: message.split(&at).next().unwrap_or_default().to_owned(),
            }
        };
        let open = || File::open(path).map(BufReader::new).map_err(io);
        // Looked at first: a later format may have other parts.
        let head: Head = serde_json::from_reader(open()?).map_err(syntax)?;
        if head.linkwork_problem > PROBLEM_FORMAT {
            return Err(FileError::Format {
                path: path.to_owned(),
                have: head.linkwork_problem,
            });
        }
        let problem: Problem = serde_json::from_reader(open()?).map_err(syntax)?;
        match problem.check() {
            Ok(()) => Ok(problem),
            Err(source) => Err(FileError::Inconsistent {
                path: path.to_owned(),
                source,
            }),
        }
    }
}
