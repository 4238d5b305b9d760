//! How a solver did over all problems.

use super::outcome::Outcome;
use linkwork_bench::{UNSUPPORTED, claim, median};
use linkwork_solve::{ContactModel, SolverEntry, SolverSettings, Status, larger};
use serde::Serialize;

/// A solver's totals. Fields are keys of the JSON object.
#[derive(Debug, Serialize)]
pub struct Summary {
    pub solver: &'static str,
    /// The contact law it solves: `ncp` (Coulomb's) or `ccp` (the convex relaxation). An answer under one law is not an
    /// answer under the other, so times are compared within a law only.
    pub law: &'static str,
    /// Problems whose recomputed residual meets the tolerance.
    pub solved: usize,
    /// Problems the solver claims to have converged on.
    pub claimed: usize,
    /// Claims that the recomputed residual denies.
    pub false_convergences: usize,
    /// Problems it cannot take.
    pub unsupported: usize,
    pub problems: usize,
    /// Median wall time of the problems it can take, ms.
    pub median_ms: Option<f64>,
    /// Total wall time, ms.
    pub total_ms: f64,
    /// Worst recomputed residual that `solved` is judged by, of those it can take.
    pub worst_residual: Option<f64>,
}

impl Summary {
    /// Of the outcomes of a solver; `absolute` as the problems were solved.
    pub fn of(entry: &SolverEntry, outcomes: &[Outcome], absolute: bool) -> Self {
        let law = match entry.make(SolverSettings::default(), false).model() {
            ContactModel::Ncp => "ncp",
            ContactModel::Ccp => "ccp",
        };
        Self::named(entry.name, law, outcomes, absolute)
    }

    pub(super) fn named(
        solver: &'static str,
        law: &'static str,
        outcomes: &[Outcome],
        absolute: bool,
    ) -> Self {
        let mine = || outcomes.iter().filter(|o| o.solver == solver);
        let count = |what: fn(&Outcome) -> bool| mine().filter(|o| what(o)).count();
        let efforts = || mine().filter_map(|o| o.effort);
        let times: Vec<f64> = efforts().map(|e| e.wall_ms).collect();
        let worst = efforts().map(|e| e.judged(absolute)).reduce(larger);
        Self {
            solver,
            law,
            solved: count(|o| o.solved),
            claimed: count(|o| o.claimed == claim(Status::Converged)),
            false_convergences: count(Outcome::is_false),
            unsupported: count(|o| o.claimed == UNSUPPORTED),
            problems: mine().count(),
            median_ms: median(&times),
            total_ms: times.iter().sum(),
            worst_residual: worst,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use linkwork_bench::Effort;
    use linkwork_solve::Measures;

    /// A claim counts only if the recomputed residual agrees.
    #[test]
    fn a_claim_the_residual_denies_is_a_false_convergence() {
        let row = |claimed, residual_rel: f64| Outcome {
            problem: "p".to_owned(),
            solver: "s",
            tolerance: 1e-6,
            claimed,
            solved: residual_rel <= 1e-6,
            effort: Some(Effort {
                residual_scaled: 0.0,
                residual_rel,
                residual_unit: 0.0,
                residual_ncp: residual_rel,
                measures: Measures {
                    r_dual: 0.0,
                    r_ncp: 0.0,
                    r_nat: 0.0,
                    e_m: 0.0,
                    e_mu: 0.0,
                },
                own_test: None,
                iterations: 1,
                factorizations: 0,
                wall_ms: 2.0,
            }),
            rows: 3,
            contacts: 1,
            reason: None,
        };
        let rows = [
            row("converged", 1e-7),
            row("converged", 1e-5),
            row("converged", f64::NAN),
            row("stalled", 1e-7),
        ];
        let s = Summary::named("s", "ncp", &rows, false);
        assert_eq!((s.solved, s.claimed, s.false_convergences), (2, 3, 2));
        assert!(s.worst_residual.unwrap().is_nan());
        assert_eq!((s.median_ms, s.total_ms), (Some(2.0), 8.0));
        let failure = crate::solve::verdict(&[s], &[], 1).unwrap_err();
        assert_eq!(failure.code(), 1);
        assert!(failure.to_string().contains("falsely 2 times"));
    }
}
