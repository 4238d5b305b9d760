//! How a solver did over all problems.

use super::outcome::{Outcome, UNSUPPORTED, claim};
use linkwork_solve::Status;
use serde::Serialize;

/// A solver's totals. Fields are keys of the JSON object.
#[derive(Debug, Serialize)]
pub struct Summary {
    pub solver: &'static str,
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
    /// Of the outcomes of `solver`; `absolute` as the problems were solved.
    pub fn of(solver: &'static str, outcomes: &[Outcome], absolute: bool) -> Self {
        let mine = || outcomes.iter().filter(|o| o.solver == solver);
        let count = |what: fn(&Outcome) -> bool| mine().filter(|o| what(o)).count();
        let efforts = || mine().filter_map(|o| o.effort);
        let mut times: Vec<f64> = efforts().map(|e| e.wall_ms).collect();
        times.sort_by(f64::total_cmp);
        let worst = efforts().map(|e| e.judged(absolute)).reduce(worse);
        Self {
            solver,
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

/// The larger, or the one that is not a number.
fn worse(a: f64, b: f64) -> f64 {
    if b > a || b.is_nan() { b } else { a }
}

fn median(sorted: &[f64]) -> Option<f64> {
    let half = sorted.len() / 2;
    match sorted.len() {
        0 => None,
        n if n % 2 == 1 => Some(sorted[half]),
        _ => Some(0.5 * (sorted[half - 1] + sorted[half])),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_and_the_worst_of_residuals() {
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[1.0, 2.0, 9.0]), Some(2.0));
        assert_eq!(median(&[1.0, 2.0, 4.0, 9.0]), Some(3.0));
        assert!(worse(1.0, f64::NAN).is_nan() && worse(f64::NAN, 1.0).is_nan());
        assert_eq!(worse(1.0, 2.0), 2.0);
    }
}
