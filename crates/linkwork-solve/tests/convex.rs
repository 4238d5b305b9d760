//! Solvers of the convex relaxation against each other: they share no iteration, so where they agree they
//! are right.

mod body_graphs;

use body_graphs::*;
use linkwork_solve::*;
use nalgebra::DVector;

const TOLERANCE: f64 = 1e-10;

/// All kinds of sets: hinges, contacts with and without friction, limits and dry friction, with the
/// compliance R = `compliance` w on every block.
fn sample(seed: u64, compliance: f64) -> Problem {
    let bodies = 2 + seed as usize % 4;
    let mut graph = Graph::new(seed, bodies);
    for b in 0..bodies {
        let before = b.checked_sub(1);
        match b % 3 {
            0 => graph.hinge(before, b, false),
            1 => graph.contact(before, b, 0.6),
            _ => graph.contact(before, b, 0.0),
        }
        let mu = 0.3 + 0.2 * graph.random.symmetric();
        graph.contact(None, b, mu);
        let set = match graph.random.below(2) {
            0 => ImpulseSet::NonNegative,
            _ => ImpulseSet::Interval { bound: 0.02 },
        };
        graph.angle(set, before, b);
    }
    let mut problem = graph.problem();
    let mut weights = Vec::new();
    problem.block_weights(&mut weights);
    for (k, w) in weights.iter().enumerate() {
        problem.compliance[problem.sets.range(k)].fill(compliance * w);
    }
    problem
}

/// The same problem with D alone.
fn on_delassus(problem: &Problem) -> Problem {
    let (_, d) = dense(problem);
    let mut v_free = problem.free_velocity();
    for (v, bias) in v_free.iter_mut().zip(&problem.v_bias) {
        *v -= bias;
    }
    let n = problem.rows();
    let triplets: Vec<_> = (0..n * n)
        .map(|i| (i / n, i % n, d[(i / n, i % n)]))
        .collect();
    let matrix = SparseSym::from_triplets(n, &triplets).0;
    Problem {
        operator: Operator::Delassus { matrix, v_free },
        ..problem.clone()
    }
}

/// ½λᵀ(D + R)λ + qᵀλ from dense matrices.
fn objective(problem: &Problem, lambda: &[f64]) -> f64 {
    let (_, d) = dense(problem);
    let q = DVector::from_vec(problem.free_velocity());
    let r = DVector::from_vec(problem.compliance.clone());
    let l = DVector::from_row_slice(lambda);
    0.5 * (l.dot(&(d * &l)) + l.dot(&r.component_mul(&l))) + q.dot(&l)
}

/// The least eigenvalue of W^-½ (D + R) W^-½, W the block weights: how sharp λ is.
fn least_eigenvalue(problem: &Problem) -> f64 {
    let (_, mut d) = dense(problem);
    let mut weights = Vec::new();
    problem.block_weights(&mut weights);
    let mut scale = DVector::zeros(problem.rows());
    for ((_, rows), w) in problem.sets.iter().zip(&weights) {
        rows.for_each(|i| scale[i] = w.sqrt().recip());
    }
    for (i, r) in problem.compliance.iter().enumerate() {
        d[(i, i)] += r;
    }
    let scale = nalgebra::DMatrix::from_diagonal(&scale);
    (&scale * d * &scale).symmetric_eigenvalues().min()
}

fn solve(name: &str, problem: &Problem) -> Option<(Solution, SolveReport)> {
    let settings = SolverSettings {
        tolerance: TOLERANCE,
        max_iterations: 20_000,
    };
    // Not every build has every solver.
    let mut solver = solver_by_name(name, settings).ok()?;
    solver.supports(problem).ok()?;
    let mut x = Solution::default();
    let report = solver.solve(problem, &mut x, &mut ());
    Some((x, report))
}

fn difference(a: &[f64], b: &[f64]) -> f64 {
    let difference: Vec<f64> = a.iter().zip(b).map(|(a, b)| a - b).collect();
    size(&difference) / size(a).max(size(b)).max(1e-12)
}

/// Every solver of the relaxation has the objective and σ of the reference, and λ where it is unique.
fn assert_agreement(compliance: f64, names: &[&str]) {
    let mut largest = [0.0f64; 3];
    let mut sharp = 0;
    for seed in 0..24 {
        let problem = sample(seed, compliance);
        let (wanted, report) = solve("clarabel", &problem).unwrap();
        assert_eq!(report.status, Status::Converged, "clarabel, seed {seed}");
        let cost = objective(&problem, &wanted.lambda);
        let unique = least_eigenvalue(&problem) > 1e-4;
        for name in names {
            let Some((x, report)) = solve(name, &problem) else {
                continue;
            };
            assert_eq!(report.status, Status::Converged, "{name}, seed {seed}");
            let costs = (objective(&problem, &x.lambda) - cost).abs() / cost.abs().max(1e-12);
            let sigmas = difference(&x.sigma, &wanted.sigma);
            largest[0] = largest[0].max(costs);
            largest[1] = largest[1].max(sigmas);
            assert!(costs <= 1e-8, "{name}, seed {seed}: objective {costs:.1e}");
            assert!(sigmas <= 1e-6, "{name}, seed {seed}: σ {sigmas:.1e}");
            if unique {
                sharp += 1;
                let lambdas = difference(&x.lambda, &wanted.lambda);
                largest[2] = largest[2].max(lambdas);
                assert!(lambdas <= 1e-6, "{name}, seed {seed}: λ {lambdas:.1e}");
            }
        }
    }
    // The hard samples are redundant: their λ is not unique.
    assert!(sharp > 0 || compliance == 0.0);
    let [costs, sigmas, lambdas] = largest;
    println!(
        "R = {compliance:.0e} w: objectives differ by {costs:.1e}, σ by {sigmas:.1e}, λ by {lambdas:.1e} ({sharp} compared)"
    );
}

