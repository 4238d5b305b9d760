//! What can go wrong in a benchmark.

use linkwork::inverse::InverseError;
use linkwork::{SetupError, StepError};
use linkwork_import::suggest;
use linkwork_scenes::SceneError;
use linkwork_solve::{FileError, UnknownSolver};
use std::path::{Path, PathBuf};

/// A benchmark could not be run, or could not be read.
#[non_exhaustive]
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    /// A file or folder could not be read or written.
    #[error("cannot {action} '{path}': {source}")]
    Io {
        /// Read, write, make.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// Message of the system.
        source: std::io::Error,
    },
    /// A file of the benchmark does not hold what it should.
    #[error("{path}:{line}: {message}; remove the file, or use another folder")]
    Malformed {
        /// The file.
        path: PathBuf,
        /// Line, from 1; 0 for the whole.
        line: usize,
        /// What is wrong.
        message: String,
    },
    /// There is nothing to work on.
    #[error("{what}; {remedy}")]
    Missing {
        /// What is not there.
        what: String,
        /// How to get it.
        remedy: String,
    },
    /// A name is not known.
    #[error("there is no {kind} '{name}'; {remedy}")]
    Unknown {
        /// System, class, experiment.
        kind: &'static str,
        /// The requested name.
        name: String,
        /// The nearest name, or all there are.
        remedy: String,
    },
    /// A scene could not be built.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// A simulator refused its settings.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// A step was refused.
    #[error(transparent)]
    Step(#[from] StepError),
    /// A motion could not be inverted.
    #[error(transparent)]
    Inverse(#[from] InverseError),
    /// There is no such solver.
    #[error(transparent)]
    Solver(#[from] UnknownSolver),
    /// A problem could not be read or written.
    #[error(transparent)]
    Problem(#[from] FileError),
}

impl BenchError {
    /// There is no such `kind` of thing among `known`.
    pub(crate) fn unknown(kind: &'static str, name: &str, known: &[&str]) -> Self {
        Self::Unknown {
            kind,
            name: name.to_owned(),
            remedy: suggest::remedy(name, known),
        }
    }

    /// For `map_err`: `action` ("read", "write", "make") failed on `path`.
    pub fn io(action: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> Self + use<> {
        let path = path.to_owned();
        move |source| BenchError::Io {
            action,
            path,
            source,
        }
    }
}
