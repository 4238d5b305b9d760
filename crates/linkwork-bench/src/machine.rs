//! What the numbers were measured on.

use crate::error::BenchError;
use crate::folder::Folder;
use crate::lines::replace;
use crate::progress::Progress;
use serde::{Deserialize, Serialize};
use std::time::{SystemTime, UNIX_EPOCH};

/// Stamp of a machine and a version.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Machine {
    /// Version of Linkwork.
    pub version: String,
    /// Commit it was built from, "unknown" outside a repository.
    pub commit: String,
    /// Compiler.
    pub rustc: String,
    /// Optimised or not.
    pub profile: String,
    /// Processor.
    pub processor: String,
    /// Cores the program may use.
    pub cores: usize,
    /// Operating system and architecture.
    pub system: String,
    /// Seconds since 1970, UTC.
    pub unix_s: u64,
    /// Processes that ran or waited for a core over the last minute, the maximum over all stamps of the folder; `None`
    /// if the system does not report it.
    #[serde(default)]
    pub load: Option<f64>,
}

impl Machine {
    /// This machine, now.
    pub fn here() -> Self {
        let cpu = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let model = cpu.lines().find(|line| line.starts_with("model name"));
        let processor = model.and_then(|line| line.split(": ").nth(1));
        Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            commit: env!("LINKWORK_COMMIT").to_owned(),
            rustc: env!("LINKWORK_RUSTC").to_owned(),
            profile: env!("LINKWORK_PROFILE").to_owned(),
            processor: processor.unwrap_or("unknown").to_owned(),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
            unix_s: SystemTime::now()
                .duration_since(UNIX_EPOCH)
                .map_or(0, |t| t.as_secs()),
            load: load(&std::fs::read_to_string("/proc/loadavg").unwrap_or_default()),
        }
    }
}

/// The mean over the last minute from the text of /proc/loadavg.
fn load(text: &str) -> Option<f64> {
    text.split_whitespace().next()?.parse().ok()
}

/// Stamps the folder with this machine before a measurement, and reports if its results were measured by another
/// machine or version.
pub(crate) fn stamp(folder: &Folder, progress: &dyn Progress) -> Result<(), BenchError> {
    let (mut here, path) = (Machine::here(), folder.machine());
    let before = std::fs::read(&path).unwrap_or_default();
    if let Ok(before) = serde_json::from_slice::<Machine>(&before) {
        let unlike = |a: &String, b: &String| (a != b).then(|| a.clone());
        let differs = unlike(&before.processor, &here.processor)
            .or(unlike(&before.commit, &here.commit))
            .or(unlike(&before.profile, &here.profile));
        if let Some(what) = differs {
            let text = "earlier results in this folder were measured elsewhere";
            progress.note(&format!("{text} ({what}): times may not compare"));
        }
        let loads = before.load.into_iter().chain(here.load);
        here.load = loads.reduce(f64::max);
    }
    let text = serde_json::to_vec(&here);
    let text = text.map_err(|e| BenchError::io("write", &path)(e.into()))?;
    replace(&path, &text)
}
