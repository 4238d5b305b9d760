//! Factorisation of K = [M Jᵀ; J −R] of the eliminated rows along a [`Plan`].
//!
//! K = 𝓛 S 𝓛ᵀ with S = diag(±1): + on bodies, − on constraint nodes. With A_cc = s L Lᵀ and B_rc = A_rc L⁻ᵀ, a column
//! updates A_rr' by −s B_r B_r'ᵀ. Diagonal blocks of constraint nodes are stored with the sign changed, so that both
//! kinds are positive definite. Rows that a node does not use are those of the unit matrix.
//!
//! If the pivot of a hard row is at the round-off of its terms, the row is redundant: the rows before it already
//! determine its velocity. It gets no impulse and is dropped. (A proximal term ε, as in `direct`, would instead divide
//! the contradictions of redundant rows by ε.)

use super::plan::Plan;
use crate::arithmetic::{Arithmetic, Routine, run};
use crate::blocks::{Block6, BlockCsr6, BlockDiag6, segment_mut};
use crate::delassus::{NotPositive, kernel6};
use crate::lanes::Lanes;

/// Relative error of a pivot, which is a sum over many bodies: a thousand times double precision. The redundant rows of
/// Cassie's plantar rods have 75 times double precision.
pub(super) const ACCURACY: f64 = 1e3 * f64::EPSILON;

/// One block of constraint rows to put in K.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rows {
    /// Block of the problem.
    pub block: usize,
    /// Whether it is eliminated in this problem; if not, its place stays empty.
    pub eliminated: bool,
}

/// Numbers of the factorisation.
#[derive(Clone, Debug, Default)]
pub(super) struct Factors {
    diagonal: Vec<Block6>,
    below: Vec<Block6>,
    /// By node and row: the sum of all positive contributions to the pivot.
    reach: Vec<[f64; 6]>,
}

impl Factors {
    /// Fill in and factor K; `list` has the blocks of the plan's structure in order.
    pub fn factor(
        &mut self,
        plan: &Plan,
        mass: &BlockDiag6,
        jacobian: &BlockCsr6,
        compliance: &[f64],
        list: &[Rows],
    ) -> Result<(), NotPositive> {
        self.fill(plan, mass, jacobian, compliance, list);
        run(Factor {
            plan,
            factors: self,
        })
    }

    fn fill(
        &mut self,
        plan: &Plan,
        mass: &BlockDiag6,
        jacobian: &BlockCsr6,
        compliance: &[f64],
        list: &[Rows],
    ) {
        let n = plan.nodes();
        self.diagonal.resize(n, [0.0; 36]);
        self.below.resize(plan.rows.len(), [0.0; 36]);
        self.below.fill([0.0; 36]);
        self.reach.resize(n, [0.0; 6]);
        for (c, &body) in plan.is_body.iter().enumerate() {
            if !body {
                self.diagonal[c] = kernel6::IDENTITY;
                self.reach[c] = [0.0; 6];
            }
        }
        for (b, &c) in plan.body.iter().enumerate() {
            self.diagonal[c as usize] = mass.block(b);
        }
        let mut slots = plan.slots.iter();
        for (rows, &(node, first)) in list.iter().zip(&plan.places) {
            let range = jacobian.rows_of(rows.block);
            let (dim, first) = (range.len(), first as usize);
            for entry in jacobian.entries_of(rows.block) {
                let slot = slots.next().expect("one slot an entry");
                if !rows.eliminated {
                    continue;
                }
                let block = self.below[slot.block as usize].as_chunks_mut::<6>().0;
                let values = jacobian.values_of(entry, dim);
                if slot.body_first {
                    for (r, j) in (first..).zip(values) {
                        for (column, j) in block.iter_mut().zip(j) {
                            column[r] = *j;
                        }
                    }
                } else {
                    block[first..first + dim].copy_from_slice(values);
                }
            }
            if rows.eliminated {
                let node = node as usize;
                for (r, i) in range.enumerate() {
                    self.diagonal[node][7 * (first + r)] = compliance[i];
                    self.reach[node][first + r] = compliance[i];
                }
            }
        }
    }

    /// Whether row `row` of node `c` was dropped as redundant.
    #[inline]
    pub fn is_left_out(&self, c: usize, row: usize) -> bool {
        self.diagonal[c][7 * row] == 0.0
    }

    /// y ← 𝓛⁻¹ y, six values per node.
    pub fn forward(&self, plan: &Plan, y: &mut [f64]) {
        run(Forward {
            plan,
            factors: self,
            y,
        });
    }

    /// y ← 𝓛⁻ᵀ S y.
    pub fn backward(&self, plan: &Plan, y: &mut [f64]) {
        run(Backward {
            plan,
            factors: self,
            y,
        });
    }

