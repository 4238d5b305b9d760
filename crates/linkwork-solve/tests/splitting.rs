//! The projected splitting family: its two operators, all impulse sets, the laws, and how it ends.

mod body_graphs;

use body_graphs::*;
use linkwork_solve::solvers::*;
use linkwork_solve::*;
use std::ops::ControlFlow;

const FAMILY: [&str; 8] = [
    "nbgs",
    "pgs-ncp",
    "pgs-ccp",
    "pgs-ccp-ds",
    "raisim",
    "raisim-ds",
    "raisim-ds-es",
    "prox",
];

fn solve_with(
    name: &str,
    problem: &Problem,
    tolerance: f64,
    sweeps: usize,
) -> (Solution, SolveReport) {
    let settings = SolverSettings {
        tolerance,
        max_iterations: sweeps,
    };
    let mut x = Solution::default();
    let mut solver = solver_by_name(name, settings).unwrap();
    let report = solver.solve(problem, &mut x, &mut ());
    (x, report)
}

/// All set kinds, a contact without friction; every row except the joints' is compliant, which ensures that there is a
/// solution for any random normals.
fn everything(seed: u64) -> Problem {
    let mut graph = mixed(seed, 4);
    graph.contact(None, 1, 0.0);
    graph.contact(Some(0), 2, 0.8);
    let mut problem = graph.problem();
    for (set, rows) in problem.sets.iter() {
        let r = match set {
            ImpulseSet::Free { .. } => 0.0,
            ImpulseSet::Coulomb { .. } => 0.02,
            _ => 0.1,
        };
        problem.compliance[rows].fill(r);
    }
    problem
}

/// The same problem with D and v_f alone.
fn without_bodies(problem: &Problem) -> Problem {
    let (j, d) = dense(problem);
    let Operator::Bodies { u_free, .. } = &problem.operator else {
        panic!("on bodies");
    };
    let n = problem.rows();
    let entries = (0..n * n).map(|i| (i / n, i % n, d[(i / n, i % n)]));
    let triplets: Vec<_> = entries.filter(|e| e.2 != 0.0).collect();
    let v_free = j * nalgebra::DVector::from_vec(u_free.clone());
    Problem {
        operator: Operator::Delassus {
            matrix: SparseSym::from_triplets(n, &triplets).0,
            v_free: v_free.as_slice().to_vec(),
        },
        ..problem.clone()
    }
}

fn difference(a: &[f64], b: &[f64]) -> f64 {
    let apart: Vec<f64> = a.iter().zip(b).map(|(a, b)| a - b).collect();
    size(&apart) / size(a).max(size(b))
}

#[test]
fn bodies_and_the_delassus_matrix_give_the_same_impulses() {
    // Not only the same answer but the same way there: after twelve sweeps, before all have converged.
    for name in FAMILY {
        let mut worst = 0.0f64;
        for seed in 0..10 {
            let problem = everything(seed);
            let (on_bodies, _) = solve_with(name, &problem, 1e-13, 12);
            let (on_matrix, _) = solve_with(name, &without_bodies(&problem), 1e-13, 12);
            worst = worst.max(difference(&on_bodies.lambda, &on_matrix.lambda));
        }
        println!("{name}: {worst:.1e}");
        assert!(worst <= 1e-10, "{name}: {worst}");
    }
}

/// Violation of the laws by λ and σ(λ), evaluated row by row and without projections.
fn violation(problem: &Problem, lambda: &[f64], model: ContactModel) -> f64 {
    let mut sigma = Vec::new();
    problem.sigma(lambda, &mut sigma, &mut Vec::new());
    let mut worst = 0.0f64;
    for (set, rows) in problem.sets.iter() {
        let (l, s) = (&lambda[rows.clone()], &sigma[rows]);
        let broken = match set {
            ImpulseSet::Free { .. } => size(s),
            ImpulseSet::NonNegative => (-l[0]).max(-s[0]).max(l[0].min(s[0])),
            ImpulseSet::Interval { bound } => {
                let outside = l[0].abs() - bound;
                // A velocity requires the opposing bound.
                let pulled = s[0].max(0.0).min(l[0] + bound);
                let pushed = (-s[0]).max(0.0).min(bound - l[0]);
                outside.max(pulled).max(pushed)
            }
            ImpulseSet::CoulombMoment { .. } => panic!("the family refuses it"),
            ImpulseSet::Coulomb { mu } => {
                let (t, slip) = (l[0].hypot(l[1]), s[0].hypot(s[1]));
                let shift = if model == ContactModel::Ncp {
                    mu * slip
                } else {
                    0.0
                };
                let normal = s[2] + shift;
                // In both cones, and no work of λ on σ + Γ.
                let work = (l[0] * s[0] + l[1] * s[1] + l[2] * normal).abs();
                (t - mu * l[2]).max(mu * slip - normal).max(-l[2]).max(work)
            }
        };
        worst = worst.max(broken);
    }
    worst
}

