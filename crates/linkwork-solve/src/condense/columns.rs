//! Mobility of the ports of a mechanism once the eliminated rows hold: Λ = P K⁻¹ Pᵀ.
//!
//! Kept rows act on ports: a body with its six velocities, or the rows of one block. Only forward substitutions are
//! needed: with X = 𝓛⁻¹ [Pᵀ; 0], Λ is Xᵀ diag(±1) X. A column of X is nonzero only along the elimination path of its
//! bodies: the path of a foot contains the leg, not the arms.
//!
//! Columns are computed in groups of four, one per lane, along the union of their paths. Columns that are adjacent in
//! the postorder of the elimination tree, such as those of one limb, have nearly the same path.

use super::factor::Factors;
use super::plan::Plan;
use crate::arithmetic::{Arithmetic, Routine, run};
use crate::blocks::{segment, segment_mut};
use crate::lanes::{Lanes, WIDTH};

/// The rows of all ports, their columns of X, and Λ.
#[derive(Clone, Debug, Default)]
pub(super) struct Columns {
    /// Nodes and values on which each row of a port acts.
    entries: Vec<(u32, [f64; 6])>,
    /// End of the entries of each row.
    ends: Vec<u32>,
    /// Rows in the order of their groups, each after its position in the postorder.
    order: Vec<(u32, u32)>,
    groups: Vec<Group>,
    /// Nodes of the path of each group, ascending.
    paths: Vec<u32>,
    /// Six values of X per node of a path, four columns each.
    values: Vec<Column6>,
    /// Position of a node in the present path.
    place: Vec<u32>,
    /// Λ by rows.
    pub matrix: Vec<f64>,
}

/// Six values of four columns.
type Column6 = [Lanes; 6];

/// Four columns.
#[derive(Clone, Copy, Debug)]
struct Group {
    /// Their rows in Λ; `None` where there are fewer than four.
    rows: [Option<u32>; WIDTH],
    /// Its nodes in `paths` and its values.
    start: usize,
    end: usize,
}

impl Columns {
    pub fn clear(&mut self) {
        self.entries.clear();
        self.ends.clear();
        self.groups.clear();
    }

    /// Number of rows of Λ.
    pub fn rows(&self) -> usize {
        self.ends.len()
    }

    /// Add a port of `dim` rows with the given rows on bodies; returns its first row.
    pub fn push<'a>(
        &mut self,
        plan: &Plan,
        dim: usize,
        on_bodies: impl Iterator<Item = (usize, &'a [[f64; 6]])> + Clone,
    ) -> usize {
        let first = self.rows();
        for r in 0..dim {
            let own = on_bodies.clone().map(|(b, rows)| (plan.body[b], rows[r]));
            self.entries.extend(own);
            self.ends.push(self.entries.len() as u32);
        }
        first
    }

    /// What row `row` acts on.
    fn entries_of(&self, row: usize) -> &[(u32, [f64; 6])] {
        let start = row.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.entries[start as usize..self.ends[row] as usize]
    }

    /// Compute X and Λ of all ports.
    pub fn complete(&mut self, plan: &Plan, factors: &Factors) {
        self.group(plan);
        run(Solve {
            plan,
            factors,
            groups: &self.groups,
            paths: &self.paths,
            place: &mut self.place,
            values: &mut self.values,
        });
        let n = self.rows();
        // Every entry is written.
        self.matrix.resize(n * n, 0.0);
        run(Multiply {
            plan,
            groups: &self.groups,
            paths: &self.paths,
            values: &self.values,
            matrix: &mut self.matrix,
            n,
        });
    }

    /// Lay out the groups, with the rows of the ports as values.
    fn group(&mut self, plan: &Plan) {
        let mut order = std::mem::take(&mut self.order);
        order.clear();
        order.extend((0..self.rows()).map(|row| {
            let places = self.entries_of(row).iter();
            let places = places.map(|&(node, _)| plan.postorder[node as usize]);
            (places.min().unwrap_or(0), row as u32)
        }));
        order.sort_unstable();
        self.groups.clear();
        self.paths.clear();
        self.values.clear();
        self.place.resize(plan.nodes(), 0);
        for four in order.chunks(WIDTH) {
            let start = self.paths.len();
            for &(_, row) in four {
                for at in 0..self.entries_of(row as usize).len() {
                    let node = self.entries_of(row as usize)[at].0;
                    self.merge_path(plan, start, node);
                }
            }
            let end = self.paths.len();
            for (at, &node) in self.paths[start..].iter().enumerate() {
                self.place[node as usize] = at as u32;
            }
            self.values.resize(end, [Lanes::ZERO; 6]);
            let mut rows = [None; WIDTH];
            for (lane, &(_, row)) in four.iter().enumerate() {
                rows[lane] = Some(row);
                for at in 0..self.entries_of(row as usize).len() {
                    let (node, own) = self.entries_of(row as usize)[at];
                    let place = start + self.place[node as usize] as usize;
                    for (x, own) in self.values[place].iter_mut().zip(own) {
                        x.0[lane] = own;
                    }
                }
            }
            self.groups.push(Group { rows, start, end });
        }
        self.order = order;
    }

