//! K of eight problems of one [`Plan`] at once, one per lane: the same factorisation as in [`super::factor`], for problems in which all
//! rows of the plan are eliminated.

use super::factor::ACCURACY;
use super::plan::Plan;
use crate::arithmetic::{Arithmetic, Routine, run_wide};
use crate::delassus::kernel6::{self, LaneBlock};
use crate::lanes::Wide;
use std::sync::Arc;

/// Numbers of the factorisation and of a solve with it. A part is a block of the plan's structure, in order.
#[derive(Clone, Debug)]
pub struct LaneFactors {
    pub(super) plan: Arc<Plan>,
    pub(super) diagonal: Vec<LaneBlock>,
    /// Inverse diagonal of the factors of the diagonal blocks; 0 where a row was left out.
    pub(super) inverse: Vec<[Wide; 6]>,
    pub(super) below: Vec<LaneBlock>,
    /// By node and row: the sum of all positive contributions to the pivot.
    reach: Vec<[Wide; 6]>,
    /// Right-hand side, then solution, six values per node.
    pub(super) y: Vec<[Wide; 6]>,
    /// First slot of each part.
    first_slot: Vec<usize>,
    /// Blocks below the diagonal without J, which start empty.
    filled: Vec<usize>,
    /// For each node: whether it is a body on which no node eliminated before it acts.
    pub(super) rigid: Vec<bool>,
}

impl LaneFactors {
    /// Room for the numbers of a plan.
    pub fn new(plan: Arc<Plan>) -> Self {
        let mut first_slot = Vec::new();
        let mut slots = 0;
        for part in plan.structure().parts() {
            first_slot.push(slots);
            slots += part.bodies.len();
        }
        let mut rigid = plan.is_body.clone();
        for &row in &plan.rows {
            rigid[row as usize] = false;
        }
        let mut empty = vec![true; plan.rows.len()];
        for slot in &plan.slots {
            empty[slot.block as usize] = false;
        }
        let n = plan.nodes();
        Self {
            filled: (0..empty.len()).filter(|b| empty[*b]).collect(),
            diagonal: vec![[[Wide::ZERO; 6]; 6]; n],
            inverse: vec![[Wide::ZERO; 6]; n],
            below: vec![[[Wide::ZERO; 6]; 6]; plan.rows.len()],
            reach: vec![[Wide::ZERO; 6]; n],
            y: vec![[Wide::ZERO; 6]; n],
            first_slot,
            rigid,
            plan,
        }
    }

    /// Clears all of K. Blocks that never contain rows stay 0 from one factorisation to the next, unless a lane had
    /// values that are not finite.
    pub fn wipe(&mut self) {
        self.below.fill([[Wide::ZERO; 6]; 6]);
        self.diagonal.fill([[Wide::ZERO; 6]; 6]);
    }

    /// Clears the blocks that the factorisation fills, except J, which is set again.
    #[inline(always)]
    pub fn clear(&mut self) {
        for &block in &self.filled {
            self.below[block] = [[Wide::ZERO; 6]; 6];
        }
        let nodes = self.diagonal.iter_mut().zip(&mut self.reach);
        for ((diagonal, reach), rigid) in nodes.zip(&self.rigid) {
            // The values that are not set again stay 0, also in the factor.
            if !rigid {
                *diagonal = [[Wide::ZERO; 6]; 6];
            }
            for (i, column) in diagonal.iter_mut().enumerate() {
                column[i] = Wide::ONE;
            }
            *reach = [Wide::ZERO; 6];
        }
    }

    /// Mass (kg) and inertia (kg m², world axes, symmetric) of a body.
    #[inline(always)]
    pub fn set_body(&mut self, body: usize, mass: Wide, inertia: &[[Wide; 3]; 3]) {
        let block = &mut self.diagonal[self.plan.body[body] as usize];
        for i in 0..3 {
            block[i][i] = mass;
            block[3 + i][3..].copy_from_slice(&inertia[i]);
        }
    }

    /// J of part `part` on its body number `at`, row by row.
    #[inline(always)]
    pub fn set_rows(&mut self, part: usize, at: usize, rows: &[[Wide; 6]]) {
        let first = self.plan.places[part].1 as usize;
        let slot = self.plan.slots[self.first_slot[part] + at];
        let block = &mut self.below[slot.block as usize];
        if slot.body_first {
            for (r, row) in (first..).zip(rows) {
                for (column, j) in block.iter_mut().zip(row) {
                    column[r] = *j;
                }
            }
        } else {
            block[first..first + rows.len()].copy_from_slice(rows);
        }
    }

    /// R of row `row` of part `part`.
    #[inline(always)]
    pub fn set_compliance(&mut self, part: usize, row: usize, compliance: Wide) {
        let (node, first) = self.plan.places[part];
        let (node, at) = (node as usize, first as usize + row);
        self.diagonal[node][at][at] = compliance;
        self.reach[node][at] = compliance;
    }

    /// Factors K. Lanes whose K is singular or not finite have NaN in their results.
    pub fn factor(&mut self) {
        run_wide(Factor(self));
    }

