//! H = M + Jᵀ G J on the graph of bodies, G block diagonal: the matrix of a Newton step on contacts. Under Coulomb's
//! law G is not symmetric where contacts slide, and H is factored by a block LU without pivoting between blocks; the
//! caller checks the resulting step. Under the convex relaxation G is symmetric, and a block Cholesky takes half the
//! work.

use super::block_cholesky::{Factor, Substitute};
use super::symbolic::{Graph, Symbolic};
use super::{NotPositive, build_graph, kernel6};
use crate::arithmetic::{Arithmetic, Plain, Routine, run};
use crate::blocks::{Block6, BlockCsr6, BlockDiag6, segment_mut};
use crate::sets::Slopes;

/// The factorisation and its buffers.
#[derive(Clone, Debug, Default)]
pub struct NewtonMatrix {
    graph: Graph,
    symbolic: Symbolic,
    diagonal: Vec<Block6>,
    /// L below and U above the diagonal; U's blocks at the index of their mirror image.
    below: Vec<Block6>,
    above: Vec<Block6>,
    /// Target of each pair of a block's bodies, in the order of the pairs.
    spots: Vec<Spot>,
    y: Vec<f64>,
    symmetry: Symmetry,
}

/// Whether G is symmetric.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Symmetry {
    /// It may not be: LU.
    #[default]
    None,
    /// It is: Cholesky.
    Symmetric,
}

/// A block of H.
#[derive(Clone, Copy, Debug)]
enum Spot {
    Diagonal(u32),
    Below(u32),
    Above(u32),
}

struct Assemble<'a, S: ?Sized> {
    matrix: &'a mut NewtonMatrix,
    mass: &'a BlockDiag6,
    jacobian: &'a BlockCsr6,
    slopes: &'a S,
}

impl<S: Slopes + ?Sized> Routine for Assemble<'_, S> {
    type Output = ();

    #[inline(always)]
    fn run<A: Arithmetic>(self) {
        self.matrix.assemble(self.mass, self.jacobian, self.slopes);
    }
}

struct FactorBlocks<'a>(&'a mut NewtonMatrix);

impl Routine for FactorBlocks<'_> {
    type Output = Result<(), NotPositive>;

    #[inline(always)]
    fn run<A: Arithmetic>(self) -> Self::Output {
        self.0.factor_blocks::<A>()
    }
}

struct SolveBlocks<'a>(&'a mut NewtonMatrix);

impl Routine for SolveBlocks<'_> {
    type Output = ();

    #[inline(always)]
    fn run<A: Arithmetic>(self) {
        self.0.solve_blocks::<A>();
    }
}

impl NewtonMatrix {
    /// Factor M + Jᵀ G J.
    pub(crate) fn factor(
        &mut self,
        mass: &BlockDiag6,
        jacobian: &BlockCsr6,
        slopes: &(impl Slopes + ?Sized),
        symmetry: Symmetry,
    ) -> Result<(), NotPositive> {
        self.prepare(jacobian);
        self.refactor(mass, jacobian, slopes, symmetry)
    }

    /// Computes the structure of the factors, which depends only on the bodies of the blocks of J.
    pub fn prepare(&mut self, jacobian: &BlockCsr6) {
        build_graph(jacobian, &mut self.graph);
        self.symbolic.update(&self.graph);
        let s = &self.symbolic;
        self.spots.clear();
        for k in 0..jacobian.blocks() {
            let entries = jacobian.entries_of(k);
            for a in entries {
                for b in entries {
                    self.spots.push(if a.body == b.body {
                        Spot::Diagonal(s.position[a.body])
                    } else {
                        match s.block(b.body, a.body) {
                            (index, true) => Spot::Below(index as u32),
                            (index, false) => Spot::Above(index as u32),
                        }
                    });
                }
            }
        }
    }

    /// Factors M + Jᵀ G J for a J with the structure last given to [`NewtonMatrix::prepare`].
    pub(crate) fn refactor(
        &mut self,
        mass: &BlockDiag6,
        jacobian: &BlockCsr6,
        slopes: &(impl Slopes + ?Sized),
        symmetry: Symmetry,
    ) -> Result<(), NotPositive> {
        self.symmetry = symmetry;
        run(Assemble {
            matrix: self,
            mass,
            jacobian,
            slopes,
        });
        match symmetry {
            Symmetry::None => run(FactorBlocks(self)),
            Symmetry::Symmetric => run(Factor {
                symbolic: &self.symbolic,
                diagonal: &mut self.diagonal,
                below: &mut self.below,
            }),
        }
    }

    /// x ← (M + Jᵀ G J)⁻¹ x, six values per body.
    pub fn solve(&mut self, x: &mut [f64]) {
        let s = &self.symbolic;
        self.y.resize(x.len(), 0.0);
        for (b, x) in x.chunks_exact(6).enumerate() {
            segment_mut(&mut self.y, s.position[b] as usize).copy_from_slice(x);
        }
        match self.symmetry {
            Symmetry::None => run(SolveBlocks(self)),
            Symmetry::Symmetric => run(Substitute {
                symbolic: &self.symbolic,
                diagonal: &self.diagonal,
                below: &self.below,
                y: &mut self.y,
            }),
        }
        let s = &self.symbolic;
        for (b, x) in x.chunks_exact_mut(6).enumerate() {
            x.copy_from_slice(segment_mut(&mut self.y, s.position[b] as usize));
        }
    }

