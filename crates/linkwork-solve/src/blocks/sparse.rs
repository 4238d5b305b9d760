//! D of problems where only D is known.

use crate::check::first_infinite;
use serde::{Deserialize, Serialize};

/// A symmetric sparse matrix, compressed by rows, with both triangles stored: the Delassus matrix W of a problem
/// without bodies.
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

    /// Sets this to the symmetric n x n matrix with the given values, row by row, and keeps the allocated memory. Zeros
    /// off the diagonal are not stored.
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
        if self.values.len() != stored
            || self.starts.first().is_some_and(|&start| start != 0)
            || self.starts.last().is_some_and(|&end| end != stored)
        {
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

    /// A row with a value that is not finite, and the value, if any.
    pub(crate) fn infinite_row(&self) -> Option<(usize, f64)> {
        let i = first_infinite(&self.values)?;
        let row = self.starts.partition_point(|&start| start <= i) - 1;
        Some((row, self.values[i]))
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
