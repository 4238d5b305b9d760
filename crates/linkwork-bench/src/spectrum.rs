//! Rank of J and condition of D = J M⁻¹ Jᵀ, from singular values.
//!
//! Both are computed from J C with M⁻¹ = C Cᵀ, whose singular values are the roots of the eigenvalues of D. Those of D
//! itself would square the round-off, and redundant rows (singular values at the closure error of the joints, about
//! 1e-11) could not be distinguished from poorly conditioned ones.

use linkwork::mobility::RANK_TOLERANCE;
use linkwork_solve::{Operator, Problem};
use nalgebra::{DMatrix, Matrix6};
use std::ops::Range;

/// J C of a problem, row by row of J.
pub(crate) struct Spectrum {
    scaled: DMatrix<f64>,
}

impl Spectrum {
    /// Of a problem on bodies; `None` where only D is known.
    pub fn of(problem: &Problem) -> Option<Self> {
        let Operator::Bodies { mass, jacobian, .. } = &problem.operator else {
            return None;
        };
        // Inertias of a model are positive definite; a block that is not has no C and is ignored.
        let root = |b| Matrix6::from_column_slice(&mass.inverse(b)).cholesky();
        let roots: Vec<Matrix6<f64>> = (0..mass.len())
            .map(|b| root(b).map_or_else(Matrix6::zeros, |c| c.l()))
            .collect();
        let mut scaled = DMatrix::zeros(jacobian.rows(), 6 * mass.len());
        for k in 0..jacobian.blocks() {
            let rows = jacobian.rows_of(k);
            for entry in jacobian.entries_of(k) {
                for (r, j) in jacobian.values_of(entry, rows.len()).iter().enumerate() {
                    let j = nalgebra::RowVector6::from_row_slice(j) * roots[entry.body];
                    scaled
                        .fixed_view_mut::<1, 6>(rows.start + r, 6 * entry.body)
                        .copy_from(&j);
                }
            }
        }
        Some(Self { scaled })
    }

    /// Rank of some rows: singular values of J C, its rows brought to unit norm so that units and
    /// masses do not matter, above [`RANK_TOLERANCE`] times the largest.
    pub fn rank(&self, rows: Range<usize>) -> usize {
        let mut j = self.scaled.rows_range(rows).into_owned();
        for mut row in j.row_iter_mut() {
            let norm = row.norm();
            // A row that moves nothing stays zero and is therefore redundant.
            if norm > 0.0 {
                row /= norm;
            }
        }
        let values = singular_values(j);
        let floor = RANK_TOLERANCE * values.first().copied().unwrap_or(0.0);
        values.iter().filter(|&&v| v > floor).count()
    }

    /// κ(D) over its `rank` largest eigenvalues; 1 without rows.
    pub fn condition(&self, rank: usize) -> f64 {
        let values = singular_values(self.scaled.clone());
        match rank.min(values.len()) {
            0 => 1.0,
            rank => (values[0] / values[rank - 1]).powi(2),
        }
    }
}

/// Descending. A thin matrix is decomposed quicker than a wide one.
fn singular_values(matrix: DMatrix<f64>) -> Vec<f64> {
    if matrix.is_empty() {
        return Vec::new();
    }
    let tall = if matrix.nrows() < matrix.ncols() {
        matrix.transpose()
    } else {
        matrix
    };
    let mut values = tall.singular_values().as_slice().to_vec();
    values.sort_by(|a, b| b.total_cmp(a));
    values
}
