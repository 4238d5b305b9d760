//! How hard the first step's problem is.

use crate::table::{count, line, number};
use linkwork_solve::Problem;
use nalgebra::DMatrix;
use serde::Serialize;
use std::io::Write;

/// Eigenvalues cost n³; beyond this many rows, half a second on a laptop, they are not computed.
const MAX_ROWS: usize = 900;

/// Eigenvalues below this share of the largest count as zero.
const ZERO: f64 = 1e-12;

/// Condition of D = J M⁻¹ Jᵀ over all rows of a step: joints, limits, drives, contacts.
#[derive(Serialize)]
pub struct Conditioning {
    /// Rows.
    pub rows: usize,
    /// Independent rows.
    pub rank: usize,
    /// Largest over smallest nonzero eigenvalue of D.
    pub condition: f64,
    /// The same after every block was scaled to unit mean diagonal, as solvers do.
    pub condition_scaled: f64,
}

impl Conditioning {
    /// Of a problem; `None` if it is too large.
    pub fn of(problem: &Problem) -> Option<Self> {
        let n = problem.rows();
        if n > MAX_ROWS {
            return None;
        }
        let mut weights = Vec::new();
        problem.block_weights(&mut weights);
        let mut scale = vec![1.0; n];
        for ((_, range), w) in problem.sets.iter().zip(&weights) {
            scale[range].fill(1.0 / w.sqrt());
        }
        let d = delassus(problem);
        let scaled = DMatrix::from_fn(n, n, |r, c| d[(r, c)] * scale[r] * scale[c]);
        let (_, condition) = spectrum(d);
        let (rank, condition_scaled) = spectrum(scaled);
        Some(Self {
            rows: n,
            rank,
            condition,
            condition_scaled,
        })
    }

    /// Write it.
    pub fn print(&self, out: &mut dyn Write) -> std::io::Result<()> {
        let rank = self.rank;
        let rows = count(self.rows as u64, "row");
        line(out, "rows", &format!("{rows}, rank {rank}"))?;
        let (raw, scaled) = (number(self.condition), number(self.condition_scaled));
        line(
            out,
            "condition of D",
            &format!("{raw}, {scaled} with rows scaled"),
        )
    }
}

/// D, column by column: the change of σ by a unit impulse, less the compliance.
fn delassus(problem: &Problem) -> DMatrix<f64> {
    let n = problem.rows();
    let (mut zero, mut sigma, mut scratch) = (Vec::new(), Vec::new(), Vec::new());
    let mut lambda = vec![0.0; n];
    problem.sigma(&lambda, &mut zero, &mut scratch);
    let mut d = DMatrix::zeros(n, n);
    for c in 0..n {
        lambda[c] = 1.0;
        problem.sigma(&lambda, &mut sigma, &mut scratch);
        lambda[c] = 0.0;
        for r in 0..n {
            d[(r, c)] = sigma[r] - zero[r];
        }
        d[(c, c)] -= problem.compliance[c];
    }
    d
}

/// Rank, and condition number on the nonzero spectrum; 1 without rows.
fn spectrum(d: DMatrix<f64>) -> (usize, f64) {
    if d.is_empty() {
        return (0, 1.0);
    }
    let eigenvalues = d.symmetric_eigenvalues();
    let largest = eigenvalues.max();
    let nonzero = || eigenvalues.iter().filter(|&&e| e > ZERO * largest);
    let smallest = nonzero().fold(f64::INFINITY, |a, &e| a.min(e));
    (nonzero().count(), largest / smallest)
}
