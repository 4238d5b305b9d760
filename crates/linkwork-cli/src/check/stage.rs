//! What a check is at, on a terminal.

use std::io::{IsTerminal, Write, stderr};

/// A line on standard error that is replaced as the check proceeds, and removed at its end.
pub struct Stage {
    shown: bool,
}

impl Stage {
    /// Nothing is shown where no one looks.
    pub fn start() -> Self {
        Self {
            shown: stderr().is_terminal(),
        }
    }

    /// From now on it is at `what`.
    pub fn begin(&mut self, what: &str) {
        self.line(&format!("checking: {what}"));
    }

    fn line(&self, text: &str) {
        if self.shown {
            // Nothing is lost if standard error is closed.
            let _ = write!(stderr(), "\r\x1b[K{text}");
            let _ = stderr().flush();
        }
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        self.line("");
    }
}