    /// Node `c` of a forward substitution: x ← L⁻¹ x, then `update` for every row of the column, which must add `sign`
    /// B x.
    #[inline(always)]
    pub fn forward_at<A: Arithmetic>(
        &self,
        plan: &Plan,
        c: usize,
        x: &mut [f64; 6],
        mut update: impl FnMut(u32, &Block6, f64, &[f64; 6]),
    ) {
        kernel6::forward::<A>(&self.diagonal[c], x);
        let sign = if plan.is_body[c] { -1.0 } else { 1.0 };
        for b in plan.column(c) {
            update(plan.rows[b], &self.below[b], sign, x);
        }
    }

    /// Node `c` of four forward substitutions: x ← L⁻¹ x, then the rows of the column, which are at `place` in `later`.
    #[inline(always)]
    pub fn forward_lanes<A: Arithmetic>(
        &self,
        plan: &Plan,
        c: usize,
        x: &mut [Lanes; 6],
        place: impl Fn(u32) -> usize,
        later: &mut [[Lanes; 6]],
    ) {
        kernel6::forward_lanes::<A>(&self.diagonal[c], x);
        let sign = if plan.is_body[c] { -1.0 } else { 1.0 };
        let x = x.map(|x| Lanes::all(sign) * x);
        for b in plan.column(c) {
            let y = &mut later[place(plan.rows[b])];
            kernel6::add_multiply_lanes::<A>(&self.below[b], &x, y);
        }
    }
}

/// K = 𝓛 S 𝓛ᵀ.
struct Factor<'a> {
    plan: &'a Plan,
    factors: &'a mut Factors,
}

impl Routine for Factor<'_> {
    type Output = Result<(), NotPositive>;

    #[inline(always)]
    fn run<A: Arithmetic>(self) -> Result<(), NotPositive> {
        let plan = self.plan;
        let Factors {
            diagonal,
            below,
            reach,
        } = self.factors;
        let mut targets = plan.targets.iter();
        for c in 0..plan.nodes() {
            let body = plan.is_body[c];
            if body {
                kernel6::cholesky::<A>(&mut diagonal[c])?;
            } else {
                kernel6::cholesky_dropping::<A>(&mut diagonal[c], &reach[c], ACCURACY)?;
            }
            let column = plan.column(c);
            for b in column.clone() {
                kernel6::solve_right::<A>(&diagonal[c], &mut below[b]);
            }
            let sign = if body { -1.0 } else { 1.0 };
            let (done, later) = below.split_at_mut(column.end);
            for i in column.clone() {
                let mut target = || *targets.next().expect("one target a pair") as usize;
                let row = target();
                if plan.is_body[row] {
                    kernel6::add_square::<A>(&mut diagonal[row], sign, &done[i]);
                } else {
                    kernel6::add_square::<A>(&mut diagonal[row], -sign, &done[i]);
                    if body {
                        kernel6::add_row_squares::<A>(&mut reach[row], &done[i]);
                    }
                }
                for j in i + 1..column.end {
                    let block = &mut later[target() - column.end];
                    kernel6::add_product::<A>(block, sign, &done[j], &done[i]);
                }
            }
        }
        Ok(())
    }
}

struct Forward<'a> {
    plan: &'a Plan,
    factors: &'a Factors,
    y: &'a mut [f64],
}

impl Routine for Forward<'_> {
    type Output = ();

    #[inline(always)]
    fn run<A: Arithmetic>(self) {
        for c in 0..self.plan.nodes() {
            let (done, later) = self.y.split_at_mut(6 * c + 6);
            let x = segment_mut(done, c);
            self.factors
                .forward_at::<A>(self.plan, c, x, |row, block, sign, x| {
                    let y = segment_mut(later, row as usize - c - 1);
                    kernel6::add_multiply::<A>(block, sign, x, y);
                });
        }
    }
}

struct Backward<'a> {
    plan: &'a Plan,
    factors: &'a Factors,
    y: &'a mut [f64],
}

impl Routine for Backward<'_> {
    type Output = ();

    #[inline(always)]
    fn run<A: Arithmetic>(self) {
        let (plan, factors) = (self.plan, self.factors);
        for c in (0..plan.nodes()).rev() {
            let (done, later) = self.y.split_at_mut(6 * c + 6);
            let x = segment_mut(done, c);
            let mut sum = [0.0; 6];
            for b in plan.column(c) {
                let y = segment_mut(later, plan.rows[b] as usize - c - 1);
                kernel6::add_multiply_transposed::<A>(&factors.below[b], y, &mut sum);
            }
            let sign = if plan.is_body[c] { 1.0 } else { -1.0 };
            for (x, s) in x.iter_mut().zip(&sum) {
                *x = sign * (*x - s);
            }
            kernel6::backward::<A>(&factors.diagonal[c], x);
        }
    }
}
