//! The mixed linear complementarity problem of [Anitescu eq. 2.10-2.11] in the variables that remain when
//! velocities and free rows are eliminated.
//!
//! The impulse on the kept rows is λ = E z + λ₀. A contact has, with corners d_i of its polygon,
//!
//! ```text
//!   0 ≤ c_n ⟂ σ_n ≥ 0,   0 ≤ β_i ⟂ d_iᵀ σ_T + s ≥ 0,   0 ≤ s ⟂ μ c_n − Σ β_i ≥ 0,   λ_T = Σ β_i d_i;
//! ```
//!
//! a limit 0 ≤ λ ⟂ σ ≥ 0; an interval 0 ≤ x ⟂ σ + y ≥ 0, 0 ≤ y ⟂ 2b − x ≥ 0 with λ = x − b.

use super::reduction::Reduction;
use crate::sets::{ImpulseSet, ImpulseSets};
use crate::solvers::scaled::Matrix;
use faer::Mat;
use faer::linalg::solvers::Solve;

/// Rounds of iterative refinement of the final basis.
const REFINEMENTS: usize = 3;

/// How the disk ‖λ_T‖ ≤ μ c_n of a contact is made linear.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Facets {
    /// The regular polygon with a corner in this direction of the tangent plane, rad.
    Polygon { angle: f64 },
    /// Tangential rows turned to (e, t) with e at `angle` along friction; corners ±e, and t free with this
    /// compliance: the disk's boundary to first order around e, see `lcp.rs`.
    Tangent { angle: f64, compliance: f64 },
}

/// How a block becomes linear.
#[derive(Clone, Copy, Debug)]
pub(super) enum Form {
    /// Eliminated.
    Free,
    /// λ ≥ 0 in one row of the block, 0 in the others: also a contact without friction, whose λ_T has no
    /// variable at all.
    Ray {
        row: usize,
    },
    Interval {
        bound: f64,
    },
    Contact {
        mu: f64,
    },
}

impl Form {
    /// That of a set, if it has one.
    #[allow(unreachable_patterns, reason = "the tests have one more set")]
    pub fn of(set: ImpulseSet) -> Option<Self> {
        match set {
            ImpulseSet::Free { .. } => Some(Form::Free),
            ImpulseSet::NonNegative => Some(Form::Ray { row: 0 }),
            ImpulseSet::Interval { bound } => Some(Form::Interval { bound }),
            ImpulseSet::Coulomb { mu: 0.0 } => Some(Form::Ray { row: 2 }),
            ImpulseSet::Coulomb { mu } => Some(Form::Contact { mu }),
            _ => None,
        }
    }

    fn pairs(self, facets: usize) -> usize {
        match self {
            Form::Free => 0,
            Form::Ray { .. } => 1,
            Form::Interval { .. } => 2,
            Form::Contact { .. } => facets + 2,
        }
    }
}

/// A variable z_j acts on up to two rows: its column of E.
#[derive(Clone, Copy, Debug, Default)]
struct Column {
    rows: [usize; 2],
    factors: [f64; 2],
}

/// M and q of w = M z + q, 0 ≤ w ⟂ z ≥ 0.
#[derive(Clone, Debug, Default)]
pub(super) struct Pyramid {
    pub m: Matrix,
    pub q: Vec<f64>,
    columns: Vec<Column>,
    /// (row of w, variable, coefficient) in addition to Eᵀ S E.
    couplings: Vec<(usize, usize, f64)>,
    /// λ₀ by kept row.
    offset: Vec<f64>,
    /// Kept row of every row.
    places: Vec<usize>,
    product: Vec<f64>,
}

impl Pyramid {
    /// Complementary pairs of a problem with these sets and polygons of `facets` corners; none if a set has
    /// no linear form.
    pub fn size(sets: &ImpulseSets, facets: usize) -> Option<usize> {
        sets.iter()
            .map(|(set, _)| Some(Form::of(set)?.pairs(facets)))
            .sum()
    }

    /// Fill from the reduced system, with the shape of every block; `bound` turns the bound of the
    /// interval in a row into the units of the reduced system.
    pub fn fill(
        &mut self,
        sets: &ImpulseSets,
        reduced: &Reduction,
        facets: usize,
        shapes: &[Facets],
        bound: impl Fn(usize, f64) -> f64,
    ) {
        self.columns.clear();
        self.couplings.clear();
        self.q.clear();
        self.offset.clear();
        self.offset.resize(reduced.kept.len(), 0.0);
        self.places.clear();
        self.places.resize(sets.rows(), usize::MAX);
        for (place, &row) in reduced.kept.iter().enumerate() {
            self.places[row] = place;
        }
        for ((set, rows), shape) in sets.iter().zip(shapes) {
            let first = rows.start;
            match Form::of(set) {
                None | Some(Form::Free) => {}
                Some(Form::Ray { row }) => self.push(&[(first + row, 1.0)], 0.0),
                Some(Form::Interval { bound: b }) => self.interval(first, bound(first, b)),
                Some(Form::Contact { mu }) => self.contact(first, mu, facets, *shape),
            }
        }
        self.multiply(reduced);
    }

