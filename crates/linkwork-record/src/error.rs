//! What can be wrong with a recording.

use crate::channels::MessageError;
use linkwork::model::ModelError;
use std::path::PathBuf;

/// Why a recording could not be written or read.
#[non_exhaustive]
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// The file could not be opened, made, read or written.
    #[error("cannot {doing} '{}': {source}", path.display())]
    File {
        /// What was tried.
        doing: &'static str,
        /// The file.
        path: PathBuf,
        /// Message of the system.
        source: std::io::Error,
    },
    /// The file is no MCAP file.
    #[error("'{}' is not a recording: it does not start like an MCAP file", path.display())]
    NotMcap {
        /// The file.
        path: PathBuf,
    },
    /// The MCAP file was not written by Linkwork.
    #[error("'{}' is an MCAP file of profile '{profile}', not a Linkwork recording", path.display())]
    NotLinkwork {
        /// The file.
        path: PathBuf,
        /// Its profile.
        profile: String,
    },
    /// The file is cut off or damaged before the first step.
    #[error("'{}' has no readable {part}: it is cut off or damaged at its beginning", path.display())]
    Head {
        /// The file.
        path: PathBuf,
        /// The first part that is missing.
        part: &'static str,
    },
    /// A part of the head is malformed.
    #[error("'{}': {part} is damaged: {why}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The part.
        part: &'static str,
        /// What is wrong with it.
        why: String,
    },
    /// The recording is of a later format.
    #[error("'{}' is of format {have}, this program reads up to {know}: use a later linkwork", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// Its format.
        have: u32,
        /// The latest format known.
        know: u32,
    },
    /// The model in the file is refused.
    #[error("the model in '{}' cannot be built: {source}", path.display())]
    Model {
        /// The file.
        path: PathBuf,
        /// Why.
        source: ModelError,
    },
    /// A message does not fit its channel.
    #[error("step {step} of '{}' cannot be read: {source}", path.display())]
    Step {
        /// The file.
        path: PathBuf,
        /// Steps since the start of the run.
        step: u64,
        /// Why.
        source: MessageError,
    },
    /// There are not that many steps.
    #[error("'{}' has {len} recorded steps, there is no number {index}", path.display())]
    NoStep {
        /// The file.
        path: PathBuf,
        /// The requested index, from 0.
        index: usize,
        /// How many there are.
        len: usize,
    },
    /// A chunk that was readable is no longer so.
    #[error("'{}' changed while it was read: {why}", path.display())]
    Changed {
        /// The file.
        path: PathBuf,
        /// What no longer reads.
        why: String,
    },
    /// There is no checkpoint, or none early enough.
    #[error("'{}' holds no checkpoint{before}; {known}", path.display())]
    NoCheckpoint {
        /// The file.
        path: PathBuf,
        /// The requested time, as text; empty if any would do.
        before: String,
        /// Which there are, or how to get one.
        known: String,
    },
    /// The model, a step or a checkpoint is larger than a part of a recording may be.
    #[error(
        "a model, step or checkpoint of {bytes} bytes is larger than the {most} bytes a recording can hold; \
         simplify its meshes"
    )]
    TooLarge {
        /// Its size.
        bytes: usize,
        /// The largest there may be.
        most: usize,
    },
    /// The thread that writes the file is gone.
    #[error("writing '{}' has already failed", path.display())]
    Broken {
        /// The file.
        path: PathBuf,
    },
}

impl RecordError {
    /// For `map_err` on file operations.
    pub(crate) fn file(
        doing: &'static str,
        path: &std::path::Path,
    ) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_owned();
        move |source| RecordError::File {
            doing,
            path,
            source,
        }
    }
}
