//! Reduced problems of a small walker, against `condensed` and against the whole problems.

use super::super::samples::Random;
use super::*;
use crate::ImpulseSet;
use crate::Operator;
use crate::blocks::{BlockCsr6, BlockDiag6};
use crate::solvers::{SolverSettings, all_solvers, solver_entry};

/// Links of a leg, from the trunk down: masses, kg.
const LEG: [f64; 3] = [2.0, 1.0, 0.3];

/// A trunk of 20 kg on two legs of three links, joined by hinges with drives of at most `effort` (N m s), four
/// contacts under each foot, and a gentle push.
fn walker(random: &mut Random, effort: f64) -> Problem {
    let mut mass = BlockDiag6::new();
    let rigid = |m: f64| m * 0.02;
    let mut push = |m: f64| {
        let diagonal = |i: f64| [i, 0.0, 0.0, 0.0, i, 0.0, 0.0, 0.0, i];
        mass.push_rigid(m, &diagonal(rigid(m)), &diagonal(1.0 / rigid(m)));
    };
    push(20.0);
    LEG.iter().chain(&LEG).for_each(|&m| push(m));
    let bodies = mass.len();
    let mut problem = Problem::for_bodies(1e-3);
    let mut jacobian = BlockCsr6::new(bodies);
    // The rows of the velocity of a point at `arm` from the centre of mass, times `sign`.
    let point = |arm: [f64; 3], sign: f64| {
        let [x, y, z] = arm.map(|a| sign * a);
        [
            [sign, 0.0, 0.0, 0.0, z, -y],
            [0.0, sign, 0.0, -z, 0.0, x],
            [0.0, 0.0, sign, y, -x, 0.0],
        ]
    };
    let turn = |axis: usize, sign: f64| {
        let mut row = [0.0; 6];
        row[3 + axis] = sign;
        row
    };
    let add = |problem: &mut Problem, set: ImpulseSet, r: f64, bias: f64| {
        problem.sets.push(set);
        problem.compliance.resize(problem.sets.rows(), r);
        problem.v_bias.resize(problem.sets.rows(), bias);
    };
    for leg in 0..2 {
        let side = if leg == 0 { 0.1 } else { -0.1 };
        for link in 0..3 {
            let base = if link == 0 { 0 } else { 3 * leg + link };
            let follower = 3 * leg + link + 1;
            let arms = [
                [0.0, if link == 0 { side } else { 0.0 }, -0.2],
                [0.0, 0.0, 0.2],
            ];
            // Hips turn about x, knees and ankles about y.
            let axis = usize::from(link > 0);
            let across = if axis == 0 { [1, 2] } else { [0, 2] };
            let rows = |arm: [f64; 3], sign: f64| {
                let mut rows = point(arm, sign).to_vec();
                rows.extend(across.map(|a| turn(a, sign)));
                rows
            };
            jacobian.push_block(5);
            jacobian.push_entry(base, &rows(arms[0], -1.0));
            jacobian.push_entry(follower, &rows(arms[1], 1.0));
            add(&mut problem, ImpulseSet::Free { dim: 5 }, 0.0, 0.0);
            jacobian.push_block(1);
            jacobian.push_entry(base, &[turn(axis, -1.0)]);
            jacobian.push_entry(follower, &[turn(axis, 1.0)]);
            let bias = 0.2 * random.next();
            add(
                &mut problem,
                ImpulseSet::Interval { bound: effort },
                0.5,
                bias,
            );
        }
        for (x, y) in [(0.1, 0.05), (0.1, -0.05), (-0.1, 0.05), (-0.1, -0.05)] {
            jacobian.push_block(3);
            jacobian.push_entry(3 * leg + 3, &point([x, y, -0.05], 1.0));
            add(&mut problem, ImpulseSet::Coulomb { mu: 0.7 }, 0.0, 0.0);
        }
    }
    let mut u_free = vec![0.0; 6 * bodies];
    for u in u_free.chunks_exact_mut(6) {
        let noise = random.vector(6);
        u.iter_mut().zip(noise).for_each(|(u, n)| *u = 0.02 * n);
        u[2] -= 0.01;
    }
    problem.operator = Operator::Bodies {
        mass,
        jacobian,
        u_free,
    };
    problem
}

const SETTINGS: SolverSettings = SolverSettings {
    tolerance: 1e-9,
    max_iterations: 20_000,
};