    /// A variable that acts on `rows`, with this constant in its w.
    fn push(&mut self, rows: &[(usize, f64)], constant: f64) {
        let mut column = Column::default();
        for (i, &(row, factor)) in rows.iter().enumerate() {
            column.rows[i] = self.places[row];
            column.factors[i] = factor;
        }
        self.columns.push(column);
        self.q.push(constant);
    }

    fn interval(&mut self, row: usize, b: f64) {
        let x = self.columns.len();
        self.offset[self.places[row]] = -b;
        self.push(&[(row, 1.0)], 0.0);
        self.push(&[], 2.0 * b);
        self.couplings.extend([(x, x + 1, 1.0), (x + 1, x, -1.0)]);
    }

    fn contact(&mut self, first: usize, mu: f64, facets: usize, shape: Facets) {
        let normal = self.columns.len();
        self.push(&[(first + 2, 1.0)], 0.0);
        match shape {
            Facets::Polygon { angle } => {
                for i in 0..facets {
                    let turn = std::f64::consts::TAU * i as f64 / facets as f64;
                    let (y, x) = (angle + turn).sin_cos();
                    self.push(&[(first, x), (first + 1, y)], 0.0);
                }
            }
            Facets::Tangent { .. } => {
                self.push(&[(first, 1.0)], 0.0);
                self.push(&[(first, -1.0)], 0.0);
            }
        }
        let slack = self.columns.len();
        self.push(&[], 0.0);
        self.couplings.push((slack, normal, mu));
        for beta in normal + 1..slack {
            let pair = [(beta, slack, 1.0), (slack, beta, -1.0)];
            self.couplings.extend(pair);
        }
    }

    /// M = Eᵀ S E + couplings, q += Eᵀ (S λ₀ + s).
    fn multiply(&mut self, reduced: &Reduction) {
        let (n, rows, s) = (self.columns.len(), reduced.kept.len(), &reduced.s);
        *self.m = Mat::zeros(n, n);
        self.product.resize(rows, 0.0);
        let fold = |column: &Column, v: &[f64]| {
            let term = |i: usize| match column.factors[i] {
                0.0 => 0.0,
                f => f * v[column.rows[i]],
            };
            term(0) + term(1)
        };
        for (j, column) in self.columns.iter().enumerate() {
            if column.factors == [0.0; 2] {
                continue;
            }
            for (i, p) in self.product.iter_mut().enumerate() {
                let term = |k: usize| s[(i, column.rows[k])] * column.factors[k];
                *p = term(0) + term(1);
            }
            for (i, other) in self.columns.iter().enumerate() {
                self.m[(i, j)] = fold(other, &self.product);
            }
        }
        for (i, p) in self.product.iter_mut().enumerate() {
            let sum: f64 = (0..rows).map(|j| s[(i, j)] * self.offset[j]).sum();
            *p = sum + reduced.q[i];
        }
        for (q, column) in self.q.iter_mut().zip(&self.columns) {
            *q += fold(column, &self.product);
        }
        for &(i, j, value) in &self.couplings {
            self.m[(i, j)] += value;
        }
    }

    /// λ on the kept rows for the complementary basis in which the z_j with `is_active` are basic: the basis is solved
    /// again, free of the round-off of the pivots. False if it is singular.
    pub fn impulses(
        &self,
        is_active: impl Fn(usize) -> bool,
        reduced: &Reduction,
        lambda: &mut [f64],
    ) -> bool {
        let active: Vec<usize> = (0..self.q.len()).filter(|&j| is_active(j)).collect();
        let k = active.len();
        let basis = Mat::from_fn(k, k, |i, j| self.m[(active[i], active[j])]);
        let right = Mat::from_fn(k, 1, |i, _| -self.q[active[i]]);
        let lu = basis.partial_piv_lu();
        let mut z = Mat::<f64>::zeros(k, 1);
        for _ in 0..REFINEMENTS {
            let mut rest = &right - &basis * &z;
            lu.solve_in_place(&mut rest);
            z += rest;
        }
        for (place, &row) in reduced.kept.iter().enumerate() {
            lambda[row] = self.offset[place];
        }
        for (i, &j) in active.iter().enumerate() {
            let Column { rows, factors } = self.columns[j];
            for (row, factor) in rows.into_iter().zip(factors) {
                if factor != 0.0 {
                    // A basic variable is positive except for round-off.
                    lambda[reduced.kept[row]] += factor * z[(i, 0)].max(0.0);
                }
            }
        }
        (0..k).all(|i| z[(i, 0)].is_finite())
    }
}
