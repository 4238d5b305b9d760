//! Performance profiles [Dolan & Moré 2002]: ρ_s(τ) is the share of problems that solver s solves within τ
//! times the time of the fastest solver of that problem.

use super::solvers::Solvers;
use super::tally::fastest;
use crate::results::Score;
use std::collections::BTreeSet;

/// The profile of one solver.
#[derive(Clone, Debug, PartialEq)]
pub struct Profile {
    /// Index of the solver.
    pub solver: usize,
    /// Problems it solves.
    pub solved: usize,
    /// Corners (τ, ρ) of the stair, from τ = 1 to the end common to all.
    pub corners: Vec<(f64, f64)>,
}

/// Profiles of the solvers `keys` relative to each other, the one that solves most first. The share is of all problems
/// given to any of them, including refused ones.
pub fn profiles(scores: &[&Score], keys: &[usize], solvers: &Solvers) -> Vec<Profile> {
    let names: Vec<&str> = keys.iter().map(|k| solvers[*k].name.as_str()).collect();
    let group = || {
        scores
            .iter()
            .copied()
            .filter(|s| names.contains(&s.solver.as_str()))
    };
    let problems: BTreeSet<_> = group().map(|s| (&s.problem, s.start)).collect();
    let best = fastest(group());
    let ratios = |name: &str| {
        let solved = group().filter(|s| s.solver == name && s.solved && s.wall_s.is_finite());
        let ratio = |s: &Score| s.wall_s.max(1e-9) / best[&(s.problem.as_str(), s.start)];
        let mut ratios: Vec<f64> = solved.map(ratio).collect();
        ratios.sort_by(f64::total_cmp);
        ratios
    };
    let all: Vec<(usize, Vec<f64>)> = keys
        .iter()
        .zip(&names)
        .map(|(k, name)| (*k, ratios(name)))
        .collect();
    let end = all
        .iter()
        .flat_map(|(_, r)| r)
        .fold(10.0f64, |a, r| a.max(*r))
        * 1.2;
    let mut profiles: Vec<Profile> = all
        .into_iter()
        .map(|(solver, ratios)| Profile {
            solver,
            solved: ratios.len(),
            corners: corners(&ratios, problems.len(), end),
        })
        .collect();
    profiles.sort_by_key(|p| std::cmp::Reverse(p.solved));
    profiles
}

fn corners(ratios: &[f64], problems: usize, end: f64) -> Vec<(f64, f64)> {
    let share = |n: usize| n as f64 / problems.max(1) as f64;
    let wins = ratios.iter().filter(|r| **r <= 1.0).count();
    let mut corners = vec![(1.0, share(wins))];
    let later = ratios.iter().enumerate().skip(wins);
    corners.extend(later.map(|(n, ratio)| (*ratio, share(n + 1))));
    corners.push((end, share(ratios.len())));
    corners
}

#[cfg(test)]
mod tests {
    use super::super::fixture::score;
    use super::*;

    /// Two problems: newton wins the one it solves, hybrid solves both, five times slower on the first.
    #[test]
    fn a_profile_counts_what_is_solved_within_the_ratio() {
        let scores = [
            score("a", "newton", 2.0, true),
            score("a", "hybrid", 10.0, true),
            score("b", "newton", 1.0, false),
            score("b", "hybrid", 30.0, true),
        ];
        let solvers = Solvers::with(std::iter::empty());
        let keys = ["newton", "hybrid"].map(|name| solvers.index(name).unwrap());
        let found = profiles(&scores.each_ref(), &keys, &solvers);
        assert_eq!((found[0].solver, found[0].solved), (keys[1], 2));
        assert_eq!(found[0].corners, [(1.0, 0.5), (5.0, 1.0), (12.0, 1.0)]);
        assert_eq!(found[1].corners, [(1.0, 0.5), (12.0, 0.5)]);
    }
}