fn solve(name: &str, reduced: bool, problem: &Problem) -> (Solution, SolveReport) {
    let mut x = Solution::default();
    let mut solver = solver_entry(name).unwrap().make(SETTINGS, reduced);
    let report = solver.solve(problem, &mut x, &mut ());
    (x, report)
}

fn apart(a: &[f64], b: &[f64]) -> f64 {
    let apart = a.iter().zip(b).map(|(a, b)| (a - b).abs());
    apart.fold(0.0, f64::max)
}

#[test]
fn every_solver_agrees_with_condensed() {
    // Without and with drives at their limits.
    for effort in [10.0, 0.002] {
        let problem = walker(&mut Random(5), effort);
        for entry in all_solvers() {
            let solver = entry.make(SETTINGS, true);
            // `direct` takes no contacts, `sap` needs bodies; without De Saxcé's shift the fixed point of
            // `raisim` is not Coulomb's.
            if ["direct", "sap"].contains(&entry.name) {
                assert!(solver.supports(&problem).is_err(), "{}", entry.name);
                continue;
            }
            assert_eq!(solver.supports(&problem), Ok(()));
            if entry.name == "raisim" {
                continue;
            }
            let reference = match solver.model() {
                ContactModel::Ncp => "condensed",
                ContactModel::Ccp => "clarabel",
            };
            let (known, _) = solve(reference, false, &problem);
            let (x, report) = solve(entry.name, true, &problem);
            assert_eq!(report.status, Status::Converged, "{}", entry.name);
            let apart = apart(&x.u_plus, &known.u_plus);
            assert!(apart < 1e-8, "{}: {apart:e} m/s apart", entry.name);
        }
        let limited = |(set, rows): (ImpulseSet, std::ops::Range<usize>)| match set {
            ImpulseSet::Interval { bound } => {
                solve("condensed", false, &problem).0.lambda[rows.start].abs() == bound
            }
            _ => false,
        };
        assert_eq!(problem.sets.iter().any(limited), effort < 1.0);
    }
}

#[test]
fn reduced_problems_take_fewer_iterations() {
    let problem = walker(&mut Random(5), 10.0);
    for (name, times) in [
        ("admm-ncp-sa", 1),
        ("newton", 2),
        ("nbgs", 4),
        ("pgs-ncp", 4),
        ("raisim-ds", 4),
        ("prox", 2),
    ] {
        let (reduced, whole) = (
            solve(name, true, &problem).1,
            solve(name, false, &problem).1,
        );
        let (few, many) = (reduced.iterations, whole.iterations);
        assert!(times * few < many, "{name}: {few} against {many}");
    }
}

#[test]
fn another_bias_needs_no_factorisation() {
    let mut problem = walker(&mut Random(7), 10.0);
    // Gauss-Seidel sweeps count no factorisations of their own.
    let mut solver = solver_entry("nbgs").unwrap().make(SETTINGS, true);
    let mut x = Solution::default();
    let first = solver.solve(&problem, &mut x, &mut ());
    problem.v_bias.iter_mut().for_each(|v| *v += 1e-3);
    let second = solver.resolve(&problem, &mut x, &mut ());
    assert_eq!((first.factorizations, second.factorizations), (1, 0));
    assert_eq!(second.status, Status::Converged);
    let (known, _) = solve("condensed", false, &problem);
    assert!(apart(&x.u_plus, &known.u_plus) < 1e-8);
}

#[test]
fn what_has_no_equations_is_solved_whole() {
    let jointed = walker(&mut Random(3), 10.0);
    let mut problem = jointed.clone();
    let Operator::Bodies {
        jacobian: all,
        mass,
        u_free,
    } = &jointed.operator
    else {
        unreachable!()
    };
    let mut jacobian = BlockCsr6::new(mass.len());
    problem.sets.clear();
    for (k, (set, _)) in jointed.sets.iter().enumerate() {
        if set.is_cone() && !set.is_free() {
            jacobian.push_block(3);
            for e in all.entries_of(k) {
                jacobian.push_entry(e.body, all.values_of(e, 3));
            }
            problem.sets.push(set);
        }
    }
    problem.compliance = vec![0.0; problem.rows()];
    problem.v_bias = vec![0.0; problem.rows()];
    problem.operator = Operator::Bodies {
        jacobian,
        mass: mass.clone(),
        u_free: u_free.clone(),
    };
    let (a, b) = (
        solve("nbgs", true, &problem),
        solve("nbgs", false, &problem),
    );
    assert_eq!(a, b);
}
