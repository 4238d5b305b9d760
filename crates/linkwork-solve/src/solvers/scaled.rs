//! A problem as dense matrices in units of its own: every block scaled by one number, so that cones
//! stay cones and the blocks of D have entries about 1 [math.md §5, Scaling].

use crate::delassus::delassus_matrix;
use crate::problem::Problem;
use faer::Mat;
use std::ops::{Deref, DerefMut};

/// A = W^-½ (D + R) W^-½ and q = W^-½ (v_f + v*) with the block weights W. The unknown is W^½ λ, the
/// velocity W^-½ σ; both have the unit √J.
#[derive(Clone, Debug, Default)]
pub(super) struct Scaled {
    pub a: Matrix,
    pub q: Vec<f64>,
    /// √w of the block of every row.
    pub root: Vec<f64>,
    /// w of every block.
    pub weights: Vec<f64>,
    dense: Vec<f64>,
    zeros: Vec<f64>,
    scratch: Vec<f64>,
}

impl Scaled {
    /// Fills it from `problem`; with `as_is` nothing is scaled, and the weights are only computed.
    pub fn fill(&mut self, problem: &Problem, as_is: bool) {
        let n = problem.rows();
        problem.block_weights(&mut self.weights);
        self.root.resize(n, 0.0);
        for ((_, rows), w) in problem.sets.iter().zip(&self.weights) {
            self.root[rows].fill(if as_is { 1.0 } else { w.sqrt() });
        }
        self.zeros.resize(n, 0.0);
        problem.sigma(&self.zeros, &mut self.q, &mut self.scratch);
        for (q, root) in self.q.iter_mut().zip(&self.root) {
            *q /= root;
        }
        delassus_matrix(problem, &mut self.dense);
        if self.a.nrows() != n {
            *self.a = Mat::zeros(n, n);
        }
        for c in 0..n {
            for r in 0..n {
                self.a[(r, c)] = self.dense[c * n + r] / (self.root[r] * self.root[c]);
            }
            self.a[(c, c)] += problem.compliance[c] / (self.root[c] * self.root[c]);
        }
    }
}

/// A matrix that begins empty, for workspaces.
#[derive(Clone, Debug)]
pub(super) struct Matrix(Mat<f64>);

impl Default for Matrix {
    fn default() -> Self {
        Self(Mat::new())
    }
}

impl Deref for Matrix {
    type Target = Mat<f64>;

    fn deref(&self) -> &Mat<f64> {
        &self.0
    }
}

impl DerefMut for Matrix {
    fn deref_mut(&mut self) -> &mut Mat<f64> {
        &mut self.0
    }
}
