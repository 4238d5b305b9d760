//! How a command fails, and the exit code for it.

use crate::interrupt;
use std::fmt;

/// Why a command failed.
#[derive(Debug)]
pub enum Failure {
    /// The question was wrong: exit code 2.
    Usage(String),
    /// The simulation failed: exit code 1.
    Run(String),
    /// Ctrl-C ended the run after so many steps: exit code 130.
    Interrupted(u64),
    /// Ctrl-C ended it, and nothing was written: exit code 130.
    Abandoned,
    /// Standard output could not be written: exit code 1.
    Output(std::io::Error),
    /// Standard output was closed by its reader; not an error.
    ClosedPipe,
}

impl Failure {
    /// The process exit code.
    pub fn code(&self) -> u8 {
        match self {
            Failure::Usage(_) => 2,
            Failure::Run(_) | Failure::Output(_) => 1,
            Failure::Interrupted(_) | Failure::Abandoned => interrupt::EXIT_CODE,
            Failure::ClosedPipe => 0,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Usage(message) | Failure::Run(message) => f.write_str(message),
            Failure::Interrupted(steps) => {
                write!(
                    f,
                    "interrupted after {steps} steps; what was written is complete"
                )
            }
            Failure::Abandoned => f.write_str("interrupted; nothing was written"),
            Failure::Output(error) => write!(f, "could not write the output: {error}"),
            Failure::ClosedPipe => f.write_str("the output was closed"),
        }
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        match error.kind() {
            std::io::ErrorKind::BrokenPipe => Failure::ClosedPipe,
            _ => Failure::Output(error),
        }
    }
}

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Self {
        std::io::Error::from(error).into()
    }
}

/// A [`Failure::Usage`] from any error.
pub fn usage(error: impl fmt::Display) -> Failure {
    Failure::Usage(error.to_string())
}