#[test]
fn convex_solvers_agree_on_compliant_problems() {
    assert_agreement(1e-1, &["condensed-ccp", "sap", "admm-ccp", "pgs-ccp"]);
    assert_agreement(1e-3, &["condensed-ccp", "sap", "admm-ccp", "pgs-ccp"]);
}

#[test]
fn convex_solvers_agree_on_hard_problems() {
    assert_agreement(0.0, &["condensed-ccp", "admm-ccp", "pgs-ccp"]);
}

#[test]
fn the_reference_needs_only_the_delassus_matrix() {
    for seed in 0..24 {
        for compliance in [0.0, 1e-2] {
            let problem = sample(seed, compliance);
            let (on_bodies, _) = solve("clarabel", &problem).unwrap();
            let (on_matrix, report) = solve("clarabel", &on_delassus(&problem)).unwrap();
            assert_eq!(report.status, Status::Converged, "seed {seed}");
            assert!(difference(&on_bodies.sigma, &on_matrix.sigma) <= 1e-6);
        }
    }
}

#[test]
fn the_reference_bears_a_delassus_matrix_that_round_off_made_indefinite() {
    for seed in 0..10 {
        let mut problem = on_delassus(&ring(seed, 4).problem());
        let Operator::Delassus { matrix, .. } = &mut problem.operator else {
            panic!("D alone");
        };
        let n = matrix.rows();
        let rows = |r| {
            matrix
                .row(r)
                .map(move |(c, v)| (r, c, v))
                .collect::<Vec<_>>()
        };
        let mut triplets: Vec<_> = (0..n).flat_map(rows).collect();
        triplets.extend((0..n).map(|i| (i, i, -1e-12 * matrix.get(i, i))));
        *matrix = SparseSym::from_triplets(n, &triplets).0;
        let (x, report) = solve("clarabel", &problem).unwrap();
        println!(
            "seed {seed}: {} at {:.1e}",
            report.status,
            report.residuals.scaled()
        );
        assert!(size(&x.lambda).is_finite());
        assert!(report.residuals.meets(1e-8), "{:?}", report.residuals);
    }
}

#[test]
fn the_cascade_finds_the_exact_contact_law() {
    let mut solved = 0;
    for seed in 0..24 {
        let problem = sample(seed, 1e-3);
        let (x, report) = solve("clarabel-ncp", &problem).unwrap();
        let recomputed = residuals(&problem, &x, ContactModel::Ncp);
        println!(
            "seed {seed}: {} after {}, {:.1e}",
            report.status,
            report.iterations,
            recomputed.scaled()
        );
        assert_eq!(
            report.status == Status::Converged,
            recomputed.meets(TOLERANCE)
        );
        solved += usize::from(report.status == Status::Converged);
    }
    assert!(solved >= 20, "{solved} of 24");
}

/// Stops a solver after some iterations.
struct Impatient {
    left: usize,
    calls: usize,
}

impl Observer for Impatient {
    fn iteration(&mut self, _: usize, residual: f64) -> std::ops::ControlFlow<()> {
        assert!(!residual.is_nan());
        self.calls += 1;
        if self.calls >= self.left {
            return std::ops::ControlFlow::Break(());
        }
        std::ops::ControlFlow::Continue(())
    }
}

#[test]
fn an_observer_stops_a_solve_at_once() {
    let problem = sample(5, 1e-3);
    for name in ["sap", "clarabel", "clarabel-ncp"] {
        let settings = SolverSettings {
            tolerance: 1e-14,
            ..SolverSettings::default()
        };
        let mut solver = solver_by_name(name, settings).unwrap();
        let mut observer = Impatient { left: 2, calls: 0 };
        let mut x = Solution::default();
        let report = solver.solve(&problem, &mut x, &mut observer);
        assert_eq!(report.status, Status::Interrupted, "{name}");
        assert_eq!(observer.calls, 2, "{name}");
        assert!(report.iterations <= 2 && size(&x.lambda).is_finite());
    }
}

