//! How fast the simulation runs, against the clock on the wall.

use std::time::{Duration, Instant};

/// Least time to measure over.
const WINDOW: Duration = Duration::from_millis(400);

/// Measures simulated time over wall time.
pub struct Speedometer {
    since: Instant,
    /// Simulated time then, s.
    from: f64,
    factor: f64,
}

impl Speedometer {
    /// Starts at simulated time `time`, s.
    pub fn new(time: f64) -> Self {
        Self {
            since: Instant::now(),
            from: time,
            factor: 0.0,
        }
    }

    /// The factor, with simulated time now at `time` (s): over the last window that is over.
    pub fn read(&mut self, time: f64) -> f64 {
        let elapsed = self.since.elapsed();
        if elapsed >= WINDOW {
            let factor = (time - self.from) / elapsed.as_secs_f64();
            *self = Self {
                factor: factor.max(0.0),
                ..Self::new(time)
            };
        }
        self.factor
    }
}
