//! Λ, with which kept rows move each other once the joints hold, is the Schur complement of D.

mod body_graphs;

use body_graphs::*;
use linkwork_solve::Problem;
use linkwork_solve::condense::Condensation;
use nalgebra::DMatrix;

/// Λ of some of the kept blocks, and their rows. As in the rounds of a solve, Λ of the first half is asked for before the others are added.
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
