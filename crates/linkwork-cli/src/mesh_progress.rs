//! How many meshes of a file are loaded, on a terminal and when that takes long.

use linkwork_import::{Loading, Progress};
use std::io::{IsTerminal, Write, stderr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Nobody wonders before this.
const PATIENCE: Duration = Duration::from_millis(500);

/// A line on standard error that is replaced as loading goes on, and removed at its end.
pub struct MeshProgress {
    shown: Arc<AtomicBool>,
    began: Instant,
}

impl MeshProgress {
    /// From now on; `None` where no one looks.
    pub fn start() -> Option<Self> {
        stderr().is_terminal().then(|| Self {
            shown: Arc::default(),
            began: Instant::now(),
        })
    }

    /// Messages of the import.
    pub fn told(&self) -> Progress {
        let (shown, began) = (self.shown.clone(), self.began);
        Progress::new(move |loading| {
            if began.elapsed() >= PATIENCE {
                shown.store(true, Ordering::Relaxed);
                // Nothing is lost if standard error is closed.
                let _ = write!(stderr(), "\r\x1b[K{}", text(&loading));
                let _ = stderr().flush();
            }
        })
    }
}

impl Drop for MeshProgress {
    fn drop(&mut self) {
        if self.shown.load(Ordering::Relaxed) {
            let _ = write!(stderr(), "\r\x1b[K");
        }
    }
}

fn text(loading: &Loading) -> String {
    let number = loading.done + 1;
    let name = loading.file.file_name().unwrap_or_default();
    let name = name.to_string_lossy();
    match loading.total {
        Some(total) => format!("loading meshes {number}/{total}  {name}"),
        None => format!("loading meshes {number}  {name}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn the_line_counts_from_one() {
        let loading = |total| Loading {
            done: 11,
            total,
            file: Path::new("assets/arm.stl"),
        };
        assert_eq!(text(&loading(Some(40))), "loading meshes 12/40  arm.stl");
        assert_eq!(text(&loading(None)), "loading meshes 12  arm.stl");
    }
}
