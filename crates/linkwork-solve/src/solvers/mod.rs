//! Solvers, one file each, one line in `registry.rs`.

mod admm;
#[cfg(test)]
mod all_sets_tests;
mod anderson;
mod checked;
mod clarabel_reference;
mod condensed;
mod direct;
mod ends;
mod hybrid;
mod implicit;
mod lcp;
mod nbgs;
mod newton;
mod penalty;
mod pgs_ccp;
mod pgs_ncp;
mod power;
mod prox;
mod raisim;
mod reduced;
mod registry;
#[cfg(test)]
mod samples;
mod sap;
mod scaled;
mod splitting;

pub use admm::{Admm, AdmmForm, AdmmSettings, IterateResiduals};
pub use anderson::Anderson;
pub use clarabel_reference::{Cascade, ClarabelReference, ClarabelSettings};
pub use condensed::{Condensed, ContactSolver};
pub use direct::{Direct, minimum_norm};
pub use hybrid::Hybrid;
pub use implicit::{Implicit, ImplicitSettings, ImplicitSteps, Start};
pub use lcp::{Lcp, LcpSettings};
pub use nbgs::Nbgs;
pub use newton::{Newton, NewtonSettings};
pub use penalty::PenaltyRule;
pub use pgs_ccp::{ConeStepSize, PgsCcp, PgsCcpSettings};
pub use pgs_ncp::{PgsNcp, PgsNcpSettings, TangentialStep};
pub use prox::{Prox, ProxSettings};
pub use raisim::{Raisim, RaisimSettings, Shift};
pub use reduced::Reduced;
pub use registry::{
    DEFAULT_SOLVER, SolverEntry, UnknownSolver, all_solvers, counterpart, known_solvers,
    printed_solvers, solver_by_name, solver_entry,
};
pub use sap::{ExactLineSearch, Sap, SapSettings, SapStop};
pub use splitting::{
    Contact, Decay, EarlyStop, EdgeSearch, LeastEnergyRule, PrintedTest, Relaxation, SweepOrder,
    SweepSettings,
};

use crate::condense::Plans;
use crate::delassus::OperatorChoice;
use crate::problem::{Problem, Solution, SolveReport};
use crate::residuals::ContactModel;
use crate::sets::ImpulseSet;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Settings every solver understands.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct SolverSettings {
    /// Stop when the recomputed scaled natural map is at most this, as an impulse (N s) and as a
    /// velocity (m/s). Nominal 1e-12 … 1e-4.
    pub tolerance: f64,
    /// Stop after this many iterations. Nominal 100 … 10 000.
    pub max_iterations: usize,
}

impl Default for SolverSettings {
    fn default() -> Self {
        Self {
            tolerance: 1e-9,
            max_iterations: 1000,
        }
    }
}

/// Why a solver does not support a problem.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("solver {solver} cannot solve this problem: {reason}")]
pub struct Unsupported {
    /// The solver.
    pub solver: &'static str,
    /// The reason, and the remedy.
    pub reason: String,
}

impl Unsupported {
    /// Refuse the problem if `solver` does not know the set of a block.
    fn check_sets(
        solver: &'static str,
        problem: &Problem,
        knows: impl Fn(ImpulseSet) -> bool,
    ) -> Result<(), Self> {
        match problem.sets.iter().position(|(set, _)| !knows(set)) {
            None => Ok(()),
            Some(k) => Err(Self {
                solver,
                reason: format!(
                    "block {k} is of the set {}, which it has no answer for; use condensed, admm-ncp-sa, newton or hybrid",
                    problem.sets.set(k).name()
                ),
            }),
        }
    }
}

/// Observes the iterations of a solver, and may stop it.
pub trait Observer {
    /// Called once per iteration with the solver's own residual estimate (scaled, N s or m/s). After `Break` the solver
    /// ends with [`crate::Status::Interrupted`].
    fn iteration(&mut self, iteration: usize, residual: f64) -> ControlFlow<()>;
}

impl Observer for () {
    fn iteration(&mut self, _: usize, _: f64) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// A way to solve a [`Problem`].
pub trait Solver: Send {
    /// Name in the registry.
    fn name(&self) -> &'static str;

    /// The contact law it solves, by which its answers are judged.
    fn model(&self) -> ContactModel;

    /// Whether it supports the problem.
    fn supports(&self, problem: &Problem) -> Result<(), Unsupported>;

    /// [`Problem::block_weights`] of the last problem solved, if it has them; otherwise empty.
    fn weights(&self) -> &[f64] {
        &[]
    }

    /// Whether the last solve failed only in contradicting redundant equations.
    fn met_contradictions(&self) -> bool {
        false
    }

    /// The velocity by which each row was relaxed in the last solve, m/s, if it ended as [`crate::Status::Blocked`];
    /// otherwise empty. The answer solves the problem with these added to v*. No impulses satisfy the rows without
    /// them, and the relaxation is the least possible.
    fn yielded(&self) -> &[f64] {
        &[]
    }

    /// Whether the stopping test of the paper held at the end of the last solve, for solvers that stop on one; others
    /// stop on the recomputed natural map. It is reported in addition to the status, which depends on the recomputed
    /// residual alone.
    fn own_test(&self) -> Option<bool> {
        None
    }

    /// Number of times, in all solves so far, that the first method failed and a more robust one was used.
    fn escalations(&self) -> u64 {
        0
    }

    /// Shares data that depends only on the structure of problems with other solvers.
    fn share(&mut self, _plans: &Arc<Plans>) {}

    /// Selects the factorisation of D, if the solver factors it; all give the same answer to round-off.
    fn set_operator(&mut self, _operator: OperatorChoice) {}

    /// Uses up to this many threads; the answer is the same bit for bit.
    fn set_threads(&mut self, _threads: usize) {}

    /// Allowed contradiction between rows in a step, m: the closure error of the joints of a mechanism. 0 by default. A
    /// solver may relax rows by it ([`Solver::yielded`]) and need not find impulses that satisfy them exactly.
    fn allow_contradictions(&mut self, _distance: f64) {}

    /// Solves; `x.lambda` is the guess on entry (a length other than nd, or a value that is not finite, counts as no
    /// guess) and `x` the answer on exit.
    fn solve(
        &mut self,
        problem: &Problem,
        x: &mut Solution,
        observer: &mut dyn Observer,
    ) -> SolveReport;

    /// Solve a problem that differs from the last one solved only in `v_bias`, from the answer `x`
    /// to it. Solvers that factor reuse the factorisation.
    fn resolve(
        &mut self,
        problem: &Problem,
        x: &mut Solution,
        observer: &mut dyn Observer,
    ) -> SolveReport {
        self.solve(problem, x, observer)
    }
}
