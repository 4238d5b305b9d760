//! Solvers against analytic answers, and against the residuals they are judged by.

mod body_graphs;

use body_graphs::*;
use linkwork_solve::*;
use nalgebra::DVector;

const TOLERANCE: f64 = 1e-8;

fn settings() -> SolverSettings {
    SolverSettings {
        tolerance: TOLERANCE,
        ..SolverSettings::default()
    }
}

fn solve(name: &str, problem: &Problem) -> (Solution, SolveReport) {
    let mut x = Solution::default();
    let mut solver = solver_by_name(name, settings()).unwrap();
    let report = solver.solve(problem, &mut x, &mut ());
    (x, report)
}

#[test]
fn converged_always_means_that_the_recomputed_residual_meets_the_tolerance() {
    for entry in all_solvers() {
        let (mut converged, mut other) = (0, 0);
        for seed in 0..60 {
            let bodies = 1 + seed as usize % 8;
            let mut problem = match seed % 3 {
                0 => tree(seed, bodies),
                1 => ring(seed, bodies + 2),
                _ => mixed(seed, bodies),
            }
            .problem();
            let mut solver = (entry.build)(settings());
            if solver.supports(&problem).is_err() {
                // Some solvers need compliance on every row.
                problem.compliance.fill(1e-3);
            }
            if solver.supports(&problem).is_err() {
                continue;
            }
            let mut x = Solution::default();
            let report = solver.solve(&problem, &mut x, &mut ());
            let recomputed = residuals(&problem, &x, solver.model());
            if report.status == Status::Converged {
                converged += 1;
                assert!(
                    recomputed.meets(TOLERANCE),
                    "{}: {recomputed:?}",
                    entry.name
                );
            } else {
                other += 1;
                assert!(!recomputed.meets(TOLERANCE), "{}: too modest", entry.name);
            }
            let (told, seen) = (report.residuals.scaled(), recomputed.scaled());
            assert!((told - seen).abs() <= 1e-9 * seen + 1e-16, "{told} {seen}");
        }
        println!("{}: {converged} converged, {other} did not", entry.name);
        assert!(converged > 0);
    }
}

#[test]
fn direct_solver_gives_the_minimum_norm_on_redundant_consistent_rows() {
    for seed in 0..10 {
        let problem = ring(seed, 3 + seed as usize).problem();
        let (x, report) = solve("direct", &problem);
        assert_eq!(report.status, Status::Converged);
        let (j, d) = dense(&problem);
        let Operator::Bodies { u_free, .. } = &problem.operator else {
            panic!("on bodies");
        };
        // Minimum in the norm of the block weights W: λ = W^-½ (W^-½ D W^-½)⁺ W^-½ (−J u_f).
        let mut weights = Vec::new();
        problem.block_weights(&mut weights);
        let mut w = DVector::zeros(problem.rows());
        for ((_, rows), weight) in problem.sets.iter().zip(&weights) {
            rows.for_each(|i| w[i] = weight.sqrt().recip());
        }
        let scaled =
            nalgebra::DMatrix::from_diagonal(&w) * d * nalgebra::DMatrix::from_diagonal(&w);
        let free = j * DVector::from_vec(u_free.clone());
        let inverse = scaled.pseudo_inverse(1e-9).unwrap();
        let wanted = -(inverse * free.component_mul(&w)).component_mul(&w);
        let mut tidy = x.lambda.clone();
        minimum_norm(&problem, &mut tidy);
        for (what, lambda) in [("direct", &x.lambda), ("minimum_norm", &tidy)] {
            let difference = (&wanted - DVector::from_vec(lambda.clone())).amax() / wanted.amax();
            println!("seed {seed}: {what} differs from the pseudo-inverse by {difference:.1e}");
            assert!(difference < 1e-5, "{what} {difference}");
        }
    }
}

#[test]
fn direct_solver_stalls_on_contradicting_rows() {
    for seed in 0..10 {
        let mut problem = ring(seed, 4).problem();
        // The last hinge may not move along z, nor may it stay: the ring cannot give that way.
        let n = problem.rows();
        problem.v_bias[n - 3] = 0.7;
        let (x, report) = solve("direct", &problem);
        assert_eq!(report.status, Status::Stalled);
        assert!(report.residuals.scaled() > 1e-3);
        assert!(size(&x.lambda).is_finite());
        let (_, report) = solve(DEFAULT_SOLVER, &problem);
        assert_eq!(report.status, Status::Stalled);
    }
}

#[test]
fn direct_solver_refuses_contacts() {
    let solver = solver_by_name("direct", settings()).unwrap();
    assert!(solver.supports(&mixed(1, 3).problem()).is_err());
    assert!(solver.supports(&ring(1, 3).problem()).is_ok());
}

/// A 2 kg particle on a plane with friction μ and free velocity `u`.
fn particle(u: [f64; 3], mu: f64) -> Problem {
    let mut mass = BlockDiag6::new();
    let unit = [1., 0., 0., 0., 1., 0., 0., 0., 1.];
    mass.push_rigid(2.0, &unit, &unit);
    let mut jacobian = BlockCsr6::new(1);
    jacobian.push_block(3);
    let row = |i: usize| std::array::from_fn(|c| f64::from(u8::from(c == i)));
    jacobian.push_entry(0, &[row(0), row(1), row(2)]);
    let mut problem = Problem::for_bodies(1e-3);
    problem.operator = Operator::Bodies {
        mass,
        jacobian,
        u_free: vec![u[0], u[1], u[2], 0.0, 0.0, 0.0],
    };
    problem.v_bias = vec![0.0; 3];
    problem.compliance = vec![0.0; 3];
    problem.sets.push(ImpulseSet::Coulomb { mu });
    problem
}

