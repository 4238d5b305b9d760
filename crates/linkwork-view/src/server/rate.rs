//! A limit on how often something may happen: a token bucket.

use std::time::{Duration, Instant};

/// Allows `burst` events at once, and `per_second` in the long run.
pub struct Rate {
    per_second: f64,
    burst: f64,
    /// Events that may happen now.
    left: f64,
    at: Instant,
}

impl Rate {
    pub fn new(per_second: u32, burst: u32) -> Self {
        Self {
            per_second: f64::from(per_second),
            burst: f64::from(burst),
            left: f64::from(burst),
            at: Instant::now(),
        }
    }

    /// Counts an event at `now`; returns the time to wait before the next is processed.
    pub fn count(&mut self, now: Instant) -> Duration {
        let passed = now.saturating_duration_since(self.at).as_secs_f64();
        self.at = now;
        self.left = (self.left + passed * self.per_second).min(self.burst) - 1.0;
        Duration::from_secs_f64((-self.left / self.per_second).max(0.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_passes_and_a_flood_is_slowed_to_the_rate() {
        let mut rate = Rate::new(10, 5);
        let mut now = Instant::now();
        let start = now;
        for _ in 0..5 {
            assert_eq!(rate.count(now), Duration::ZERO);
        }
        for _ in 0..100 {
            now += rate.count(now);
        }
        let took = (now - start).as_secs_f64();
        assert!(
            (took - 10.0).abs() < 0.11,
            "100 events at 10 a second took {took} s"
        );
    }

    #[test]
    fn a_pause_restores_the_burst_and_no_more() {
        let mut rate = Rate::new(10, 5);
        let now = Instant::now() + Duration::from_secs(1000);
        let waits: Vec<_> = (0..6).map(|_| rate.count(now)).collect();
        assert!(waits[..5].iter().all(Duration::is_zero));
        assert!(waits[5] > Duration::ZERO);
    }
}
