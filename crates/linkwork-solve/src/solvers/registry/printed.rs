//! Solvers exactly as printed in a paper, under the paper's name: its steps, its penalty and its stopping test, no
//! acceleration. They share every kernel with Linkwork's own solvers and are for comparison: the difference is the
//! effect of the changes. Where a paper states no number (ω, the tolerances), it is 1 or the tolerance of the settings.

use super::SolverEntry;
use crate::residuals::ContactModel;
use crate::solvers::splitting::{EdgeSearch, LeastEnergyRule, PrintedTest};
use crate::solvers::{
    Admm, AdmmForm, AdmmSettings, ConeStepSize, EarlyStop, Implicit, ImplicitSettings, Lcp,
    LcpSettings, PenaltyRule, PgsCcp, PgsCcpSettings, PgsNcp, PgsNcpSettings, Raisim,
    RaisimSettings, Sap, SapSettings, SapStop, Shift, Solver, SolverSettings, SweepOrder,
    SweepSettings, TangentialStep,
};

/// The solvers as printed: [Tsounis Table I] except its references, [Carpentier Alg. 1], [Castro Alg. 2], [Anitescu eq.
/// 2.10–2.11] and [Todorov §III].
pub fn printed_solvers() -> &'static [SolverEntry] {
    PRINTED
}

/// The solver of Linkwork that corresponds to a printed one.
pub fn counterpart(printed: &str) -> Option<&'static str> {
    Some(match printed {
        // Table I has De Saxcé's shift in PGS-CCP.
        "tsounis/pgs-ccp" => "pgs-ccp-ds",
        "tsounis/pgs-ncp" => "pgs-ncp",
        "tsounis/nbgs" => "nbgs",
        "tsounis/raisim" => "raisim",
        "tsounis/raisim-ds" => "raisim-ds",
        "tsounis/raisim-ds-es" => "raisim-ds-es",
        "tsounis/admm-ccp" => "admm-ccp",
        "tsounis/admm-ncp-fp" => "admm-ncp-fp",
        "tsounis/admm-ncp-la" => "admm-ncp-la",
        "tsounis/admm-ncp-sa" | "carpentier/admm" => "admm-ncp-sa",
        "castro/sap" => "sap",
        "anitescu/lcp" => "lcp",
        "todorov/implicit" => "implicit",
        _ => return None,
    })
}

/// [Tsounis §VI-F]: α of both penalty rules, τ of the linear and the exponents of the spectral one.
const RATIO: f64 = 10.0;
const FACTOR: f64 = 1.5;
const EXPONENT_STEP: f64 = 0.05;
const FIRST_EXPONENT: f64 = 0.2;

