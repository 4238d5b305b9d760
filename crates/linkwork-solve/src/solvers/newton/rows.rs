//! The space of d = Jᵀ c for problems where only D is known. A velocity, and a momentum, is stored as coefficients c,
//! one per row. Then J d = D c, and with f = c − Δλ for F and the sparse matrix A = 1 + D G, Woodbury's identity gives
//! the Newton step p = f − G A⁻¹ D f. Neither J nor M is needed.

use super::space::Space;
use crate::blocks::SparseSym;
use crate::delassus::{NotPositive, Slope};
use crate::sets::ImpulseSets;
use faer::MatMut;
use faer::linalg::solvers::Solve;
use faer::sparse::linalg::solvers::{Lu, SymbolicLu};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMatRef};

/// The factors of A, kept from step to step.
#[derive(Default)]
pub(super) struct RowFactors {
    /// The pattern of A, by columns, with every entry of the diagonal blocks.
    starts: Vec<usize>,
    rows: Vec<usize>,
    values: Vec<f64>,
    symbolic: Option<SymbolicLu<usize>>,
    lu: Option<Lu<usize, f64>>,
    slopes: Vec<Slope>,
    image: Vec<f64>,
}

impl RowFactors {
    /// Forget the last problem.
    pub fn clear(&mut self) {
        self.symbolic = None;
    }
}

/// The space, for one problem.
pub(super) struct Rows<'a> {
    pub matrix: &'a SparseSym,
    pub sets: &'a ImpulseSets,
    pub factors: &'a mut RowFactors,
}

impl Rows<'_> {
    /// The union of the patterns of D's columns over each block, for G mixes the columns of a block.
    fn analyse(&mut self) -> Result<(), NotPositive> {
        let f = &mut *self.factors;
        f.starts.clear();
        f.starts.push(0);
        f.rows.clear();
        for (_, block) in self.sets.iter() {
            let mut union: Vec<usize> = block.clone().collect();
            for c in block.clone() {
                union.extend(self.matrix.row(c).map(|(r, _)| r));
            }
            union.sort_unstable();
            union.dedup();
            for _ in block {
                f.rows.extend_from_slice(&union);
                f.starts.push(f.rows.len());
            }
        }
        let n = self.matrix.rows();
        let pattern = SymbolicSparseColMatRef::new_checked(n, n, &f.starts, None, &f.rows);
        f.symbolic = Some(SymbolicLu::try_new(pattern).map_err(|_| NotPositive)?);
        Ok(())
    }

    /// A = 1 + D G.
    fn assemble(&mut self, slopes: &[Slope]) {
        let f = &mut *self.factors;
        f.values.clear();
        f.values.resize(f.rows.len(), 0.0);
        for ((_, block), slope) in self.sets.iter().zip(slopes) {
            let columns: Vec<usize> = block.collect();
            for (b, &c) in columns.iter().enumerate() {
                let range = f.starts[c]..f.starts[c + 1];
                let rows = &f.rows[range.clone()];
                let values = &mut f.values[range];
                let at = |r: usize| rows.binary_search(&r).expect("in the union pattern");
                values[at(c)] = 1.0;
                for (a, &k) in columns.iter().enumerate() {
                    let g = slope.entry(a, b);
                    if g != 0.0 {
                        for (r, d) in self.matrix.row(k) {
                            values[at(r)] += d * g;
                        }
                    }
                }
            }
        }
    }
}

impl Space for Rows<'_> {
    fn dim(&self) -> usize {
        self.matrix.rows()
    }

    fn multiply(&mut self, d: &[f64], rows: &mut [f64]) {
        self.matrix.multiply(d, rows);
    }

    fn multiply_transposed(&mut self, rows: &[f64], out: &mut [f64]) {
        out.copy_from_slice(rows);
    }

    fn mass(&mut self, d: &[f64], out: &mut [f64]) {
        out.copy_from_slice(d);
    }

    fn inverse_mass(&mut self, x: &[f64], out: &mut [f64]) {
        out.copy_from_slice(x);
    }

    fn work(&mut self, d: &[f64], momentum: &[f64]) -> f64 {
        let f = &mut *self.factors;
        f.image.resize(d.len(), 0.0);
        self.matrix.multiply(momentum, &mut f.image);
        super::super::anderson::dot(d, &f.image)
    }

    fn factor(&mut self, slopes: &[Slope]) -> Result<(), NotPositive> {
        if self.factors.symbolic.is_none() {
            self.analyse()?;
        }
        self.assemble(slopes);
        let n = self.matrix.rows();
        let f = &mut *self.factors;
        f.slopes.clear();
        f.slopes.extend_from_slice(slopes);
        let pattern = SymbolicSparseColMatRef::new_checked(n, n, &f.starts, None, &f.rows);
        let matrix = SparseColMatRef::new(pattern, &f.values);
        let symbolic = f.symbolic.clone().expect("analysed above");
        let lu = Lu::try_new_with_symbolic(symbolic, matrix).map_err(|_| NotPositive)?;
        f.lu = Some(lu);
        Ok(())
    }

    fn solve(&mut self, x: &mut [f64]) {
        let f = &mut *self.factors;
        let Some(lu) = &f.lu else { return };
        let n = x.len();
        f.image.resize(n, 0.0);
        self.matrix.multiply(x, &mut f.image);
        lu.solve_in_place(MatMut::from_column_major_slice_mut(&mut f.image, n, 1));
        for ((_, block), slope) in self.sets.iter().zip(&f.slopes) {
            for (a, i) in block.clone().enumerate() {
                for (b, j) in block.clone().enumerate() {
                    x[i] -= slope.entry(a, b) * f.image[j];
                }
            }
        }
    }
}
