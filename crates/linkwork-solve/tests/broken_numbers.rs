//! What is not a number is never an answer, and a problem that makes no sense is refused: by every solver.

mod body_graphs;

use body_graphs::*;
use linkwork_solve::*;

/// Solvers as they are and on the reduced problem.
fn every_solver() -> impl Iterator<Item = (String, Box<dyn Solver>)> {
    known_solvers().flat_map(|entry| {
        [false, true].map(|reduced| {
            let name = format!("{}{}", entry.name, if reduced { " reduced" } else { "" });
            (name, entry.make(SolverSettings::default(), reduced))
        })
    })
}

/// One body and one row that only pushes, as in issue 15: free velocity `v`.
fn one_row(v: f64) -> Problem {
    let mut mass = BlockDiag6::new();
    let unit = [1., 0., 0., 0., 1., 0., 0., 0., 1.];
    mass.push_rigid(1.0, &unit, &unit);
    let mut jacobian = BlockCsr6::new(1);
    jacobian.push_block(1);
    jacobian.push_entry(0, &[[0., 0., 1., 0., 0., 0.]]);
    let mut problem = Problem::for_bodies(1e-3);
    problem.operator = Operator::Bodies {
        mass,
        jacobian,
        u_free: vec![0.0, 0.0, v, 0.0, 0.0, 0.0],
    };
    problem.v_bias = vec![0.0];
    problem.compliance = vec![1e-3];
    problem.sets.push(ImpulseSet::NonNegative);
    problem
}

/// The same problem with only D known.
fn on_delassus(v: f64) -> Problem {
    let (matrix, _) = SparseSym::from_triplets(1, &[(0, 0, 1.0)]);
    let mut problem = one_row(0.0);
    problem.operator = Operator::Delassus {
        matrix,
        v_free: vec![v],
    };
    problem
}

/// Joints, limits, friction and contacts, with the compliance that some solvers need.
fn everything() -> Problem {
    let mut problem = mixed(3, 4).problem();
    problem.compliance.fill(1e-2);
    problem
}

fn refused(problem: &Problem, what: &str) {
    let error = problem.check().unwrap_err();
    for (name, mut solver) in every_solver() {
        let reason = solver.supports(problem).unwrap_err().to_string();
        assert!(reason.contains(&error.to_string()), "{name}: {reason}");
        let mut x = Solution::default();
        let report = solver.solve(problem, &mut x, &mut ());
        assert_eq!(report.status, Status::NumericalFailure, "{name}: {what}");
        assert!(!report.residuals.meets(1e300), "{name}: {what}");
    }
}

#[test]
fn a_free_velocity_that_is_no_number_is_a_numerical_failure() {
    for v in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        refused(&one_row(v), "bodies");
        refused(&on_delassus(v), "D alone");
    }
}

#[test]
fn every_number_of_a_problem_is_looked_at() {
    type Spoil = fn(&mut Problem, f64);
    let spoils: [(&str, Spoil); 5] = [
        ("dt", |p, x| p.dt = x),
        ("v_bias", |p, x| p.v_bias[5] = x),
        ("compliance", |p, x| p.compliance[2] = x),
        ("u_free", |p, x| {
            let Operator::Bodies { u_free, .. } = &mut p.operator else {
                unreachable!("on bodies");
            };
            u_free[7] = x;
        }),
        ("jacobian", |p, x| {
            let Operator::Bodies { jacobian, .. } = &mut p.operator else {
                unreachable!("on bodies");
            };
            jacobian.block_mut(1)[0][3] = x;
        }),
    ];
    assert_eq!(everything().check(), Ok(()));
    for (what, spoil) in spoils {
        for x in [f64::NAN, f64::INFINITY] {
            let mut problem = everything();
            spoil(&mut problem, x);
            refused(&problem, what);
        }
    }
    let mut mass = BlockDiag6::new();
    let unit = [1., 0., 0., 0., 1., 0., 0., 0., 1.];
    mass.push_rigid(f64::NAN, &unit, &unit);
    let mut problem = one_row(0.0);
    let Operator::Bodies { mass: own, .. } = &mut problem.operator else {
        unreachable!("on bodies");
    };
    *own = mass;
    refused(&problem, "mass");
}

#[test]
fn parts_that_do_not_fit_are_refused_without_a_panic() {
    type Spoil = fn(&mut Problem);
    let spoils: [(&str, Spoil); 8] = [
        ("short v_bias", |p| p.v_bias.truncate(1)),
        ("long compliance", |p| p.compliance.push(0.0)),
        ("negative compliance", |p| p.compliance[0] = -1.0),
        ("a set too many", |p| p.sets.push(ImpulseSet::NonNegative)),
        ("negative bound", |p| {
            p.sets.push(ImpulseSet::Interval { bound: -1.0 });
        }),
        ("negative friction", |p| {
            p.sets.push(ImpulseSet::Coulomb { mu: -0.1 });
        }),
        ("a set of no rows", |p| {
            p.sets.push(ImpulseSet::Free { dim: 0 })
        }),
        ("short u_free", |p| {
            let Operator::Bodies { u_free, .. } = &mut p.operator else {
                unreachable!("on bodies");
            };
            u_free.pop();
        }),
    ];
    for (what, spoil) in spoils {
        let mut problem = everything();
        spoil(&mut problem);
        refused(&problem, what);
    }
}

#[test]
fn a_guess_that_is_no_number_counts_as_none() {
    let problem = everything();
    for (name, mut solver) in every_solver() {
        if solver.supports(&problem).is_err() {
            continue;
        }
        let mut plain = Solution::default();
        let told = solver.solve(&problem, &mut plain, &mut ());
        let mut x = Solution {
            lambda: vec![f64::NAN; problem.rows()],
            ..Solution::default()
        };
        let report = solver.solve(&problem, &mut x, &mut ());
        assert_eq!(report.status, told.status, "{name}");
        assert_eq!(x.lambda, plain.lambda, "{name}");
    }
}

#[test]
fn a_bias_that_is_no_number_fails_a_resolve_and_a_good_one_after_it_succeeds() {
    let mut problem = everything();
    for (name, mut solver) in every_solver() {
        if solver.supports(&problem).is_err() {
            continue;
        }
        let mut x = Solution::default();
        let told = solver.solve(&problem, &mut x, &mut ()).status;
        let good = std::mem::replace(&mut problem.v_bias[0], f64::NAN);
        let report = solver.resolve(&problem, &mut x, &mut ());
        assert_eq!(report.status, Status::NumericalFailure, "{name}");
        problem.v_bias[0] = good;
        x = Solution::default();
        let report = solver.resolve(&problem, &mut x, &mut ());
        assert_eq!(report.status, told, "{name}");
    }
}

#[test]
fn numbers_that_overflow_on_the_way_are_a_failure() {
    // D has 1e308² in it.
    let mut problem = one_row(-1.0);
    let Operator::Bodies { jacobian, .. } = &mut problem.operator else {
        unreachable!("on bodies");
    };
    jacobian.block_mut(0)[0] = [1e308; 6];
    assert_eq!(problem.check(), Ok(()));
    for (name, mut solver) in every_solver() {
        if solver.supports(&problem).is_err() {
            continue;
        }
        let mut x = Solution::default();
        let report = solver.solve(&problem, &mut x, &mut ());
        let seen = residuals(&problem, &x, solver.model());
        assert_ne!(report.status, Status::Converged, "{name}: {x:?} {seen:?}");
        assert!(!seen.meets(1e-6), "{name}");
    }
}
