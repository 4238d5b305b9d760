//! Λ, with which kept rows move each other once the joints hold, is the Schur complement of D.

mod body_graphs;

use body_graphs::*;
use linkwork_solve::condense::{Condensation, LaneFactors, LanePorts, Plan, Structure};
use linkwork_solve::{Operator, Problem, WIDE, Wide};
use nalgebra::DMatrix;
use std::sync::Arc;

/// Λ of some of the kept blocks, and their rows. As in the rounds of a solve, Λ of the first half is computed before
/// the others are added.
fn mobility(problem: &Problem, blocks: &[usize]) -> (DMatrix<f64>, Vec<usize>) {
    let mut condensation = Condensation::default();
    condensation.partition(problem, &vec![0.0; problem.rows()]);
    condensation.factor(problem).unwrap();
    let mut rows = Vec::new();
    for (i, &k) in blocks.iter().enumerate() {
        if i == blocks.len() / 2 {
            condensation.complete();
        }
        assert!(condensation.is_kept(k));
        assert_eq!(condensation.add_block(problem, k), rows.len());
        rows.extend(problem.sets.range(k));
    }
    condensation.complete();
    assert_eq!(condensation.rows(), rows.len());
    let matrix = DMatrix::from_row_slice(rows.len(), rows.len(), condensation.matrix());
    (matrix, rows)
}

/// Λ = D_II − D_IE D_EE⁻¹ D_EI by the definition, and by the sparse factorisation of a tree with rows between
/// neighbours, between any two bodies, and to the world: of all of them, and of each alone, whose two ways to
/// the root of the tree then meet somewhere.
#[test]
fn kept_rows_move_each_other_as_the_schur_complement_says() {
    for seed in 0..40 {
        let problem = mixed(seed, 2 + seed as usize % 14).problem();
        let (_, d) = dense(&problem);
        let part = |r: &[usize], c: &[usize]| d.select_rows(r).select_columns(c);
        let free = |k: &usize| problem.sets.set(*k).is_free();
        let (joints, kept): (Vec<usize>, Vec<usize>) = (0..problem.sets.len()).partition(free);
        let joints: Vec<usize> = joints
            .into_iter()
            .flat_map(|k| problem.sets.range(k))
            .collect();
        let inner = part(&joints, &joints).cholesky().unwrap();
        let singles = kept.iter().map(|k| vec![*k]);
        for blocks in singles.chain([kept.clone()]) {
            let (found, rows) = mobility(&problem, &blocks);
            let across = part(&joints, &rows);
            let expected = part(&rows, &rows) - across.transpose() * inner.solve(&across);
            let off = (&found - &expected).amax() / part(&rows, &rows).amax();
            assert!(
                off < 1e-10,
                "seed {seed}, blocks {blocks:?}: off by {off:.1e}"
            );
        }
    }
}

/// Put a problem into a lane, and K of all: the rows of its joints, in order.
fn load(factors: &mut LaneFactors, problems: &[Problem; WIDE]) {
    factors.wipe();
    factors.clear();
    let operators = problems.each_ref().map(|problem| match &problem.operator {
        Operator::Bodies { mass, jacobian, .. } => (mass, jacobian),
        Operator::Delassus { .. } => unreachable!("on bodies"),
    });
    let lanes = |value: &dyn Fn(usize) -> f64| Wide(std::array::from_fn(value));
    for b in 0..problems[0].bodies() {
        let inertia = std::array::from_fn(|i| {
            std::array::from_fn(|j| lanes(&|lane| operators[lane].0.inertia(b)[3 * i + j]))
        });
        let mass = lanes(&|lane| operators[lane].0.block(b)[0]);
        factors.set_body(b, mass, &inertia);
    }
    for (part, k) in joints(&problems[0]).into_iter().enumerate() {
        let rows = problems[0].sets.range(k);
        for at in 0..operators[0].1.entries_of(k).len() {
            let values: Vec<[Wide; 6]> = (0..rows.len())
                .map(|r| {
                    std::array::from_fn(|c| {
                        lanes(&|lane| {
                            let jacobian = operators[lane].1;
                            let entry = &jacobian.entries_of(k)[at];
                            jacobian.values_of(entry, rows.len())[r][c]
                        })
                    })
                })
                .collect();
            factors.set_rows(part, at, &values);
        }
        for (r, row) in rows.enumerate() {
            let compliance = lanes(&|lane| problems[lane].compliance[row]);
            factors.set_compliance(part, r, compliance);
        }
    }
    factors.factor();
}

