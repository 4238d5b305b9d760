//! Contacts and limits that nothing lets open.
//!
//! Where bodies overlap and joints, limits and other contacts allow no velocity that ends it, the problem of a step has no
//! solution. The default solver then answers the nearest problem that has one and tells what each row was let off
//! ([`Status::Blocked`](linkwork_solve::Status::Blocked)). Overlap removal is what gives way: joints stay closed.

use crate::rows::{RowSource, Rows};
use linkwork_solve::Solution;

/// A contact or limit that nothing lets open.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Blocked {
    /// The contact or limit.
    pub source: RowSource,
    /// What it was let off, m/s (rad/s for limits of turning joints): of the velocity that would end the overlap, and
    /// of what presses the bodies together.
    pub speed: f64,
}

/// Those of the last step.
#[derive(Clone, Debug, Default)]
pub(crate) struct BlockedRows {
    pub list: Vec<Blocked>,
}

impl BlockedRows {
    /// Let v* be what the rows could meet. Rows that were let off at most `little` (m/s) are not listed: they contradict each other by what
    /// joints are closed to.
    pub fn settle(&mut self, rows: &mut Rows, x: &mut Solution, yielded: &[f64], little: f64) {
        self.list.clear();
        let problem = &mut rows.problem;
        for (k, source) in rows.sources.iter().enumerate() {
            let mut speed: f64 = 0.0;
            for row in problem.sets.range(k) {
                let least = yielded.get(row).copied().unwrap_or(0.0);
                problem.v_bias[row] += least;
                x.sigma[row] += least;
                speed = speed.max(least.abs());
            }
            if speed > little {
                let source = *source;
                self.list.push(Blocked { source, speed });
            }
        }
    }

    /// The largest velocity, m/s; 0 if nothing is blocked.
    pub fn speed(&self) -> f64 {
        self.list.iter().fold(0.0, |a, b| a.max(b.speed))
    }
}