#[test]
fn sap_refuses_what_it_cannot_take_and_says_why() {
    let sap = solver_by_name("sap", SolverSettings::default()).unwrap();
    let reason = |problem: &Problem| sap.supports(problem).unwrap_err().reason;
    let mut problem = sample(3, 1e-2);
    assert!(sap.supports(&problem).is_ok());
    assert!(reason(&on_delassus(&problem)).contains("only D"));
    problem.compliance[7] = f64::NAN;
    assert!(reason(&problem).contains("row 7 "));
    // As printed it does not support hard rows and unequal friction; `sap` does.
    let printed = solver_by_name("castro/sap", SolverSettings::default()).unwrap();
    let reason = |problem: &Problem| printed.supports(problem).unwrap_err().reason;
    problem.compliance[7] = 0.0;
    assert!(sap.supports(&problem).is_ok());
    assert!(reason(&problem).contains("row 7 "));
    let mut problem = sample(3, 1e-2);
    let contact = (0..problem.sets.len())
        .find(|&k| matches!(problem.sets.set(k), ImpulseSet::Coulomb { .. }))
        .unwrap();
    problem.compliance[problem.sets.range(contact).start] *= 2.0;
    assert!(sap.supports(&problem).is_ok());
    assert!(reason(&problem).contains(&format!("block {contact} ")));
}

#[test]
fn sap_closes_hard_rows_as_the_reference_does() {
    let clarabel = |problem: &Problem| {
        let settings = SolverSettings {
            tolerance: 1e-9,
            ..SolverSettings::default()
        };
        let mut x = Solution::default();
        solver_by_name("clarabel", settings)
            .unwrap()
            .solve(problem, &mut x, &mut ());
        x
    };
    for seed in 0..24 {
        // Joints and limits hard, contacts compliant: u⁺ is unique.
        let mut problem = sample(seed, 1e-2);
        for (set, rows) in problem.sets.iter() {
            if !matches!(set, ImpulseSet::Coulomb { .. }) {
                problem.compliance[rows].fill(0.0);
            }
        }
        let (x, report) = solve("sap", &problem).unwrap();
        println!("seed {seed}: {} after {}", report.status, report.iterations);
        assert_eq!(report.status, Status::Converged, "seed {seed}");
        let known = clarabel(&problem);
        let apart: Vec<f64> = (x.u_plus.iter().zip(&known.u_plus))
            .map(|(a, b)| a - b)
            .collect();
        let error = size(&apart) / size(&known.u_plus);
        assert!(error <= 1e-6, "seed {seed}: {error:.1e}");
        for (set, rows) in problem.sets.iter().filter(|(set, _)| set.is_free()) {
            assert!(size(&x.sigma[rows]) <= 1e-8, "{set:?} is open");
        }
    }
}

#[test]
fn castros_test_ends_the_printed_sap() {
    for seed in 0..12 {
        let problem = sample(seed, 1e-2);
        let settings = SolverSettings {
            tolerance: 1e-8,
            ..SolverSettings::default()
        };
        let mut solver = solver_by_name("castro/sap", settings).unwrap();
        let mut x = Solution::default();
        let report = solver.solve(&problem, &mut x, &mut ());
        assert_eq!(solver.own_test(), Some(true), "seed {seed}");
        assert!(report.iterations > 0);
        let (known, _) = solve("sap", &problem).unwrap();
        let error = difference(&x.u_plus, &known.u_plus);
        assert!(error <= 1e-6, "seed {seed}: {error:.1e}");
        let (e_m, exact) = (
            Measures::of(&problem, &x.lambda).e_m,
            Measures::of(&problem, &known.lambda).e_m,
        );
        assert!(exact <= 1e-6 && e_m <= 1e-3, "seed {seed}: {e_m:.1e}");
        // Started from the answer's velocities, no iteration is needed.
        let again = solver.solve(&problem, &mut x, &mut ());
        assert!(again.iterations <= 1, "seed {seed}: {}", again.iterations);
    }
}

#[test]
fn sap_bears_tiny_compliance() {
    for seed in 0..24 {
        let (_, report) = solve("sap", &sample(seed, 1e-9)).unwrap();
        println!("seed {seed}: {} after {}", report.status, report.iterations);
        assert_eq!(report.status, Status::Converged);
        // Far below: slow, yet orderly.
        let mut sap = solver_by_name("sap", SolverSettings::default()).unwrap();
        let mut x = Solution::default();
        let report = sap.solve(&sample(seed, 1e-13), &mut x, &mut ());
        assert_ne!(report.status, Status::NumericalFailure);
        assert!(size(&x.lambda).is_finite());
    }
}

#[test]
fn numbers_that_are_not_finite_end_in_a_status() {
    let mut problem = sample(2, 1e-2);
    problem.v_bias[2] = f64::NAN;
    for name in ["sap", "clarabel", "clarabel-ncp"] {
        let mut solver = solver_by_name(name, SolverSettings::default()).unwrap();
        let report = solver.solve(&problem, &mut Solution::default(), &mut ());
        assert_eq!(report.status, Status::NumericalFailure, "{name}");
    }
}
