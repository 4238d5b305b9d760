//! The solvers by name.

mod printed;

pub use printed::{counterpart, printed_solvers};

use super::checked::Checked;
use super::{
    Admm, AdmmSettings, ClarabelReference, ClarabelSettings, Condensed, Direct, EarlyStop, Hybrid,
    Implicit, ImplicitSettings, Lcp, LcpSettings, LeastEnergyRule, Nbgs, Newton, NewtonSettings,
    PenaltyRule, PgsCcp, PgsCcpSettings, PgsNcp, PgsNcpSettings, Prox, ProxSettings, Raisim,
    RaisimSettings, Reduced, Sap, Shift, Solver, SolverSettings, SweepSettings,
};
use crate::residuals::ContactModel;

/// A solver that can be selected by name.
pub struct SolverEntry {
    /// Unique name.
    pub name: &'static str,
    /// A description in one line.
    pub summary: &'static str,
    /// Makes the bare method, which assumes that [`Problem::check`](crate::Problem::check) holds; [`SolverEntry::make`]
    /// returns one that checks.
    pub build: fn(SolverSettings) -> Box<dyn Solver>,
}

impl SolverEntry {
    /// Makes a solver; with `reduced` it works on the problem without its equations ([`Reduced`]). `condensed` and
    /// `condensed-ccp` eliminate them anyway, and `direct` supports nothing else, so `reduced` does not change them.
    pub fn make(&self, settings: SolverSettings, reduced: bool) -> Box<dyn Solver> {
        Box::new(Checked::new(self.make_unchecked(settings, reduced)))
    }

    /// The same for problems that are known to be valid, such as those of a simulator. Checking every number twice per
    /// step takes 5 % of the time of a four-bar.
    pub fn make_unchecked(&self, settings: SolverSettings, reduced: bool) -> Box<dyn Solver> {
        let solver = (self.build)(settings);
        if reduced && !["condensed", "condensed-ccp", "direct"].contains(&self.name) {
            Box::new(Reduced::new(solver, settings.tolerance))
        } else {
            solver
        }
    }
}

/// The solver used where none is named.
pub const DEFAULT_SOLVER: &str = "condensed";

/// Every solver of Linkwork. Those that follow a paper exactly are [`printed_solvers`].
pub fn all_solvers() -> &'static [SolverEntry] {
    SOLVERS
}

static SOLVERS: &[SolverEntry] = &[
    SolverEntry {
        name: "admm-ncp-sa",
        summary: "proximal ADMM on the NCP, spectral penalty",
        build: |s| admm("admm-ncp-sa", s, ContactModel::Ncp, PenaltyRule::spectral()),
    },
    SolverEntry {
        name: "admm-ncp-la",
        summary: "proximal ADMM on the NCP, linear penalty",
        build: |s| admm("admm-ncp-la", s, ContactModel::Ncp, PenaltyRule::linear()),
    },
    SolverEntry {
        name: "admm-ncp-osqp",
        summary: "proximal ADMM on the NCP, penalty that balances the residuals",
        build: |s| {
            admm(
                "admm-ncp-osqp",
                s,
                ContactModel::Ncp,
                PenaltyRule::balancing(),
            )
        },
    },
    SolverEntry {
        name: "admm-ncp-fp",
        summary: "proximal ADMM on the NCP, fixed penalty",
        build: |s| admm("admm-ncp-fp", s, ContactModel::Ncp, PenaltyRule::Fixed),
    },
    SolverEntry {
        name: "admm-ccp",
        summary: "proximal ADMM on the convex relaxation, spectral penalty",
        build: |s| admm("admm-ccp", s, ContactModel::Ccp, PenaltyRule::spectral()),
    },
    SolverEntry {
        name: "condensed",
        summary: "joints eliminated exactly, Newton on what can open, slip or saturate",
        build: |s| Box::new(Condensed::new(s, ContactModel::Ncp)),
    },
    SolverEntry {
        name: "condensed-ccp",
        summary: "the same on the convex relaxation: interior point on large islands, for heaps",
        build: |s| Box::new(Condensed::new(s, ContactModel::Ccp)),
    },
    SolverEntry {
        name: "hybrid",
        summary: "bursts of ADMM, polished by Newton on the exact law",
        build: |s| Box::new(Hybrid::new(s)),
    },
    SolverEntry {
        name: "newton",
        summary: "proximal semismooth Newton on the exact law",
        build: |common| {
            Box::new(Newton::new(NewtonSettings {
                common,
                ..NewtonSettings::default()
            }))
        },
    },
    SolverEntry {
        name: "direct",
        summary: "Cholesky with proximal refinement; joints only",
        build: |s| Box::new(Direct::new(s)),
    },
    SolverEntry {
        name: "sap",
        summary: "primal Newton on the convex relaxation, hard rows by multipliers; bodies only",
        build: |s| Box::new(Sap::new(s.into())),
    },
    SolverEntry {
        name: "clarabel",
        summary: "interior point on the convex relaxation; the reference",
        build: |s| reference("clarabel", s, ContactModel::Ccp),
    },
    SolverEntry {
        name: "clarabel-ncp",
        summary: "interior point on the NCP, by a cascade of convex problems",
        build: |s| reference("clarabel-ncp", s, ContactModel::Ncp),
    },
    SolverEntry {
        name: "nbgs",
        summary: "block Gauss-Seidel, contacts solved exactly under Coulomb's law",
        build: |s| Box::new(Nbgs::new(sweeps(s))),
    },
    SolverEntry {
        name: "pgs-ncp",
        summary: "projected Gauss-Seidel on the NCP, normal first, then friction",
        build: |s| {
            Box::new(PgsNcp::new(PgsNcpSettings {
                sweep: sweeps(s),
                ..PgsNcpSettings::default()
            }))
        },
    },
    SolverEntry {
        name: "pgs-ccp",
        summary: "projected Gauss-Seidel on the convex relaxation",
        build: |s| pgs_ccp(s, ContactModel::Ccp),
    },
    SolverEntry {
        name: "pgs-ccp-ds",
        summary: "projected Gauss-Seidel on the NCP by De Saxcé's shift",
        build: |s| pgs_ccp(s, ContactModel::Ncp),
    },
    SolverEntry {
        name: "raisim",
        summary: "block Gauss-Seidel, contacts of least energy by bisection",
        build: |s| raisim(sweeps(s), Shift::None),
    },
    SolverEntry {
        name: "raisim-ds",
        summary: "raisim with De Saxcé's shift in the contact problem",
        build: |s| raisim(sweeps(s), Shift::DeSaxce),
    },
    SolverEntry {
        name: "raisim-ds-es",
        summary: "raisim-ds that stops when the objective settles",
        build: |s| {
            let stop = EarlyStop::Objective { relative: 1e-12 };
            raisim(SweepSettings { stop, ..sweeps(s) }, Shift::DeSaxce)
        },
    },
    SolverEntry {
        name: "prox",
        summary: "proximal splitting (SORprox) on the NCP",
        build: |s| {
            Box::new(Prox::new(ProxSettings {
                sweep: sweeps(s),
                ..ProxSettings::default()
            }))
        },
    },
    SolverEntry {
        name: "implicit",
        summary: "implicit complementarity: Gauss-Newton that knows the edges of the law",
        build: |common| {
            Box::new(Implicit::new(ImplicitSettings {
                common,
                ..ImplicitSettings::default()
            }))
        },
    },
    SolverEntry {
        name: "lcp",
        summary: "Lemke's method on the friction pyramid, turned until it meets the cone",
        build: |common| {
            Box::new(Lcp::new(LcpSettings {
                common,
                ..LcpSettings::default()
            }))
        },
    },
];

