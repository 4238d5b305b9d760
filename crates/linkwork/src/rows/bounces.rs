//! Restitution that would add energy to the mechanism, and its reduction.
//!
//! Newton's law asks every contact that closes for ε times its own approach speed, whatever the others do. With
//! friction, or between bodies on joints, the necessary impulses may do more work than the approach had energy (Kane's
//! paradox): a chain of boxes between floor and neighbours tripled its kinetic energy in an impact with ε = 0.5
//! (mechanism 1681 of seed 1). Without restitution, impulses in their cones only remove energy. If contacts and limits
//! of a step with bounces add energy, the restitution of all is therefore reduced.

use super::Rows;

/// Shares below this are none.
const LEAST: f64 = 0.2;

/// The rows that restitution acts on.
#[derive(Clone, Debug)]
pub(crate) struct Bounces {
    /// Row, v* if the contact just closes, and with restitution, m/s or rad/s.
    rows: Vec<(usize, [f64; 2])>,
    /// Present share of the restitution.
    share: f64,
}

impl Default for Bounces {
    fn default() -> Self {
        Self {
            rows: Vec::new(),
            share: 1.0,
        }
    }
}

impl Bounces {
    pub fn clear(&mut self) {
        self.rows.clear();
        self.share = 1.0;
    }

    /// Whether any element bounces whose restitution can be reduced.
    pub fn can_yield(&self) -> bool {
        self.share > 0.0 && !self.rows.is_empty()
    }
}

impl Rows {
    /// Records that the row `ahead` rows from now has v* `full` with restitution, and would have `closed` without.
    pub(super) fn note_bounce(&mut self, ahead: usize, closed: f64, full: f64) {
        if full < closed {
            let row = self.problem.v_bias.len() + ahead;
            self.bounces.rows.push((row, [closed, full]));
        }
    }

    /// Halves the restitution, and finally removes it.
    pub(crate) fn halve_bounces(&mut self) {
        let share = 0.5 * self.bounces.share;
        self.bounces.share = if share < LEAST { 0.0 } else { share };
        for (row, [closed, full]) in &self.bounces.rows {
            self.problem.v_bias[*row] = closed + self.bounces.share * (full - closed);
        }
    }
}