    #[inline(always)]
    fn solve_blocks<A: Arithmetic>(&mut self) {
        let s = &self.symbolic;
        for c in 0..s.columns() {
            let (done, later) = self.y.split_at_mut(6 * c + 6);
            let v = segment_mut(done, c);
            kernel6::lu_forward::<A>(&self.diagonal[c], v);
            for b in s.starts[c]..s.starts[c + 1] {
                let y = segment_mut(later, s.rows[b] as usize - c - 1);
                kernel6::subtract_multiply::<A>(&self.below[b], v, y);
            }
        }
        for c in (0..s.columns()).rev() {
            let (done, later) = self.y.split_at_mut(6 * c + 6);
            let v = segment_mut(done, c);
            for b in s.starts[c]..s.starts[c + 1] {
                let y = segment_mut(later, s.rows[b] as usize - c - 1);
                kernel6::subtract_multiply::<A>(&self.above[b], y, v);
            }
            kernel6::lu_backward::<A>(&self.diagonal[c], v);
        }
    }

    /// H, in plain arithmetic on any processor, so that terms of stiff slopes that are added and subtracted again
    /// cancel exactly.
    #[inline(always)]
    fn assemble(
        &mut self,
        mass: &BlockDiag6,
        jacobian: &BlockCsr6,
        slopes: &(impl Slopes + ?Sized),
    ) {
        let s = &self.symbolic;
        let n = s.rows.len();
        self.diagonal.resize(s.columns(), [0.0; 36]);
        let halves = match self.symmetry {
            Symmetry::None => 2,
            Symmetry::Symmetric => 1,
        };
        for blocks in [&mut self.below, &mut self.above].into_iter().take(halves) {
            blocks.clear();
            blocks.resize(n, [0.0; 36]);
        }
        for b in 0..mass.len() {
            self.diagonal[s.position[b] as usize] = mass.block(b);
        }
        let mut spots = self.spots.iter();
        for k in 0..jacobian.blocks() {
            let dim = jacobian.rows_of(k).len();
            let entries = jacobian.entries_of(k);
            if slopes.is_zero(k) {
                for _ in 0..entries.len() * entries.len() {
                    spots.next();
                }
                continue;
            }
            for a in entries {
                let mut weighted = [[0.0; 6]; 6];
                slopes.weigh(k, jacobian.values_of(a, dim), &mut weighted);
                // H_ba += J_bᵀ (G J_a)
                for b in entries {
                    let rows = jacobian.values_of(b, dim);
                    match *spots.next().expect("one spot a pair") {
                        // The lower triangle is all that a Cholesky reads.
                        Spot::Diagonal(at) if self.symmetry == Symmetry::Symmetric => {
                            let block = &mut self.diagonal[at as usize];
                            add_products::<true>(block, rows, &weighted);
                        }
                        Spot::Diagonal(at) => {
                            add_products::<false>(&mut self.diagonal[at as usize], rows, &weighted);
                        }
                        Spot::Below(at) => {
                            add_products::<false>(&mut self.below[at as usize], rows, &weighted);
                        }
                        // The mirror image of one below.
                        Spot::Above(_) if self.symmetry == Symmetry::Symmetric => {}
                        Spot::Above(at) => {
                            add_products::<false>(&mut self.above[at as usize], rows, &weighted);
                        }
                    }
                }
            }
        }
    }

    #[inline(always)]
    fn factor_blocks<A: Arithmetic>(&mut self) -> Result<(), NotPositive> {
        let s = &self.symbolic;
        let mut targets = s.targets.iter();
        for c in 0..s.columns() {
            kernel6::lu::<A>(&mut self.diagonal[c])?;
            let column = s.starts[c]..s.starts[c + 1];
            for b in column.clone() {
                kernel6::lu_solve_right::<A>(&self.diagonal[c], &mut self.below[b]);
                kernel6::lu_solve_left::<A>(&self.diagonal[c], &mut self.above[b]);
            }
            let (l, l_later) = self.below.split_at_mut(column.end);
            let (u, u_later) = self.above.split_at_mut(column.end);
            for i in column.clone() {
                let mut target = || *targets.next().expect("one target a pair") as usize;
                kernel6::subtract_product_plain::<A>(&mut self.diagonal[target()], &l[i], &u[i]);
                for j in i + 1..column.end {
                    let at = target() - column.end;
                    kernel6::subtract_product_plain::<A>(&mut l_later[at], &l[j], &u[i]);
                    kernel6::subtract_product_plain::<A>(&mut u_later[at], &l[i], &u[j]);
                }
            }
        }
        Ok(())
    }
}

/// H ← H + Jᵀ W, J with some rows and W with as many; only the lower triangle of H counts where `LOWER`.
#[inline(always)]
fn add_products<const LOWER: bool>(h: &mut Block6, j: &[[f64; 6]], w: &[[f64; 6]; 6]) {
    match j.try_into() {
        Ok(j) if LOWER => kernel6::add_outers_lower::<Plain>(h, j, &[w[0], w[1], w[2]]),
        Ok(j) => kernel6::add_outers::<Plain>(h, j, &[w[0], w[1], w[2]]),
        Err(_) => {
            for (j, w) in j.iter().zip(w) {
                kernel6::add_outer::<Plain>(h, 1.0, j, w);
            }
        }
    }
}
