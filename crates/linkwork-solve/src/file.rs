//! Problems as files: JSON whose numbers read back to the same bits.

use crate::problem::{Operator, Problem};
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
    /// The parts do not fit together.
    #[error("{path}: {message}")]
    Inconsistent {
        /// The file.
        path: PathBuf,
        /// Which parts, and how they should fit.
        message: String,
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
        match problem.inconsistency() {
            None => Ok(problem),
            Some(message) => Err(FileError::Inconsistent {
                path: path.to_owned(),
                message,
            }),
        }
    }

    /// What does not fit together in this problem, if anything.
    pub fn inconsistency(&self) -> Option<String> {
        if let Some(k) = self.sets.malformed() {
            return Some(format!("set {k}: its rows or its bound do not fit"));
        }
        let n = self.rows();
        let mut lengths = vec![
            ("v_bias", self.v_bias.len(), n),
            ("compliance", self.compliance.len(), n),
        ];
        match &self.operator {
            Operator::Bodies {
                mass,
                jacobian,
                u_free,
            } => {
                lengths.push(("jacobian rows", jacobian.rows(), n));
                lengths.push(("jacobian blocks", jacobian.blocks(), self.sets.len()));
                lengths.push(("u_free", u_free.len(), 6 * mass.len()));
                lengths.push(("jacobian bodies", jacobian.bodies(), mass.len()));
                if let Some(k) = jacobian.malformed_block() {
                    return Some(format!(
                        "jacobian block {k} names a body or value out of range"
                    ));
                }
                for k in 0..jacobian.blocks().min(self.sets.len()) {
                    lengths.push((
                        "rows of a jacobian block",
                        jacobian.rows_of(k).len(),
                        self.sets.set(k).dim(),
                    ));
                }
            }
            Operator::Delassus { matrix, v_free } => {
                if let Some(r) = matrix.malformed_row() {
                    return Some(format!(
                        "Delassus row {r}: columns must ascend and lie within the matrix"
                    ));
                }
                lengths.push(("Delassus rows", matrix.rows(), n));
                lengths.push(("v_free", v_free.len(), n));
            }
        }
        lengths
            .into_iter()
            .find(|(_, have, want)| have != want)
            .map(|(what, have, want)| format!("{what}: {have} where {want} are needed"))
            .or_else(|| {
                self.compliance
                    .iter()
                    .position(|r| *r < 0.0 || r.is_nan())
                    .map(|i| {
                        format!(
                            "compliance of row {i} is {}, must be ≥ 0",
                            self.compliance[i]
                        )
                    })
            })
    }
}
