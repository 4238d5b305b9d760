//! r(x) = A f(x) + q − v(x) = (A − 1) f(x) − x + q [Todorov eq. 15] on the scaled problem, and its
//! derivatives.

use super::law::{ImplicitLaw, Slope};
use crate::problem::Problem;
use crate::solvers::scaled::Scaled;
use std::ops::Range;

/// A, q and the laws.
#[derive(Clone, Debug, Default)]
pub(super) struct System {
    pub scaled: Scaled,
    /// Laws with their rows.
    pub blocks: Vec<(ImplicitLaw, Range<usize>)>,
}

impl System {
    /// Take the problem, scaled or `as_is`; false if a set has no law.
    pub fn load(&mut self, problem: &Problem, as_is: bool) -> bool {
        self.scaled.fill(problem, as_is);
        self.blocks.clear();
        for (set, rows) in problem.sets.iter() {
            // The unknown is √w λ.
            match ImplicitLaw::of(set, 1.0 / self.scaled.root[rows.start]) {
                Some(ImplicitLaw::Free) => {
                    let each = rows.map(|i| (ImplicitLaw::Free, i..i + 1));
                    self.blocks.extend(each);
                }
                Some(law) => self.blocks.push((law, rows)),
                None => return false,
            }
        }
        true
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.scaled.q.len()
    }

    /// out = (A − 1) y.
    pub fn multiply(&self, y: &[f64], out: &mut [f64]) {
        for (out, y) in out.iter_mut().zip(y) {
            *out = -y;
        }
        for (j, &y) in y.iter().enumerate() {
            if y != 0.0 {
                let column = self.scaled.a.col_as_slice(j);
                for (out, a) in out.iter_mut().zip(column) {
                    *out += a * y;
                }
            }
        }
    }

    /// f(x).
    pub fn impulses(&self, x: &[f64], f: &mut Vec<f64>) {
        f.resize(x.len(), 0.0);
        for (law, rows) in &self.blocks {
            law.impulse(&x[rows.clone()], &mut f[rows.clone()]);
        }
    }

    /// r(x) into `point`, and ½ ‖r‖².
    pub fn evaluate(&self, point: &mut Point) {
        let Point { x, f, r, cost } = point;
        self.impulses(x, f);
        r.resize(x.len(), 0.0);
        self.multiply(f, r);
        for ((r, x), q) in r.iter_mut().zip(x.iter()).zip(&self.scaled.q) {
            *r += q - x;
        }
        *cost = 0.5 * r.iter().map(|r| r * r).sum::<f64>();
    }

    /// out = ∂r/∂x u with the slopes of f at `at`; `scratch` is any buffer.
    pub fn derivative(&self, at: &[f64], u: &[f64], scratch: &mut Vec<f64>, out: &mut Vec<f64>) {
        scratch.resize(u.len(), 0.0);
        out.resize(u.len(), 0.0);
        for (law, rows) in &self.blocks {
            let slope = law.slope(&at[rows.clone()]);
            apply(&slope, &u[rows.clone()], &mut scratch[rows.clone()]);
        }
        self.multiply(scratch, out);
        for (out, u) in out.iter_mut().zip(u) {
            *out -= u;
        }
    }
}

/// A point x with f(x), r(x) and ½ ‖r‖².
#[derive(Clone, Debug, Default)]
pub(super) struct Point {
    pub x: Vec<f64>,
    pub f: Vec<f64>,
    pub r: Vec<f64>,
    pub cost: f64,
}

/// out = S u.
pub(super) fn apply(slope: &Slope, u: &[f64], out: &mut [f64]) {
    for (out, row) in out.iter_mut().zip(slope) {
        *out = row.iter().zip(u).map(|(s, u)| s * u).sum();
    }
}
