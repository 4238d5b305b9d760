//! Cholesky factors of up to six rows: most chains have two or three.

use super::MAX_COORDINATES;
use nalgebra::Vector6;

/// A matrix of which only the first rows and columns count.
pub(super) type Square = [[f64; MAX_COORDINATES]; MAX_COORDINATES];

/// L of L Lᵀ.
pub(super) struct Factor {
    l: Square,
    n: usize,
}

impl Factor {
    /// Factor the first `n` rows of a matrix given by its lower triangle; `None` if it is not positive definite.
    pub fn of(mut l: Square, n: usize) -> Option<Self> {
        for j in 0..n {
            let row = l[j];
            let square: f64 = row[..j].iter().map(|x| x * x).sum();
            let pivot = row[j] - square;
            // NaN is not positive either.
            if pivot.is_nan() || pivot <= 0.0 {
                return None;
            }
            let root = pivot.sqrt();
            l[j][j] = root;
            for below in &mut l[j + 1..n] {
                let known: f64 = below[..j].iter().zip(&row).map(|(a, b)| a * b).sum();
                below[j] = (below[j] - known) / root;
            }
        }
        Some(Self { l, n })
    }

    /// That of the identity.
    pub fn identity(n: usize) -> Self {
        let one = |i: usize| std::array::from_fn(|j| f64::from(u8::from(i == j)));
        Self {
            l: std::array::from_fn(one),
            n,
        }
    }

    /// x ← (L Lᵀ)⁻¹ x for the first n values.
    pub fn solve(&self, x: &mut Vector6<f64>) {
        let (l, n) = (&self.l, self.n);
        for i in 0..n {
            let known: f64 = (0..i).map(|j| l[i][j] * x[j]).sum();
            x[i] = (x[i] - known) / l[i][i];
        }
        for i in (0..n).rev() {
            let known: f64 = (i + 1..n).map(|j| l[j][i] * x[j]).sum();
            x[i] = (x[i] - known) / l[i][i];
        }
    }

    /// The same of a matrix to whose diagonal `damping` was added, as if it had not been: one step of refinement,
    /// which leaves damping² instead of damping.
    pub fn solve_damped(&self, x: &mut Vector6<f64>, damping: f64) {
        self.solve(x);
        let mut rest = damping * *x;
        self.solve(&mut rest);
        *x += rest;
    }
}