/// λ by every solver that supports contacts must be `wanted`, under the law the solver solves.
fn assert_contact(u: [f64; 3], mu: f64, wanted: impl Fn(ContactModel) -> [f64; 3]) {
    let problem = particle(u, mu);
    for entry in all_solvers() {
        let mut solver = (entry.build)(settings());
        if solver.supports(&problem).is_err() {
            continue;
        }
        let mut x = Solution::default();
        let report = solver.solve(&problem, &mut x, &mut ());
        assert_eq!(report.status, Status::Converged, "{}", entry.name);
        let wanted = wanted(solver.model());
        for (l, w) in x.lambda.iter().zip(wanted) {
            assert!(
                (l - w).abs() < 1e-7,
                "{}: {:?} {wanted:?}",
                entry.name,
                x.lambda
            );
        }
        for i in 0..3 {
            assert!((x.u_plus[i] - u[i] - 0.5 * wanted[i]).abs() < 1e-7);
        }
    }
}

#[test]
fn an_opening_contact_carries_nothing() {
    assert_contact([0.3, -0.2, 0.5], 0.5, |_| [0.0; 3]);
    assert_contact([0.0, 0.0, 1e-3], 0.5, |_| [0.0; 3]);
}

#[test]
fn a_sticking_contact_stops_the_particle() {
    // 2 kg at (0.3, −0.2, −1) m/s: ‖λ_T‖ = 0.72 ≤ 0.5 · 2.
    assert_contact([0.3, -0.2, -1.0], 0.5, |_| [-0.6, 0.4, 2.0]);
}

#[test]
fn a_sliding_contact_brakes_with_friction_along_the_motion() {
    // 2 kg at (3, 4, −1) m/s: λ_N = 2 and λ_T = −μ λ_N (0.6, 0.8) under Coulomb's law.
    let mu = 0.5;
    assert_contact([3.0, 4.0, -1.0], mu, |model| match model {
        ContactModel::Ncp => [-0.6, -0.8, 2.0],
        // The relaxation projects: λ = P_K(−m u), u = (−1 along n, 5 along t).
        ContactModel::Ccp => {
            let y = (2.0 + mu * 10.0) / (1.0 + mu * mu);
            [-0.6 * mu * y, -0.8 * mu * y, y]
        }
    });
}

#[test]
fn a_frictionless_contact_only_pushes() {
    assert_contact([3.0, 4.0, -1.0], 0.0, |_| [0.0, 0.0, 2.0]);
}

#[test]
fn an_interval_is_clamped_and_a_limit_only_pushes() {
    for (set, velocity, wanted) in [
        (ImpulseSet::Interval { bound: 0.5 }, 0.2, -0.4),
        (ImpulseSet::Interval { bound: 0.5 }, 3.0, -0.5),
        (ImpulseSet::Interval { bound: 0.5 }, -3.0, 0.5),
        (ImpulseSet::NonNegative, -1.0, 2.0),
        (ImpulseSet::NonNegative, 1.0, 0.0),
    ] {
        let mut problem = particle([0.0, 0.0, velocity], 0.0);
        let Operator::Bodies { jacobian, .. } = &mut problem.operator else {
            panic!("on bodies");
        };
        jacobian.clear(1);
        jacobian.push_block(1);
        jacobian.push_entry(0, &[[0., 0., 1., 0., 0., 0.]]);
        problem.v_bias.truncate(1);
        problem.compliance.truncate(1);
        problem.sets.clear();
        problem.sets.push(set);
        for entry in all_solvers() {
            let mut solver = (entry.build)(settings());
            if solver.supports(&problem).is_err() {
                continue;
            }
            let mut x = Solution::default();
            let report = solver.solve(&problem, &mut x, &mut ());
            assert_eq!(report.status, Status::Converged, "{}", entry.name);
            assert!((x.lambda[0] - wanted).abs() < 1e-7, "{}: {x:?}", entry.name);
        }
    }
}

/// Rows without a body are 0·u + R λ + b = 0: the impulse is −b/R, and without compliance there is none that helps.
#[test]
fn rows_on_no_body_are_borne_by_their_compliance() {
    let mut problem = tree(3, 4).problem();
    let Operator::Bodies { jacobian, .. } = &mut problem.operator else {
        unreachable!("trees have bodies")
    };
    jacobian.push_block(2);
    problem.sets.push(ImpulseSet::Free { dim: 2 });
    problem.v_bias.extend([0.3, -0.2]);
    problem.compliance.extend([0.5, 2.0]);
    problem.check().unwrap();
    let rows = problem.rows();
    let (x, report) = solve("condensed", &problem);
    assert_eq!(report.status, Status::Converged);
    let found = [x.lambda[rows - 2], x.lambda[rows - 1]];
    assert!(
        (found[0] + 0.6).abs() < 1e-9 && (found[1] - 0.1).abs() < 1e-9,
        "{found:?}"
    );
    problem.compliance[rows - 2] = 0.0;
    let (_, report) = solve("condensed", &problem);
    assert_ne!(report.status, Status::Converged);
}
