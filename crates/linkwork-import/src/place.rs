//! Positions in a file.

use serde::Serialize;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

/// A position in a file, as errors and notices name it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize)]
pub struct Place {
    /// The file.
    pub file: Arc<PathBuf>,
    /// Line, from 1; 0 where the format has no lines (binary meshes).
    pub line: u32,
    /// Column, from 1; 0 where the format has no lines.
    pub column: u32,
    /// Path of the element, e.g. `mujoco/worldbody/body 'arm'/geom 2`; empty for the file as a whole. Shared, because
    /// every attribute of an element and everything made from it stores its position.
    pub element: Arc<str>,
}

impl Place {
    /// The file as a whole.
    pub fn file(file: impl Into<PathBuf>) -> Self {
        Self {
            file: Arc::new(file.into()),
            ..Self::default()
        }
    }

    /// A line of a text file.
    pub fn at_line(&self, line: u32, column: u32) -> Self {
        Self {
            line,
            column,
            ..self.clone()
        }
    }

    /// The same position, with the element's path replaced.
    pub fn element(&self, element: impl Into<Arc<str>>) -> Self {
        Self {
            element: element.into(),
            ..self.clone()
        }
    }
}

impl fmt::Display for Place {
    /// `file:line:column: element`, without unknown parts.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file.display())?;
        if self.line > 0 {
            write!(f, ":{}", self.line)?;
        }
        if self.column > 0 {
            write!(f, ":{}", self.column)?;
        }
        if !self.element.is_empty() {
            write!(f, ": {}", self.element)?;
        }
        Ok(())
    }
}
