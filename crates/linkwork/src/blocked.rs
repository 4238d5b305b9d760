//! Contacts and limits that cannot open.
//!
//! If bodies overlap and joints, limits and other contacts allow no velocity that removes the overlap, the problem of a
//! step has no solution. The default solver then solves the nearest problem that has one and reports the relaxation of
//! each row ([`Status::Blocked`](linkwork_solve::Status::Blocked)). Overlap removal is relaxed; joints stay closed.

use crate::rows::{RowSource, Rows};
use linkwork_solve::Solution;

/// A contact or limit that cannot open.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Blocked {
    /// The contact or limit.
    pub source: RowSource,
    /// Relaxation, m/s (rad/s for limits of rotations): of the velocity that would remove the overlap, and of the
    /// velocity with which the bodies are pressed together.
    pub speed: f64,
}

/// Those of the last step.
#[derive(Clone, Debug, Default)]
pub(crate) struct BlockedRows {
    pub list: Vec<Blocked>,
}

impl BlockedRows {
    /// Adds the relaxation to v*. Rows that were relaxed by at most `little` (m/s) are not listed: their contradiction
    /// is within the closure tolerance of joints.
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