fn admm(
    name: &'static str,
    common: SolverSettings,
    model: ContactModel,
    penalty: PenaltyRule,
) -> Box<dyn Solver> {
    let mut settings = AdmmSettings {
        common,
        model,
        penalty,
        ..AdmmSettings::default()
    };
    if penalty == PenaltyRule::Fixed {
        // It cannot rise where it is too small.
        settings.initial_penalty = 0.1;
    }
    Box::new(Admm::named(name, settings))
}

fn reference(name: &'static str, common: SolverSettings, model: ContactModel) -> Box<dyn Solver> {
    let settings = ClarabelSettings {
        common,
        model,
        ..ClarabelSettings::default()
    };
    Box::new(ClarabelReference::named(name, settings))
}

fn sweeps(common: SolverSettings) -> SweepSettings {
    SweepSettings {
        common,
        ..SweepSettings::default()
    }
}

fn pgs_ccp(common: SolverSettings, model: ContactModel) -> Box<dyn Solver> {
    Box::new(PgsCcp::new(PgsCcpSettings {
        sweep: sweeps(common),
        model,
        ..PgsCcpSettings::default()
    }))
}

fn raisim(sweep: SweepSettings, shift: Shift) -> Box<dyn Solver> {
    Box::new(Raisim::new(RaisimSettings {
        sweep,
        shift,
        local: LeastEnergyRule::default(),
    }))
}

/// [`all_solvers`], then [`printed_solvers`].
pub fn known_solvers() -> impl Iterator<Item = &'static SolverEntry> {
    all_solvers().iter().chain(printed_solvers())
}

/// No solver has the name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no solver '{name}'; choose one of: {known}")]
pub struct UnknownSolver {
    /// The requested name.
    pub name: String,
    /// The names there are.
    pub known: String,
}

/// Make the solver called `name`.
pub fn solver_by_name(
    name: &str,
    settings: SolverSettings,
) -> Result<Box<dyn Solver>, UnknownSolver> {
    Ok(solver_entry(name)?.make(settings, false))
}

/// The registered solver called `name`.
pub fn solver_entry(name: &str) -> Result<&'static SolverEntry, UnknownSolver> {
    known_solvers()
        .find(|e| e.name == name)
        .ok_or_else(|| UnknownSolver {
            name: name.to_owned(),
            known: known_solvers()
                .map(|e| e.name)
                .collect::<Vec<_>>()
                .join(", "),
        })
}