#[test]
fn answers_on_all_set_kinds_obey_their_law() {
    for name in FAMILY {
        let mut solved = 0;
        for seed in 0..10 {
            let problem = everything(seed);
            let solver = solver_by_name(name, SolverSettings::default()).unwrap();
            let (x, report) = solve_with(name, &problem, 1e-10, 5000);
            if report.status == Status::Converged {
                solved += 1;
                let broken = violation(&problem, &x.lambda, solver.model());
                assert!(broken <= 1e-6, "{name}, seed {seed}: {broken}");
            }
        }
        println!("{name}: {solved} of 10");
        // `raisim` does not converge to Coulomb's law if a sliding contact is coupled; `raisim-ds-es` stops early. The
        // joints of the other seeds cannot be solved by sweeps: the default solver solves 10 of 10.
        let least = match name {
            "raisim" => 1,
            "raisim-ds-es" => 0,
            _ => 5,
        };
        assert!(solved >= least, "{name}: {solved}");
    }
    let default = (0..10).filter(|&seed| {
        let (_, report) = solve_with(DEFAULT_SOLVER, &everything(seed), 1e-10, 5000);
        report.status == Status::Converged
    });
    assert_eq!(default.count(), 10);
}

#[test]
fn pgs_ccp_finds_the_velocities_of_another_solver_of_the_relaxation() {
    let mut compared = 0;
    for seed in 0..10 {
        let problem = everything(seed);
        let (x, report) = solve_with("pgs-ccp", &problem, 1e-10, 5000);
        let (y, other) = solve_with("admm-ccp", &problem, 1e-10, 20_000);
        if report.status == Status::Converged && other.status == Status::Converged {
            compared += 1;
            // The relaxation is convex: its velocity is unique, its impulse need not be.
            assert!(difference(&x.u_plus, &y.u_plus) < 1e-6, "seed {seed}");
        }
    }
    assert!(compared >= 5, "{compared}");
}

/// A contact whose normal and tangential rows are coupled, sliding fast.
fn coupled_slide() -> Problem {
    let d = [[2.0, 0.3, 0.9], [0.3, 1.0, -0.2], [0.9, -0.2, 1.5]];
    let triplets: Vec<_> = (0..9).map(|i| (i / 3, i % 3, d[i / 3][i % 3])).collect();
    let mut problem = Problem::for_bodies(1e-3);
    problem.operator = Operator::Delassus {
        matrix: SparseSym::from_triplets(3, &triplets).0,
        v_free: vec![3.0, -2.0, -1.0],
    };
    problem.v_bias = vec![0.0; 3];
    problem.compliance = vec![0.0; 3];
    problem.sets.push(ImpulseSet::Coulomb { mu: 0.5 });
    problem
}

#[test]
fn raisim_settles_beside_coulombs_law_where_a_slide_is_coupled_and_the_shift_cures_it() {
    let problem = coupled_slide();
    let (exact, report) = solve_with("nbgs", &problem, 1e-10, 1000);
    assert_eq!(report.status, Status::Converged);
    // Friction against the motion, on the edge, no normal velocity.
    let (l, s) = (&exact.lambda, &exact.sigma);
    assert!((l[0].hypot(l[1]) - 0.5 * l[2]).abs() < 1e-12 && s[2].abs() < 1e-12);
    assert!((l[0] * s[1] - l[1] * s[0]).abs() < 1e-12 && l[0] * s[0] + l[1] * s[1] < 0.0);

    let (energy, report) = solve_with("raisim", &problem, 1e-10, 5000);
    assert_eq!(report.status, Status::Stalled);
    assert!(difference(&energy.lambda, &exact.lambda) > 1e-2);

    for name in ["raisim-ds", "pgs-ncp", "pgs-ccp-ds", "prox"] {
        let (x, report) = solve_with(name, &problem, 1e-10, 1000);
        assert_eq!(report.status, Status::Converged, "{name}");
        assert!(difference(&x.lambda, &exact.lambda) < 1e-8, "{name}");
    }
}

