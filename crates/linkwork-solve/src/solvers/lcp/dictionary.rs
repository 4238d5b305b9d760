//! The dictionary of Lemke's method: basic variables as affine functions of the nonbasic ones,
//! x_B = c + T x_N, for the system w = M z + 1 z₀ + q.
//!
//! Variables are numbered z_j = j, w_j = n + j, z₀ = 2n.

use crate::residuals::larger;
use faer::Mat;
use faer::linalg::solvers::Solve;

/// c and T, with the variables of its rows and columns.
#[derive(Clone, Debug, Default)]
pub(super) struct Dictionary {
    n: usize,
    /// n rows of n + 2 values: T, then c.
    table: Vec<f64>,
    basic: Vec<usize>,
    nonbasic: Vec<usize>,
    /// Where each variable is.
    places: Vec<Place>,
    pivot_row: Vec<f64>,
    values: Vec<f64>,
}

#[derive(Clone, Copy, Debug)]
enum Place {
    Row(usize),
    Column(usize),
}

impl Dictionary {
    /// All w basic, all z and z₀ zero.
    pub fn start(&mut self, m: &Mat<f64>, q: &[f64]) {
        let n = q.len();
        self.n = n;
        self.table.clear();
        for (i, q) in q.iter().enumerate() {
            self.table.extend((0..n).map(|j| m[(i, j)]));
            self.table.extend([1.0, *q]);
        }
        self.basic.clear();
        self.basic.extend(n..2 * n);
        self.nonbasic.clear();
        self.nonbasic.extend((0..n).chain([2 * n]));
        self.places.clear();
        self.places.extend((0..n).map(Place::Column));
        self.places.extend((0..n).map(Place::Row));
        self.places.push(Place::Column(n));
    }

    pub fn rows(&self) -> usize {
        self.n
    }

    /// T_ij.
    #[inline]
    pub fn entry(&self, i: usize, j: usize) -> f64 {
        self.table[i * (self.n + 2) + j]
    }

    /// c_i, the value of basic variable i.
    #[inline]
    pub fn value(&self, i: usize) -> f64 {
        self.entry(i, self.n + 1)
    }

    /// The variable of row i.
    pub fn basic(&self, i: usize) -> usize {
        self.basic[i]
    }

    pub fn is_basic(&self, variable: usize) -> bool {
        matches!(self.places[variable], Place::Row(_))
    }

    pub fn is_artificial(&self, variable: usize) -> bool {
        variable == 2 * self.n
    }

    /// w_j of z_j and the other way round.
    pub fn complement(&self, variable: usize) -> usize {
        if variable < self.n {
            variable + self.n
        } else {
            variable - self.n
        }
    }

    /// The column of a nonbasic variable.
    pub fn column_of(&self, variable: usize) -> usize {
        match self.places[variable] {
            Place::Column(j) => j,
            Place::Row(_) => unreachable!("the complement of what just left is nonbasic"),
        }
    }

    /// z₀, which is the largest violation of w ≥ 0 before it enters.
    pub fn artificial(&self) -> f64 {
        match self.places[2 * self.n] {
            Place::Row(i) => self.value(i),
            Place::Column(_) => (0..self.n).fold(0.0, |a, i| f64::max(a, -self.value(i))),
        }
    }

    /// Entry (i, k) of the inverse of the basis: how basic variable i answers a change of q_k. From the
    /// column of w_k, or a unit vector while w_k is basic.
    #[inline]
    pub fn inverse_entry(&self, i: usize, k: usize) -> f64 {
        match self.places[self.n + k] {
            Place::Column(j) => -self.entry(i, j),
            Place::Row(r) => f64::from(u8::from(r == i)),
        }
    }

    pub fn is_finite(&self, column: usize) -> bool {
        (0..self.n).all(|i| self.entry(i, column).is_finite() && self.value(i).is_finite())
    }

    /// Exchange the variables of `row` and `column`; the variable that left the basis.
    pub fn exchange(&mut self, row: usize, column: usize) -> usize {
        let width = self.n + 2;
        let start = row * width;
        let inverse = 1.0 / self.table[start + column];
        for x in &mut self.table[start..start + width] {
            *x *= -inverse;
        }
        self.table[start + column] = inverse;
        self.pivot_row.clear();
        self.pivot_row
            .extend_from_slice(&self.table[start..start + width]);
        for (i, other) in self.table.chunks_exact_mut(width).enumerate() {
            let factor = other[column];
            if i == row || factor == 0.0 {
                continue;
            }
            other[column] = 0.0;
            for (x, p) in other.iter_mut().zip(&self.pivot_row) {
                *x += factor * p;
            }
        }
        let (entering, leaving) = (self.nonbasic[column], self.basic[row]);
        self.basic[row] = entering;
        self.nonbasic[column] = leaving;
        self.places[entering] = Place::Row(row);
        self.places[leaving] = Place::Column(column);
        leaving
    }

    /// Largest |w − M z − z₀ − q| of the values in the dictionary, which is zero except for round-off.
    pub fn drift(&mut self, m: &Mat<f64>, q: &[f64]) -> f64 {
        let n = self.n;
        self.values.clear();
        self.values.resize(2 * n + 1, 0.0);
        for i in 0..n {
            self.values[self.basic[i]] = self.value(i);
        }
        let x = &self.values;
        (0..n)
            .map(|i| {
                let mz: f64 = (0..n)
                    .filter(|&j| x[j] != 0.0)
                    .map(|j| m[(i, j)] * x[j])
                    .sum();
                (x[n + i] - mz - x[2 * n] - q[i]).abs()
            })
            .fold(0.0, larger)
    }

    /// Recomputes c and T from the basis; false if it is singular.
    pub fn rebuild(&mut self, m: &Mat<f64>, q: &[f64]) -> bool {
        let n = self.n;
        // Columns of w − M z − 1 z₀ = q.
        let coefficient = |i: usize, variable: usize| match variable {
            v if v == 2 * n => -1.0,
            v if v >= n => f64::from(u8::from(v - n == i)),
            v => -m[(i, v)],
        };
        let basis = Mat::from_fn(n, n, |i, j| coefficient(i, self.basic[j]));
        let mut right = Mat::from_fn(n, n + 2, |i, j| match self.nonbasic.get(j) {
            Some(&variable) => -coefficient(i, variable),
            None => q[i],
        });
        basis.partial_piv_lu().solve_in_place(&mut right);
        for i in 0..n {
            for j in 0..n + 2 {
                self.table[i * (n + 2) + j] = right[(i, j)];
            }
        }
        self.table.iter().all(|x| x.is_finite())
    }
}
