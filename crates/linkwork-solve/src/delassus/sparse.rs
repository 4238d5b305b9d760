//! Sparse Cholesky of D + diag(shift) where only D is known: supernodal, by faer. The symbolic analysis is reused while
//! the pattern of D stays the same.

use super::{Delassus, NotPositive};
use crate::blocks::SparseSym;
use crate::problem::{Operator, Problem};
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::factor::LltRegularization;
use faer::sparse::linalg::SupernodalThreshold;
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, LltRef, SymbolicCholesky, SymmetricOrdering,
    factorize_symbolic_cholesky,
};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMatRef};
use faer::{Conj, MatMut, Par, Side, Spec};

/// The factor and its buffers.
#[derive(Default)]
pub struct Sparse {
    analysis: Option<Analysis>,
    /// D + shift, both triangles, and where the diagonal entries are.
    starts: Vec<usize>,
    rows: Vec<usize>,
    values: Vec<f64>,
    diagonal: Vec<usize>,
    factor: Vec<f64>,
}

struct Analysis {
    symbolic: SymbolicCholesky<usize>,
    memory: MemBuffer,
}

impl Sparse {
    /// Copy the pattern of `matrix`, with every diagonal entry; analyse it if it is a new one.
    fn analyse(&mut self, matrix: &SparseSym) -> Result<(), NotPositive> {
        let (mut starts, mut rows, mut diagonal) = (vec![0], Vec::new(), Vec::new());
        for c in 0..matrix.rows() {
            let mut columns: Vec<usize> = matrix.row(c).map(|(r, _)| r).collect();
            if let Err(at) = columns.binary_search(&c) {
                columns.insert(at, c);
            }
            diagonal.push(rows.len() + columns.partition_point(|&r| r < c));
            rows.extend(columns);
            starts.push(rows.len());
        }
        if self.analysis.is_some() && starts == self.starts && rows == self.rows {
            return Ok(());
        }
        (self.starts, self.rows, self.diagonal) = (starts, rows, diagonal);
        let n = matrix.rows();
        let pattern = SymbolicSparseColMatRef::new_checked(n, n, &self.starts, None, &self.rows);
        let params = CholeskySymbolicParams {
            supernodal_flop_ratio_threshold: SupernodalThreshold::FORCE_SUPERNODAL,
            ..CholeskySymbolicParams::default()
        };
        let symbolic =
            factorize_symbolic_cholesky(pattern, Side::Lower, SymmetricOrdering::Amd, params)
                .map_err(|_| NotPositive)?;
        let scratch = symbolic
            .factorize_numeric_llt_scratch::<f64>(Par::Seq, Spec::default())
            .or(symbolic.solve_in_place_scratch::<f64>(1, Par::Seq));
        self.factor.clear();
        self.factor.resize(symbolic.len_val(), 0.0);
        self.analysis = Some(Analysis {
            symbolic,
            memory: MemBuffer::new(scratch),
        });
        Ok(())
    }
}

impl Delassus for Sparse {
    fn factor(&mut self, problem: &Problem, shift: &[f64]) -> Result<(), NotPositive> {
        let Operator::Delassus { matrix, .. } = &problem.operator else {
            // Problems with bodies are factored on the graph of bodies.
            return Err(NotPositive);
        };
        self.analyse(matrix)?;
        self.values.clear();
        self.values.resize(self.rows.len(), 0.0);
        for (c, shift) in shift.iter().enumerate() {
            let column = self.starts[c]..self.starts[c + 1];
            // Both lists ascend; ours may have the diagonal in addition.
            let mut at = column.start;
            for (r, v) in matrix.row(c) {
                while self.rows[at] != r {
                    at += 1;
                }
                self.values[at] = v;
            }
            self.values[self.diagonal[c]] += shift;
        }
        let n = matrix.rows();
        let pattern = SymbolicSparseColMatRef::new_checked(n, n, &self.starts, None, &self.rows);
        let matrix = SparseColMatRef::new(pattern, &self.values);
        let analysis = self.analysis.as_mut().expect("analysed above");
        analysis
            .symbolic
            .factorize_numeric_llt(
                &mut self.factor,
                matrix,
                Side::Lower,
                LltRegularization::default(),
                Par::Seq,
                MemStack::new(&mut analysis.memory),
                Spec::default(),
            )
            .map_err(|_| NotPositive)?;
        Ok(())
    }

    fn solve(&mut self, _problem: &Problem, rhs: &[f64], out: &mut [f64]) {
        out.copy_from_slice(rhs);
        let n = out.len();
        let Some(analysis) = &mut self.analysis else {
            return;
        };
        LltRef::new(&analysis.symbolic, &self.factor).solve_in_place_with_conj(
            Conj::No,
            MatMut::from_column_major_slice_mut(out, n, 1),
            Par::Seq,
            MemStack::new(&mut analysis.memory),
        );
    }
}
