//! How a run went over time, at some of its steps.

use crate::spread::Spread;
use linkwork::Moment;
use linkwork_solve::larger;

/// Most points of a course.
const MOST: usize = 200;

/// Gathers (time, r_pen, energy).
pub(super) struct Course {
    kept: Spread<(f64, f64, f64)>,
    /// The last step: time, joints and limits after it, energy. Its overlap is found by the next one.
    last: Option<(f64, f64, f64)>,
}

impl Course {
    pub fn new() -> Self {
        Self {
            kept: Spread::new(MOST),
            last: None,
        }
    }

    /// The step that ended at `moment`.
    pub fn add(&mut self, moment: &Moment) {
        let Some(report) = moment.report else {
            return;
        };
        self.complete(report.penetration);
        let joints = larger(report.closure_linear, report.closure_angular);
        let violation = larger(joints, report.limit_violation);
        self.last = Some((moment.simulator.state().time, violation, moment.energy));
    }

    /// All points, given the overlap after the last step, m.
    pub fn finish(mut self, penetration: f64) -> Vec<(f64, f64, f64)> {
        self.complete(penetration);
        let mut points = self.kept.into_items();
        // JSON has no NaN and no infinity.
        points.retain(|(_, r_pen, energy)| r_pen.is_finite() && energy.is_finite());
        points
    }

    fn complete(&mut self, penetration: f64) {
        if let Some((time, violation, energy)) = self.last.take() {
            let r_pen = larger(violation, penetration);
            self.kept.offer(|| (time, r_pen, energy));
        }
    }
}
