//! Block Cholesky of H = M + Jᵀ S⁻¹ J on the 6x6 graph of bodies, S = diag(shift).
//!
//! By Woodbury, (D + S)⁻¹ b = S⁻¹ (b − J y) with H y = Jᵀ S⁻¹ b. Best where constraints outnumber bodies, as in
//! mechanisms and contacts. A small shift makes H stiff and loses about log₁₀ of D/S digits; solvers compute residual
//! corrections, which recover them.

use super::block_cholesky::{Factor, Substitute};
use super::symbolic::{Graph, Symbolic};
use super::{Delassus, NotPositive, build_graph, kernel6};
use crate::arithmetic::{Plain, run};
use crate::blocks::{Block6, BlockCsr6, BlockDiag6, segment_mut};
use crate::problem::{Operator, Problem};

/// The factorisation and its buffers. Symbolic work is redone only when the graph changes.
#[derive(Clone, Debug, Default)]
pub struct BodyGraph {
    graph: Graph,
    symbolic: Symbolic,
    /// Diagonal blocks of L by elimination position; their diagonals inverted.
    diagonal: Vec<Block6>,
    /// Blocks of L below the diagonal, in the order of `symbolic.rows`.
    below: Vec<Block6>,
    inverse_shift: Vec<f64>,
    weighted: Vec<f64>,
    y: Vec<f64>,
}

impl Delassus for BodyGraph {
    fn factor(&mut self, problem: &Problem, shift: &[f64]) -> Result<(), NotPositive> {
        let (mass, jacobian) = bodies_of(problem);
        self.inverse_shift.clear();
        self.inverse_shift.extend(shift.iter().map(|s| 1.0 / s));
        build_graph(jacobian, &mut self.graph);
        self.symbolic.update(&self.graph);
        self.assemble(mass, jacobian);
        run(Factor {
            symbolic: &self.symbolic,
            diagonal: &mut self.diagonal,
            below: &mut self.below,
        })
    }

    fn solve(&mut self, problem: &Problem, rhs: &[f64], out: &mut [f64]) {
        let (_, jacobian) = bodies_of(problem);
        self.weighted.clear();
        self.weighted
            .extend(rhs.iter().zip(&self.inverse_shift).map(|(r, s)| r * s));
        self.gather(jacobian);
        run(Substitute {
            symbolic: &self.symbolic,
            diagonal: &self.diagonal,
            below: &self.below,
            y: &mut self.y,
        });
        self.scatter(jacobian, out);
        for i in 0..out.len() {
            out[i] = self.inverse_shift[i] * (rhs[i] - out[i]);
        }
    }
}

fn bodies_of(problem: &Problem) -> (&BlockDiag6, &BlockCsr6) {
    match &problem.operator {
        Operator::Bodies { mass, jacobian, .. } => (mass, jacobian),
        Operator::Delassus { .. } => {
            unreachable!("AnyDelassus picks Dense where no bodies are known")
        }
    }
}

impl BodyGraph {
    /// H = M + Jᵀ S⁻¹ J, lower triangle in elimination order.
    fn assemble(&mut self, mass: &BlockDiag6, jacobian: &BlockCsr6) {
        let Self {
            symbolic,
            diagonal,
            below,
            inverse_shift,
            ..
        } = self;
        diagonal.resize(symbolic.columns(), [0.0; 36]);
        below.resize(symbolic.rows.len(), [0.0; 36]);
        below.fill([0.0; 36]);
        for b in 0..mass.len() {
            diagonal[symbolic.position[b] as usize] = mass.block(b);
        }
        for k in 0..jacobian.blocks() {
            let rows = jacobian.rows_of(k);
            let weights = &inverse_shift[rows];
            let entries = jacobian.entries_of(k);
            for (i, a) in entries.iter().enumerate() {
                let ja = jacobian.values_of(a, weights.len());
                let block = &mut diagonal[symbolic.position[a.body] as usize];
                for (w, j) in weights.iter().zip(ja) {
                    kernel6::add_outer::<Plain>(block, *w, j, j);
                }
                for b in &entries[i + 1..] {
                    let jb = jacobian.values_of(b, weights.len());
                    let (index, a_is_row) = symbolic.block(a.body, b.body);
                    let (row, column) = if a_is_row { (ja, jb) } else { (jb, ja) };
                    for ((w, r), c) in weights.iter().zip(row).zip(column) {
                        kernel6::add_outer::<Plain>(&mut below[index], *w, r, c);
                    }
                }
            }
        }
    }

    /// y = Jᵀ weighted, in elimination order.
    fn gather(&mut self, jacobian: &BlockCsr6) {
        self.y.clear();
        self.y.resize(6 * jacobian.bodies(), 0.0);
        for k in 0..jacobian.blocks() {
            let weighted = &self.weighted[jacobian.rows_of(k)];
            for entry in jacobian.entries_of(k) {
                let y = segment_mut(&mut self.y, self.symbolic.position[entry.body] as usize);
                for (w, j) in weighted
                    .iter()
                    .zip(jacobian.values_of(entry, weighted.len()))
                {
                    for (y, j) in y.iter_mut().zip(j) {
                        *y += w * j;
                    }
                }
            }
        }
    }

    /// out = J y.
    fn scatter(&self, jacobian: &BlockCsr6, out: &mut [f64]) {
        for k in 0..jacobian.blocks() {
            let out = &mut out[jacobian.rows_of(k)];
            out.fill(0.0);
            for entry in jacobian.entries_of(k) {
                let position = self.symbolic.position[entry.body] as usize;
                let y = crate::blocks::segment(&self.y, position);
                let values = jacobian.values_of(entry, out.len());
                for (out, j) in out.iter_mut().zip(values) {
                    *out += crate::blocks::dot6::<Plain>(j, y);
                }
            }
        }
    }
}
