//! The size of parts where consecutive steps need substeps.
//!
//! If every step has to be halved, as with a spring that the step hardly resolves, the parts should not change their
//! size from step to step. At a fixed step size the energy of an oscillation has an alternating error of order (ω dt)²,
//! without a trend, but parts that are small in one phase of it and large in another select errors of one sign
//! (mechanism 446 of seed 1 gained 40 % in a second, with each part within 1e-3). After two halved steps in a row the
//! next are therefore divided into equal parts from the start. Longer parts are tried again after some steps without a
//! halving, and after more of them each time that this fails.

use crate::control::Control;
use crate::report::{Outcome, StepError, StepReport};
use crate::simulator::Simulator;
use serde::{Deserialize, Serialize};

/// Minimum and maximum number of steps without a halving after which longer parts are tried.
const PATIENCE: [u32; 2] = [1, 256];
/// The work of joints in a step is of third order: twice the size has 8 times the work.
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
    /// Number of such steps before longer parts are tried; 0 before the first time.
    pub patience: u32,
}

impl Pace {
    /// Updates after a step whose smallest part took `finest` halvings, and whose joints did at most the share `coarse`
    /// of the allowed work; or whose solves failed, for which shorter parts do not help: in redundant loops round-off
    /// over dt grows (mechanism 281 of seed 1).
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
    /// Updates after a step that was taken whole and converged, at level 0.
    pub(crate) fn settle(&mut self) {
        self.add(0, 0.0, true);
    }
}

impl Simulator {
    /// Takes a step of `dt` (s) in the parts of the last steps, each halved up to `depth` times in total.
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
            // A kick spans parts of one size, or starts where velocities and poses belong to the same time.
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
