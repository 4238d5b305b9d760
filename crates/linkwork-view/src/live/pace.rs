//! Synchronises simulated time with the wall clock.

use std::time::{Duration, Instant};

/// Maximum lag (wall time) that a simulation tries to catch up.
const PATIENCE: Duration = Duration::from_millis(100);

/// When a simulated time is due.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    speed: f64,
    /// A wall time and the simulated time (s) that belongs to it.
    anchor: Option<(Instant, f64)>,
}

impl Pace {
    /// A multiple of real time; 0 is as fast as possible.
    pub fn new(speed: f64) -> Self {
        Self {
            speed,
            anchor: None,
        }
    }

    /// The multiple of real time.
    pub fn speed(&self) -> f64 {
        self.speed
    }

    /// Restarts the synchronisation at the next query, after a pause or a jump.
    pub fn restart(&mut self) {
        self.anchor = None;
    }

    /// When the step from simulated time `time` (s) is due; `None` for now.
    pub fn due(&mut self, time: f64, now: Instant) -> Option<Instant> {
        if self.speed == 0.0 {
            return None;
        }
        let (start, from) = *self.anchor.get_or_insert((now, time));
        let ahead = (time - from) / self.speed;
        // Times beyond the range of a Duration are never due: a command comes first.
        let due = start + Duration::try_from_secs_f64(ahead.max(0.0)).unwrap_or(Duration::MAX / 4);
        if due > now {
            return Some(due);
        }
        if now - due > PATIENCE {
            self.anchor = Some((now, time));
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn simulated_time_is_due_at_its_speed() {
        let start = Instant::now();
        let mut pace = Pace::new(0.5);
        assert_eq!(pace.due(10.0, start), None);
        assert_eq!(pace.due(10.5, start), Some(start + Duration::from_secs(1)));
        assert_eq!(pace.due(10.5, start + Duration::from_secs(1)), None);
    }

    #[test]
    fn what_was_missed_is_not_made_up_for() {
        let start = Instant::now();
        let mut pace = Pace::new(1.0);
        assert_eq!(pace.due(0.0, start), None);
        let late = start + Duration::from_secs(5);
        assert_eq!(pace.due(0.001, late), None);
        assert_eq!(pace.due(0.002, late), Some(late + Duration::from_millis(1)));
    }

    #[test]
    fn speed_zero_is_always_due() {
        let now = Instant::now();
        let mut pace = Pace::new(0.0);
        assert!((0..10).all(|i| pace.due(f64::from(i), now).is_none()));
    }
}
