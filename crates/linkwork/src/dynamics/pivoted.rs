//! Householder QR with column pivoting: Aᵀ P = Q R, which reveals the rank of A and yields the minimum-norm x with A x
//! = c.
//!
//! Golub and Van Loan, *Matrix Computations* (4th ed.), Algorithm 5.4.1, with the norms of the remaining columns
//! recomputed and not downdated, because they determine the rank.

use nalgebra::{DMatrix, DVector};
use std::cmp::Ordering;

/// Entry of a null vector, relative to its own 1, below which it is round-off of a zero.
const FOLLOWS: f64 = 1e-6;

/// A factored matrix.
pub(crate) struct PivotedQr {
    /// R above the diagonal, Householder vectors on it and below.
    packed: DMatrix<f64>,
    /// Diagonal of R, one a pivot that counts.
    diagonal: Vec<f64>,
    /// Row of A of each column.
    order: Vec<usize>,
}

impl PivotedQr {
    /// Factors the matrix, given the rows of A as columns; pivots below `tolerance` times the first count as zero.
    pub fn new(mut columns: DMatrix<f64>, tolerance: f64) -> Self {
        let (m, n) = columns.shape();
        let mut order: Vec<usize> = (0..n).collect();
        let mut left: Vec<f64> = columns.column_iter().map(|c| c.norm_squared()).collect();
        let mut diagonal: Vec<f64> = Vec::new();
        for k in 0..m.min(n) {
            let pivot = (k..n).fold(k, |best, j| if left[j] > left[best] { j } else { best });
            let norm = left[pivot].sqrt();
            let floor = tolerance * diagonal.first().map_or(0.0, |d| d.abs());
            // A NaN ends the factorisation; the remaining rows show it.
            if norm.is_nan() || norm <= floor {
                break;
            }
            columns.swap_columns(k, pivot);
            order.swap(k, pivot);
            left.swap(k, pivot);
            let head = columns[(k, k)];
            let image = if head > 0.0 { -norm } else { norm };
            columns[(k, k)] = head - image;
            diagonal.push(image);
            // H = 1 − v vᵀ/s takes the column to `image` e_k; s = ½ v·v = −image v_k.
            let s = -image * columns[(k, k)];
            let (done, mut rest) = columns.columns_range_pair_mut(k, k + 1..);
            let v = done.rows_range(k..);
            for (j, mut column) in rest.column_iter_mut().enumerate() {
                let mut tail = column.rows_range_mut(k..);
                let share = v.dot(&tail) / s;
                // Rows that share no body: no update is needed.
                if share == 0.0 && tail[0] == 0.0 {
                    continue;
                }
                tail.axpy(-share, &v, 1.0);
                left[k + 1 + j] = tail.rows_range(1..).norm_squared();
            }
        }
        Self {
            packed: columns,
            diagonal,
            order,
        }
    }

    /// Number of independent rows.
    pub fn rank(&self) -> usize {
        self.diagonal.len()
    }

    /// Least pivot over the first; 1 without any.
    pub fn weakest(&self) -> f64 {
        let least = self
            .diagonal
            .iter()
            .fold(f64::INFINITY, |m, d| m.min(d.abs()));
        self.diagonal
            .first()
            .map_or(1.0, |first| least / first.abs())
    }

    /// The minimum-norm x with A x = c on the independent rows, and λ on these with x = Aᵀλ; λ is 0 on the others.
    pub fn least(&self, c: &DVector<f64>) -> (DVector<f64>, DVector<f64>) {
        let rank = self.rank();
        // Rᵀ y = c, then x = Q y and R λ = y.
        let mut y = DVector::zeros(self.packed.nrows());
        for k in 0..rank {
            let known = self.packed.view((0, k), (k, 1)).dot(&y.rows(0, k));
            y[k] = (c[self.order[k]] - known) / self.diagonal[k];
        }
        let mut lambda = DVector::zeros(c.len());
        for k in (0..rank).rev() {
            let later = (k + 1..rank).map(|j| self.packed[(k, j)] * lambda[self.order[j]]);
            lambda[self.order[k]] = (y[k] - later.sum::<f64>()) / self.diagonal[k];
        }
        for k in (0..rank).rev() {
            let v = self.packed.view_range(k.., k);
            let s = -self.diagonal[k] * v[0];
            let mut tail = y.rows_range_mut(k..);
            let share = v.dot(&tail) / s;
            tail.axpy(-share, &v, 1.0);
        }
        (y, lambda)
    }

    /// Whether each λᵢ is the same in all λ with the same Aᵀλ: row i of a basis of A's left null space vanishes. With R
    /// = [R₁ R₂] that basis is [−R₁⁻¹R₂; 1].
    pub fn determined(&self) -> Vec<bool> {
        let (rank, n) = (self.rank(), self.order.len());
        let mut flags = vec![true; n];
        let mut share = vec![0.0; rank];
        for j in rank..n {
            flags[self.order[j]] = false;
            for k in (0..rank).rev() {
                let later = (k + 1..rank).map(|i| self.packed[(k, i)] * share[i]);
                let rest = self.packed[(k, j)] - later.sum::<f64>();
                share[k] = rest / self.diagonal[k];
            }
            for (k, share) in share.iter().enumerate() {
                // Written so that a NaN counts as undetermined.
                let follows = share.abs() <= FOLLOWS;
                flags[self.order[k]] &= follows;
            }
        }
        flags
    }

    /// The λ with the same Aᵀλ as `lambda` that minimises Σ (wᵢ λᵢ)², w the `weights`.
    pub fn shared(&self, lambda: &DVector<f64>, weights: &DVector<f64>) -> DVector<f64> {
        // R λ = y has more unknowns than equations: ν = w λ is the minimum-norm solution of (R/w) ν = y.
        let (rank, n) = (self.rank(), self.order.len());
        let r = |k: usize, j: usize| match j.cmp(&k) {
            Ordering::Less => 0.0,
            Ordering::Equal => self.diagonal[k],
            Ordering::Greater => self.packed[(k, j)],
        };
        let y = (0..rank).map(|k| (k..n).map(|j| r(k, j) * lambda[self.order[j]]).sum());
        let y = DVector::from_iterator(rank, y);
        let scaled = DMatrix::from_fn(n, rank, |j, k| r(k, j) / weights[self.order[j]]);
        let (least, _) = Self::new(scaled, 0.0).least(&y);
        let mut shared = DVector::zeros(n);
        for (j, &row) in self.order.iter().enumerate() {
            shared[row] = least[j] / weights[row];
        }
        shared
    }
}
