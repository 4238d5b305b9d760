//! How far an import is, for whoever waits for it.

use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A mesh that is about to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Loading<'a> {
    /// Meshes before it.
    pub done: usize,
    /// Meshes in all, if that is known beforehand.
    pub total: Option<usize>,
    /// Its file.
    pub file: &'a Path,
}

/// Tells someone how far an import is.
#[derive(Clone)]
pub struct Progress {
    tell: Arc<dyn Fn(Loading) + Send + Sync>,
    done: Arc<AtomicUsize>,
    /// 0 if unknown.
    total: Arc<AtomicUsize>,
}

impl fmt::Debug for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Progress")
    }
}

impl Progress {
    /// `tell` is called before each mesh is read.
    pub fn new(tell: impl Fn(Loading) + Send + Sync + 'static) -> Self {
        Self {
            tell: Arc::new(tell),
            done: Arc::default(),
            total: Arc::default(),
        }
    }

    /// As many meshes will be read.
    pub(crate) fn expect(&self, meshes: usize) {
        self.total.store(meshes, Ordering::Relaxed);
    }

    /// A mesh is about to be read.
    pub(crate) fn begin(&self, file: &Path) {
        let done = self.done.fetch_add(1, Ordering::Relaxed);
        // Several elements may refer to one file, or one to several.
        let total = Some(self.total.load(Ordering::Relaxed)).filter(|t| *t > done);
        (self.tell)(Loading { done, total, file });
    }
}
