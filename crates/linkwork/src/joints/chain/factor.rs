//! Cholesky factors of up to six rows; most chains have two or three.

use super::MAX_COORDINATES;
use nalgebra::Vector6;

/// L of L Lᵀ, of which only the first rows and columns are used.
pub(super) struct Factor {
    l: [[f64; MAX_COORDINATES]; MAX_COORDINATES],
    n: usize,
}

impl Factor {
    /// That of the identity with `n` rows.
    pub fn identity(n: usize) -> Self {
        let mut l = [[0.0; MAX_COORDINATES]; MAX_COORDINATES];
        for (i, row) in l.iter_mut().enumerate() {
            row[i] = 1.0;
        }
        Self { l, n }
    }

    /// Replaces the factor by that of the matrix with these entries, which are evaluated for j ≤ i; returns whether it
    /// is positive definite.
    #[inline]
    pub fn set(&mut self, mut entry: impl FnMut(usize, usize) -> f64) -> bool {
        let (l, n) = (&mut self.l, self.n);
        for i in 0..n {
            for j in 0..=i {
                let mut rest = entry(i, j);
                for (a, b) in l[i].iter().zip(&l[j]).take(j) {
                    rest -= a * b;
                }
                if j < i {
                    l[i][j] = rest / l[j][j];
                } else if rest > 0.0 {
                    l[i][i] = rest.sqrt();
                } else {
                    // NaN is not positive either.
                    return false;
                }
            }
        }
        true
    }

    /// x ← (L Lᵀ)⁻¹ x for the first n values.
    pub fn solve(&self, x: &mut Vector6<f64>) {
        let (l, n) = (&self.l, self.n.min(MAX_COORDINATES));
        for i in 0..n {
            let mut rest = x[i];
            for j in 0..i {
                rest -= l[i][j] * x[j];
            }
            x[i] = rest / l[i][i];
        }
        for i in (0..n).rev() {
            let mut rest = x[i];
            for j in i + 1..n {
                rest -= l[j][i] * x[j];
            }
            x[i] = rest / l[i][i];
        }
    }

    /// The solution for a matrix to whose diagonal `damping` was added, corrected by one step of refinement, which
    /// leaves an error of damping² instead of damping.
    pub fn solve_damped(&self, x: &mut Vector6<f64>, damping: f64) {
        self.solve(x);
        let mut rest = damping * *x;
        self.solve(&mut rest);
        *x += rest;
    }
}
