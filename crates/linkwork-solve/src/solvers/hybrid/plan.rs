//! Alternation of the methods and their effort.

use crate::sets::Friction;
use crate::solvers::newton::{Effort, PassEnd};

/// Least δ as a rule.
const NEAR_PROXIMAL: f64 = 1e-6;
/// Minimum of δ where passes do not reduce the residual: without it the arches of FCLIB, and heaps (`clutter`), take
/// 1.8 times as long.
const LEAST_PROXIMAL: f64 = 1e-11;
/// δ of the first pass, and the greatest at first.
const FIRST_REACH: f64 = 1e-3;
/// Greatest δ at last.
const LAST_REACH: f64 = 10.0;
/// Newton steps in one pass.
const STEPS: usize = 8;
/// Accuracy of a pass, relative to the residual at its start, as far as the proximal term allows. With a tenth
/// `RockPile_tob1` takes a fifth more.
const SHARE: f64 = 1e-3;
/// Rounds without gain after which the lagged law is tried: if tried at once, `clutter` takes three times as long.
const HARD: usize = 4;
/// Passes with the lagged law after a failure of Newton: initial number, and their δ.
const LAGGED_PASSES: usize = 10;
const LAGGED_PROXIMAL: f64 = 1e-3;
/// Iterations of the first and of the longest burst of ADMM.
const FIRST_BURST: usize = 25;
const MAX_BURST: usize = 400;
/// Scaled residual below which a guess is passed directly to Newton: the warm starts of `clutter`.
const SMALL: f64 = 1e-3;

/// The method that is next.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Turn {
    Admm,
    Newton,
    /// Newton on the convex law with a lagged De Saxcé shift, on which it does not fail.
    Lagged {
        left: usize,
    },
}

/// What comes next.
pub(super) struct TurnSchedule {
    pub turn: Turn,
    /// δ of the next pass, and the limit of δ above which Newton counts as failed.
    delta: f64,
    reach: f64,
    /// Iterations of the next burst of ADMM, and whether it continues from its last iterate, which requires that Newton
    /// has not changed λᵏ since.
    pub burst: usize,
    pub resume: bool,
    /// Lagged passes of the next series.
    lagged: usize,
    /// Rounds without gain, and consecutive successful passes without gain.
    pub idle: usize,
    flat: usize,
}

impl TurnSchedule {
    /// A guess that is nearly right goes straight to Newton.
    pub fn new(residual: f64) -> Self {
        Self {
            turn: if residual < SMALL {
                Turn::Newton
            } else {
                Turn::Admm
            },
            delta: FIRST_REACH,
            reach: FIRST_REACH,
            burst: FIRST_BURST,
            resume: false,
            lagged: LAGGED_PASSES,
            idle: 0,
            flat: 0,
        }
    }

    /// The next pass of Newton from the residual `least`.
    pub fn effort(&self, tolerance: f64, least: f64) -> Effort {
        let lagged = self.turn != Turn::Newton;
        Effort {
            delta: self.delta,
            goal: 0.3 * tolerance.max(SHARE * least),
            steps: STEPS,
            friction: if lagged {
                Friction::Lagged
            } else {
                Friction::Exact
            },
            patient: false,
        }
    }

    /// Decides after a round that ended with the residual `size`; `least` was the smallest so far.
    pub fn next(&mut self, end: PassEnd, size: f64, least: f64) {
        match self.turn {
            Turn::Admm => {
                self.resume = true;
                self.burst = (2 * self.burst).min(MAX_BURST);
                self.turn = Turn::Newton;
                self.delta = FIRST_REACH;
            }
            Turn::Lagged { left } => {
                self.resume = false;
                if left > 1 {
                    self.turn = Turn::Lagged { left: left - 1 };
                } else {
                    self.turn = Turn::Newton;
                    self.delta = FIRST_REACH;
                    self.lagged -= 1;
                }
            }
            Turn::Newton => self.after_newton(end),
        }
        self.idle = if size < 0.5 * least { 0 } else { self.idle + 1 };
        // Newton solves its equations and the residual stays: contradicting rows.
        let flat = end == PassEnd::Done && size > 0.8 * least;
        self.flat = if flat { self.flat + 1 } else { 0 };
    }

    /// Small δ reduces the residual more per pass, large δ is easier.
    fn after_newton(&mut self, end: PassEnd) {
        match end {
            PassEnd::Done => {
                self.resume = false;
                let floor = if self.flat > 1 {
                    LEAST_PROXIMAL
                } else {
                    NEAR_PROXIMAL
                };
                self.delta = (0.1 * self.delta).max(floor);
            }
            _ if self.delta < 0.99 * self.reach => self.delta *= 10.0,
            _ if self.lagged > 0 && self.idle > HARD => {
                self.turn = Turn::Lagged { left: self.lagged };
                self.delta = LAGGED_PROXIMAL;
            }
            _ => {
                self.turn = Turn::Admm;
                self.reach = (10.0 * self.reach).min(LAST_REACH);
            }
        }
    }
}
