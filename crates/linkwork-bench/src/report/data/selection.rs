//! Comparable scores: those with one tolerance and one time limit.

use super::solvers::Solvers;
use crate::results::{Score, Start};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The scores at the most frequent tolerance and limit, the last of each problem, solver and start.
pub struct Selection<'a> {
    /// The scores.
    pub scores: Vec<&'a Score>,
    /// Tolerance of all.
    pub tolerance: f64,
    /// Wall time each solve was given, s.
    pub limit_s: f64,
    /// Scores at other tolerances and limits, which only the CSV shows.
    pub left_out: usize,
}

impl<'a> Selection<'a> {
    /// Select from `scores`.
    pub fn of(scores: impl Iterator<Item = &'a Score> + Clone) -> Self {
        let key = |s: &Score| (s.tolerance.to_bits(), s.limit_s.to_bits());
        let mut counts: BTreeMap<(u64, u64), usize> = BTreeMap::new();
        for score in scores.clone() {
            *counts.entry(key(score)).or_default() += 1;
        }
        let total: usize = counts.values().sum();
        let most = counts.into_iter().max_by_key(|(_, count)| *count);
        let Some((chosen, count)) = most else {
            return Self {
                scores: Vec::new(),
                tolerance: f64::NAN,
                limit_s: f64::NAN,
                left_out: 0,
            };
        };
        let mut places: HashMap<(&str, &str, Start), usize> = HashMap::new();
        let mut kept: Vec<&Score> = Vec::new();
        for score in scores.filter(|s| key(s) == chosen) {
            let place = (score.problem.as_str(), score.solver.as_str(), score.start);
            match places.get(&place) {
                Some(at) => kept[*at] = score,
                None => {
                    places.insert(place, kept.len());
                    kept.push(score);
                }
            }
        }
        Self {
            scores: kept,
            tolerance: f64::from_bits(chosen.0),
            limit_s: f64::from_bits(chosen.1),
            left_out: total - count,
        }
    }

    /// Those of one start.
    pub fn starting(&self, start: Start) -> Vec<&'a Score> {
        self.scores
            .iter()
            .copied()
            .filter(|s| s.start == start)
            .collect()
    }

    /// The starts there are.
    pub fn starts(&self) -> Vec<Start> {
        let all: BTreeSet<Start> = self.scores.iter().map(|s| s.start).collect();
        all.into_iter().collect()
    }

    /// Number of different problems.
    pub fn problems(&self) -> usize {
        let names: BTreeSet<&str> = self.scores.iter().map(|s| s.problem.as_str()).collect();
        names.len()
    }

    /// The solvers that were scored, as indices.
    pub fn solvers(&self, solvers: &Solvers) -> Vec<usize> {
        let names: BTreeSet<&str> = self.scores.iter().map(|s| s.solver.as_str()).collect();
        (0..solvers.len())
            .filter(|k| names.contains(solvers[*k].name.as_str()))
            .collect()
    }

    /// Number of missing solves until every solver has tried every problem from every start.
    pub fn missing(&self, solvers: &Solvers) -> usize {
        let tried: BTreeSet<(&str, Start)> = self
            .scores
            .iter()
            .map(|s| (s.problem.as_str(), s.start))
            .collect();
        (tried.len() * self.solvers(solvers).len()).saturating_sub(self.scores.len())
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::score;
    use super::*;

    #[test]
    fn scores_at_the_commonest_tolerance_are_compared_the_last_of_each() {
        let mut scores = [
            score("a", "newton", 1.0, false),
            score("a", "hybrid", 2.0, true),
            score("b", "hybrid", 3.0, true),
            score("a", "newton", 4.0, true),
            score("b", "newton", 5.0, true),
        ];
        scores[4].tolerance = 1e-3;
        let selection = Selection::of(scores.iter());
        assert_eq!((selection.tolerance, selection.left_out), (1e-6, 1));
        let walls: Vec<f64> = selection.scores.iter().map(|s| s.wall_s).collect();
        assert_eq!(walls, [4.0, 2.0, 3.0]);
        // newton has not tried b at this tolerance.
        let solvers = Solvers::with(std::iter::empty());
        assert_eq!((selection.problems(), selection.missing(&solvers)), (2, 1));
    }
}
