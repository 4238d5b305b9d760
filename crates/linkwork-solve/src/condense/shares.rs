//! Λ = Xᵀ diag(±1) X, node by node: each adds the products of all rows whose path it is on.
//!
//! Nodes that follow each other on the way through the elimination and have the same rows, as those behind the last joint that
//! two feet share, are summed before their products are put where they belong.

use super::columns::Port;
use super::plan::Plan;
use crate::arithmetic::{Arithmetic, Routine};

/// Rows and values by node.
#[derive(Clone, Debug, Default)]
pub(super) struct Shares {
    /// End of the items of each node.
    ends: Vec<u32>,
    /// A row of Λ and where its value is, by node, ascending.
    items: Vec<(u32, u32)>,
    /// Whether a node was summed with one before it.
    done: Vec<bool>,
    /// Values at a node: first components of all rows, then second ones, and so on.
    across: Vec<f64>,
    /// Products at a run of nodes, by rows of the run.
    local: Vec<f64>,
}

impl Shares {
    /// Sort the columns of `ports` by node.
    pub fn gather(&mut self, plan: &Plan, ports: &[Port], paths: &[u32]) {
        let n = plan.nodes();
        self.ends.clear();
        self.ends.resize(n + 1, 0);
        for port in ports {
            for &node in &paths[port.path.0..port.path.1] {
                self.ends[node as usize + 1] += port.dim as u32;
            }
        }
        for c in 0..n {
            self.ends[c + 1] += self.ends[c];
        }
        self.items.clear();
        self.items.resize(self.ends[n] as usize, (0, 0));
        // Filled from its start, ends[c] moves to where node c ends.
        for port in ports {
            for (at, &node) in paths[port.path.0..port.path.1].iter().enumerate() {
                let end = &mut self.ends[node as usize];
                for r in 0..port.dim {
                    let value = port.value + port.dim * at + r;
                    self.items[*end as usize] = ((port.row + r) as u32, value as u32);
                    *end += 1;
                }
            }
        }
        self.ends.truncate(n);
        self.done.clear();
        self.done.resize(n, false);
    }

    fn range(&self, c: usize) -> std::ops::Range<usize> {
        let start = if c == 0 { 0 } else { self.ends[c - 1] };
        start as usize..self.ends[c] as usize
    }
}

/// Λ from the columns sorted by node; its lower triangle.
pub(super) struct Multiply<'a> {
    pub plan: &'a Plan,
    pub shares: &'a mut Shares,
    pub values: &'a [[f64; 6]],
    pub matrix: &'a mut [f64],
    pub n: usize,
}

impl Routine for Multiply<'_> {
    type Output = ();

    #[inline(always)]
    fn run<A: Arithmetic>(self) {
        let shares = self.shares;
        for c in 0..self.plan.nodes() {
            let range = shares.range(c);
            let m = range.len();
            if m == 0 || shares.done[c] {
                continue;
            }
            shares.local.clear();
            shares.local.resize(m * m, 0.0);
            shares.across.resize(6 * m, 0.0);
            let mut next = Some(c);
            while let Some(node) = next {
                let items = shares.range(node);
                // The two ways of a row on two bodies meet: the other one has been here.
                if items.len() != m || shares.done[node] {
                    break;
                }
                shares.done[node] = true;
                transpose(&shares.items[items], self.values, &mut shares.across);
                let sign = self.plan.sign(node);
                add_products::<A>(sign, &shares.across, &mut shares.local);
                next = self.plan.parent(node as u32).map(|p| p as usize);
            }
            let items = &shares.items[range];
            for (a, local) in shares.local.chunks_exact(m).enumerate() {
                let row = &mut self.matrix[items[a].0 as usize * self.n..][..self.n];
                for (&(column, _), s) in items[..=a].iter().zip(local) {
                    row[column as usize] += s;
                }
            }
        }
    }
}

#[inline(always)]
fn transpose(items: &[(u32, u32)], values: &[[f64; 6]], across: &mut [f64]) {
    let m = items.len();
    for (b, &(_, value)) in items.iter().enumerate() {
        for (k, x) in values[value as usize].iter().enumerate() {
            across[k * m + b] = *x;
        }
    }
}

/// local ← local + sign XᵀX, its lower triangle.
#[inline(always)]
fn add_products<A: Arithmetic>(sign: f64, across: &[f64], local: &mut [f64]) {
    let m = across.len() / 6;
    let (x0, rest) = across.split_at(m);
    let (x1, rest) = rest.split_at(m);
    let (x2, rest) = rest.split_at(m);
    let (x3, rest) = rest.split_at(m);
    let (x4, x5) = rest.split_at(m);
    for (a, local) in local.chunks_exact_mut(m).enumerate() {
        let x = [x0[a], x1[a], x2[a], x3[a], x4[a], x5[a]].map(|x| sign * x);
        let end = a + 1;
        let local = &mut local[..end];
        let (x0, x1, x2) = (&x0[..end], &x1[..end], &x2[..end]);
        let (x3, x4, x5) = (&x3[..end], &x4[..end], &x5[..end]);
        for b in 0..end {
            let even = A::madd(x[4], x4[b], A::madd(x[2], x2[b], x[0] * x0[b]));
            let odd = A::madd(x[5], x5[b], A::madd(x[3], x3[b], x[1] * x1[b]));
            local[b] += even + odd;
        }
    }
}
