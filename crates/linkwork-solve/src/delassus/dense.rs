//! Dense Cholesky of D + diag(shift).

use super::{Delassus, NotPositive};
use crate::problem::{Operator, Problem};

/// The factor, column by column (lower triangle), diagonal inverted.
#[derive(Clone, Debug, Default)]
pub struct Dense {
    n: usize,
    l: Vec<f64>,
}

impl Delassus for Dense {
    fn factor(&mut self, problem: &Problem, shift: &[f64]) -> Result<(), NotPositive> {
        delassus_matrix(problem, &mut self.l);
        self.n = problem.rows();
        for (i, s) in shift.iter().enumerate() {
            self.l[i * self.n + i] += s;
        }
        self.cholesky()
    }

    fn solve(&mut self, _problem: &Problem, rhs: &[f64], out: &mut [f64]) {
        let (n, l) = (self.n, &self.l);
        out.copy_from_slice(rhs);
        for c in 0..n {
            out[c] *= l[c * n + c];
            let (s, column) = (out[c], &l[c * n + c + 1..(c + 1) * n]);
            for (x, l) in out[c + 1..].iter_mut().zip(column) {
                *x -= s * l;
            }
        }
        for c in (0..n).rev() {
            let column = &l[c * n + c + 1..(c + 1) * n];
            let s: f64 = column.iter().zip(&out[c + 1..]).map(|(l, x)| l * x).sum();
            out[c] = (out[c] - s) * l[c * n + c];
        }
    }
}

impl Dense {
    /// Left-looking by columns: the inner loop is a contiguous axpy.
    fn cholesky(&mut self) -> Result<(), NotPositive> {
        let n = self.n;
        for c in 0..n {
            let (done, rest) = self.l.split_at_mut(c * n);
            let column = &mut rest[c..n];
            for k in 0..c {
                let left = &done[k * n + c..(k + 1) * n];
                let s = left[0];
                if s != 0.0 {
                    for (x, l) in column.iter_mut().zip(left) {
                        *x -= s * l;
                    }
                }
            }
            let pivot = column[0];
            // Written so that a NaN fails too.
            if !(pivot > 0.0 && pivot < f64::INFINITY) {
                return Err(NotPositive);
            }
            let inverse = 1.0 / pivot.sqrt();
            column[0] = inverse;
            for x in &mut column[1..] {
                *x *= inverse;
            }
        }
        Ok(())
    }
}

/// D as a full matrix, column by column, into `d`.
pub fn delassus_matrix(problem: &Problem, d: &mut Vec<f64>) {
    let n = problem.rows();
    d.clear();
    d.resize(n * n, 0.0);
    match &problem.operator {
        Operator::Delassus { matrix, .. } => {
            for r in 0..n {
                for (c, v) in matrix.row(r) {
                    d[c * n + r] = v;
                }
            }
        }
        Operator::Bodies { mass, jacobian, .. } => {
            // Column c of D is J M⁻¹ times row c of J; only blocks sharing a body meet.
            let mut blocks_of = vec![Vec::new(); jacobian.bodies()];
            for k in 0..jacobian.blocks() {
                for entry in jacobian.entries_of(k) {
                    blocks_of[entry.body].push((k, *entry));
                }
            }
            for (body, blocks) in blocks_of.iter().enumerate() {
                for (k, entry) in blocks {
                    let rows = jacobian.rows_of(*k);
                    for (c, j) in rows.clone().zip(jacobian.values_of(entry, rows.len())) {
                        let y = mass.solve_row(body, j);
                        for (other, entry) in blocks {
                            let rows = jacobian.rows_of(*other);
                            let values = jacobian.values_of(entry, rows.len());
                            for (r, j) in rows.clone().zip(values) {
                                d[c * n + r] +=
                                    crate::blocks::dot6::<crate::arithmetic::Plain>(&y, j);
                            }
                        }
                    }
                }
            }
        }
    }
}
