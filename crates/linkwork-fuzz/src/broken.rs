//! Readers with known defects, for tests of the campaign itself: each goes wrong at the second of its three seeds.

use crate::targets::{Target, target};
use linkwork::Stopwatch;
use std::path::Path;
use std::time::{Duration, Instant};

/// All of them.
pub const BROKEN: &[Target] = &[
    target("panic", "broken", seeds, |_, input| {
        assert!(input != b"bad", "as it should");
        true
    }),
    target("slow", "broken", seeds, |_, input| {
        // Processor time counts.
        let mut spent = 0.0;
        while input == b"bad" && spent < 1.2 {
            let (watch, start) = (Stopwatch::start(), Instant::now());
            while start.elapsed() < Duration::from_millis(20) {}
            spent += watch.stop().cpu;
        }
        true
    }),
    target("hang", "broken", seeds, |_, input| {
        let start = Instant::now();
        while input == b"bad" && start.elapsed() < Duration::from_secs(600) {}
        true
    }),
    target("memory", "broken", seeds, |_, input| {
        input != b"bad" || std::hint::black_box(vec![1u8; 600 << 20]).len() > 1
    }),
    target("stack", "broken", seeds, |_, input| {
        input != b"bad" || deeper(1 << 40) > 0
    }),
];

fn seeds(_: &Path) -> Vec<Vec<u8>> {
    ["one", "bad", "three"]
        .map(|s| s.as_bytes().to_vec())
        .to_vec()
}

/// So many calls within each other.
fn deeper(depth: u64) -> u64 {
    let here = std::hint::black_box([depth; 100]);
    if depth == 0 {
        return 0;
    }
    1 + deeper(here[0] - 1).min(here[1])
}
