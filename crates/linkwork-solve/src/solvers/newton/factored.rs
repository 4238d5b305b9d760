//! The space of y with D = L Lᵀ, for problems of which only D is known: M = 1, J = L, and as many unknowns
//! as D has rank. L comes from a pivoted Cholesky factorisation, which finds the rank.

use super::space::Space;
use crate::delassus::{NotPositive, Slope, delassus_matrix};
use crate::problem::Problem;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt_pivoting::factor::{cholesky_in_place, cholesky_in_place_scratch};
use faer::linalg::matmul::matmul;
use faer::linalg::solvers::{PartialPivLu, Solve};
use faer::{Accum, ColMut, ColRef, Mat, MatMut, Par, Spec};

/// L and the factors of 1 + Lᵀ G L.
pub(super) struct Factored {
    /// First row of every block, and one past the last.
    starts: Vec<usize>,
    /// n x r; empty until prepared.
    l: Mat<f64>,
    ready: bool,
    lu: Option<PartialPivLu<f64>>,
}

impl Default for Factored {
    fn default() -> Self {
        Self {
            starts: Vec::new(),
            l: Mat::new(),
            ready: false,
            lu: None,
        }
    }
}

impl Factored {
    /// Forget the last problem.
    pub fn clear(&mut self) {
        self.ready = false;
    }

    /// Factor D = L Lᵀ unless that is done.
    pub fn prepare(&mut self, problem: &Problem) -> Result<(), NotPositive> {
        if self.ready {
            return Ok(());
        }
        let n = problem.rows();
        let mut d = Vec::new();
        delassus_matrix(problem, &mut d);
        if d.iter().any(|v| !v.is_finite()) {
            return Err(NotPositive);
        }
        let mut a = MatMut::from_column_major_slice_mut(&mut d, n, n);
        let (mut order, mut inverse) = (vec![0usize; n], vec![0usize; n]);
        let scratch = cholesky_in_place_scratch::<usize, f64>(n, Par::Seq, Spec::default());
        let mut memory = MemBuffer::new(scratch);
        let (info, _) = cholesky_in_place(
            a.as_mut(),
            &mut order,
            &mut inverse,
            Par::Seq,
            MemStack::new(&mut memory),
            Spec::default(),
        )
        .map_err(|_| NotPositive)?;
        // Row i of the factor is row order[i] of D.
        self.l = Mat::zeros(n, info.rank);
        for c in 0..info.rank {
            for i in c..n {
                self.l[(order[i], c)] = a[(i, c)];
            }
        }
        self.starts.clear();
        self.starts
            .extend(problem.sets.iter().map(|(_, r)| r.start));
        self.starts.push(n);
        self.ready = true;
        Ok(())
    }

    /// Rows that answer, and G L on them.
    fn weigh(&self, slopes: &[Slope]) -> (Vec<usize>, Mat<f64>) {
        let rank = self.l.ncols();
        let mut active = Vec::new();
        for (k, slope) in slopes.iter().enumerate() {
            if *slope != Slope::Zero {
                active.extend(self.starts[k]..self.starts[k + 1]);
            }
        }
        let mut weighted = Mat::zeros(active.len(), rank);
        let mut at = 0;
        for (k, slope) in slopes.iter().enumerate() {
            let (first, dim) = (self.starts[k], self.starts[k + 1] - self.starts[k]);
            match slope {
                Slope::Zero => continue,
                Slope::Diagonal(g) => {
                    for c in 0..rank {
                        for i in 0..dim {
                            weighted[(at + i, c)] = g[i] * self.l[(first + i, c)];
                        }
                    }
                }
                Slope::Full(g) => {
                    for c in 0..rank {
                        let l: [f64; 3] = std::array::from_fn(|i| self.l[(first + i, c)]);
                        for (i, g) in g.iter().enumerate() {
                            weighted[(at + i, c)] = g[0] * l[0] + g[1] * l[1] + g[2] * l[2];
                        }
                    }
                }
            }
            at += dim;
        }
        (active, weighted)
    }
}

impl Space for Factored {
    fn dim(&self) -> usize {
        self.l.ncols()
    }

    fn multiply(&mut self, d: &[f64], rows: &mut [f64]) {
        let (d, rows) = (ColRef::from_slice(d), ColMut::from_slice_mut(rows));
        matmul(rows, Accum::Replace, &self.l, d, 1.0, Par::Seq);
    }

    fn multiply_transposed(&mut self, rows: &[f64], out: &mut [f64]) {
        let (rows, out) = (ColRef::from_slice(rows), ColMut::from_slice_mut(out));
        matmul(out, Accum::Replace, self.l.transpose(), rows, 1.0, Par::Seq);
    }

    fn mass(&mut self, d: &[f64], out: &mut [f64]) {
        out.copy_from_slice(d);
    }

    fn inverse_mass(&mut self, x: &[f64], out: &mut [f64]) {
        out.copy_from_slice(x);
    }

    fn factor(&mut self, slopes: &[Slope]) -> Result<(), NotPositive> {
        let rank = self.l.ncols();
        let (active, weighted) = self.weigh(slopes);
        let rows = Mat::from_fn(rank, active.len(), |c, i| self.l[(active[i], c)]);
        let mut h = Mat::identity(rank, rank);
        matmul(&mut h, Accum::Add, &rows, &weighted, 1.0, Par::Seq);
        self.lu = Some(h.partial_piv_lu());
        Ok(())
    }

    fn solve(&mut self, x: &mut [f64]) {
        if let Some(lu) = &self.lu {
            let n = x.len();
            lu.solve_in_place(MatMut::from_column_major_slice_mut(x, n, 1));
        }
    }
}
