//! The process that reads damaged inputs. A panic is caught; other effects of an input on the process are detected by
//! its parent ([`supervise`](crate::supervise)).

use crate::Target;
use crate::corpus::Corpus;
use crate::mutate::{Random, damage};
use crate::progress::{ProgressFile, greatest_memory};
use linkwork::Stopwatch;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Inputs are at most this long, bytes.
const LONGEST: usize = 1 << 16;
/// An input may take this much processor time; one that takes longer on the clock is read again to measure it, as the
/// processor is shared.
pub const SLOW: Duration = Duration::from_secs(1);
/// On a shared processor the clock may run as many times as fast as a busy process.
const IDLE: u32 = 30;
/// Exit code of a worker whose input did not end in time.
pub const HUNG: i32 = 3;
/// Exit code of a worker that stopped at a finding, which it left in the files `input` and `said`.
pub const FOUND: i32 = 4;

/// Which inputs.
#[derive(Clone, Copy, Debug)]
pub struct Range {
    /// Number of the first input; the seeds come first.
    pub first: u64,
    /// How many there are after the seeds.
    pub runs: u64,
    /// Seed of the generator.
    pub seed: u64,
    /// An input that takes more processor time, or [`IDLE`] times as long on the clock, ends the process.
    pub patience: Duration,
}

/// Feed a target from input `first` on. Returns the exit code.
pub fn work(target: &Target, range: &Range, folder: &Path) -> std::io::Result<i32> {
    let seeds = (target.seeds)(folder);
    let count = seeds.len() as u64;
    let mut corpus = Corpus::open(seeds, folder)?;
    let file = folder.join(target.file);
    let mut progress = ProgressFile::read(folder).unwrap_or_default();
    let out = ProgressFile::create(folder)?;
    let current = watch(range.patience);
    let mut tries = 0;
    for run in range.first..range.runs + count {
        progress.run = run;
        out.write(&progress)?;
        // Input `run` depends only on its number and the corpus.
        let mut random = Random::new(range.seed ^ run.wrapping_mul(0xD6E8_FEB8_6659_FD93));
        let input = match corpus.seed(run) {
            Some(seed) => seed.to_vec(),
            None => {
                let (one, other) = corpus.pair(&mut random);
                damage(one, other, LONGEST, &mut random)
            }
        };
        std::fs::write(&file, &input)?;
        let mut read = || {
            tries += 1;
            current.store(tries, Ordering::Relaxed);
            timed(target, &file, &input)
        };
        corpus.before();
        let (end, mut time) = read();
        if time > SLOW {
            let watch = Stopwatch::start();
            let _ = read();
            time = Duration::from_secs_f64(watch.stop().cpu);
        }
        current.store(0, Ordering::Relaxed);
        progress.read += u64::from(end == Ok(true));
        progress.slowest = progress.slowest.max(time);
        if corpus.after(&input)? {
            progress.kept += 1;
        }
        let found = match end {
            Err(said) => Some(said),
            Ok(_) if time > SLOW => Some(format!("takes {:.1} s", time.as_secs_f64())),
            Ok(_) => None,
        };
        if let Some(said) = found {
            progress.memory = progress.memory.max(greatest_memory());
            out.write(&progress)?;
            std::fs::write(folder.join("said"), said)?;
            return Ok(FOUND);
        }
        if run % 1000 == 999 {
            progress.memory = progress.memory.max(greatest_memory());
        }
    }
    progress.run = range.runs + count;
    progress.memory = progress.memory.max(greatest_memory());
    out.write(&progress)?;
    Ok(0)
}

/// What reading the input ended with, or the text of its panic, and how long it took.
fn timed(target: &Target, file: &Path, input: &[u8]) -> (Result<bool, String>, Duration) {
    let start = Instant::now();
    let end = catch_unwind(AssertUnwindSafe(|| (target.run)(file, input)));
    let time = start.elapsed();
    let end = end.map_err(|said| {
        // A panic with a plain text carries a &str, one with a formatted text a String.
        let plain = said.downcast_ref::<&str>().map(|s| (*s).to_owned());
        let said = said.downcast_ref::<String>().cloned().or(plain);
        said.unwrap_or_else(|| "panics".to_owned())
    });
    (end, time)
}

/// End the process when reading an input (the number of the try; 0: none) takes longer than `patience`.
fn watch(patience: Duration) -> Arc<AtomicU64> {
    let current = Arc::new(AtomicU64::new(0));
    let watched = current.clone();
    std::thread::spawn(move || {
        let (mut last, mut wall, mut cpu) = (0, Duration::ZERO, 0.0);
        loop {
            let watch = Stopwatch::start();
            std::thread::sleep(patience / 20);
            let passed = watch.stop();
            let now = watched.load(Ordering::Relaxed);
            if now != last || now == 0 {
                (last, wall, cpu) = (now, Duration::ZERO, 0.0);
                continue;
            }
            wall += Duration::from_secs_f64(passed.wall);
            cpu += passed.cpu;
            if cpu > patience.as_secs_f64() || wall > IDLE * patience {
                std::process::exit(HUNG);
            }
        }
    });
    current
}