static PRINTED: &[SolverEntry] = &[
    SolverEntry {
        name: "tsounis/pgs-ccp",
        summary: "Table I, PGS-CCP: Alg. 5 and 2 with De Saxcé's shift, step 3/tr(D)",
        build: |s| {
            let settings = PgsCcpSettings {
                sweep: sweep(s, PrintedTest::Residuals),
                model: ContactModel::Ncp,
                step: ConeStepSize::MeanDiagonal,
                steps: 1,
            };
            Box::new(PgsCcp::under("tsounis/pgs-ccp", settings))
        },
    },
    SolverEntry {
        name: "tsounis/pgs-ncp",
        summary: "Table I, PGS-NCP: Alg. 5 and 3, normal and friction from one velocity",
        build: |s| {
            let settings = PgsNcpSettings {
                sweep: sweep(s, PrintedTest::Residuals),
                steps: 1,
                tangential: TangentialStep::Printed,
            };
            Box::new(PgsNcp::under("tsounis/pgs-ncp", settings))
        },
    },
    SolverEntry {
        name: "tsounis/nbgs",
        summary: "Table I, NBGS: Alg. 5 and 4, contacts of least energy by a quartic",
        build: |s| {
            let test = PrintedTest::Residuals;
            raisim("tsounis/nbgs", s, Shift::None, EdgeSearch::Quartic, test)
        },
    },
    SolverEntry {
        name: "tsounis/raisim",
        summary: "Table I, RAISIM: the same by bisection",
        build: |s| {
            let test = PrintedTest::Residuals;
            bisection("tsounis/raisim", s, Shift::None, test)
        },
    },
    SolverEntry {
        name: "tsounis/raisim-ds",
        summary: "Table I, RAISIM-DS: with De Saxcé's shift",
        build: |s| {
            let test = PrintedTest::Residuals;
            bisection("tsounis/raisim-ds", s, Shift::DeSaxce, test)
        },
    },
    SolverEntry {
        name: "tsounis/raisim-ds-es",
        summary: "Table I, RAISIM-DS-ES: stopped where the objective settles (eq. 160)",
        build: |s| {
            let test = PrintedTest::Objective;
            bisection("tsounis/raisim-ds-es", s, Shift::DeSaxce, test)
        },
    },
    SolverEntry {
        name: "tsounis/admm-ccp",
        summary: "Table I, ADMM-CCP: Alg. 6 without shift and proximal term, ρ = 1",
        build: |s| {
            let settings = AdmmSettings {
                model: ContactModel::Ccp,
                proximal: 0.0,
                ..admm(s, PenaltyRule::Fixed, None)
            };
            Box::new(Admm::named("tsounis/admm-ccp", settings))
        },
    },
    SolverEntry {
        name: "tsounis/admm-ncp-fp",
        summary: "Table I, ADMM-NCP-FP: Alg. 6, ρ = 1",
        build: |s| {
            let settings = admm(s, PenaltyRule::Fixed, None);
            Box::new(Admm::named("tsounis/admm-ncp-fp", settings))
        },
    },
    SolverEntry {
        name: "tsounis/admm-ncp-la",
        summary: "Table I, ADMM-NCP-LA: Alg. 6, linear adaptation (eq. 171)",
        build: |s| {
            let (factor, ratio) = (FACTOR, RATIO);
            let settings = admm(s, PenaltyRule::Linear { factor, ratio }, None);
            Box::new(Admm::named("tsounis/admm-ncp-la", settings))
        },
    },
    SolverEntry {
        name: "tsounis/admm-ncp-sa",
        summary: "Table I, ADMM-NCP-SA: Alg. 6, spectral adaptation (eq. 172)",
        build: |s| spectral("tsounis/admm-ncp-sa", s),
    },
    SolverEntry {
        name: "carpentier/admm",
        summary: "Alg. 1: the same, as first published",
        build: |s| spectral("carpentier/admm", s),
    },
    SolverEntry {
        name: "castro/sap",
        summary: "Alg. 2 from the last velocities, stopped on eq. 26; compliance on every row",
        build: |s| {
            Box::new(Sap::new(SapSettings {
                stop: SapStop::Momentum,
                ..s.into()
            }))
        },
    },
    SolverEntry {
        name: "anitescu/lcp",
        summary: "Lemke's method on the friction pyramid, not refined (eq. 2.10-2.11)",
        build: |common| {
            let settings = LcpSettings {
                common,
                refinements: 0,
                ..LcpSettings::default()
            };
            Box::new(Lcp::named("anitescu/lcp", settings))
        },
    },
    SolverEntry {
        name: "todorov/implicit",
        summary: "implicit complementarity from sticking, not scaled, no restarts (§III)",
        build: |s| {
            Box::new(Implicit::named(
                "todorov/implicit",
                ImplicitSettings::printed(s),
            ))
        },
    },
];

fn sweep(common: SolverSettings, test: PrintedTest) -> SweepSettings {
    SweepSettings {
        common,
        order: SweepOrder::Kinds,
        proximal: 0.0,
        anderson: 0,
        stop: EarlyStop::Printed(test),
        ..SweepSettings::default()
    }
}

fn bisection(
    name: &'static str,
    common: SolverSettings,
    shift: Shift,
    test: PrintedTest,
) -> Box<dyn Solver> {
    raisim(name, common, shift, EdgeSearch::Bisection, test)
}

fn raisim(
    name: &'static str,
    common: SolverSettings,
    shift: Shift,
    search: EdgeSearch,
    test: PrintedTest,
) -> Box<dyn Solver> {
    let settings = RaisimSettings {
        sweep: sweep(common, test),
        shift,
        local: LeastEnergyRule {
            search,
            stick_first: false,
        },
    };
    Box::new(Raisim::under(name, settings))
}

fn admm(common: SolverSettings, penalty: PenaltyRule, exponent: Option<f64>) -> AdmmSettings {
    AdmmSettings {
        penalty,
        form: AdmmForm::Printed { exponent },
        ..AdmmSettings::printed(common)
    }
}

/// Both papers have the same algorithm and the same numbers. p₀ is Tsounis'; Carpentier states none, and his
/// implementation (Pinocchio) uses the same.
fn spectral(name: &'static str, common: SolverSettings) -> Box<dyn Solver> {
    let (step, ratio) = (EXPONENT_STEP, RATIO);
    let settings = admm(
        common,
        PenaltyRule::Spectral { step, ratio },
        Some(FIRST_EXPONENT),
    );
    Box::new(Admm::named(name, settings))
}
