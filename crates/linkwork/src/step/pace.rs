//! The size of steps that have to be taken as smaller ones one after the other.
//!
//! Where every step has to be halved, as with a spring that the step hardly resolves, its parts should not change their size from step to step: the energy
//! of an oscillation at fixed steps is off by the order of (ω dt)² to and fro, without a trend, but parts that are small in one phase of it and large in
//! another pick out errors of one sign (mechanism 446 of seed 1 gained 40 % in a second, with each part within 1e-3). So when two steps in a row were halved
//! the next are taken in equal parts from the start, and longer ones are tried again after some steps without a halving: after more
//! of them each time that this fails.

use crate::control::Control;
use crate::report::{Outcome, StepError, StepReport};
use crate::simulator::Simulator;
use serde::{Deserialize, Serialize};

/// Steps without a halving after which longer parts are tried, at least and at most.
const PATIENCE: [u32; 2] = [1, 256];
/// The work of joints in a step is of the third order: twice the size is 8 times the work.
const ORDER: f64 = 8.0;

/// How steps are taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Pace {
    /// Steps are taken in 2^level equal parts.
    pub level: u32,
    /// Halvings of the smallest part of the last step.
    pub last: u32,
    /// Steps at this level without a halving.
    pub calm: u32,
    /// How many of them it takes to try longer parts; 0 before the first time.
    pub patience: u32,
}

impl Pace {
    /// Go on after a step whose smallest part took `finest` halvings, and whose joints did at most the share `coarse` of the work that would have been too
    /// much; or whose solves failed, which shorter parts are no remedy for: in redundant loops round-off over dt grows (mechanism 281 of seed 1).
    fn add(&mut self, finest: u32, coarse: f64, solved: bool) {
        if !solved {
            *self = Self::default();
            return;
        }
        let needed = finest.min(self.last);
        if needed > self.level {
            // Longer parts were tried just now, in vain.
            let tried = self.calm == 0 && self.patience > 0;
            let patience = if tried {
                self.patience.saturating_mul(2)
            } else {
                self.patience
            };
            self.patience = patience.clamp(PATIENCE[0], PATIENCE[1]);
            (self.level, self.calm) = (needed, 0);
        } else if finest > self.level {
            self.calm = 0;
        } else if self.level > 0 {
            self.calm = self.calm.saturating_add(1);
            if self.calm >= self.patience && ORDER * coarse < 1.0 {
                self.level -= 1;
                self.calm = 0;
            }
        } else {
            self.patience = 0;
        }
        self.last = finest;
    }
}

impl Pace {
    /// Go on after a step that was taken whole and converged, at level 0.
    pub(crate) fn settle(&mut self) {
        self.add(0, 0.0, true);
    }
}

impl Simulator {
    /// Take a step of `dt` (s) in the parts that the last ones took, each halved up to `depth` times in all.
    pub(super) fn march(
        &mut self,
        control: &Control,
        dt: f64,
        depth: u32,
    ) -> Result<StepReport, StepError> {
        let level = self.pace.level.min(depth);
        (self.finest, self.coarse) = (0, 0.0);
        let report = if level == 0 {
            self.advance(control, dt, depth, None)?
        } else {
            let parts = 1u32 << level;
            let part = dt / f64::from(parts);
            // A kick spans parts of one size, or starts where velocities and poses are of one time.
            let work = if self.last_dt == Some(part) {
                Default::default()
            } else {
                self.synchronise(control)
            };
            let mut report = self.advance(control, part, depth - level, None)?;
            for _ in 1..parts {
                let before = report;
                report = self.advance(control, part, depth - level, None)?;
                report.outcome = Outcome::Substepped(before.parts() + report.parts());
                report.merge(&before);
            }
            report.work.add(&work);
            report
        };
        self.pace
            .add(self.finest, self.coarse, report.status.is_solved());
        Ok(report)
    }
}
