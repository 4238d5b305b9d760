//! Block Cholesky H = L Lᵀ on a graph of bodies, for any H.

use super::symbolic::Symbolic;
use super::{NotPositive, kernel6};
use crate::arithmetic::{Arithmetic, Routine};
use crate::blocks::{Block6, segment_mut};

/// Factor H in place, its lower triangle in elimination order: diagonal blocks by position, those below in the order of
/// [`Symbolic::rows`].
pub struct Factor<'a> {
    pub symbolic: &'a Symbolic,
    pub diagonal: &'a mut [Block6],
    pub below: &'a mut [Block6],
}

impl Routine for Factor<'_> {
    type Output = Result<(), NotPositive>;

    /// Right-looking: factor a column, then subtract its outer product from the later ones.
    #[inline(always)]
    fn run<A: Arithmetic>(self) -> Self::Output {
        let s = self.symbolic;
        let mut targets = s.targets.iter();
        for c in 0..s.columns() {
            kernel6::cholesky::<A>(&mut self.diagonal[c])?;
            let column = s.starts[c]..s.starts[c + 1];
            for b in column.clone() {
                kernel6::solve_right::<A>(&self.diagonal[c], &mut self.below[b]);
            }
            // Later columns' blocks are stored behind this one's.
            let (done, later) = self.below.split_at_mut(column.end);
            for i in column.clone() {
                let mut target = || *targets.next().expect("one target a pair") as usize;
                kernel6::subtract_square::<A>(&mut self.diagonal[target()], &done[i]);
                for j in i + 1..column.end {
                    let block = &mut later[target() - column.end];
                    kernel6::subtract_product::<A>(block, &done[j], &done[i]);
                }
            }
        }
        Ok(())
    }
}

/// y ← H⁻¹ y in elimination order, with the blocks that [`Factor`] left.
pub struct Substitute<'a> {
    pub symbolic: &'a Symbolic,
    pub diagonal: &'a [Block6],
    pub below: &'a [Block6],
    pub y: &'a mut [f64],
}

impl Routine for Substitute<'_> {
    type Output = ();

    #[inline(always)]
    fn run<A: Arithmetic>(self) {
        let s = self.symbolic;
        for c in 0..s.columns() {
            let (done, later) = self.y.split_at_mut(6 * c + 6);
            let x = segment_mut(done, c);
            kernel6::forward::<A>(&self.diagonal[c], x);
            for b in s.starts[c]..s.starts[c + 1] {
                let y = segment_mut(later, s.rows[b] as usize - c - 1);
                kernel6::subtract_multiply::<A>(&self.below[b], x, y);
            }
        }
        for c in (0..s.columns()).rev() {
            let (done, later) = self.y.split_at_mut(6 * c + 6);
            let x = segment_mut(done, c);
            for b in s.starts[c]..s.starts[c + 1] {
                let y = segment_mut(later, s.rows[b] as usize - c - 1);
                kernel6::subtract_multiply_transposed::<A>(&self.below[b], y, x);
            }
            kernel6::backward::<A>(&self.diagonal[c], x);
        }
    }
}
