//! The penalty rules of [Carpentier §III-F], and ADMM that follows them.

use linkwork_solve::solvers::{Admm, AdmmSettings, PenaltyRule};
use linkwork_solve::{Solver, SolverSettings};

/// α of both rules: residuals that are this far apart change the penalty.
const RATIO: f64 = 10.0;

/// A penalty rule under the name of its parameter.
#[derive(Clone, Copy)]
pub(super) struct Rule {
    pub name: &'static str,
    pub rule: PenaltyRule,
}

const fn linear(name: &'static str, factor: f64) -> Rule {
    let ratio = RATIO;
    let rule = PenaltyRule::Linear { factor, ratio };
    Rule { name, rule }
}

const fn spectral(name: &'static str, step: f64) -> Rule {
    let ratio = RATIO;
    let rule = PenaltyRule::Spectral { step, ratio };
    Rule { name, rule }
}

/// The rules of Tables III and IV, in their order: four linear, three spectral.
pub(super) const RULES: [Rule; 7] = [
    linear("linear τ = 2", 2.0),
    linear("linear τ = 4", 4.0),
    linear("linear τ = 8", 8.0),
    linear("linear τ = 16", 16.0),
    spectral("spectral p = 0.01", 0.01),
    spectral("spectral p = 0.05", 0.05),
    spectral("spectral p = 0.08", 0.08),
];

/// The linear rule with τ = 2.
pub(super) const LINEAR: Rule = RULES[0];
/// The spectral rule with the step the paper calls typical, 0.05.
pub(super) const SPECTRAL: Rule = RULES[5];

/// Linkwork's ADMM under a rule: over-relaxed, with Anderson acceleration.
pub(super) fn accelerated(rule: PenaltyRule, common: SolverSettings) -> Box<dyn Solver> {
    Box::new(Admm::new(AdmmSettings {
        common,
        penalty: rule,
        ..AdmmSettings::default()
    }))
}

/// The same, as close to [Carpentier Alg. 1] as its settings allow: no over-relaxation, no acceleration, and the
/// penalty reconsidered in every iteration. The penalty still has one weight per block.
pub(super) fn plain(rule: PenaltyRule, common: SolverSettings) -> Box<dyn Solver> {
    Box::new(Admm::new(AdmmSettings {
        common,
        penalty: rule,
        penalty_interval: 1,
        over_relaxation: 1.0,
        anderson: 0,
        ..AdmmSettings::default()
    }))
}
