//! The generalised Jacobian against central differences, and the linear algebra of both spaces.

use super::super::samples::{Random, random_problem};
use super::core::{Pass, PassLaw};
use super::space::{Space, Spaces};
use crate::delassus::delassus_matrix;
use crate::sets::{Friction, Slope};
use crate::{Operator, Problem, SparseSym};

/// The same problem with D alone.
fn without_bodies(problem: &Problem) -> Problem {
    let n = problem.rows();
    let mut d = Vec::new();
    delassus_matrix(problem, &mut d);
    let entries = (0..n * n).map(|k| (k % n, k / n, d[k]));
    let (matrix, _) = SparseSym::from_triplets(n, &entries.collect::<Vec<_>>());
    let mut v_free = vec![0.0; n];
    let Operator::Bodies {
        jacobian, u_free, ..
    } = &problem.operator
    else {
        panic!("on bodies");
    };
    jacobian.multiply(u_free, &mut v_free);
    Problem {
        operator: Operator::Delassus { matrix, v_free },
        ..problem.clone()
    }
}

/// (M + Jᵀ G J) p.
fn apply(space: &mut dyn Space, slopes: &[Slope], problem: &Problem, p: &[f64]) -> Vec<f64> {
    let n = problem.rows();
    let (mut rows, mut answer) = (vec![0.0; n], vec![0.0; n]);
    space.multiply(p, &mut rows);
    for ((_, block), slope) in problem.sets.iter().zip(slopes) {
        for (a, i) in block.clone().enumerate() {
            answer[i] = slope.row_product(a, &rows[block.clone()]);
        }
    }
    let (mut momentum, mut impulse) = (vec![0.0; p.len()], vec![0.0; p.len()]);
    space.mass(p, &mut momentum);
    space.multiply_transposed(&answer, &mut impulse);
    momentum.iter().zip(&impulse).map(|(a, b)| a + b).collect()
}

fn norm(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// Relative error of the Jacobian along a random direction, or `None` where a kink is too near.
fn jacobian_error(
    problem: &Problem,
    friction: Friction,
    random: &mut Random,
) -> Option<(f64, usize)> {
    let mut weights = Vec::new();
    problem.block_weights(&mut weights);
    let mut centre = random.vector(problem.rows());
    for (set, rows) in problem.sets.iter() {
        set.project(&mut centre[rows]);
    }
    let mut sigma = Vec::new();
    problem.sigma(&centre, &mut sigma, &mut Vec::new());
    let law = PassLaw {
        problem,
        weights: &weights,
        centre: &centre,
        sigma: &sigma,
        delta: 0.1,
        friction,
    };
    Spaces::default().with(problem, |space| {
        let dim = space.dim();
        let (d, p) = (random.vector(dim), random.vector(dim));
        let mut pass = Pass::default();
        let mut force_at = |space: &mut dyn Space, step: f64| {
            pass.d = d.iter().zip(&p).map(|(d, p)| d + step * p).collect();
            pass.respond(space, &law);
            (pass.force.clone(), pass.slopes.clone())
        };
        let h = 1e-6;
        let (_, slopes) = force_at(space, 0.0);
        let (ahead, s1) = force_at(space, h);
        let (behind, s2) = force_at(space, -h);
        let kind = |s: &[Slope]| -> Vec<_> { s.iter().map(std::mem::discriminant).collect() };
        if kind(&s1) != kind(&slopes) || kind(&s2) != kind(&slopes) {
            return None;
        }
        let exact = apply(space, &slopes, problem, &p);
        let differences: Vec<f64> = (0..dim)
            .map(|i| (ahead[i] - behind[i]) / (2.0 * h) - exact[i])
            .collect();
        let mut back = exact.clone();
        space.factor(&slopes).unwrap();
        space.solve(&mut back);
        let miss: Vec<f64> = (0..dim).map(|i| back[i] - p[i]).collect();
        // Where only D is known, p is determined up to the null space of D: compare the velocities of the rows.
        let (mut seen, mut wanted) = (vec![0.0; problem.rows()], vec![0.0; problem.rows()]);
        space.multiply(&miss, &mut seen);
        space.multiply(&p, &mut wanted);
        assert!(
            norm(&seen) <= 1e-8 * norm(&wanted),
            "solve: {}",
            norm(&seen)
        );
        let sliding = slopes
            .iter()
            .filter(|s| matches!(s, Slope::Full(_) | Slope::Full6(_)))
            .count();
        Some((norm(&differences) / norm(&exact), sliding))
    })
}

#[test]
fn the_generalised_jacobian_is_the_derivative_of_the_imbalance() {
    let mut random = Random(3);
    let (mut worst, mut tried, mut sliding) = (0.0f64, 0, 0);
    for _ in 0..60 {
        let problem = random_problem(&mut random);
        for problem in [without_bodies(&problem), problem] {
            for friction in [Friction::Exact, Friction::Lagged] {
                if let Some((error, full)) = jacobian_error(&problem, friction, &mut random) {
                    worst = worst.max(error);
                    tried += 1;
                    sliding += full;
                }
            }
        }
    }
    println!("{tried} directions, {sliding} sliding contacts, worst relative error {worst:.1e}");
    assert!(tried > 150 && sliding > 300);
    assert!(worst < 1e-6, "{worst}");
}
