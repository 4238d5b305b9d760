//! D = Bᵀ M⁻¹ B and v_f = c + Bᵀ M⁻¹ f of a global problem, by sparse Cholesky of M.

use super::matrix::Matrix;
use faer::linalg::solvers::Solve;
use faer::sparse::{SparseColMat, Triplet};
use faer::{Mat, Side};

/// Columns of B solved for at a time: many enough to share a pass over the factor, few enough to
/// hold densely.
const BATCH: usize = 64;

/// M is not positive definite.
pub(super) struct NotPositive;

/// D as entries, and Bᵀ M⁻¹ f. Both triangles of M are used; equal entries of B are added.
pub(super) fn condense(
    m: &Matrix,
    b: &Matrix,
    f: &[f64],
) -> Result<(Matrix, Vec<f64>), NotPositive> {
    let (n, columns) = (b.rows, b.columns);
    let entries: Vec<_> = m
        .entries
        .iter()
        .flat_map(|&(r, c, x)| [(r, c, 0.5 * x), (c, r, 0.5 * x)])
        .filter(|e| e.0 >= e.1)
        .map(|(r, c, x)| Triplet::new(r, c, x))
        .collect();
    let lower = SparseColMat::<usize, f64>::try_new_from_triplets(n, n, &entries)
        .map_err(|_| NotPositive)?;
    let factor = lower.sp_cholesky(Side::Lower).map_err(|_| NotPositive)?;

    let transposed_times = |x: &Mat<f64>, column: usize| {
        let mut out = vec![0.0; columns];
        for &(r, c, v) in &b.entries {
            out[c] += v * x[(r, column)];
        }
        out
    };
    let mut by_column: Vec<Vec<(usize, f64)>> = vec![Vec::new(); columns];
    for &(r, c, x) in &b.entries {
        by_column[c].push((r, x));
    }
    let mut d = Matrix {
        rows: columns,
        columns,
        entries: Vec::new(),
    };
    for (batch, group) in by_column.chunks(BATCH).enumerate() {
        let mut rhs = Mat::zeros(n, group.len());
        for (k, column) in group.iter().enumerate() {
            for &(r, x) in column {
                rhs[(r, k)] += x;
            }
        }
        let solved = factor.solve(&rhs);
        for k in 0..group.len() {
            // Bodies that share no contact leave exact zeros, which keep D sparse.
            let column = transposed_times(&solved, k).into_iter().enumerate();
            let column = column.filter(|(_, x)| *x != 0.0);
            d.entries
                .extend(column.map(|(r, x)| (r, batch * BATCH + k, x)));
        }
    }
    let rhs = Mat::from_fn(n, 1, |r, _| f[r]);
    let free = transposed_times(&factor.solve(&rhs), 0);
    Ok((d, free))
}