#[test]
fn every_setting_leads_to_the_same_answer() {
    let problem = coupled_slide();
    let (exact, _) = solve_with("nbgs", &problem, 1e-12, 1000);
    let common = SolverSettings {
        tolerance: 1e-10,
        max_iterations: 5000,
    };
    for order in [SweepOrder::Forward, SweepOrder::Alternating] {
        for when in [Decay::EverySweep, Decay::ResidualGrew] {
            for initial in [0.6, 1.0, 1.2] {
                for anderson in [0, 4] {
                    let relaxation = Relaxation {
                        initial,
                        minimum: 0.5,
                        decay: 0.9,
                        when,
                    };
                    let mut solver = Nbgs::new(SweepSettings {
                        common,
                        order,
                        relaxation,
                        anderson,
                        ..SweepSettings::default()
                    });
                    let mut x = Solution::default();
                    let report = solver.solve(&problem, &mut x, &mut ());
                    assert_eq!(report.status, Status::Converged);
                    assert!(difference(&x.lambda, &exact.lambda) < 1e-8);
                }
            }
        }
    }
}

struct StopAfter(usize);

impl Observer for StopAfter {
    fn iteration(&mut self, iteration: usize, residual: f64) -> ControlFlow<()> {
        assert!(residual >= 0.0);
        match iteration >= self.0 {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }
}

#[test]
fn an_observer_stops_a_solve() {
    let problem = everything(3);
    for name in FAMILY {
        let mut solver = solver_by_name(name, SolverSettings::default()).unwrap();
        let report = solver.solve(&problem, &mut Solution::default(), &mut StopAfter(3));
        assert_eq!(
            (report.status, report.iterations),
            (Status::Interrupted, 3),
            "{name}"
        );
    }
}

#[test]
fn broken_numbers_are_a_failure_and_never_an_answer() {
    for name in FAMILY {
        for broken in [f64::NAN, f64::INFINITY] {
            let mut bias = everything(1);
            bias.v_bias[7] = broken;
            let mut compliance = everything(1);
            compliance.compliance[7] = broken;
            for problem in [bias, compliance] {
                let (_, report) = solve_with(name, &problem, 1e-8, 100);
                assert_eq!(report.status, Status::NumericalFailure, "{name} {broken}");
            }
        }
    }
}

#[test]
fn an_answer_depends_on_its_problem_and_guess_alone() {
    for name in FAMILY {
        let (first, second) = (everything(1), everything(2));
        let settings = SolverSettings {
            tolerance: 1e-10,
            max_iterations: 60,
        };
        let mut used = solver_by_name(name, settings).unwrap();
        used.solve(&first, &mut Solution::default(), &mut ());
        let mut after = Solution::default();
        used.solve(&second, &mut after, &mut ());
        let (fresh, _) = solve_with(name, &second, 1e-10, 60);
        assert_eq!(after, fresh, "{name}");
    }
}

#[test]
fn an_answer_is_recognised_when_it_is_the_guess() {
    let problem = everything(9);
    for name in ["nbgs", "pgs-ncp", "pgs-ccp", "prox"] {
        let (mut x, report) = solve_with(name, &problem, 1e-9, 5000);
        assert_eq!(report.status, Status::Converged, "{name}");
        let settings = SolverSettings {
            tolerance: 1e-9,
            ..SolverSettings::default()
        };
        let mut solver = solver_by_name(name, settings).unwrap();
        let report = solver.solve(&problem, &mut x, &mut ());
        assert_eq!((report.status, report.iterations), (Status::Converged, 0));
    }
}

#[test]
fn a_block_on_nothing_that_moves_is_left_alone() {
    // A contact of the world with itself, open and approaching: it must be handled without failure.
    for (gap, wanted) in [(0.1, Status::Converged), (-0.1, Status::Stalled)] {
        let mut problem = Problem::for_bodies(1e-3);
        problem.operator = Operator::Delassus {
            matrix: SparseSym::from_triplets(3, &[]).0,
            v_free: vec![0.0; 3],
        };
        problem.v_bias = vec![0.0, 0.0, gap];
        problem.compliance = vec![0.0; 3];
        problem.sets.push(ImpulseSet::Coulomb { mu: 0.5 });
        for name in FAMILY {
            let (x, report) = solve_with(name, &problem, 1e-8, 5000);
            assert_eq!(report.status, wanted, "{name}");
            assert!(size(&x.lambda).is_finite());
        }
    }
}
