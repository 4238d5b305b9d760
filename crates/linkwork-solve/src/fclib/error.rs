//! What can be wrong with an FCLIB file.

use crate::file::MAX_PROBLEM_BYTES;
use std::path::PathBuf;

/// An FCLIB problem could not be read or written.
#[non_exhaustive]
#[derive(Debug, thiserror::Error)]
pub enum FclibError {
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
    /// The file is not HDF5, or is damaged.
    #[error("{path}: not a readable HDF5 file ({message}); fetch or write it again")]
    NotHdf5 {
        /// The file.
        path: PathBuf,
        /// Message of the HDF5 reader.
        message: String,
    },
    /// The file is HDF5 but holds no FCLIB problem.
    #[error(
        "{path}: not an FCLIB problem: it has neither group fclib_local nor fclib_global, only {found}; \
         is it another kind of HDF5 file?"
    )]
    NoProblem {
        /// The file.
        path: PathBuf,
        /// The groups that are there.
        found: String,
    },
    /// Rolling friction: five rows per contact.
    #[error(
        "{path}: {what} belongs to a problem with rolling friction, which has five rows per contact; only \
         sliding friction is supported; use an fclib_local or fclib_global problem without it"
    )]
    RollingFriction {
        /// The file.
        path: PathBuf,
        /// The group or dataset that shows it.
        what: String,
    },
    /// The contacts are not three-dimensional.
    #[error(
        "{path}: {dataset} is {spacedim}; only 3 is supported; give every contact a second tangent"
    )]
    Dimension {
        /// The file.
        path: PathBuf,
        /// The dataset.
        dataset: String,
        /// Its value.
        spacedim: i64,
    },
    /// A dataset is not there.
    #[error("{path}: dataset {dataset} is missing; write the file again with FCLIB or write_local")]
    Missing {
        /// The file.
        path: PathBuf,
        /// The dataset.
        dataset: String,
    },
    /// A dataset cannot be read, or its content is not a valid problem.
    #[error("{path}: {dataset}: {message}")]
    Invalid {
        /// The file.
        path: PathBuf,
        /// The dataset.
        dataset: String,
        /// The error, and the expected content.
        message: String,
    },
    /// A local FCLIB problem cannot express this.
    #[error("{path}: a local FCLIB problem cannot hold {what}; save it as JSON (Problem::save)")]
    NotExpressible {
        /// The file that was to be written.
        path: PathBuf,
        /// The part of the problem.
        what: String,
    },
}
