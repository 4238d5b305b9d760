//! The report of a step.

use crate::control::ControlError;
use crate::time::plain_time;
use linkwork_solve::{Residuals, Status, Unsupported};

/// Seconds spent in each phase of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Timings {
    /// Collision detection.
    pub collision: f64,
    /// Free motion and assembly of the rows.
    pub rows: f64,
    /// First solve.
    pub solve: f64,
    /// Closure refinement, with its solves.
    pub closure: f64,
    /// Integration and bookkeeping.
    pub integrate: f64,
}

impl Timings {
    /// Add another step's.
    pub fn add(&mut self, other: &Timings) {
        self.collision += other.collision;
        self.rows += other.rows;
        self.solve += other.solve;
        self.closure += other.closure;
        self.integrate += other.integrate;
    }
}

/// Work done on the mechanism during a step, J, by source: impulse times the mean of the row velocities before and
/// after the kick.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Work {
    /// Hard joints and couplings; zero up to the order of the integrator.
    pub joints: f64,
    /// Hard limits of joints and tendons; at most zero except for overlap removal.
    pub limits: f64,
    /// Dry friction of joints and tendons; at most zero.
    pub friction: f64,
    /// Drives, springs, dampers and armatures, and soft joints, couplings and limits.
    pub drives: f64,
    /// Contacts.
    pub contacts: f64,
    /// Applied forces of joints and tendons and body wrenches.
    pub applied: f64,
}

impl Work {
    /// Add another step's.
    pub fn add(&mut self, other: &Work) {
        self.joints += other.joints;
        self.limits += other.limits;
        self.friction += other.friction;
        self.drives += other.drives;
        self.contacts += other.contacts;
        self.applied += other.applied;
    }

    /// In a kick that ends with J u⁺ = 0, moves apparent work of joints to the contacts and limits that remove energy.
    /// Projecting the velocities before (J u⁻ ≠ 0) on those the joints allow, and then stopping the impact, leads to
    /// the same velocities, and in the second projection joints do no work (mechanism 524 of seed 1 at 5 ms: 0.8 J in
    /// an impact that removed 5 J).
    pub(crate) fn share_impacts(&mut self) {
        let shared = self.joints.min(-self.contacts - self.limits).max(0.0);
        self.joints -= shared;
        self.contacts += shared;
    }

    /// Energy added by all sources except joints, J.
    pub(crate) fn given(&self) -> f64 {
        self.accounted().iter().map(|w| w.max(0.0)).sum()
    }

    /// Energy removed by all sources except joints, J.
    pub(crate) fn taken(&self) -> f64 {
        self.accounted().iter().map(|w| (-w).max(0.0)).sum()
    }

    /// What all rows but the joints' did, J.
    pub(crate) fn of_rows(&self) -> f64 {
        self.limits + self.friction + self.drives + self.contacts
    }

    fn accounted(&self) -> [f64; 5] {
        [
            self.limits,
            self.friction,
            self.drives,
            self.contacts,
            self.applied,
        ]
    }

    /// Total work without that of the joints, which an exact integrator would not have.
    pub fn non_conservative(&self) -> f64 {
        self.accounted().iter().sum()
    }
}

/// What became of the solution.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It was applied.
    Applied,
    /// The step was repeated as this many substeps.
    Substepped(u32),
    /// It was discarded; poses and velocities are unchanged.
    Held,
}

impl Outcome {
    /// Its number in recordings and in the viewer's frames: 0 applied, 1 held, n ≥ 2 repeated as n smaller steps.
    pub fn number(self) -> u32 {
        match self {
            Outcome::Applied => 0,
            Outcome::Held => 1,
            Outcome::Substepped(n) => n,
        }
    }

    /// That of a number.
    pub fn numbered(number: u32) -> Self {
        match number {
            0 => Outcome::Applied,
            1 => Outcome::Held,
            n => Outcome::Substepped(n),
        }
    }
}

impl std::fmt::Display for Outcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Outcome::Applied => f.write_str("applied"),
            Outcome::Held => f.write_str("held"),
            Outcome::Substepped(n) => write!(f, "substepped {n}"),
        }
    }
}

/// Counts of fallbacks since a simulator was created.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Escalations {
    /// Number of times the solver's first method failed and a more robust one was used.
    pub solver: u64,
    /// Number of times impulses were replaced because they would have added energy to the mechanism.
    pub restrained: u64,
}

/// The report of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepReport {
    /// Result of the solve (the worst of all solves of the step).
    pub status: Status,
    /// What became of the solution.
    pub outcome: Outcome,
    /// Residuals of the applied impulses, recomputed from M and J.
    pub residuals: Residuals,
    /// Solver iterations, all passes.
    pub iterations: usize,
    /// Factorisations, all passes.
    pub factorizations: usize,
    /// Closure passes.
    pub closure_passes: usize,
    /// Constraint rows nd.
    pub rows: usize,
    /// Contact points.
    pub contacts: usize,
    /// Largest translational joint residual after the step, m.
    pub closure_linear: f64,
    /// Largest rotational joint or coupling residual after the step, rad.
    pub closure_angular: f64,
    /// Largest violation of a limit of a joint or tendon after the step, m or rad.
    pub limit_violation: f64,
    /// Deepest overlap at the start of the step, m.
    pub penetration: f64,
    /// Largest estimated error that a part of the step adds, m/s; 0 without
    /// [`Settings::adaptive`](crate::Settings::adaptive).
    pub local_error: f64,
    /// Work done during the step.
    pub work: Work,
    /// Where the time went.
    pub timings: Timings,
}

/// A step that was not taken; the state is unchanged.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum StepError {
    /// The solve did not converge under [`FailurePolicy::Error`](crate::FailurePolicy::Error).
    #[error(
        "the solve at t = {time} s ended with '{status}' at scaled residual {residual:.3e}{joints}; loosen the tolerance, raise max_iterations, shorten dt, or choose another failure policy",
        time = plain_time(*time)
    )]
    NotConverged {
        /// Time of the step, s.
        time: f64,
        /// How the solve ended.
        status: Status,
        /// Scaled natural map, N s or m/s.
        residual: f64,
        /// The joints with the largest violation, as text; empty if none.
        joints: String,
    },
    /// A number is not finite.
    #[error(
        "the step at t = {time} s produced a number that is not finite: {what}; check forces, targets and initial velocities, or shorten dt",
        time = plain_time(*time)
    )]
    NotFinite {
        /// Time of the step, s.
        time: f64,
        /// The first body or input concerned.
        what: String,
    },
    /// The solver does not support the rows of this step; the message contains the remedy.
    #[error(transparent)]
    Unsupported(#[from] Unsupported),
    /// The control does not fit the model or is not finite.
    #[error(transparent)]
    Misfit(#[from] ControlError),
}
