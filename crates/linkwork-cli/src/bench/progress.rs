//! Progress: a bar with the remaining time on a terminal, otherwise a line from time to time.

use indicatif::{ProgressBar, ProgressStyle};
use linkwork_bench::Progress;
use std::io::{IsTerminal, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Time between lines where there is no terminal.
const PAUSE: Duration = Duration::from_secs(20);

/// Tells on standard error.
pub struct Reporter {
    terminal: bool,
    stage: Mutex<Stage>,
}

/// The present stage.
struct Stage {
    name: String,
    jobs: usize,
    done: usize,
    /// Jobs done by this session.
    fresh: usize,
    start: Instant,
    told: Instant,
    bar: Option<ProgressBar>,
}

impl Reporter {
    /// For the standard error there is.
    pub fn new() -> Self {
        let now = Instant::now();
        Self {
            terminal: std::io::stderr().is_terminal(),
            stage: Mutex::new(Stage {
                name: String::new(),
                jobs: 0,
                done: 0,
                fresh: 0,
                start: now,
                told: now,
                bar: None,
            }),
        }
    }

    fn stage(&self) -> MutexGuard<'_, Stage> {
        self.stage.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Progress for Reporter {
    fn stage(&self, name: &str, jobs: usize, done: usize) {
        let now = Instant::now();
        let bar = (self.terminal && done < jobs).then(|| bar(jobs, done));
        let mut stage = self.stage();
        // A stage that ended before its jobs did leaves its bar.
        if let Some(bar) = &stage.bar {
            bar.finish_and_clear();
        }
        *stage = Stage {
            name: name.to_owned(),
            jobs,
            done,
            fresh: 0,
            start: now,
            told: now,
            bar,
        };
        if !self.terminal {
            let earlier = match done {
                0 => String::new(),
                n => format!(", {n} done earlier"),
            };
            say(&format!("{name}: {jobs} jobs{earlier}"));
        }
    }

    fn job(&self, name: &str) {
        let stage = self.stage();
        if let Some(bar) = &stage.bar {
            bar.set_message(format!("{}  {name}", stage.name));
        }
    }

    fn done(&self) {
        let mut stage = self.stage();
        stage.done += 1;
        stage.fresh += 1;
        let over = stage.done >= stage.jobs;
        match &stage.bar {
            Some(bar) if over => bar.finish_and_clear(),
            Some(bar) => bar.inc(1),
            None if over || stage.told.elapsed() >= PAUSE => {
                stage.told = Instant::now();
                say(&line(&stage));
            }
            None => {}
        }
    }

    fn note(&self, text: &str) {
        match &self.stage().bar {
            Some(bar) => bar.suspend(|| say(text)),
            None => say(text),
        }
    }
}

impl Drop for Reporter {
    /// The bar of a stage that ended early must be removed.
    fn drop(&mut self) {
        if let Some(bar) = self.stage().bar.take() {
            bar.finish_and_clear();
        }
    }
}

/// Nothing is lost if standard error is closed.
fn say(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

fn line(stage: &Stage) -> String {
    let (name, done, jobs) = (&stage.name, stage.done, stage.jobs);
    let elapsed = stage.start.elapsed().as_secs_f64();
    let left = elapsed / stage.fresh.max(1) as f64 * jobs.saturating_sub(done) as f64;
    format!("{name}: {done} of {jobs}, {elapsed:.0} s, about {left:.0} s left")
}

fn bar(jobs: usize, done: usize) -> ProgressBar {
    let template = "{bar:30} {pos} of {len}  {elapsed}, {eta} left  {wide_msg}";
    let style = ProgressStyle::with_template(template);
    let bar = ProgressBar::new(jobs as u64)
        .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
        .with_position(done as u64);
    // Jobs of an earlier session took no time now.
    bar.reset_eta();
    bar
}
