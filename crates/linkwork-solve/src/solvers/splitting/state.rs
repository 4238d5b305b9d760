//! The velocity that a sweep keeps up to date.
//!
//! With bodies it is u = u_f + M⁻¹Jᵀλ: a visit reads J_k u and adds M⁻¹J_kᵀΔλ_k, so a sweep costs O(nnz J) and D is
//! never formed. Where only D is known, a visit recomputes its rows of D λ.

use crate::arithmetic::Plain;
use crate::blocks::{dot6, segment, segment_mut};
use crate::problem::{Operator, Problem};

/// u, and M⁻¹Jᵀ row by row; all empty where only D is known.
#[derive(Clone, Debug, Default)]
pub(super) struct State {
    u: Vec<f64>,
    /// M_b⁻¹ j for every row j, in the order of the blocks and bodies of J.
    responses: Vec<[f64; 6]>,
    /// First response of every block.
    starts: Vec<usize>,
    scratch: Vec<f64>,
}

impl State {
    /// Compute the responses of a new problem.
    pub fn prepare(&mut self, problem: &Problem) {
        self.responses.clear();
        self.starts.clear();
        if let Operator::Bodies { mass, jacobian, .. } = &problem.operator {
            for k in 0..jacobian.blocks() {
                self.starts.push(self.responses.len());
                let dim = jacobian.rows_of(k).len();
                for entry in jacobian.entries_of(k) {
                    for row in jacobian.values_of(entry, dim) {
                        self.responses.push(mass.solve_row(entry.body, row));
                    }
                }
            }
        }
    }

    /// Recomputes u, which removes the round-off of its updates.
    pub fn refresh(&mut self, problem: &Problem, lambda: &[f64]) {
        problem.velocity(lambda, &mut self.u, &mut self.scratch);
    }

    /// D_kk by rows, into `d`.
    pub fn diagonal_block(&self, problem: &Problem, k: usize, d: &mut [f64]) {
        let rows = problem.sets.range(k);
        let n = rows.len();
        match &problem.operator {
            Operator::Bodies { jacobian, .. } => {
                let entries = jacobian.entries_of(k);
                let responses = self.responses[self.starts[k]..].chunks_exact(n.max(1));
                for (entry, responses) in entries.iter().zip(responses) {
                    for (r, j) in jacobian.values_of(entry, n).iter().enumerate() {
                        for (c, response) in responses.iter().enumerate() {
                            d[r * n + c] += dot6::<Plain>(j, response);
                        }
                    }
                }
            }
            Operator::Delassus { matrix, .. } => {
                for r in 0..n {
                    let columns = matrix.row(rows.start + r);
                    for (c, value) in columns.filter(|(c, _)| rows.contains(c)) {
                        d[r * n + c - rows.start] = value;
                    }
                }
            }
        }
    }

    /// σ_k = (D λ)_k + v_f + v* + R λ_k, into `sigma`.
    pub fn sigma(&self, problem: &Problem, lambda: &[f64], k: usize, sigma: &mut [f64]) {
        let rows = problem.sets.range(k);
        match &problem.operator {
            Operator::Bodies { jacobian, .. } => {
                sigma.fill(0.0);
                for entry in jacobian.entries_of(k) {
                    let u = segment(&self.u, entry.body);
                    let j = jacobian.values_of(entry, rows.len());
                    for (sigma, j) in sigma.iter_mut().zip(j) {
                        *sigma += dot6::<Plain>(j, u);
                    }
                }
            }
            Operator::Delassus { matrix, v_free } => {
                for (sigma, r) in sigma.iter_mut().zip(rows.clone()) {
                    *sigma = v_free[r] + matrix.row(r).map(|(c, d)| d * lambda[c]).sum::<f64>();
                }
            }
        }
        for (sigma, r) in sigma.iter_mut().zip(rows) {
            *sigma += problem.v_bias[r] + problem.compliance[r] * lambda[r];
        }
    }

    /// u ← u + M⁻¹ J_kᵀ Δλ_k.
    pub fn push(&mut self, problem: &Problem, k: usize, change: &[f64]) {
        let Operator::Bodies { jacobian, .. } = &problem.operator else {
            return;
        };
        let responses = self.responses[self.starts[k]..].chunks_exact(change.len().max(1));
        for (entry, responses) in jacobian.entries_of(k).iter().zip(responses) {
            let u = segment_mut(&mut self.u, entry.body);
            for (change, response) in change.iter().zip(responses) {
                for (u, r) in u.iter_mut().zip(response) {
                    *u += change * r;
                }
            }
        }
    }
}
