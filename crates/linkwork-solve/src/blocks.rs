//! Block matrices on 6-dimensional bodies.

use crate::arithmetic::{Arithmetic, Routine, run};
use crate::residuals::larger;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// A 6x6 block, column by column.
pub type Block6 = [f64; 36];

/// Block-diagonal mass matrix M of rigid bodies about their centres of mass, with its inverse: a block
/// is diag(m, m, m) and the inertia I along the world axes. Kept as m and I, which most uses want.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BlockDiag6 {
    bodies: Vec<Rigid>,
}

/// Mass and inertia of a body, and their inverses; 3x3 matrices row by row, symmetric.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Rigid {
    mass: f64,
    inertia: [f64; 9],
    inverse_mass: f64,
    inverse_inertia: [f64; 9],
}

impl BlockDiag6 {
    /// No blocks.
    pub fn new() -> Self {
        Self::default()
    }

    /// Remove all blocks, keeping the memory.
    pub fn clear(&mut self) {
        self.bodies.clear();
    }

    /// Append the block of a rigid body about its centre of mass: mass m (kg), inertia I (kg m²) and
    /// its inverse, row by row (symmetric), along the world axes.
    pub fn push_rigid(&mut self, mass: f64, inertia: &[f64; 9], inverse: &[f64; 9]) {
        self.bodies.push(Rigid {
            mass,
            inertia: *inertia,
            inverse_mass: 1.0 / mass,
            inverse_inertia: *inverse,
        });
    }

    /// Multiply all masses and inertias by `factor` > 0.
    pub fn scale(&mut self, factor: f64) {
        for b in &mut self.bodies {
            b.mass *= factor;
            b.inverse_mass /= factor;
            b.inertia.iter_mut().for_each(|i| *i *= factor);
            b.inverse_inertia.iter_mut().for_each(|i| *i /= factor);
        }
    }

    /// Number of bodies.
    pub fn len(&self) -> usize {
        self.bodies.len()
    }

    /// Whether there is no body.
    pub fn is_empty(&self) -> bool {
        self.bodies.is_empty()
    }

    /// Block of body `b`.
    #[inline]
    pub fn block(&self, b: usize) -> Block6 {
        spatial(self.bodies[b].mass, &self.bodies[b].inertia)
    }

    /// Inverse block of body `b`.
    #[inline]
    pub fn inverse(&self, b: usize) -> Block6 {
        spatial(self.bodies[b].inverse_mass, &self.bodies[b].inverse_inertia)
    }

    /// Inertia of body `b` along the world axes, row by row, kg m².
    #[inline]
    pub fn inertia(&self, b: usize) -> &[f64; 9] {
        &self.bodies[b].inertia
    }

    /// Inverse of [`BlockDiag6::inertia`].
    #[inline]
    pub fn inverse_inertia(&self, b: usize) -> &[f64; 9] {
        &self.bodies[b].inverse_inertia
    }

    /// out = M x.
    pub fn multiply(&self, x: &[f64], out: &mut [f64]) {
        for (b, (x, out)) in self.bodies.iter().zip(sixes(x, out)) {
            apply(b.mass, &b.inertia, x, out);
        }
    }

    /// max |M x|, N s; a NaN stays.
    pub fn greatest_momentum(&self, x: &[f64]) -> f64 {
        let mut greatest = 0.0;
        let mut momentum = [0.0; 6];
        for (b, x) in self.bodies.iter().zip(x.as_chunks().0) {
            apply(b.mass, &b.inertia, x, &mut momentum);
            for p in momentum {
                greatest = larger(greatest, p.abs());
            }
        }
        greatest
    }

    /// xᵀ M y.
    pub fn product(&self, x: &[f64], y: &[f64]) -> f64 {
        let mut sum = 0.0;
        let mut my = [0.0; 6];
        for (b, x) in x.chunks_exact(6).enumerate() {
            let body = &self.bodies[b];
            let rows = 6 * b..6 * b + 6;
            for (y, out) in sixes(&y[rows], &mut my) {
                apply(body.mass, &body.inertia, y, out);
            }
            sum += x.iter().zip(&my).map(|(x, m)| x * m).sum::<f64>();
        }
        sum
    }

    /// out = M⁻¹ x.
    pub fn solve(&self, x: &[f64], out: &mut [f64]) {
        for (b, (x, out)) in self.bodies.iter().zip(sixes(x, out)) {
            apply(b.inverse_mass, &b.inverse_inertia, x, out);
        }
    }

