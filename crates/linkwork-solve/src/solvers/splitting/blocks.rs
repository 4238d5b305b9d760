//! What a sweep needs of each block: D̃_kk = D_kk + R_kk + ε w_k 1, prepared once a solve.
//!
//! ε w_k is a tiny proximal weight. A visit computes the velocity of the others as z̄ = σ_k − D̃_kk λ_k, so
//! that ε pulls towards the present λ_k only: fixed points are those of ε = 0, and singular blocks
//! have an answer.

use super::one_contact::Contact;
use super::state::State;
use crate::problem::Problem;
use crate::sets::ImpulseSet;

/// A block, ready to be solved alone.
#[derive(Clone, Copy, Debug)]
pub(super) enum Block {
    /// The Cholesky factor of D̃_kk, dim x dim by rows, begins at this place of [`Blocks::factors`].
    Free(usize),
    /// D̃_kk of a single row.
    Single(f64),
    /// Place in [`Blocks::contacts`].
    Contact(usize),
}

/// Whether a block of this set can be solved alone: exactly without bounds; with a single row, where the projection of
/// the unbounded solution is the solution; and by the rule of the solver at a contact.
pub(super) fn is_known(set: ImpulseSet) -> bool {
    set.is_free() || set.dim() == 1 || matches!(set, ImpulseSet::Coulomb { .. })
}

/// All blocks of a problem.
#[derive(Clone, Debug, Default)]
pub(super) struct Blocks {
    pub blocks: Vec<Block>,
    pub contacts: Vec<Contact>,
    factors: Vec<f64>,
    matrix: Vec<f64>,
}

impl Blocks {
    /// Prepare every block; false where a number is not finite, a diagonal is negative or a set unknown.
    pub fn prepare(
        &mut self,
        problem: &Problem,
        state: &State,
        weights: &[f64],
        proximal: f64,
    ) -> bool {
        self.blocks.clear();
        self.contacts.clear();
        self.factors.clear();
        (0..problem.sets.len()).all(|k| self.add(problem, state, k, proximal * weights[k]))
    }

    fn add(&mut self, problem: &Problem, state: &State, k: usize, proximal: f64) -> bool {
        let set = problem.sets.set(k);
        let n = set.dim();
        let d = &mut self.matrix;
        d.clear();
        d.resize(n * n, 0.0);
        state.diagonal_block(problem, k, d);
        for (i, row) in problem.sets.range(k).enumerate() {
            d[i * n + i] += problem.compliance[row] + proximal;
        }
        let block = match set {
            _ if set.is_free() => {
                let start = self.factors.len();
                self.factors.extend_from_slice(d);
                factor(&mut self.factors[start..], n).then_some(Block::Free(start))
            }
            _ if n == 1 => (d[0] > 0.0 && d[0].is_finite()).then_some(Block::Single(d[0])),
            ImpulseSet::Coulomb { mu } => {
                let d = std::array::from_fn(|r| std::array::from_fn(|c| d[3 * r + c]));
                Contact::new(d, mu).map(|contact| {
                    self.contacts.push(contact);
                    Block::Contact(self.contacts.len() - 1)
                })
            }
            _ => None,
        };
        self.blocks.extend(block);
        block.is_some()
    }

    /// x ← D̃_kk⁻¹ x for the free block whose factor begins at `start`.
    pub fn solve_free(&self, start: usize, x: &mut [f64]) {
        let n = x.len();
        let l = &self.factors[start..start + n * n];
        for r in 0..n {
            let s: f64 = (0..r).map(|c| l[r * n + c] * x[c]).sum();
            x[r] = (x[r] - s) / l[r * n + r];
        }
        for r in (0..n).rev() {
            let s: f64 = (r + 1..n).map(|c| l[c * n + r] * x[c]).sum();
            x[r] = (x[r] - s) / l[r * n + r];
        }
    }
}

/// Cholesky factor of the n x n matrix `a`, in its lower triangle; false if it fails.
///
/// A pivot lost in round-off (redundant rows of one joint) is replaced by 1e-14 of the diagonal: the step along such a
/// direction is bounded by the velocity there, which is itself round-off.
fn factor(a: &mut [f64], n: usize) -> bool {
    for c in 0..n {
        let s: f64 = (0..c).map(|j| a[c * n + j] * a[c * n + j]).sum();
        let diagonal = a[c * n + c];
        if diagonal <= 0.0 || !diagonal.is_finite() {
            return false;
        }
        a[c * n + c] = (diagonal - s).max(1e-14 * diagonal).sqrt();
        for r in c + 1..n {
            let s: f64 = (0..c).map(|j| a[r * n + j] * a[c * n + j]).sum();
            a[r * n + c] = (a[r * n + c] - s) / a[c * n + c];
        }
    }
    true
}
