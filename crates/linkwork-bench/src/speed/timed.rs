//! A run that is only timed.

use super::case::SpeedCase;
use super::record::Phases;
use super::watch::Watched;
use crate::error::BenchError;
use linkwork::{Stopwatch, Timings};

/// Times while it moves, and at rest.
pub(super) struct Timed {
    /// CPU time, s.
    pub cpu_s: [f64; 2],
    /// Time in each phase, s.
    pub phases_s: [Phases; 2],
}

/// Take the steps that were watched.
pub(super) fn time(case: &SpeedCase, watched: &Watched) -> Result<Timed, BenchError> {
    let mut run = case.run()?;
    let mut timed = Timed {
        cpu_s: [0.0; 2],
        phases_s: [[0.0; 5]; 2],
    };
    for (at, part) in watched.parts.iter().enumerate() {
        let mut sum = Timings::default();
        let watch = Stopwatch::start();
        for _ in 0..part.steps {
            sum.add(&run.step()?.timings);
        }
        let elapsed = watch.stop();
        timed.cpu_s[at] = elapsed.cpu;
        // Phases are wall times, which may include other programs.
        let own = (elapsed.cpu / elapsed.wall).min(1.0);
        timed.phases_s[at] = [
            sum.collision,
            sum.rows,
            sum.solve,
            sum.closure,
            sum.integrate,
        ]
        .map(|wall| own * wall);
    }
    Ok(timed)
}
