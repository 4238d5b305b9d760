//! What an experiment is given.

use crate::progress::Progress;
use std::path::{Path, PathBuf};

/// Under which conditions an experiment runs.
pub struct Context<'a> {
    /// Fewer cases and shorter runs: a minute for all experiments together rather than twenty.
    pub quick: bool,
    /// Folder with the FCLIB problems, if there is one.
    pub fclib: Option<PathBuf>,
    /// Told how far it is.
    pub progress: &'a dyn Progress,
}

impl Context<'_> {
    /// The folder with FCLIB problems: LINKWORK_DATA/fclib, or in the shared folder beside the repository.
    pub fn find_fclib() -> Option<PathBuf> {
        find("fclib")
    }

    /// The folder with models of robots, found likewise.
    pub fn find_models() -> Option<PathBuf> {
        find("models")
    }

    /// The folder, or the message of an experiment that needs it.
    pub fn fclib(&self) -> Option<&Path> {
        self.fclib.as_deref()
    }
}

fn find(name: &str) -> Option<PathBuf> {
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data");
    let data = std::env::var_os("LINKWORK_DATA").map_or_else(|| beside.into(), PathBuf::from);
    let folder = data.join(name);
    folder.is_dir().then_some(folder)
}
