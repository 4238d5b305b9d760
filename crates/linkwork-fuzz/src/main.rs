//! `linkwork-fuzz [TARGET …] --runs N`: damaged input for the readers named, or for all.

use clap::Parser;
use linkwork_fuzz::{TARGETS, campaign};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Feed readers with damaged input, and tell what panics and what is slow.
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
    /// Where inputs that panic or take more than a second are kept.
    #[arg(long, default_value = "fuzz-findings")]
    keep: PathBuf,
}

fn main() -> ExitCode {
    let args = Args::parse();
    if let Some(name) = args
        .targets
        .iter()
        .find(|n| TARGETS.iter().all(|t| t.name != **n))
    {
        let known: Vec<_> = TARGETS.iter().map(|t| t.name).collect();
        eprintln!("no target '{name}'; there are {}", known.join(", "));
        return ExitCode::from(2);
    }
    // The message of each panic is kept with its input.
    std::panic::set_hook(Box::new(|_| ()));
    let mut clean = true;
    for target in TARGETS {
        if !args.targets.is_empty() && args.targets.iter().all(|n| n != target.name) {
            continue;
        }
        let name = format!("linkwork-fuzz-{}-{}", std::process::id(), target.name);
        let memory = Path::new("/dev/shm");
        let root = if memory.is_dir() {
            memory.to_owned()
        } else {
            std::env::temp_dir()
        };
        let folder = root.join(name);
        if let Err(e) = std::fs::create_dir_all(&folder) {
            eprintln!("{}: {e}", folder.display());
            return ExitCode::from(2);
        }
        let start = Instant::now();
        let found = campaign(target, args.runs, args.seed, &folder);
        let rate = found.runs as f64 / start.elapsed().as_secs_f64();
        println!(
            "{:11} {:9} inputs, {:3.0} % read, {:7.0} a second, slowest {:.3} s, {} panics",
            target.name,
            found.runs,
            100.0 * found.read as f64 / found.runs as f64,
            rate,
            found.slowest.0.as_secs_f64(),
            found.panics.len()
        );
        let mut kept: Vec<(&[u8], &str)> = Vec::new();
        kept.extend(
            found
                .panics
                .iter()
                .map(|(input, said)| (&input[..], said.as_str())),
        );
        if found.slowest.0 > Duration::from_secs(1) {
            kept.push((&found.slowest.1, "more than a second"));
        }
        for (i, (input, said)) in kept.iter().enumerate() {
            clean = false;
            let file = args
                .keep
                .join(format!("{}-{i}-{}", target.name, target.file));
            let written =
                std::fs::create_dir_all(&args.keep).and_then(|()| std::fs::write(&file, input));
            println!("    {}: {said}", file.display());
            if let Err(e) = written {
                eprintln!("{}: {e}", file.display());
            }
        }
        let _ = std::fs::remove_dir_all(&folder);
    }
    println!(
        "greatest memory {} MB",
        greatest_memory().unwrap_or(0) / 1024
    );
    if clean {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// Greatest resident memory of the process so far, kB; only Linux tells.
fn greatest_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|l| l.starts_with("VmHWM"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}