    /// jᵀ M_b⁻¹ j for a row j on body `b`.
    #[inline]
    pub fn inverse_square(&self, b: usize, j: &[f64; 6]) -> f64 {
        let Rigid {
            inverse_mass,
            inverse_inertia: i,
            ..
        } = &self.bodies[b];
        let [x, y, z, a, b, c] = *j;
        // The inertia is symmetric.
        let angular = a * (i[0] * a + 2.0 * (i[1] * b + i[2] * c))
            + b * (i[4] * b + 2.0 * i[5] * c)
            + i[8] * c * c;
        inverse_mass * (x * x + y * y + z * z) + angular
    }

    /// M_b⁻¹ j for a row j on body `b`.
    #[inline]
    pub fn solve_row(&self, b: usize, j: &[f64; 6]) -> [f64; 6] {
        let mut out = [0.0; 6];
        let body = &self.bodies[b];
        apply(body.inverse_mass, &body.inverse_inertia, j, &mut out);
        out
    }
}

/// Six values a body of `x` and of `out`.
fn sixes<'a>(
    x: &'a [f64],
    out: &'a mut [f64],
) -> impl Iterator<Item = (&'a [f64; 6], &'a mut [f64; 6])> {
    x.as_chunks().0.iter().zip(out.as_chunks_mut().0)
}

/// out = diag(m, m, m, I) x.
#[inline]
fn apply(m: f64, i: &[f64; 9], x: &[f64; 6], out: &mut [f64; 6]) {
    for r in 0..3 {
        out[r] = m * x[r];
        out[r + 3] = i[3 * r] * x[3] + i[3 * r + 1] * x[4] + i[3 * r + 2] * x[5];
    }
}

fn spatial(m: f64, i: &[f64; 9]) -> Block6 {
    let mut b = [0.0; 36];
    for r in 0..3 {
        b[7 * r] = m;
        for c in 0..3 {
            b[6 * (c + 3) + r + 3] = i[3 * r + c];
        }
    }
    b
}

/// One body's share of a constraint block.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// The body.
    pub body: usize,
    /// First of its rows of six values.
    offset: usize,
}

/// The constraint Jacobian J: row blocks, each a dense dim x 6 matrix for every body it touches.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BlockCsr6 {
    bodies: usize,
    row_starts: Vec<usize>,
    entry_starts: Vec<usize>,
    entries: Vec<Entry>,
    values: Vec<[f64; 6]>,
}

impl BlockCsr6 {
    /// No rows on `bodies` bodies.
    pub fn new(bodies: usize) -> Self {
        let mut j = Self::default();
        j.clear(bodies);
        j
    }

    /// Remove all rows, keeping the memory, and set the number of bodies.
    pub fn clear(&mut self, bodies: usize) {
        self.bodies = bodies;
        self.row_starts.clear();
        self.row_starts.push(0);
        self.entry_starts.clear();
        self.entry_starts.push(0);
        self.entries.clear();
        self.values.clear();
    }

    /// Append a block of `dim` rows on no body yet.
    pub fn push_block(&mut self, dim: usize) {
        let rows = self.rows();
        self.row_starts.push(rows + dim);
        self.entry_starts.push(self.entries.len());
    }

    /// Add to the last block its values on `body`, row by row; a body named twice accumulates.
    pub fn push_entry(&mut self, body: usize, rows: &[[f64; 6]]) {
        let k = self.blocks() - 1;
        let first = self.entry_starts[k];
        if let Some(entry) = self.entries[first..].iter().find(|e| e.body == body) {
            for (value, row) in self.values[entry.offset..].iter_mut().zip(rows) {
                for (value, row) in value.iter_mut().zip(row) {
                    *value += row;
                }
            }
            return;
        }
        let offset = self.values.len();
        self.values.extend_from_slice(rows);
        self.entries.push(Entry { body, offset });
        self.entry_starts[k + 1] = self.entries.len();
    }

    /// Append a block of one row, `factor` times `rows` on `base` (if any) and another body, `follower`.
    #[inline]
    pub fn push_single(
        &mut self,
        base: Option<usize>,
        follower: usize,
        factor: f64,
        rows: &[[f64; 6]; 2],
    ) {
        let end = self.rows() + 1;
        self.row_starts.push(end);
        let bodies = base.map(|b| (b, &rows[0]));
        for (body, row) in bodies.into_iter().chain([(follower, &rows[1])]) {
            let offset = self.values.len();
            self.values.push(row.map(|value| factor * value));
            self.entries.push(Entry { body, offset });
        }
        self.entry_starts.push(self.entries.len());
    }

