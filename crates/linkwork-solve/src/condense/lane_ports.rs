//! Ports of eight problems at once, one per lane: Λ = P K⁻¹ Pᵀ as in [`super::columns`]. A port is a body with up to six rows on it, whose values differ from
//! lane to lane.
//!
//! These rows are an additional block row below the factorisation of K, B = P 𝓛⁻ᵀ along the elimination path of the
//! body. Λ is the sum of ±B Bᵀ over the nodes that two paths share.

use super::lane_factors::LaneFactors;
use super::plan::Plan;
use crate::arithmetic::{Arithmetic, Routine, run_wide};
use crate::delassus::kernel6::{self, LaneBlock};
use crate::lanes::Wide;
use std::ops::Range;

/// Ports, with B and Λ.
#[derive(Clone, Debug, Default)]
pub struct LanePorts {
    /// In ascending order.
    bodies: Vec<usize>,
    /// P of each port, column by column, and the largest number of its rows in any lane.
    starts: Vec<LaneBlock>,
    most: usize,
    /// End of the path of each body in `nodes` and `blocks`.
    ends: Vec<usize>,
    nodes: Vec<u32>,
    blocks: Vec<LaneBlock>,
    /// Position of a node in the present path.
    place: Vec<u32>,
    /// Λ by pairs of ports i ≥ j.
    matrix: Vec<LaneBlock>,
}

impl LanePorts {
    /// The bodies, in ascending order.
    pub fn bodies(&self) -> &[usize] {
        &self.bodies
    }

    /// Begin with these bodies, which are in ascending order, and no rows.
    pub fn begin(&mut self, bodies: &[usize]) {
        self.bodies.clear();
        self.bodies.extend_from_slice(bodies);
        self.starts.clear();
        self.starts.resize(bodies.len(), [[Wide::ZERO; 6]; 6]);
        self.most = 0;
    }

    /// Set row `row` of port `i` in one lane.
    pub fn set_row(&mut self, lane: usize, (i, row): (usize, usize), values: &[f64; 6]) {
        self.most = self.most.max(row + 1);
        for (column, value) in self.starts[i].iter_mut().zip(values) {
            column[row].0[lane] = *value;
        }
    }

    /// Compute B and Λ.
    pub fn complete(&mut self, factors: &LaneFactors) {
        let plan = &*factors.plan;
        self.ends.clear();
        self.nodes.clear();
        for &body in &self.bodies {
            let mut next = Some(plan.body[body]);
            while let Some(node) = next {
                self.nodes.push(node);
                next = plan.parent(node);
            }
            self.ends.push(self.nodes.len());
        }
        self.place.resize(plan.nodes(), 0);
        // Bodies with one contact point have three rows.
        if self.most <= 3 {
            run_wide(Complete::<3>(self, factors));
        } else {
            run_wide(Complete::<6>(self, factors));
        }
    }

    /// The path of port `i`.
    fn path(&self, i: usize) -> Range<usize> {
        let start = i.checked_sub(1).map_or(0, |before| self.ends[before]);
        start..self.ends[i]
    }

    /// Λ in one lane, by rows, of the first rows of some ports: their numbers, and how many.
    pub fn matrix(&self, lane: usize, ports: &[(usize, usize)], out: &mut Vec<f64>) {
        let n: usize = ports.iter().map(|(_, rows)| rows).sum();
        // Every entry is written.
        out.resize(n * n, 0.0);
        let mut p = 0;
        for (at, &(i, height)) in ports.iter().enumerate() {
            let mut q = 0;
            for &(j, width) in &ports[..=at] {
                let block = &self.matrix[i * (i + 1) / 2 + j];
                for (c, column) in block[..width].iter().enumerate() {
                    let first = if i == j { c } else { 0 };
                    for (r, value) in column[..height].iter().enumerate().skip(first) {
                        let (row, column) = (p + r, q + c);
                        out[row * n + column] = value.0[lane];
                        out[column * n + row] = value.0[lane];
                    }
                }
                q += width;
            }
            p += height;
        }
    }

    /// The velocity that closing the eliminated rows gives to the ports, after [`LaneFactors::forward`].
    pub fn felt(&self, factors: &LaneFactors, out: &mut Vec<[Wide; 6]>) {
        out.clear();
        out.resize(self.bodies.len(), [Wide::ZERO; 6]);
        if self.most <= 3 {
            run_wide(Felt::<3>(self, factors, out));
        } else {
            run_wide(Felt::<6>(self, factors, out));
        }
    }

    /// Add impulses on the ports, before [`LaneFactors::backward`].
    pub fn spread(&self, factors: &mut LaneFactors, change: &[[Wide; 6]]) {
        if self.most <= 3 {
            run_wide(Spread::<3>(self, factors, change));
        } else {
            run_wide(Spread::<6>(self, factors, change));
        }
    }
}

