//! Rows on which the velocity must vanish, eliminated by a Schur complement.

use crate::solvers::scaled::Matrix;
use faer::linalg::solvers::{Llt, Solve};
use faer::{Mat, Side};

/// ε of A_gg + ε1, relative to the unit diagonal blocks: redundant rows make A_gg singular.
const REGULARISATION: f64 = 1e-9;
/// Number of solves with A_gg + ε1 that replace one with A_gg: the error falls by the factor ε/(a + ε) per solve for an
/// eigenvalue a of A_gg [math.md §5, Direct].
const SOLVES: usize = 3;

/// The system without its rows g: S = A_kk − A_kg A_gg⁻¹ A_gk and s = q_k − A_kg A_gg⁻¹ q_g on the rows k
/// that stay.
#[derive(Clone, Debug, Default)]
pub(super) struct Reduction {
    pub kept: Vec<usize>,
    gone: Vec<usize>,
    pub s: Matrix,
    pub q: Vec<f64>,
    /// A_gg⁻¹ [A_gk, q_g].
    x: Matrix,
    factor: Option<Llt<f64>>,
}

impl Reduction {
    /// Eliminate the rows marked in `gone`; false if A_gg is not positive semidefinite or finite.
    pub fn eliminate(&mut self, a: &Mat<f64>, q: &[f64], gone: &[bool]) -> bool {
        let rows = |wanted: bool| (0..q.len()).filter(move |&i| gone[i] == wanted);
        self.kept.clear();
        self.kept.extend(rows(false));
        self.gone.clear();
        self.gone.extend(rows(true));
        let (kept, gone) = (&self.kept, &self.gone);
        let (n, m) = (kept.len(), gone.len());
        *self.s = Mat::from_fn(n, n, |i, j| a[(kept[i], kept[j])]);
        self.q.clear();
        self.q.extend(kept.iter().map(|&i| q[i]));
        self.factor = None;
        if m == 0 {
            *self.x = Mat::zeros(0, n + 1);
            return true;
        }
        let inner = Mat::from_fn(m, m, |i, j| a[(gone[i], gone[j])]);
        let shift = |i, j| if i == j { REGULARISATION } else { 0.0 };
        let shifted = Mat::from_fn(m, m, |i, j| inner[(i, j)] + shift(i, j));
        let Ok(factor) = shifted.llt(Side::Lower) else {
            return false;
        };
        let right = Mat::from_fn(m, n + 1, |i, j| match kept.get(j) {
            Some(&k) => a[(gone[i], k)],
            None => q[gone[i]],
        });
        *self.x = Mat::zeros(m, n + 1);
        for _ in 0..SOLVES {
            let mut rest = &right - &inner * &*self.x;
            factor.solve_in_place(&mut rest);
            *self.x += rest;
        }
        let change = right.get(.., ..n).transpose() * &*self.x;
        for j in 0..n {
            for i in 0..n {
                self.s[(i, j)] -= change[(i, j)];
            }
            self.q[j] -= change[(j, n)];
        }
        self.factor = Some(factor);
        true
    }

    /// Complete `lambda`, given on the kept rows, so that A λ + q = 0 on the others.
    pub fn complete(&self, a: &Mat<f64>, q: &[f64], lambda: &mut [f64]) {
        let Some(factor) = &self.factor else { return };
        let n = self.kept.len();
        for (i, &row) in self.gone.iter().enumerate() {
            let sum: f64 = (0..n).map(|j| self.x[(i, j)] * lambda[self.kept[j]]).sum();
            lambda[row] = -sum - self.x[(i, n)];
        }
        for _ in 0..SOLVES {
            let velocity = |row: usize| (0..q.len()).map(|j| a[(j, row)] * lambda[j]).sum::<f64>();
            let mut rest = Mat::from_fn(self.gone.len(), 1, |i, _| {
                velocity(self.gone[i]) + q[self.gone[i]]
            });
            factor.solve_in_place(&mut rest);
            for (i, &row) in self.gone.iter().enumerate() {
                lambda[row] -= rest[(i, 0)];
            }
        }
    }
}
