//! Lemke's method on linear complementarity problems with known solutions.

use super::lemke::{Ending, Lemke};
use faer::Mat;
use std::ops::ControlFlow;

fn random(seed: &mut u64) -> f64 {
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    (*seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}

/// M = B Bᵀ + skew: positive definite in the sense that zᵀ M z > 0, not symmetric.
fn positive_matrix(n: usize, rank: usize, seed: &mut u64) -> Mat<f64> {
    let b = Mat::from_fn(n, rank, |_, _| random(seed));
    let c = Mat::from_fn(n, n, |_, _| random(seed));
    &b * b.transpose() + &c - c.transpose()
}

#[test]
fn a_positive_definite_problem_has_the_one_solution_it_was_made_from() {
    let mut seed = 7;
    for n in [1, 2, 5, 20, 60, 150] {
        let m = positive_matrix(n, n + 2, &mut seed);
        let z = Mat::from_fn(n, 1, |_, _| random(&mut seed).max(0.0));
        let w = Mat::from_fn(n, 1, |i, _| match z[(i, 0)] {
            0.0 => random(&mut seed).abs() + 0.1,
            _ => 0.0,
        });
        let q = &w - &m * &z;
        let q: Vec<f64> = (0..n).map(|i| q[(i, 0)]).collect();
        let mut lemke = Lemke::default();
        let mut pivots = 0;
        let ending = lemke.run(&m, &q, 100 * n + 100, |_| {
            pivots += 1;
            ControlFlow::Continue(())
        });
        println!(
            "n = {n}: {pivots} pivots, {} refactorings",
            lemke.refactorings
        );
        assert_eq!(ending, Ending::Solved);
        for i in 0..n {
            assert_eq!(lemke.is_active(i), z[(i, 0)] > 0.0, "n = {n}, z_{i}");
        }
    }
}

/// Degenerate in the extreme: all ratios tie. Beale-like cycling would show as a limit.
#[test]
fn a_fully_degenerate_problem_ends() {
    let mut seed = 3;
    for n in [4, 12, 40] {
        let m = positive_matrix(n, 2, &mut seed);
        let q = vec![-1.0; n];
        let ending = Lemke::default().run(&m, &q, 100 * n, |_| ControlFlow::Continue(()));
        assert!(matches!(ending, Ending::Solved | Ending::Ray), "{ending:?}");
    }
    // Copies of one row and column: every solution is a corner of a face.
    let n = 30;
    let ones = Mat::from_fn(n, n, |_, _| 1.0);
    let ending = Lemke::default().run(&ones, &vec![-1.0; n], 10 * n, |_| ControlFlow::Continue(()));
    assert_eq!(ending, Ending::Solved);
}

#[test]
fn a_problem_without_solution_leaves_along_a_ray() {
    // w = −z − 1 is negative for every z ≥ 0.
    let m = Mat::from_fn(1, 1, |_, _| -1.0);
    let ending = Lemke::default().run(&m, &[-1.0], 100, |_| ControlFlow::Continue(()));
    assert_eq!(ending, Ending::Ray);
}

#[test]
fn the_watcher_and_the_limit_stop_it() {
    let mut seed = 11;
    let n = 30;
    let m = positive_matrix(n, n, &mut seed);
    let q = vec![-1.0; n];
    let stopped = Lemke::default().run(&m, &q, 1000, |_| ControlFlow::Break(()));
    assert_eq!(stopped, Ending::Stopped);
    let limited = Lemke::default().run(&m, &q, 2, |_| ControlFlow::Continue(()));
    assert_eq!(limited, Ending::Limit);
}
