//! Ways to solve (D + shift) x = b, D = J M⁻¹ Jᵀ, behind one trait.

mod block_cholesky;
mod body_graph;
mod dense;
pub(crate) mod kernel6;
mod newton_matrix;
mod sparse;
pub(crate) mod symbolic;

pub use crate::sets::Slope;
pub use body_graph::BodyGraph;
pub use dense::{Dense, delassus_matrix};
pub use newton_matrix::{NewtonMatrix, Symmetry};
pub use sparse::Sparse;

use crate::blocks::BlockCsr6;
use crate::problem::{Operator, Problem};
use serde::{Deserialize, Serialize};
use symbolic::Graph;

/// A factorisation met a pivot that is not positive: the matrix is not positive definite, or a number
/// in it is not finite.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the factorisation met a pivot that is not positive")]
pub struct NotPositive;

/// A factorisation of D + diag(shift), shift > 0.
pub trait Delassus: Send {
    /// Factor D + diag(shift). The compliance R is part of `shift`.
    fn factor(&mut self, problem: &Problem, shift: &[f64]) -> Result<(), NotPositive>;

    /// out = (D + diag(shift))⁻¹ rhs, for the problem and shift last factored.
    fn solve(&mut self, problem: &Problem, rhs: &[f64], out: &mut [f64]);
}

/// Which factorisation to use. All give the same λ to round-off.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OperatorChoice {
    /// [`OperatorChoice::BodyGraph`] where bodies are known, else [`OperatorChoice::Sparse`].
    #[default]
    Auto,
    /// Dense Cholesky of D + shift: n³/3 flops, n rows.
    Dense,
    /// Block Cholesky of M + Jᵀ shift⁻¹ J on the graph of bodies.
    BodyGraph,
    /// Sparse Cholesky of D + shift, where only D is known.
    Sparse,
}

/// The chosen factorisation, allocated once and reused.
#[derive(Default)]
pub struct AnyDelassus {
    choice: OperatorChoice,
    dense: Dense,
    graph: BodyGraph,
    sparse: Sparse,
}

impl AnyDelassus {
    /// With the given choice.
    pub fn new(choice: OperatorChoice) -> Self {
        Self {
            choice,
            ..Self::default()
        }
    }

    fn pick(&mut self, problem: &Problem) -> &mut dyn Delassus {
        let bodies = matches!(problem.operator, Operator::Bodies { .. });
        match (self.choice, bodies) {
            (OperatorChoice::Dense, _) => &mut self.dense,
            (_, false) => &mut self.sparse,
            (_, true) => &mut self.graph,
        }
    }
}

impl Delassus for AnyDelassus {
    fn factor(&mut self, problem: &Problem, shift: &[f64]) -> Result<(), NotPositive> {
        self.pick(problem).factor(problem, shift)
    }

    fn solve(&mut self, problem: &Problem, rhs: &[f64], out: &mut [f64]) {
        self.pick(problem).solve(problem, rhs, out);
    }
}

/// The graph that joins bodies sharing a constraint block.
fn build_graph(jacobian: &BlockCsr6, graph: &mut Graph) {
    graph.clear(jacobian.bodies());
    for k in 0..jacobian.blocks() {
        let entries = jacobian.entries_of(k);
        for (i, a) in entries.iter().enumerate() {
            for b in &entries[i + 1..] {
                graph.join(a.body, b.body);
            }
        }
    }
    graph.finish();
}