    /// Remove all but the first `blocks` blocks, keeping the memory.
    pub fn truncate(&mut self, blocks: usize) {
        let Some(&first) = self.entry_starts.get(blocks) else {
            return;
        };
        if let Some(entry) = self.entries.get(first) {
            self.values.truncate(entry.offset);
        }
        self.entries.truncate(first);
        self.entry_starts.truncate(blocks + 1);
        self.row_starts.truncate(blocks + 1);
    }

    /// Number of rows nd.
    #[inline]
    pub fn rows(&self) -> usize {
        self.row_starts.last().copied().unwrap_or(0)
    }

    /// Number of blocks.
    #[inline]
    pub fn blocks(&self) -> usize {
        self.row_starts.len() - 1
    }

    /// Number of bodies.
    pub fn bodies(&self) -> usize {
        self.bodies
    }

    /// Rows of block `k`.
    #[inline]
    pub fn rows_of(&self, k: usize) -> Range<usize> {
        self.row_starts[k]..self.row_starts[k + 1]
    }

    /// Bodies of block `k`.
    #[inline]
    pub fn entries_of(&self, k: usize) -> &[Entry] {
        &self.entries[self.entry_starts[k]..self.entry_starts[k + 1]]
    }

    /// The rows (6 values each) of `entry`, which has `dim` of them.
    #[inline]
    pub fn values_of(&self, entry: &Entry, dim: usize) -> &[[f64; 6]] {
        &self.values[entry.offset..entry.offset + dim]
    }

    /// The rows of all bodies of block `k` in the order of its entries, to be filled anew.
    #[inline]
    pub fn block_mut(&mut self, k: usize) -> &mut [[f64; 6]] {
        let (first, last) = (self.entry_starts[k], self.entry_starts[k + 1]);
        let count = (last - first) * (self.row_starts[k + 1] - self.row_starts[k]);
        let from = self.entries.get(first).map_or(0, |e| e.offset);
        &mut self.values[from..from + count]
    }

    /// A block that names a body or a value that is not there, if any.
    pub(crate) fn malformed_block(&self) -> Option<usize> {
        if self.entry_starts.len() != self.row_starts.len() {
            return Some(0);
        }
        (0..self.blocks()).find(|&k| {
            let (rows, ends) = (&self.row_starts[k..k + 2], &self.entry_starts[k..k + 2]);
            rows[0] > rows[1]
                || ends[0] > ends[1]
                || ends[1] > self.entries.len()
                || self.entries[ends[0]..ends[1]].iter().any(|e| {
                    e.body >= self.bodies || e.offset + (rows[1] - rows[0]) > self.values.len()
                })
        })
    }

    /// out = J u.
    pub fn multiply(&self, u: &[f64], out: &mut [f64]) {
        run(Multiply { j: self, u, out });
    }

    /// out = Jᵀ λ.
    pub fn multiply_transposed(&self, lambda: &[f64], out: &mut [f64]) {
        run(MultiplyTransposed {
            j: self,
            lambda,
            out,
        });
    }
}

struct Multiply<'a> {
    j: &'a BlockCsr6,
    u: &'a [f64],
    out: &'a mut [f64],
}

impl Routine for Multiply<'_> {
    type Output = ();

    #[inline(always)]
    fn run<A: Arithmetic>(self) {
        for k in 0..self.j.blocks() {
            let out = &mut self.out[self.j.rows_of(k)];
            out.fill(0.0);
            for entry in self.j.entries_of(k) {
                let u: &[f64; 6] = segment(self.u, entry.body);
                let j = self.j.values_of(entry, out.len());
                for (out, j) in out.iter_mut().zip(j) {
                    *out += dot6::<A>(j, u);
                }
            }
        }
    }
}

struct MultiplyTransposed<'a> {
    j: &'a BlockCsr6,
    lambda: &'a [f64],
    out: &'a mut [f64],
}

impl Routine for MultiplyTransposed<'_> {
    type Output = ();

    #[inline(always)]
    fn run<A: Arithmetic>(self) {
        self.out.fill(0.0);
        for k in 0..self.j.blocks() {
            let lambda = &self.lambda[self.j.rows_of(k)];
            for entry in self.j.entries_of(k) {
                let out: &mut [f64; 6] = segment_mut(self.out, entry.body);
                let mut sum = *out;
                for (l, j) in lambda.iter().zip(self.j.values_of(entry, lambda.len())) {
                    for (sum, j) in sum.iter_mut().zip(j) {
                        *sum = A::madd(*l, *j, *sum);
                    }
                }
                *out = sum;
            }
        }
    }
}

