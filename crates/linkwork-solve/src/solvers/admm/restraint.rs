//! Suspension of Anderson acceleration.
//!
//! On some problems (many redundant rows together with sliding contacts) the accelerated iteration cycles where the
//! plain one converges. Iterations without progress therefore suspend the acceleration for a while, and for longer each
//! time.

/// Iterations without progress after which acceleration is suspended.
const PATIENCE: usize = 100;
/// Progress is a change of the iterates below this share of the smallest so far.
const PROGRESS: f64 = 0.9;
/// Iterations of the first suspension; each further one is twice as long.
const PAUSE: usize = 200;

/// Watches the iteration.
#[derive(Clone, Copy, Debug)]
pub(super) struct Restraint {
    least: f64,
    idle: usize,
    paused: usize,
    next_pause: usize,
}

impl Default for Restraint {
    fn default() -> Self {
        Self {
            least: f64::INFINITY,
            idle: 0,
            paused: 0,
            next_pause: PAUSE,
        }
    }
}

impl Restraint {
    /// Whether to accelerate now.
    pub fn allows(&self) -> bool {
        self.paused == 0
    }

    /// Records an iteration's change; returns true if acceleration is switched off or on, so that its memory must be
    /// cleared.
    pub fn watch(&mut self, change: f64) -> bool {
        if self.paused > 0 {
            self.paused -= 1;
            self.least = self.least.min(change);
            return self.paused == 0;
        }
        if change < PROGRESS * self.least {
            self.least = change;
            self.idle = 0;
            return false;
        }
        self.idle += 1;
        if self.idle < PATIENCE {
            return false;
        }
        self.idle = 0;
        self.paused = self.next_pause;
        self.next_pause *= 2;
        true
    }
}
