//! A campaign: workers read damaged inputs one after the other. If one dies, hangs or has a finding, the input is
//! stored and the next worker continues with the next input.

use crate::Target;
use crate::progress::{Progress, ProgressFile};
use crate::worker::{FOUND, HUNG, Range};
use std::io::Result;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};

/// Memory that a worker may take, kB: an input that needs more makes it abort.
pub const MEMORY: u64 = 512 * 1024;
/// A campaign ends after as many findings.
const MOST: usize = 10;

/// An input that a reader did not take as it should.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Its number in the campaign.
    pub run: u64,
    /// The input.
    pub input: Vec<u8>,
    /// What happened.
    pub said: String,
}

/// What a campaign did.
#[derive(Clone, Debug, Default)]
pub struct Campaign {
    /// How far it came, over all workers.
    pub progress: Progress,
    /// What it found.
    pub findings: Vec<Finding>,
}

/// Run a campaign with the worker program `program` in an empty folder.
pub fn supervise(
    program: &Path,
    target: &Target,
    range: &Range,
    folder: &Path,
) -> Result<Campaign> {
    let mut campaign = Campaign::default();
    let mut first = range.first;
    loop {
        // The shell sets the limit for the worker alone. Address space that is only reserved does not count.
        let ended = Command::new("sh")
            .args([
                "-c",
                &format!("ulimit -c 0; ulimit -d {MEMORY}; exec \"$@\""),
                "sh",
            ])
            .arg(program)
            .args(["--worker", target.name, "--folder"])
            .arg(folder)
            .args(["--first", &first.to_string()])
            .args(["--runs", &range.runs.to_string()])
            .args(["--seed", &range.seed.to_string()])
            .args(["--patience", &range.patience.as_secs_f64().to_string()])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()?;
        campaign.progress = ProgressFile::read(folder)?;
        if ended.success() {
            return Ok(campaign);
        }
        let run = campaign.progress.run;
        if run < first || ended.code() == Some(2) {
            return Err(std::io::Error::other("the worker did not start"));
        }
        campaign.findings.push(Finding {
            run,
            input: std::fs::read(folder.join(target.file))?,
            said: what_happened(ended, range, folder),
        });
        if campaign.findings.len() >= MOST {
            return Ok(campaign);
        }
        first = run + 1;
    }
}

fn what_happened(ended: ExitStatus, range: &Range, folder: &Path) -> String {
    match (ended.code(), ended.signal()) {
        (Some(FOUND), _) => std::fs::read_to_string(folder.join("said"))
            .unwrap_or_else(|e| format!("stopped at it, and did not say why: {e}")),
        (Some(HUNG), _) => format!("does not end in {} s", range.patience.as_secs_f64()),
        (_, Some(signal)) => format!("signal {signal}: out of {MEMORY} kB or of stack, or aborted"),
        (code, None) => format!("exit code {code:?}"),
    }
}