/// The blocks that are eliminated.
fn joints(problem: &Problem) -> Vec<usize> {
    let free = |k: &usize| problem.sets.set(*k).is_free();
    (0..problem.sets.len()).filter(free).collect()
}

/// Four problems of one plan together: Λ of whole bodies, the changes of their velocities, and the impulses of the
/// joints are those of each problem alone.
#[test]
fn lanes_answer_as_each_problem_alone() {
    for seed in 0..20 {
        let problem = mixed(seed, 2 + seed as usize % 14).problem();
        // Other masses and rows in each lane.
        let problems: [Problem; WIDE] = std::array::from_fn(|lane| {
            let mut own = problem.clone();
            if let Operator::Bodies { mass, jacobian, .. } = &mut own.operator {
                mass.scale(1.0 + 0.3 * lane as f64);
                for k in 0..jacobian.blocks() {
                    for (i, value) in jacobian
                        .block_mut(k)
                        .as_flattened_mut()
                        .iter_mut()
                        .enumerate()
                    {
                        *value *= 1.0 + 0.01 * ((lane * (i + k)) as f64).sin();
                    }
                }
            }
            own
        });
        let mut structure = Structure::default();
        structure.read(&problem);
        let mut factors = LaneFactors::new(Arc::new(Plan::new(&structure)));
        load(&mut factors, &problems);
        let bodies: Vec<usize> = (0..problem.bodies()).step_by(2).collect();
        let mut ports = LanePorts::default();
        ports.begin(&bodies);
        for lane in 0..WIDE {
            for i in 0..bodies.len() {
                for r in 0..6 {
                    let unit: [f64; 6] = std::array::from_fn(|c| f64::from(u8::from(c == r)));
                    ports.set_row(lane, (i, r), &unit);
                }
            }
        }
        ports.complete(&factors);
        let sigma: Vec<f64> = (0..problem.rows())
            .map(|i| (3.0 * i as f64).sin())
            .collect();
        let change: Vec<f64> = (0..6 * bodies.len())
            .map(|i| (2.0 * i as f64).cos())
            .collect();
        factors.begin();
        for (part, k) in joints(&problem).into_iter().enumerate() {
            for (r, row) in problem.sets.range(k).enumerate() {
                factors.set_sigma(part, r, Wide::all(sigma[row]));
            }
        }
        factors.forward();
        let mut felt = Vec::new();
        ports.felt(&factors, &mut felt);
        let lanes: Vec<[Wide; 6]> = change
            .as_chunks::<6>()
            .0
            .iter()
            .map(|six| six.map(Wide::all))
            .collect();
        ports.spread(&mut factors, &lanes);
        factors.backward();
        for (lane, own) in problems.iter().enumerate() {
            let mut alone = Condensation::default();
            alone.partition(own, &vec![0.0; own.rows()]);
            alone.factor(own).unwrap();
            bodies.iter().for_each(|b| {
                alone.add_body(*b);
            });
            alone.complete();
            let close = |found: &[f64], expected: &[f64]| {
                let size = expected.iter().fold(0.0, |s: f64, x| s.max(x.abs()));
                let off = found.iter().zip(expected).map(|(a, b)| (a - b).abs());
                let off = off.fold(0.0, f64::max) / size;
                assert!(off < 1e-9, "seed {seed}, lane {lane}: {off:e}");
                assert_eq!(found.len(), expected.len());
            };
            let all: Vec<_> = (0..bodies.len()).map(|i| (i, 6)).collect();
            let mut matrix = Vec::new();
            ports.matrix(lane, &all, &mut matrix);
            close(&matrix, alone.matrix());
            let (mut expected, mut lambda) = (Vec::new(), vec![0.0; own.rows()]);
            alone.begin(own, &sigma, &mut expected);
            let found: Vec<f64> = felt.iter().flatten().map(|v| v.0[lane]).collect();
            close(&found, &expected);
            alone.finish(own, &change, &mut lambda);
            let mut found = vec![0.0; own.rows()];
            for (part, k) in joints(own).into_iter().enumerate() {
                for (r, row) in own.sets.range(k).enumerate() {
                    found[row] = factors.impulse(part, r).0[lane];
                }
            }
            close(&found, &lambda);
        }
    }
}
