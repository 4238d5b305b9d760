//! Problems as files: JSON whose numbers read back to the same bits.

use crate::check::ProblemError;
use crate::problem::Problem;
use std::fs::File;
use std::io::{BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

/// A problem could not be saved or loaded.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The file could not be opened, read or written.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The text is not a problem.
    #[error(
        "{path}:{line}:{column}: not a Linkwork problem: {message}; write one with Problem::save"
    )]
    Syntax {
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// What the parser said.
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

impl Problem {
    /// Write the problem to `path`.
    pub fn save(&self, path: &Path) -> Result<(), FileError> {
        let io = |source| FileError::Io {
            path: path.to_owned(),
            source,
        };
        let mut out = BufWriter::new(File::create(path).map_err(io)?);
        serde_json::to_writer(&mut out, self).map_err(|e| io(e.into()))?;
        out.flush().map_err(io)
    }

    /// Read a problem from `path` and check that its parts fit together.
    pub fn load(path: &Path) -> Result<Self, FileError> {
        let file = File::open(path).map_err(|source| FileError::Io {
            path: path.to_owned(),
            source,
        })?;
        let problem: Problem =
            serde_json::from_reader(BufReader::new(file)).map_err(|e| FileError::Syntax {
                path: path.to_owned(),
                line: e.line(),
                column: e.column(),
                message: e.to_string(),
            })?;
        match problem.check() {
            Ok(()) => Ok(problem),
            Err(source) => Err(FileError::Inconsistent {
                path: path.to_owned(),
                source,
            }),
        }
    }
}
