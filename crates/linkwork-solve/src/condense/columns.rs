//! How the ports of a mechanism move each other once the eliminated rows hold: Λ = P K⁻¹ Pᵀ.
//!
//! A port is what kept rows act on: a body with its six velocities, or the rows of one block. Only forward
//! substitutions are needed: with X = 𝓛⁻¹ [Pᵀ; 0], Λ is Xᵀ diag(±1) X. The columns of a port are not zero only
//! along the elimination path of its bodies: a foot meets the leg, not the arms.

use super::factor::Factors;
use super::plan::Plan;
use crate::blocks::dot6;
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
}

#[derive(Clone, Copy, Debug)]
struct Port {
    dim: usize,
    /// First of its rows in Λ.
    row: usize,
    /// Its nodes in `paths`, and the first of its values.
    path: (usize, usize),
    value: usize,
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
        for (at, &node) in path.iter().enumerate() {
            let (done, later) = values.split_at_mut(dim * at + dim);
            for (r, x) in done[dim * at..].iter_mut().enumerate() {
                factors.forward_at(plan, node as usize, x, |row, block, sign, x| {
                    let to = self.place[row as usize] as usize - at - 1;
                    kernel6::add_multiply(block, sign, x, &mut later[dim * to + r]);
                });
            }
        }
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
        for (i, a) in self.ports.iter().enumerate() {
            for b in &self.ports[..=i] {
                let (pa, pb) = (
                    &self.paths[a.path.0..a.path.1],
                    &self.paths[b.path.0..b.path.1],
                );
                let (mut ia, mut ib) = (0, 0);
                while ia < pa.len() && ib < pb.len() {
                    if pa[ia] < pb[ib] {
                        ia += 1;
                    } else if pa[ia] > pb[ib] {
                        ib += 1;
                    } else {
                        let sign = if plan.is_body[pa[ia] as usize] {
                            1.0
                        } else {
                            -1.0
                        };
                        let xa = &self.values[a.value + a.dim * ia..][..a.dim];
                        let xb = &self.values[b.value + b.dim * ib..][..b.dim];
                        for (r, xa) in xa.iter().enumerate() {
                            let row = &mut self.matrix[(a.row + r) * n + b.row..][..b.dim];
                            for (s, xb) in row.iter_mut().zip(xb) {
                                *s += sign * dot6(xa, xb);
                            }
                        }
                        ia += 1;
                        ib += 1;
                    }
                }
            }
        }
        for r in 0..n {
            for c in 0..r {
                self.matrix[c * n + r] = self.matrix[r * n + c];
            }
        }
    }

    /// out_r = (Xᵀ diag(±1) y)_r for y = 𝓛⁻¹ (…).
    pub fn project(&self, plan: &Plan, y: &[f64], out: &mut Vec<f64>) {
        out.clear();
        for b in &self.ports {
            let path = &self.paths[b.path.0..b.path.1];
            for r in 0..b.dim {
                let terms = path.iter().enumerate().map(|(at, &node)| {
                    let y = crate::blocks::segment(y, node as usize);
                    let product = dot6(&self.values[b.value + b.dim * at + r], y);
                    if plan.is_body[node as usize] {
                        product
                    } else {
                        -product
                    }
                });
                out.push(terms.sum());
            }
        }
    }

    /// y ← y + X change.
    pub fn spread(&self, change: &[f64], y: &mut [f64]) {
        for b in &self.ports {
            let change = &change[b.row..b.row + b.dim];
            let path = &self.paths[b.path.0..b.path.1];
            for (at, &node) in path.iter().enumerate() {
                let y = crate::blocks::segment_mut(y, node as usize);
                let values = &self.values[b.value + b.dim * at..][..b.dim];
                for (x, c) in values.iter().zip(change) {
                    for (y, x) in y.iter_mut().zip(x) {
                        *y += c * x;
                    }
                }
            }
        }
    }
}
