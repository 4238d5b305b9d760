//! J: rows on bodies.

use super::{dot6, segment, segment_mut};
use crate::arithmetic::{Arithmetic, Routine, run};
use crate::check::first_infinite;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// The part of a constraint block that acts on one body.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// The body.
    pub body: usize,
    /// First of its rows of six values.
    offset: usize,
}

/// The constraint Jacobian J: row blocks, each with a dense dim x 6 matrix for every body it acts on.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BlockCsr6 {
    bodies: usize,
    row_starts: Vec<usize>,
    entry_starts: Vec<usize>,
    entries: Vec<Entry>,
    values: Vec<[f64; 6]>,
}

impl BlockCsr6 {
    /// A Jacobian on `bodies` bodies, without rows.
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

    /// Grows the number of bodies to at least this.
    pub fn grow(&mut self, bodies: usize) {
        self.bodies = self.bodies.max(bodies);
    }

    /// Appends a block of `dim` rows that does not act on any body yet.
    pub fn push_block(&mut self, dim: usize) {
        let rows = self.rows();
        self.row_starts.push(rows + dim);
        self.entry_starts.push(self.entries.len());
    }

    /// Adds the last block's values on `body`, row by row. Values of a body that is given twice are added.
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

    /// The rows of all bodies of block `k`, in the order of its entries, to be overwritten.
    #[inline]
    pub fn block_mut(&mut self, k: usize) -> &mut [[f64; 6]] {
        let (first, last) = (self.entry_starts[k], self.entry_starts[k + 1]);
        let count = (last - first) * (self.row_starts[k + 1] - self.row_starts[k]);
        let from = self.entries.get(first).map_or(0, |e| e.offset);
        &mut self.values[from..from + count]
    }

    /// The first block that refers to a body or value out of range, or to a body twice. Rows and entries that belong to
    /// no block are reported as the first block.
    pub(crate) fn malformed_block(&self) -> Option<usize> {
        let (rows, ends) = (&self.row_starts, &self.entry_starts);
        if ends.len() != rows.len()
            || rows.first() != Some(&0)
            || ends.first() != Some(&0)
            || ends.last() != Some(&self.entries.len())
        {
            return Some(0);
        }
        (0..self.blocks()).find(|&k| {
            let (rows, ends) = (&self.row_starts[k..k + 2], &self.entry_starts[k..k + 2]);
            rows[0] > rows[1] || ends[0] > ends[1] || ends[1] > self.entries.len() || {
                let entries = &self.entries[ends[0]..ends[1]];
                entries.iter().enumerate().any(|(i, e)| {
                    let end = e.offset.checked_add(rows[1] - rows[0]);
                    e.body >= self.bodies
                        || end.is_none_or(|end| end > self.values.len())
                        || entries[..i].iter().any(|other| other.body == e.body)
                })
            }
        })
    }

    /// A block with a value that is not finite, and the value, if any.
    pub(crate) fn infinite_block(&self) -> Option<(usize, f64)> {
        let i = first_infinite(self.values.as_flattened())?;
        let value = self.values.as_flattened()[i];
        let block = (0..self.blocks()).find(|&k| {
            let rows = self.rows_of(k).len();
            let mut entries = self.entries_of(k).iter();
            entries.any(|e| (e.offset..e.offset + rows).contains(&(i / 6)))
        });
        // A value that belongs to no block is never read.
        block.map(|block| (block, value))
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
