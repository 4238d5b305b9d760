//! How the ports of a mechanism move each other once the eliminated rows hold: Λ = P K⁻¹ Pᵀ.
//!
//! A port is what kept rows act on: a body with its six velocities, or the rows of one block. Only forward
//! substitutions are needed: with X = 𝓛⁻¹ [Pᵀ; 0], Λ is Xᵀ diag(±1) X. The columns of a port are not zero only
//! along the elimination path of its bodies: a foot meets the leg, not the arms.

use super::factor::Factors;
use super::plan::Plan;
use super::shares::{Multiply, Shares};
use crate::arithmetic::{Arithmetic, Routine, run};
use crate::blocks::{dot6, segment, segment_mut};
use crate::delassus::kernel6;

/// Columns of X of some ports, and Λ.
#[derive(Clone, Debug, Default)]
pub(super) struct Columns {
    ports: Vec<Port>,
    /// Nodes of each port's path, ascending.
    paths: Vec<u32>,
    /// Six values of X a node of the path and row of the port.
    values: Vec<[f64; 6]>,
    /// Λ by rows.
    pub matrix: Vec<f64>,
    rows: usize,
    /// Where a node is in the path at hand.
    place: Vec<u32>,
    shares: Shares,
}

/// One port.
#[derive(Clone, Copy, Debug)]
pub(super) struct Port {
    pub dim: usize,
    /// First of its rows in Λ.
    pub row: usize,
    /// Its nodes in `paths`, and the first of its values.
    pub path: (usize, usize),
    pub value: usize,
}

impl Columns {
    pub fn clear(&mut self) {
        self.ports.clear();
        self.paths.clear();
        self.values.clear();
        self.rows = 0;
    }

    /// Number of rows of Λ.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Add a port of `dim` rows with the given rows on bodies; returns its first row.
    pub fn push<'a>(
        &mut self,
        plan: &Plan,
        factors: &Factors,
        dim: usize,
        on_bodies: impl Iterator<Item = (usize, &'a [[f64; 6]])> + Clone,
    ) -> usize {
        let start = self.paths.len();
        for (body, _) in on_bodies.clone() {
            self.merge_path(plan, start, plan.body[body]);
        }
        self.place.resize(plan.nodes(), 0);
        let path = &self.paths[start..];
        for (at, &node) in path.iter().enumerate() {
            self.place[node as usize] = at as u32;
        }
        let value = self.values.len();
        self.values.resize(value + dim * path.len(), [0.0; 6]);
        let values = &mut self.values[value..];
        for (body, rows) in on_bodies {
            let at = self.place[plan.body[body] as usize] as usize;
            values[dim * at..dim * at + dim].copy_from_slice(rows);
        }
        run(Solve {
            plan,
            factors,
            path,
            place: &self.place,
            dim,
            values,
        });
        let row = self.rows;
        self.ports.push(Port {
            dim,
            row,
            path: (start, self.paths.len()),
            value,
        });
        self.rows += dim;
        row
    }

    /// Add to the path from `start` on the nodes from `node` to its end.
    fn merge_path(&mut self, plan: &Plan, start: usize, node: u32) {
        let mut at = start;
        let mut next = Some(node);
        while let Some(node) = next {
            while at < self.paths.len() && self.paths[at] < node {
                at += 1;
            }
            if at < self.paths.len() && self.paths[at] == node {
                // From here on the paths are one.
                return;
            }
            self.paths.insert(at, node);
            next = plan.parent(node);
        }
    }

    /// Compute Λ.
    pub fn multiply(&mut self, plan: &Plan) {
        let n = self.rows;
        self.matrix.clear();
        self.matrix.resize(n * n, 0.0);
        self.shares.gather(plan, &self.ports, &self.paths);
        run(Multiply {
            plan,
            shares: &mut self.shares,
            values: &self.values,
            matrix: &mut self.matrix,
            n,
        });
        for r in 0..n {
            for c in 0..r {
                self.matrix[c * n + r] = self.matrix[r * n + c];
            }
        }
    }

    /// out_r = (Xᵀ diag(±1) y)_r for y = 𝓛⁻¹ (…).
    pub fn project(&self, plan: &Plan, y: &[f64], out: &mut Vec<f64>) {
        out.clear();
        out.resize(self.rows, 0.0);
        run(Project {
            plan,
            columns: self,
            y,
            out,
        });
    }

    /// y ← y + X change.
    pub fn spread(&self, change: &[f64], y: &mut [f64]) {
        run(Spread {
            columns: self,
            change,
            y,
        });
    }
}

/// The columns of one port: forward substitution along its path.
struct Solve<'a> {
    plan: &'a Plan,
    factors: &'a Factors,
    path: &'a [u32],
    place: &'a [u32],
    dim: usize,
    values: &'a mut [[f64; 6]],
}

impl Routine for Solve<'_> {
    type Output = ();

    #[inline(always)]
    fn run<A: Arithmetic>(self) {
        let dim = self.dim;
        for (at, &node) in self.path.iter().enumerate() {
            let (done, later) = self.values.split_at_mut(dim * at + dim);
            for (r, x) in done[dim * at..].iter_mut().enumerate() {
                self.factors
                    .forward_at::<A>(self.plan, node as usize, x, |row, block, sign, x| {
                        let to = self.place[row as usize] as usize - at - 1;
                        kernel6::add_multiply::<A>(block, sign, x, &mut later[dim * to + r]);
                    });
            }
        }
    }
}

struct Project<'a> {
    plan: &'a Plan,
    columns: &'a Columns,
    y: &'a [f64],
    out: &'a mut [f64],
}

impl Routine for Project<'_> {
    type Output = ();

    #[inline(always)]
    fn run<A: Arithmetic>(self) {
        for b in &self.columns.ports {
            let path = &self.columns.paths[b.path.0..b.path.1];
            let out = &mut self.out[b.row..b.row + b.dim];
            let values = self.columns.values[b.value..].chunks_exact(b.dim);
            for (&node, values) in path.iter().zip(values) {
                let y = segment(self.y, node as usize);
                let sign = self.plan.sign(node as usize);
                for (out, x) in out.iter_mut().zip(values) {
                    *out = A::madd(sign, dot6::<A>(x, y), *out);
                }
            }
        }
    }
}

struct Spread<'a> {
    columns: &'a Columns,
    change: &'a [f64],
    y: &'a mut [f64],
}

impl Routine for Spread<'_> {
    type Output = ();

    #[inline(always)]
    fn run<A: Arithmetic>(self) {
        for b in &self.columns.ports {
            let change = &self.change[b.row..b.row + b.dim];
            let path = &self.columns.paths[b.path.0..b.path.1];
            let values = self.columns.values[b.value..].chunks_exact(b.dim);
            for (&node, values) in path.iter().zip(values) {
                let y = segment_mut(self.y, node as usize);
                let mut sum = *y;
                for (x, c) in values.iter().zip(change) {
                    for (sum, x) in sum.iter_mut().zip(x) {
                        *sum = A::madd(*c, *x, *sum);
                    }
                }
                *y = sum;
            }
        }
    }
}
