//! All Delassus operators give the same λ to round-off, and the λ of the definition.

mod body_graphs;

use body_graphs::*;
use linkwork_solve::delassus::{BodyGraph, Dense};
use linkwork_solve::solvers::{Admm, AdmmSettings};
use linkwork_solve::*;
use nalgebra::DVector;

fn solve_with(
    operator: &mut dyn Delassus,
    problem: &Problem,
    shift: &[f64],
    rhs: &[f64],
) -> Vec<f64> {
    operator.factor(problem, shift).unwrap();
    let mut out = vec![0.0; rhs.len()];
    operator.solve(problem, rhs, &mut out);
    out
}

/// Shifts of the size `relative` of each row's own diagonal of D.
fn shifts(d: &nalgebra::DMatrix<f64>, relative: f64) -> Vec<f64> {
    (0..d.nrows()).map(|i| relative * d[(i, i)]).collect()
}

#[test]
fn dense_and_body_graph_give_the_same_lambda_without_redundant_rows() {
    let mut worst = 0.0f64;
    for seed in 0..40 {
        let bodies = 1 + seed as usize % 12;
        let problem = if seed % 2 == 0 {
            tree(seed, bodies).problem()
        } else {
            mixed(seed, bodies).problem()
        };
        let mut random = Random(seed + 77);
        let rhs: Vec<f64> = (0..problem.rows()).map(|_| random.symmetric()).collect();
        let (_, d) = dense(&problem);
        for relative in [1e-2, 1.0] {
            let shift = shifts(&d, relative);
            let a = solve_with(&mut Dense::default(), &problem, &shift, &rhs);
            let b = solve_with(&mut BodyGraph::default(), &problem, &shift, &rhs);
            let mut full = d.clone();
            (0..full.nrows()).for_each(|i| full[(i, i)] += shift[i]);
            let c = full
                .cholesky()
                .unwrap()
                .solve(&DVector::from_vec(rhs.clone()));
            let scale = size(c.as_slice());
            for i in 0..rhs.len() {
                worst = worst.max((a[i] - b[i]).abs() / scale);
                worst = worst.max((a[i] - c[i]).abs() / scale);
            }
        }
    }
    println!("operators differ by {worst:.1e} of the largest λ");
    assert!(worst < 1e-10);
}

/// Answers of ADMM's equality-only path with either operator.
fn answers(problem: &Problem) -> [Solution; 2] {
    [OperatorChoice::Dense, OperatorChoice::BodyGraph].map(|operator| {
        let mut settings = AdmmSettings {
            operator,
            ..AdmmSettings::default()
        };
        settings.common.tolerance = 1e-10;
        let mut x = Solution::default();
        let report = Admm::new(settings).solve(problem, &mut x, &mut ());
        assert_eq!(report.status, Status::Converged);
        x
    })
}

#[test]
fn solved_joints_have_the_same_lambda_with_either_operator() {
    let mut worst = 0.0f64;
    for seed in 0..20 {
        let problem = tree(seed, 2 + seed as usize % 10).problem();
        let [a, b] = answers(&problem);
        let scale = size(&a.lambda);
        let difference: Vec<f64> = a.lambda.iter().zip(&b.lambda).map(|(a, b)| a - b).collect();
        worst = worst.max(size(&difference) / scale);
    }
    println!("λ of trees differ by {worst:.1e}");
    assert!(worst < 1e-9);
}

#[test]
fn solved_redundant_joints_have_the_same_effect_with_either_operator() {
    let mut worst = 0.0f64;
    for seed in 0..20 {
        let problem = ring(seed, 3 + seed as usize % 10).problem();
        let (j, _) = dense(&problem);
        let [a, b] = answers(&problem);
        let effect = |x: &Solution| j.transpose() * DVector::from_vec(x.lambda.clone());
        let (a, b) = (effect(&a), effect(&b));
        worst = worst.max((&a - &b).amax() / a.amax());
    }
    println!("Jᵀλ of rings differ by {worst:.1e}");
    assert!(worst < 1e-9);
}

#[test]
fn an_operator_reused_for_another_graph_forgets_the_first() {
    let (mut fresh, mut reused) = (BodyGraph::default(), BodyGraph::default());
    for seed in 0..10 {
        let problem = mixed(seed, 2 + (7 * seed as usize) % 9).problem();
        let (_, d) = dense(&problem);
        let shift = shifts(&d, 0.1);
        let rhs = vec![1.0; problem.rows()];
        let again = solve_with(&mut reused, &problem, &shift, &rhs);
        fresh.clone_from(&BodyGraph::default());
        assert_eq!(solve_with(&mut fresh, &problem, &shift, &rhs), again);
    }
}
