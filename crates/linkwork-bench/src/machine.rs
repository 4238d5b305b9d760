//! What the numbers were measured on.

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
        }
    }
}