    /// Adds the nodes from `node` to the end of its path to the path that starts at `start`.
    fn merge_path(&mut self, plan: &Plan, start: usize, node: u32) {
        let mut at = start;
        let mut next = Some(node);
        while let Some(node) = next {
            while at < self.paths.len() && self.paths[at] < node {
                at += 1;
            }
            if at < self.paths.len() && self.paths[at] == node {
                // From here on both paths have the same nodes.
                return;
            }
            self.paths.insert(at, node);
            next = plan.parent(node);
        }
    }

    /// out_r = (Xᵀ diag(±1) y)_r for y = 𝓛⁻¹ (…).
    pub fn project(&self, plan: &Plan, y: &[f64], out: &mut Vec<f64>) {
        out.clear();
        out.resize(self.rows(), 0.0);
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

/// X: forward substitutions along the paths.
struct Solve<'a> {
    plan: &'a Plan,
    factors: &'a Factors,
    groups: &'a [Group],
    paths: &'a [u32],
    place: &'a mut [u32],
    values: &'a mut [Column6],
}

impl Routine for Solve<'_> {
    type Output = ();

    #[inline(always)]
    fn run<A: Arithmetic>(self) {
        for group in self.groups {
            let path = &self.paths[group.start..group.end];
            for (at, &node) in path.iter().enumerate() {
                self.place[node as usize] = at as u32;
            }
            let mut values = &mut self.values[group.start..group.end];
            for (at, &node) in path.iter().enumerate() {
                let Some((x, later)) = values.split_first_mut() else {
                    break;
                };
                self.factors.forward_lanes::<A>(
                    self.plan,
                    node as usize,
                    x,
                    |row| self.place[row as usize] as usize - at - 1,
                    later,
                );
                values = later;
            }
        }
    }
}

/// Λ = Xᵀ diag(±1) X, by pairs of groups: the sum over the nodes that both have.
struct Multiply<'a> {
    plan: &'a Plan,
    groups: &'a [Group],
    paths: &'a [u32],
    values: &'a [Column6],
    matrix: &'a mut [f64],
    n: usize,
}

impl Routine for Multiply<'_> {
    type Output = ();

    #[inline(always)]
    fn run<A: Arithmetic>(self) {
        for (g, a) in self.groups.iter().enumerate() {
            for b in &self.groups[..=g] {
                let mut sum = [Lanes::ZERO; WIDTH];
                let (mut i, mut j) = (a.end, b.end);
                // From the root, where most nodes are shared.
                while i > a.start && j > b.start {
                    let (node, other) = (self.paths[i - 1], self.paths[j - 1]);
                    if node == other {
                        let sign = self.plan.sign(node as usize);
                        add_products::<A>(sign, &self.values[i - 1], &self.values[j - 1], &mut sum);
                    }
                    i -= usize::from(node >= other);
                    j -= usize::from(other >= node);
                }
                for (r, sum) in a.rows.iter().zip(&sum) {
                    for (c, sum) in b.rows.iter().zip(&sum.0) {
                        if let (Some(r), Some(c)) = (r, c) {
                            let (r, c) = (*r as usize, *c as usize);
                            self.matrix[r * self.n + c] = *sum;
                            self.matrix[c * self.n + r] = *sum;
                        }
                    }
                }
            }
        }
    }
}

/// sum ← sum + sign xᵀy, a row per column of x.
#[inline(always)]
fn add_products<A: Arithmetic>(sign: f64, x: &Column6, y: &Column6, sum: &mut [Lanes; WIDTH]) {
    for (x, y) in x.iter().zip(y) {
        let y = Lanes::all(sign) * *y;
        for (sum, x) in sum.iter_mut().zip(x.0) {
            *sum = sum.madd::<A>(Lanes::all(x), y);
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
        let Columns { paths, values, .. } = self.columns;
        for group in &self.columns.groups {
            let mut sum = Lanes::ZERO;
            let range = group.start..group.end;
            for (&node, x) in paths[range.clone()].iter().zip(&values[range]) {
                let sign = self.plan.sign(node as usize);
                for (x, y) in x.iter().zip(segment(self.y, node as usize)) {
                    sum = sum.madd::<A>(Lanes::all(sign * y), *x);
                }
            }
            for (row, sum) in group.rows.iter().zip(sum.0) {
                if let Some(row) = row {
                    self.out[*row as usize] = sum;
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
        let Columns { paths, values, .. } = self.columns;
        for group in &self.columns.groups {
            let change = group
                .rows
                .map(|row| row.map_or(0.0, |r| self.change[r as usize]));
            let range = group.start..group.end;
            for (&node, x) in paths[range.clone()].iter().zip(&values[range]) {
                for (y, x) in segment_mut(self.y, node as usize).iter_mut().zip(x) {
                    *y += (*x * Lanes(change)).sum();
                }
            }
        }
    }
}
