//! Counts over some scores of one solver.

use crate::results::{Score, Start};
use crate::stats::median;
use std::collections::HashMap;

/// How a solver did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tally {
    /// Problems it was given.
    pub problems: usize,
    /// Those it cannot take.
    pub refused: usize,
    /// Those it solved, by the recomputed residual.
    pub solved: usize,
    /// Claims of convergence that the recomputed residual refutes.
    pub false_claims: usize,
    /// Those whose answer satisfies the exact law to the tolerance.
    pub exact: usize,
    /// Wall times of solved problems, s.
    pub times: Vec<f64>,
    /// The same relative to the fastest of the solvers compared.
    pub ratios: Vec<f64>,
}

impl Tally {
    /// Count; `best` are the times of the fastest as [`fastest`] finds them.
    pub fn of<'a>(scores: impl Iterator<Item = &'a Score>, best: &Fastest) -> Self {
        let mut tally = Self::default();
        for score in scores {
            tally.problems += 1;
            tally.refused += usize::from(is_refused(score));
            tally.false_claims += usize::from(score.false_convergence);
            tally.exact += usize::from(score.solved && score.residual_ncp <= score.tolerance);
            if score.solved {
                tally.solved += 1;
                tally.times.push(score.wall_s);
                if let Some(least) = best.get(&key(score)) {
                    tally.ratios.push(score.wall_s / least);
                }
            }
        }
        tally
    }

    /// Problems it can take.
    pub fn tried(&self) -> usize {
        self.problems - self.refused
    }

    /// Solved of those it can take; NaN of none.
    pub fn share(&self) -> f64 {
        self.solved as f64 / self.tried() as f64
    }

    /// Median wall time of the solved problems, s.
    pub fn time(&self) -> Option<f64> {
        median(&self.times)
    }

    /// Median ratio to the fastest.
    pub fn ratio(&self) -> Option<f64> {
        median(&self.ratios)
    }
}

/// Least wall time on each problem and start, s.
pub type Fastest<'a> = HashMap<(&'a str, Start), f64>;

/// The least time in which one of `scores` solved each problem.
pub fn fastest<'a>(scores: impl Iterator<Item = &'a Score>) -> Fastest<'a> {
    let mut best = Fastest::new();
    for score in scores.filter(|s| s.solved && s.wall_s.is_finite()) {
        // A clock that measures zero would make every ratio infinite.
        let wall = score.wall_s.max(1e-9);
        let least = best.entry(key(score)).or_insert(wall);
        *least = least.min(wall);
    }
    best
}

/// Whether the solver does not support the problem, which is not a failure.
pub fn is_refused(score: &Score) -> bool {
    score.claimed == "unsupported"
}

fn key(score: &Score) -> (&str, Start) {
    (&score.problem, score.start)
}

#[cfg(test)]
mod tests {
    use super::super::fixture::score;
    use super::*;

    #[test]
    fn refusals_are_counted_apart_and_shares_are_of_what_is_taken() {
        let mut scores = [
            score("a", "newton", 2.0, true),
            score("b", "newton", 9.0, false),
            score("c", "newton", 0.0, false),
        ];
        (scores[2].claimed, scores[2].false_convergence) = ("unsupported".to_owned(), false);
        scores[0].residual_ncp = f64::NAN;
        let faster = score("a", "hybrid", 0.5, true);
        let best = fastest([&scores[0], &faster].into_iter());
        let tally = Tally::of(scores.iter(), &best);
        assert_eq!((tally.problems, tally.refused, tally.tried()), (3, 1, 2));
        assert_eq!((tally.solved, tally.false_claims, tally.exact), (1, 1, 0));
        assert_eq!((tally.share(), tally.ratio()), (0.5, Some(4.0)));
    }
}
