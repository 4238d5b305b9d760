//! Restitution that would feed the mechanism, and how much of it is asked for.
//!
//! Newton's law asks every contact that closes for its own speed, whatever the others do. With friction, or between bodies on joints, the
//! impulses that this takes may do more work than the approach had energy (Kane's paradox): a chain of boxes between floor and neighbours tripled its
//! kinetic energy in an impact with ε = 0.5 (mechanism 1681 of seed 1). Without restitution impulses in their cones only take energy. So where
//! contacts and limits of a step with bounces give energy, all are asked for a smaller share of their speed.

use super::Rows;

/// Shares below this are none.
const LEAST: f64 = 0.2;

/// The rows that restitution acts on.
#[derive(Clone, Debug)]
pub(crate) struct Bounces {
    /// Row, v* if the contact just closes, and with restitution, m/s or rad/s.
    rows: Vec<(usize, [f64; 2])>,
    /// Share of the restitution that is asked for.
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

    /// Whether something bounces that can be asked for less.
    pub fn can_yield(&self) -> bool {
        self.share > 0.0 && !self.rows.is_empty()
    }
}

impl Rows {
    /// Note that the row `ahead` rows from now has v* `full` because of restitution, and would have `closed` without.
    pub(super) fn note_bounce(&mut self, ahead: usize, closed: f64, full: f64) {
        if full < closed {
            let row = self.problem.v_bias.len() + ahead;
            self.bounces.rows.push((row, [closed, full]));
        }
    }

    /// Ask for half of the restitution asked for so far, in the end for none.
    pub(crate) fn halve_bounces(&mut self) {
        let share = 0.5 * self.bounces.share;
        self.bounces.share = if share < LEAST { 0.0 } else { share };
        for (row, [closed, full]) in &self.bounces.rows {
            self.problem.v_bias[*row] = closed + self.bounces.share * (full - closed);
        }
    }
}
