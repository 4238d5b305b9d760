//! Solvers on blocks of every set, one of six rows among them, against projected gradients; and the grader
//! on answers that are not numbers.

use super::samples::{Random, random_problem};
use super::{SolverSettings, all_solvers};
use crate::delassus::delassus_matrix;
use crate::problem::{Problem, Solution, Status};
use crate::residuals::{ContactModel, Residuals, larger, residuals};
use crate::sets::ImpulseSet;

/// λ of the convex law, by λ ← P_K(λ − ((D + R) λ + q)/L) on the dense matrix: slow but simple.
fn projected_gradient(problem: &Problem) -> Vec<f64> {
    let n = problem.rows();
    let mut a = Vec::new();
    delassus_matrix(problem, &mut a);
    for i in 0..n {
        a[i * n + i] += problem.compliance[i];
    }
    let q = problem.free_velocity();
    let sum = |row: &[f64]| row.iter().map(|a| a.abs()).sum::<f64>();
    let bound = a.chunks_exact(n).map(sum).fold(0.0, f64::max);
    let mut lambda = vec![0.0; n];
    for _ in 0..100_000 {
        let step = |(row, q): (&[f64], &f64)| {
            let product: f64 = row.iter().zip(&lambda).map(|(a, l)| a * l).sum();
            (product + q) / bound
        };
        let steps: Vec<f64> = a.chunks_exact(n).zip(&q).map(step).collect();
        let mut next: Vec<f64> = lambda.iter().zip(&steps).map(|(l, s)| l - s).collect();
        for (set, rows) in problem.sets.iter() {
            set.project(&mut next[rows]);
        }
        if next == lambda {
            break;
        }
        lambda = next;
    }
    lambda
}

/// The same problem without friction, where both contact models are one convex law.
fn without_friction(problem: &Problem) -> Problem {
    let mut smooth = problem.clone();
    smooth.sets.clear();
    for (set, _) in problem.sets.iter() {
        smooth.sets.push(match set {
            ImpulseSet::Coulomb { .. } => ImpulseSet::Coulomb { mu: 0.0 },
            ImpulseSet::CoulombMoment { rows, .. } => ImpulseSet::CoulombMoment { mu: 0.0, rows },
            other => other,
        });
    }
    smooth
}

#[test]
fn solvers_answer_blocks_of_six_rows_or_refuse_them() {
    let settings = SolverSettings {
        tolerance: 1e-11,
        max_iterations: 3000,
    };
    let mut random = Random(17);
    let (mut answered, mut on_bound) = (Vec::new(), 0);
    for _ in 0..4 {
        let problem = random_problem(&mut random);
        let smooth = without_friction(&problem);
        let (rough_answer, smooth_answer) =
            (projected_gradient(&problem), projected_gradient(&smooth));
        for (set, rows) in problem.sets.iter() {
            if let ImpulseSet::Ball { radius } = set {
                let size = smooth_answer[rows]
                    .iter()
                    .map(|l| l * l)
                    .sum::<f64>()
                    .sqrt();
                on_bound += usize::from(size > 0.999 * radius);
            }
        }
        for entry in all_solvers() {
            let mut solver = (entry.build)(settings);
            if let Err(refusal) = solver.supports(&problem) {
                let told = refusal.reason.contains("the set CoulombMoment");
                assert!(told || entry.name == "direct", "{refusal}");
                // `solve` on a refused problem reports it and does not panic.
                let mut x = Solution::default();
                let report = solver.solve(&problem, &mut x, &mut ());
                assert_ne!(report.status, Status::Converged, "{}", entry.name);
                continue;
            }
            let mut cases = vec![(&smooth, &smooth_answer)];
            if solver.model() == ContactModel::Ccp {
                cases.push((&problem, &rough_answer));
            }
            for (problem, wanted) in cases {
                let mut x = Solution::default();
                let report = solver.solve(problem, &mut x, &mut ());
                let name = entry.name;
                assert_eq!(report.status, Status::Converged, "{name}: {report:?}");
                for (a, b) in x.lambda.iter().zip(wanted) {
                    assert!((a - b).abs() < 1e-8, "{name}: {a} {b}");
                }
            }
            answered.push(entry.name);
        }
    }
    for name in ["admm-ncp-sa", "admm-ccp", "newton", "hybrid", "sap"] {
        let times = answered.iter().filter(|n| **n == name).count();
        assert_eq!(times, 4, "{name} answers");
    }
    assert!(on_bound >= 3, "{on_bound} balls at their bound");
}

#[test]
fn nothing_that_is_not_a_number_meets_a_tolerance() {
    let problem = random_problem(&mut Random(23));
    let mut solver = (all_solvers().iter())
        .find(|e| e.name == "newton")
        .map(|e| (e.build)(SolverSettings::default()))
        .unwrap();
    let mut good = Solution::default();
    solver.solve(&problem, &mut good, &mut ());
    let meets = |x: &Solution| residuals(&problem, x, ContactModel::Ncp).meets(1e9);
    assert!(meets(&good));
    type Part = fn(&mut Solution) -> &mut Vec<f64>;
    let parts: [Part; 3] = [|x| &mut x.lambda, |x| &mut x.sigma, |x| &mut x.u_plus];
    for part in parts {
        for i in 0..part(&mut good).len() {
            let mut bad = good.clone();
            part(&mut bad)[i] = f64::NAN;
            assert!(!meets(&bad), "value {i}");
        }
    }
}

#[test]
fn maxima_and_grades_keep_nan() {
    assert!(larger(1.0, f64::NAN).is_nan() && larger(f64::NAN, 1.0).is_nan());
    assert_eq!((larger(1.0, 2.0), larger(2.0, 1.0)), (2.0, 2.0));
    type Field = fn(&mut Residuals) -> &mut f64;
    let fields: [Field; 6] = [
        |r| &mut r.natural_unit,
        |r| &mut r.natural_scaled,
        |r| &mut r.natural_velocity,
        |r| &mut r.dual,
        |r| &mut r.complementarity,
        |r| &mut r.momentum,
    ];
    for field in fields {
        let mut r = Residuals::default();
        assert!(r.meets(0.0));
        *field(&mut r) = f64::NAN;
        assert!(!r.meets(1e9), "{r:?}");
    }
}
