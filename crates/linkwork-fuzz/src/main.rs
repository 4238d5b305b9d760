//! `linkwork-fuzz [TARGET …] --runs N`: damaged input for the readers named, or for all.

use clap::Parser;
use linkwork_fuzz::broken::BROKEN;
use linkwork_fuzz::worker::{Range, work};
use linkwork_fuzz::{Campaign, TARGETS, Target, supervise};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Passes damaged input to readers, and reports panics, hangs and slow inputs.
#[derive(Parser)]
struct Args {
    /// Targets; all if none is named.
    targets: Vec<String>,
    /// Damaged inputs a target.
    #[arg(long, default_value_t = 100_000)]
    runs: u64,
    /// Seed of the generator.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of the first input.
    #[arg(long, default_value_t = 0)]
    first: u64,
    /// Time after which an input counts as hanging, s.
    #[arg(long, default_value_t = 10.0)]
    patience: f64,
    /// Where findings are kept.
    #[arg(long, default_value = "fuzz-findings")]
    keep: PathBuf,
    /// Read a file as the target would, instead.
    #[arg(long)]
    file: Option<PathBuf>,
    /// Be the process that reads the inputs of this target.
    #[arg(long, hide = true, requires = "folder")]
    worker: Option<String>,
    /// Scratch folder of the worker.
    #[arg(long, hide = true)]
    folder: Option<PathBuf>,
}

fn main() -> ExitCode {
    let args = Args::parse();
    let find = |name: &str| TARGETS.iter().find(|t| t.name == name);
    if let Some(name) = args.targets.iter().find(|n| find(n).is_none()) {
        let known: Vec<_> = TARGETS.iter().map(|t| t.name).collect();
        eprintln!("no target '{name}'; there are {}", known.join(", "));
        return ExitCode::from(2);
    }
    let range = Range {
        first: args.first,
        runs: args.runs,
        seed: args.seed,
        patience: Duration::from_secs_f64(args.patience.clamp(0.1, 1e6)),
    };
    let any = |name: &str| find(name).or_else(|| BROKEN.iter().find(|t| t.name == name));
    if let (Some(target), Some(folder)) = (args.worker.as_deref().and_then(any), &args.folder) {
        // The text of a panic is kept with its input.
        std::panic::set_hook(Box::new(|_| ()));
        return match work(target, &range, folder) {
            Ok(code) => ExitCode::from(code as u8),
            Err(e) => {
                eprintln!("{}: {e}", folder.display());
                ExitCode::from(2)
            }
        };
    }
    let chosen = |t: &&Target| args.targets.is_empty() || args.targets.iter().any(|n| n == t.name);
    let mut clean = true;
    for target in TARGETS.iter().filter(chosen) {
        let done = match &args.file {
            Some(file) => once(target, file),
            None => campaign(target, &range, &args.keep),
        };
        match done {
            Ok(found) => clean &= !found,
            Err(e) => {
                eprintln!("{}: {e}", target.name);
                return ExitCode::from(2);
            }
        }
    }
    if clean {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// Reads one file in this process, with all consequences.
fn once(target: &Target, file: &Path) -> std::io::Result<bool> {
    let folder = scratch(target)?;
    // Some readers need what their seeds are written with.
    (target.seeds)(&folder);
    let (input, copy) = (std::fs::read(file)?, folder.join(target.file));
    std::fs::write(&copy, &input)?;
    let start = Instant::now();
    let read = (target.run)(&copy, &input);
    let what = if read { "read" } else { "refused" };
    println!(
        "{}: {what} in {:.3} s",
        target.name,
        start.elapsed().as_secs_f64()
    );
    std::fs::remove_dir_all(folder)?;
    Ok(false)
}

/// A whole campaign; whether it found anything.
fn campaign(target: &Target, range: &Range, keep: &Path) -> std::io::Result<bool> {
    let folder = scratch(target)?;
    let start = Instant::now();
    let Campaign { progress, findings } =
        supervise(&std::env::current_exe()?, target, range, &folder)?;
    let runs = progress.run - range.first;
    println!(
        "{:11} {runs:9} inputs, {:3.0} % read, {:7.0} a second, slowest {:.3} s, {:3} MB, {} kept, {} findings",
        target.name,
        100.0 * progress.read as f64 / runs.max(1) as f64,
        runs as f64 / start.elapsed().as_secs_f64(),
        progress.slowest.as_secs_f64(),
        progress.memory / 1024,
        progress.kept,
        findings.len()
    );
    for (i, finding) in findings.iter().enumerate() {
        std::fs::create_dir_all(keep)?;
        let file = keep.join(format!("{}-{i}-{}", target.name, target.file));
        std::fs::write(&file, &finding.input)?;
        println!(
            "    input {}, {}: {}",
            finding.run,
            file.display(),
            finding.said
        );
    }
    std::fs::remove_dir_all(folder)?;
    Ok(!findings.is_empty())
}

/// An empty folder, in memory where the system has one.
fn scratch(target: &Target) -> std::io::Result<PathBuf> {
    let memory = Path::new("/dev/shm");
    let root = match memory.is_dir() {
        true => memory.to_owned(),
        false => std::env::temp_dir(),
    };
    let name = format!("linkwork-fuzz-{}-{}", std::process::id(), target.name);
    let folder = root.join(name);
    std::fs::create_dir_all(&folder)?;
    Ok(folder)
}
