//! Wall and processor time.

use std::time::Instant;

/// Time used, s.
#[derive(Clone, Copy, Debug)]
pub struct Elapsed {
    /// Of the clock on the wall.
    pub wall: f64,
    /// Of the processor, all threads of the program together.
    pub cpu: f64,
}

/// Measures [`Elapsed`].
pub struct Stopwatch {
    wall: Instant,
    cpu: Option<f64>,
}

impl Stopwatch {
    /// Start it.
    pub fn start() -> Self {
        Self {
            cpu: process_cpu(),
            wall: Instant::now(),
        }
    }

    /// Time since the start. If CPU time is not available, the wall time is used instead.
    pub fn stop(self) -> Elapsed {
        let wall = self.wall.elapsed().as_secs_f64();
        let cpu = match (self.cpu, process_cpu()) {
            // The clock of a running thread may lag by a scheduler tick: never return a negative value.
            (Some(before), Some(after)) => (after - before).max(0.0),
            _ => wall,
        };
        Elapsed { wall, cpu }
    }
}

/// Processor time of all living threads, s: the first number (ns) of their `schedstat`, which is
/// finer than the 10 ms ticks of `/proc/self/stat`. Linux only.
fn process_cpu() -> Option<f64> {
    // Entering the scheduler updates this thread's own count.
    std::thread::yield_now();
    let mut total = 0u64;
    for thread in std::fs::read_dir("/proc/self/task").ok()? {
        // A thread may end while the list is read.
        let Ok(text) = std::fs::read_to_string(thread.ok()?.path().join("schedstat")) else {
            continue;
        };
        total += text.split_whitespace().next()?.parse::<u64>().ok()?;
    }
    (total > 0).then_some(1e-9 * total as f64)
}
