//! Many damaged inputs for one target.

use crate::Target;
use crate::mutate::{Random, damage};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::{Duration, Instant};

/// Inputs are at most this long, bytes.
const LONGEST: usize = 1 << 16;

/// What a campaign found.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// Inputs tried.
    pub runs: u64,
    /// How many of them were read without an error.
    pub read: u64,
    /// Inputs that made the target panic, with what it said.
    pub panics: Vec<(Vec<u8>, String)>,
    /// The slowest input and its time.
    pub slowest: (Duration, Vec<u8>),
}

/// Feed a target with its seeds and `runs` damaged ones, in a scratch folder of its own; stops at ten panics.
pub fn campaign(target: &Target, runs: u64, seed: u64, folder: &Path) -> Findings {
    let seeds = (target.seeds)(folder);
    let file = folder.join(target.file);
    let mut random = Random::new(seed);
    let mut findings = Findings::default();
    for run in 0..runs + seeds.len() as u64 {
        let input = match seeds.get(run as usize) {
            Some(seed) => seed.clone(),
            None => {
                let (one, other) = (random.below(seeds.len()), random.below(seeds.len()));
                damage(&seeds[one], &seeds[other], LONGEST, &mut random)
            }
        };
        std::fs::write(&file, &input).expect("a scratch folder that can be written to");
        let start = Instant::now();
        let end = catch_unwind(AssertUnwindSafe(|| (target.run)(&file, &input)));
        let time = start.elapsed();
        findings.runs += 1;
        if time > findings.slowest.0 {
            findings.slowest = (time, input.clone());
        }
        findings.read += u64::from(matches!(end, Ok(true)));
        if let Err(said) = end {
            // A panic with a plain text carries a &str, one with a formatted text a String.
            let plain = said.downcast_ref::<&str>().map(|s| (*s).to_owned());
            let said = said.downcast_ref::<String>().cloned().or(plain);
            findings.panics.push((input, said.unwrap_or_default()));
            if findings.panics.len() >= 10 {
                break;
            }
        }
    }
    findings
}