/// The six numbers of body `b`.
#[inline]
pub(crate) fn segment(u: &[f64], b: usize) -> &[f64; 6] {
    u[6 * b..6 * b + 6].try_into().expect("six values")
}

/// The six numbers of body `b`, to change.
#[inline]
pub(crate) fn segment_mut(u: &mut [f64], b: usize) -> &mut [f64; 6] {
    (&mut u[6 * b..6 * b + 6]).try_into().expect("six values")
}

#[inline(always)]
pub(crate) fn dot6<A: Arithmetic>(a: &[f64; 6], b: &[f64; 6]) -> f64 {
    // Two independent sums: the order is fixed, and the processor can overlap them.
    let even = A::madd(a[4], b[4], A::madd(a[2], b[2], a[0] * b[0]));
    even + A::madd(a[5], b[5], A::madd(a[3], b[3], a[1] * b[1]))
}

/// A symmetric sparse matrix, compressed by rows, both triangles stored: the Delassus matrix W of a
/// problem that has no bodies.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SparseSym {
    starts: Vec<usize>,
    columns: Vec<usize>,
    values: Vec<f64>,
}

impl SparseSym {
    /// From triplets (row, column, value) of an n x n matrix; equal positions add up. Returns the
    /// matrix (A + Aᵀ)/2 and the largest |A − Aᵀ| relative to max |A|.
    pub fn from_triplets(n: usize, triplets: &[(usize, usize, f64)]) -> (Self, f64) {
        let mut all = std::collections::BTreeMap::new();
        for &(r, c, v) in triplets {
            *all.entry((r, c)).or_insert(0.0) += v;
            all.entry((c, r)).or_insert(0.0);
        }
        let mut matrix = Self {
            starts: vec![0; n + 1],
            ..Self::default()
        };
        let (mut skew, mut largest) = (0.0f64, 0.0f64);
        for (&(r, c), &v) in &all {
            let mirrored = all[&(c, r)];
            skew = skew.max((v - mirrored).abs());
            largest = largest.max(v.abs());
            matrix.columns.push(c);
            matrix.values.push(0.5 * (v + mirrored));
            matrix.starts[r + 1] = matrix.columns.len();
        }
        for r in 0..n {
            // Rows without an entry start where the previous one ended.
            matrix.starts[r + 1] = matrix.starts[r + 1].max(matrix.starts[r]);
        }
        (matrix, if largest > 0.0 { skew / largest } else { 0.0 })
    }

    /// Become the symmetric n x n matrix with the given values, row by row, keeping the memory. Zeros off the
    /// diagonal are not stored.
    pub(crate) fn set_dense(&mut self, n: usize, values: &[f64]) {
        self.starts.clear();
        self.starts.push(0);
        self.columns.clear();
        self.values.clear();
        for r in 0..n {
            for (c, &v) in values[n * r..n * r + n].iter().enumerate() {
                if v != 0.0 || r == c {
                    self.columns.push(c);
                    self.values.push(v);
                }
            }
            self.starts.push(self.columns.len());
        }
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// A row whose columns do not ascend or are out of range, if any.
    pub(crate) fn malformed_row(&self) -> Option<usize> {
        let n = self.rows();
        let stored = self.columns.len();
        if self.values.len() != stored || self.starts.last().is_some_and(|&end| end != stored) {
            return Some(n);
        }
        (0..n).find(|&r| {
            let (from, to) = (self.starts[r], self.starts[r + 1]);
            from > to
                || to > stored
                || self.columns[from..to].iter().any(|&c| c >= n)
                || self.columns[from..to].windows(2).any(|w| w[0] >= w[1])
        })
    }

    /// Columns and values of row `r`.
    pub fn row(&self, r: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let range = self.starts[r]..self.starts[r + 1];
        self.columns[range.clone()]
            .iter()
            .copied()
            .zip(self.values[range].iter().copied())
    }

    /// Multiply all values by `factor`.
    pub fn scale(&mut self, factor: f64) {
        self.values.iter_mut().for_each(|v| *v *= factor);
    }

    /// Entry (r, c).
    pub fn get(&self, r: usize, c: usize) -> f64 {
        self.row(r).find(|e| e.0 == c).map_or(0.0, |e| e.1)
    }

    /// out = A x.
    pub fn multiply(&self, x: &[f64], out: &mut [f64]) {
        for (r, out) in out.iter_mut().enumerate() {
            *out = self.row(r).map(|(c, v)| v * x[c]).sum();
        }
    }
}
