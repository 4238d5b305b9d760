//! Instructions per step: `linkwork` continues from a checkpoint under callgrind, once for one step and once for more.
//! The difference excludes loading, building and the first step's buffers.

use super::case::SpeedCase;
use super::record::Speed;
use super::watch::Watched;
use crate::error::BenchError;
use linkwork::Scene;
use linkwork::{Checkpoint, Run};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Counts instructions.
pub struct Counter {
    program: PathBuf,
    steps: u64,
    scratch: PathBuf,
}

/// Steps to take from a checkpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Window {
    /// File of the [`Checkpoint`].
    pub from: PathBuf,
    /// How many steps.
    pub steps: u64,
}

impl Counter {
    /// Counts `steps` steps of a part by starting `program`, a `linkwork`, under valgrind; files go to `scratch`.
    pub fn new(program: PathBuf, steps: u64, scratch: &Path) -> Result<Self, BenchError> {
        let there = Command::new("valgrind").arg("--version").output();
        match there {
            Ok(answer) if answer.status.success() => Ok(Self {
                program,
                steps: steps.max(1),
                scratch: scratch.to_owned(),
            }),
            _ => Err(BenchError::Missing {
                what: "valgrind not found".to_owned(),
                remedy: "install it, or leave out --instructions".to_owned(),
            }),
        }
    }

    /// Instructions of the program from start to end.
    fn total(&self, case: &SpeedCase, window: &Window) -> Result<f64, BenchError> {
        let out = self.scratch.join("callgrind.out");
        let answer = Command::new("valgrind")
            .args(["--tool=callgrind", "--quiet"])
            .arg(format!("--callgrind-out-file={}", out.display()))
            .arg(&self.program)
            .args(["bench", "steps"])
            .args(&case.arguments)
            .arg("--from")
            .arg(&window.from)
            .args(["--steps", &window.steps.to_string()])
            .output()
            .map_err(BenchError::io("run", Path::new("valgrind")))?;
        let text = std::fs::read_to_string(&out).unwrap_or_default();
        let _ = std::fs::remove_file(&out);
        let totals = text.lines().find_map(|l| l.strip_prefix("totals:"));
        let totals = totals.and_then(|t| t.trim().parse().ok());
        totals
            .filter(|_| answer.status.success())
            .ok_or_else(|| BenchError::Missing {
                what: format!(
                    "no instructions counted of {}: {}",
                    case.name,
                    String::from_utf8_lossy(&answer.stderr).trim()
                ),
                remedy: "leave out --instructions".to_owned(),
            })
    }
}

/// Count a window amid each part.
pub(super) fn count(
    counter: &Counter,
    case: &SpeedCase,
    watched: &Watched,
    record: &mut Speed,
) -> Result<(), BenchError> {
    let from = counter.scratch.join("checkpoint.json");
    let mut run = case.run()?;
    let (mut taken, mut first) = (0, 0);
    for (part, counts) in [&mut record.moving, &mut record.rest]
        .into_iter()
        .zip(&watched.parts)
    {
        let Some(part) = part else {
            continue;
        };
        // One additional step: the first of a window allocates its buffers.
        let steps = counter.steps.min(counts.steps.saturating_sub(1)).max(1);
        let begin = first + (counts.steps.saturating_sub(steps + 1)) / 2;
        while taken < begin {
            run.step()?;
            taken += 1;
        }
        let text = serde_json::to_vec(&run.checkpoint());
        let text = text.map_err(|e| BenchError::io("write", &from)(e.into()))?;
        std::fs::write(&from, text).map_err(BenchError::io("write", &from))?;
        let total = |steps| {
            let from = from.clone();
            counter.total(case, &Window { from, steps })
        };
        part.instructions = Some((total(steps + 1)? - total(1)?) / steps as f64);
        first += counts.steps;
    }
    let _ = std::fs::remove_file(&from);
    Ok(())
}

/// Take the steps of a window of a scene: what runs under callgrind.
pub fn count_steps(scene: Scene, window: &Window) -> Result<(), BenchError> {
    let text = std::fs::read(&window.from).map_err(BenchError::io("read", &window.from))?;
    let checkpoint: Checkpoint =
        serde_json::from_slice(&text).map_err(|e| crate::lines::malformed(&window.from, 0, &e))?;
    let mut run = Run::resume(scene.model, &checkpoint, scene.script)?;
    for _ in 0..window.steps {
        run.step()?;
    }
    Ok(())
}