/// B and Λ of ports of up to `R` rows.
struct Complete<'a, const R: usize>(&'a mut LanePorts, &'a LaneFactors);

impl<const R: usize> Routine for Complete<'_, R> {
    type Output = ();

    #[inline(always)]
    fn run<A: Arithmetic>(self) {
        let Self(ports, factors) = self;
        let plan = &*factors.plan;
        ports.blocks.resize(ports.nodes.len(), [[Wide::ZERO; 6]; 6]);
        for i in 0..ports.bodies.len() {
            let path = ports.path(i);
            for (at, &node) in ports.nodes[path.clone()].iter().enumerate() {
                ports.place[node as usize] = at as u32;
            }
            let mut blocks = &mut ports.blocks[path.clone()];
            for block in &mut *blocks {
                empty::<6, R>(block);
            }
            blocks[0] = ports.starts[i];
            for (at, &node) in ports.nodes[path].iter().enumerate() {
                let c = node as usize;
                let Some((block, later)) = blocks.split_first_mut() else {
                    break;
                };
                let (diagonal, inverse) = (&factors.diagonal[c], &factors.inverse[c]);
                if factors.rigid[c] {
                    kernel6::solve_right_lanes::<A, true, R>(diagonal, inverse, block);
                } else {
                    kernel6::solve_right_lanes::<A, false, R>(diagonal, inverse, block);
                }
                for b in plan.column(c) {
                    let place = ports.place[plan.rows[b] as usize] as usize - at - 1;
                    let below = &factors.below[b];
                    kernel6::add_product_lanes::<A, R, 6>(
                        &mut later[place],
                        plan.is_body[c],
                        block,
                        below,
                    );
                }
                blocks = later;
            }
        }
        let n = ports.bodies.len();
        let mut matrix = std::mem::take(&mut ports.matrix);
        matrix.resize(n * (n + 1) / 2, [[Wide::ZERO; 6]; 6]);
        for i in 0..n {
            for j in 0..=i {
                let block = &mut matrix[i * (i + 1) / 2 + j];
                empty::<R, R>(block);
                multiply::<A, R>(plan, ports, [i, j], block);
            }
        }
        ports.matrix = matrix;
    }
}

/// Empty the first `R` rows of the first `C` columns: nothing reads the others.
#[inline(always)]
fn empty<const C: usize, const R: usize>(block: &mut LaneBlock) {
    for column in &mut block[..C] {
        column[..R].fill(Wide::ZERO);
    }
}

/// Λ_ij: the sum of ±B_i B_jᵀ over the nodes of both paths, which end alike.
#[inline(always)]
fn multiply<A: Arithmetic, const R: usize>(
    plan: &Plan,
    ports: &LanePorts,
    [i, j]: [usize; 2],
    sum: &mut LaneBlock,
) {
    let (a, b) = (ports.path(i), ports.path(j));
    let nodes = &ports.nodes;
    let (mut s, mut t) = (a.end, b.end);
    while s > a.start && t > b.start && nodes[s - 1] == nodes[t - 1] {
        s -= 1;
        t -= 1;
        let minus = !plan.is_body[nodes[s] as usize];
        let (a, b) = (&ports.blocks[s], &ports.blocks[t]);
        kernel6::add_product_lanes::<A, R, R>(sum, minus, a, b);
    }
}

struct Felt<'a, const R: usize>(&'a LanePorts, &'a LaneFactors, &'a mut [[Wide; 6]]);

impl<const R: usize> Routine for Felt<'_, R> {
    type Output = ();

    #[inline(always)]
    fn run<A: Arithmetic>(self) {
        let Self(ports, factors, out) = self;
        for (i, sum) in out.iter_mut().enumerate() {
            let path = ports.path(i);
            for (&node, block) in ports.nodes[path.clone()].iter().zip(&ports.blocks[path]) {
                let c = node as usize;
                let minus = !factors.plan.is_body[c];
                kernel6::add_multiply_block::<A, R>(block, minus, &factors.y[c], sum);
            }
        }
    }
}

struct Spread<'a, const R: usize>(&'a LanePorts, &'a mut LaneFactors, &'a [[Wide; 6]]);

impl<const R: usize> Routine for Spread<'_, R> {
    type Output = ();

    #[inline(always)]
    fn run<A: Arithmetic>(self) {
        let Self(ports, factors, change) = self;
        for (i, change) in change.iter().enumerate() {
            let minus = change.map(|x| -x);
            let path = ports.path(i);
            for (&node, block) in ports.nodes[path.clone()].iter().zip(&ports.blocks[path]) {
                let y = &mut factors.y[node as usize];
                kernel6::subtract_transposed_block::<A, R>(block, &minus, y);
            }
        }
    }
}