    /// 1 if row `row` of part `part` is used, 0 if it was dropped as redundant.
    #[inline(always)]
    pub fn takes_part(&self, part: usize, row: usize) -> Wide {
        let (node, first) = self.plan.places[part];
        let inverse = self.inverse[node as usize][first as usize + row];
        Wide::ZERO.where_less(inverse, Wide::ONE, Wide::ZERO)
    }

    /// Begin a right-hand side that is 0.
    pub fn begin(&mut self) {
        self.y.fill([Wide::ZERO; 6]);
    }

    /// σ of row `row` of part `part`, which the solve cancels.
    #[inline(always)]
    pub fn set_sigma(&mut self, part: usize, row: usize, sigma: Wide) {
        let (node, first) = self.plan.places[part];
        self.y[node as usize][first as usize + row] = -sigma;
    }

    /// First half of the solve that cancels σ: y ← 𝓛⁻¹ y.
    pub fn forward(&mut self) {
        run_wide(Forward(self));
    }

    /// Second half: y ← 𝓛⁻ᵀ S y.
    pub fn backward(&mut self) {
        run_wide(Backward(self));
    }

    /// Change of the impulse of row `row` of part `part`.
    #[inline(always)]
    pub fn impulse(&self, part: usize, row: usize) -> Wide {
        let (node, first) = self.plan.places[part];
        -self.y[node as usize][first as usize + row]
    }
}

/// K = 𝓛 S 𝓛ᵀ.
struct Factor<'a>(&'a mut LaneFactors);

impl Routine for Factor<'_> {
    type Output = ();

    #[inline(always)]
    fn run<A: Arithmetic>(self) {
        let LaneFactors {
            plan,
            diagonal,
            inverse,
            below,
            reach,
            rigid,
            ..
        } = self.0;
        let mut targets = plan.targets.iter();
        for c in 0..plan.nodes() {
            let body = plan.is_body[c];
            let column = plan.column(c);
            if rigid[c] {
                kernel6::cholesky_lanes::<A, true>(&mut diagonal[c], &mut inverse[c]);
                for below in &mut below[column.clone()] {
                    kernel6::solve_right_lanes::<A, true, 6>(&diagonal[c], &inverse[c], below);
                }
            } else {
                if body {
                    kernel6::cholesky_lanes::<A, false>(&mut diagonal[c], &mut inverse[c]);
                } else {
                    let (block, inverse) = (&mut diagonal[c], &mut inverse[c]);
                    kernel6::cholesky_dropping_lanes::<A>(block, inverse, &reach[c], ACCURACY);
                }
                for below in &mut below[column.clone()] {
                    kernel6::solve_right_lanes::<A, false, 6>(&diagonal[c], &inverse[c], below);
                }
            }
            let (done, later) = below.split_at_mut(column.end);
            for i in column.clone() {
                let row = *targets.next().expect("one target per pair") as usize;
                let minus = body == plan.is_body[row];
                kernel6::add_square_lanes::<A>(&mut diagonal[row], minus, &done[i]);
                if body && !plan.is_body[row] {
                    kernel6::add_row_squares_lanes::<A>(&mut reach[row], &done[i]);
                }
                for j in i + 1..column.end {
                    let target = *targets.next().expect("one target per pair") as usize;
                    let block = &mut later[target - column.end];
                    kernel6::add_product_lanes::<A, 6, 6>(block, body, &done[j], &done[i]);
                }
            }
        }
    }
}

struct Forward<'a>(&'a mut LaneFactors);

impl Routine for Forward<'_> {
    type Output = ();

    #[inline(always)]
    fn run<A: Arithmetic>(self) {
        let LaneFactors {
            plan,
            diagonal,
            inverse,
            below,
            y,
            ..
        } = self.0;
        for c in 0..plan.nodes() {
            let (done, later) = y.split_at_mut(c + 1);
            let x = &mut done[c];
            kernel6::forward_block::<A>(&diagonal[c], &inverse[c], x);
            for b in plan.column(c) {
                let y = &mut later[plan.rows[b] as usize - c - 1];
                kernel6::add_multiply_block::<A, 6>(&below[b], plan.is_body[c], x, y);
            }
        }
    }
}

struct Backward<'a>(&'a mut LaneFactors);

impl Routine for Backward<'_> {
    type Output = ();

    #[inline(always)]
    fn run<A: Arithmetic>(self) {
        let LaneFactors {
            plan,
            diagonal,
            inverse,
            below,
            y,
            ..
        } = self.0;
        for c in (0..plan.nodes()).rev() {
            let (done, later) = y.split_at_mut(c + 1);
            let x = &mut done[c];
            for b in plan.column(c) {
                let y = &later[plan.rows[b] as usize - c - 1];
                kernel6::subtract_transposed_block::<A, 6>(&below[b], y, x);
            }
            if !plan.is_body[c] {
                for x in x.iter_mut() {
                    *x = -*x;
                }
            }
            kernel6::backward_block::<A>(&diagonal[c], &inverse[c], x);
        }
    }
}
