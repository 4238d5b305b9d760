//! Times of the parts of a step.

use std::time::Instant;

/// Laps of a stopwatch, s.
pub(super) struct Clock(Instant);

impl Clock {
    pub fn start() -> Self {
        Self(Instant::now())
    }

    pub fn lap(&mut self) -> f64 {
        let now = Instant::now();
        let lap = (now - self.0).as_secs_f64();
        self.0 = now;
        lap
    }
}
