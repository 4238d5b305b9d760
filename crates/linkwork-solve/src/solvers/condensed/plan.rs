//! Difficulty of successive passes on the small problem.

use super::pass::PassEnd;
use super::small::Fallback;
use crate::sets::Friction;

/// δ of the first pass, and of those near a solution.
pub(super) const NEAR: f64 = 1e-6;
/// Minimum of δ. Where a load is shared by redundant rows, a pass moves it by the contradiction of the rows divided by
/// δ.
const LEAST: f64 = 1e-12;
/// δ where the guess does not lead to the active set: passes at 0.1 nearly always succeed and reduce the residual by a
/// digit (with 1e-3, as near a known active set, a falling `heap` takes half as many steps again).
const FAR: f64 = 1e-1;
/// δ at which passes with the exact law count as failed.
pub(super) const REACH: f64 = 1.0;
/// Newton steps of the first pass, which tries the active set of the guess, and of others.
pub(super) const FIRST_STEPS: usize = 3;
pub(super) const STEPS: usize = 15;
/// Passes with a lagged shift in a row, and their first δ.
const LAGGED: usize = 5;
const LAGGED_DELTA: f64 = 1e-4;
/// Newton steps after which the guess is considered not to lead to the active set.
pub(super) const TRY: usize = 6;
/// Residual (m/s) of a guess above which small islands do not try its active set under the convex relaxation (`heap`
/// (40): 10 % fewer factorisations).
const AWAY: f64 = 1e-3;

/// δ and method of the next pass: small δ reduces the residual more, large δ is easier.
pub(super) struct PassSchedule {
    pub delta: f64,
    /// Remaining passes with a lagged shift.
    lagged: usize,
    /// Whether a pass has succeeded, or δ is as large as without one.
    pub found: bool,
    /// Whether passes are skipped: the interior-point method takes half as many steps on heaps at rest (docs/speed.md),
    /// where a sixth of the contacts are at the edge of their cones.
    pub straight: bool,
    /// Whether the last pass failed.
    pub stuck: bool,
    /// Whether a pass near a solution that did not reduce the residual is repeated before λ is moved far. With joints,
    /// rows may contradict each other, which the repeated pass shows. Islands without joints have no such rows (with
    /// repeats `clutter` needs `hybrid` in 61 steps of 500, without them in 18).
    repeats: bool,
    /// Whether the previous pass had the same δ and did not reduce the residual.
    pub settled: bool,
    /// The law of passes without a lagged shift.
    law: Friction,
}

impl PassSchedule {
    /// From a guess of residual `size`, m/s; `repeats` if rows may contradict each other.
    pub fn start(law: Friction, fallback: Fallback, size: f64, repeats: bool) -> Self {
        let mut plan = Self {
            delta: NEAR,
            lagged: 0,
            found: false,
            straight: false,
            stuck: false,
            repeats,
            settled: false,
            law,
        };
        match (law, fallback) {
            (Friction::Convex, Fallback::InteriorAtOnce) => plan.straight = true,
            (Friction::Convex, Fallback::Passes | Fallback::Relax) if size > AWAY => {
                plan.restart_far(FAR)
            }
            _ => {}
        }
        plan
    }

    /// Continues with passes of this δ, from a point without information about the active set.
    pub fn restart_far(&mut self, delta: f64) {
        self.delta = delta;
        self.found = true;
        self.straight = false;
    }

    /// The law of the next pass.
    pub fn friction(&self) -> Friction {
        if self.lagged > 0 {
            Friction::Lagged
        } else {
            self.law
        }
    }

    /// Whether a pass that did not reduce the residual is repeated.
    pub fn is_to_repeat(&self) -> bool {
        self.repeats && self.delta <= NEAR && !self.settled
    }

    /// Decides after a pass; `flat` if it did not reduce the residual.
    pub fn next(&mut self, end: PassEnd, flat: bool) {
        let delta = self.delta;
        self.stuck = end == PassEnd::Stuck;
        self.found |= end == PassEnd::Done || delta >= FAR;
        (self.delta, self.lagged) = match (end, self.friction()) {
            // After the last lagged pass, the exact law again.
            (PassEnd::Done, Friction::Lagged) => (delta, self.lagged - 1),
            (PassEnd::Stuck, Friction::Lagged) => (10.0 * delta, self.lagged - 1),
            (PassEnd::Done, _) if flat && self.is_to_repeat() => (delta, 0),
            (PassEnd::Done, _) if flat => ((0.1 * delta).max(LEAST), 0),
            (PassEnd::Done, _) => ((0.1 * delta).max(NEAR.min(delta)), 0),
            (PassEnd::Stuck, _) if !self.found => (FAR, 0),
            (PassEnd::Stuck, Friction::Exact) if delta >= REACH => (LAGGED_DELTA, LAGGED),
            (PassEnd::Stuck, _) => (10.0 * delta, 0),
        };
        self.settled = self.repeats && end == PassEnd::Done && flat && self.delta == delta;
    }
}
