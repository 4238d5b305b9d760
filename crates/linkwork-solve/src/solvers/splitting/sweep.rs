//! One sweep: every block solved alone, against the newest impulses of the others [Tsounis Alg. 5].

use super::blocks::{Block, Blocks};
use super::one_contact::Contact;
use super::settings::SweepOrder;
use super::state::State;
use crate::problem::Problem;
use crate::residuals::{ContactModel, larger};
use crate::sets::{ImpulseSet, MAX_DIM};

/// What a solver does at a contact.
pub trait ContactRule: Send {
    /// The law by which its answers are judged.
    fn model(&self) -> ContactModel;

    /// Called at the start of a solve: discards stored data.
    fn restart(&mut self) {}

    /// Called if the residual has grown since the last evaluation.
    fn residual_grew(&mut self) {}

    /// The new impulse, from the present one and the velocity σ_k it leaves.
    fn update(&self, contact: &Contact, lambda: &[f64; 3], sigma: &[f64; 3]) -> [f64; 3];
}

/// Result of a sweep.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Progress {
    /// The scaled natural map of each block before its visit, the larger of N s and m/s.
    pub residual: f64,
    /// Change of f = ½ λᵀ(D + R)λ + λᵀ(v_f + v*), J.
    pub objective: f64,
}

/// The impulses and everything a sweep needs.
#[derive(Default)]
pub(super) struct Sweeper {
    pub lambda: Vec<f64>,
    pub state: State,
    pub blocks: Blocks,
    pub weights: Vec<f64>,
    /// The blocks in the order of a forward sweep.
    visits: Vec<usize>,
    sigma: Vec<f64>,
    change: Vec<f64>,
}

impl Sweeper {
    /// Sets the order of the blocks, which must be prepared.
    pub fn arrange(&mut self, order: SweepOrder) {
        self.visits.clear();
        self.visits.extend(0..self.blocks.blocks.len());
        if order == SweepOrder::Kinds {
            let kind = |k: &usize| match self.blocks.blocks[*k] {
                Block::Free(_) => 0,
                Block::Single(_) => 1,
                Block::Contact(_) => 2,
            };
            self.visits.sort_by_key(kind);
        }
    }

    /// Visit all blocks, `backward` from the last, with relaxation ω.
    pub fn sweep<R: ContactRule>(
        &mut self,
        problem: &Problem,
        rule: &R,
        omega: f64,
        backward: bool,
    ) -> Progress {
        let mut progress = Progress::default();
        let blocks = self.visits.len();
        for i in 0..blocks {
            let k = self.visits[if backward { blocks - 1 - i } else { i }];
            let rows = problem.sets.range(k);
            self.sigma.resize(rows.len(), 0.0);
            self.state.sigma(problem, &self.lambda, k, &mut self.sigma);
            let w = self.weights[k];
            let lambda = &self.lambda[rows.clone()];
            let found = natural_map(problem.sets.set(k), lambda, &self.sigma, w, rule.model());
            progress.residual = larger(progress.residual, found * larger(w, 1.0));
            progress.objective += self.solve_block(problem, rule, omega, k);
            for (lambda, change) in self.lambda[rows].iter_mut().zip(&self.change) {
                *lambda += change;
            }
            self.state.push(problem, k, &self.change);
        }
        progress
    }

    /// Δλ_k for the velocity in `sigma`, into `change`; the change of the objective it makes,
    /// Δλ_kᵀσ_k + ½ Δλ_kᵀD̃_kk Δλ_k.
    fn solve_block<R: ContactRule>(
        &mut self,
        problem: &Problem,
        rule: &R,
        omega: f64,
        k: usize,
    ) -> f64 {
        let (set, rows) = (problem.sets.set(k), problem.sets.range(k));
        let (sigma, change) = (&self.sigma, &mut self.change);
        let lambda = &self.lambda[rows];
        change.clear();
        match self.blocks.blocks[k] {
            Block::Free(start) => {
                change.extend_from_slice(sigma);
                self.blocks.solve_free(start, change);
                change.iter_mut().for_each(|c| *c *= -omega);
                // D̃ Δλ = −ω σ.
                (1.0 - 0.5 * omega) * dot(change, sigma)
            }
            Block::Single(d) => {
                let mut new = [lambda[0] - sigma[0] / d];
                set.project(&mut new);
                relax(set, omega, lambda, &mut new);
                change.push(new[0] - lambda[0]);
                change[0] * (sigma[0] + 0.5 * d * change[0])
            }
            Block::Contact(place) => {
                let contact = &self.blocks.contacts[place];
                let old = [lambda[0], lambda[1], lambda[2]];
                let mut new = rule.update(contact, &old, &[sigma[0], sigma[1], sigma[2]]);
                relax(set, omega, &old, &mut new);
                change.extend(new.iter().zip(old).map(|(new, old)| new - old));
                let product = contact.multiply(change);
                dot(change, sigma) + 0.5 * dot(change, &product)
            }
        }
    }
}

/// new ← (1 − ω) old + ω new. Beyond ω = 1 it may leave the set and is projected back.
fn relax(set: ImpulseSet, omega: f64, old: &[f64], new: &mut [f64]) {
    if omega == 1.0 {
        return;
    }
    for (new, old) in new.iter_mut().zip(old) {
        *new = old + omega * (*new - old);
    }
    if omega > 1.0 {
        set.project(new);
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// |λ_k − P_K(λ_k − (σ_k + Γ)/w)|∞, N s.
fn natural_map(set: ImpulseSet, lambda: &[f64], sigma: &[f64], w: f64, model: ContactModel) -> f64 {
    if set.is_free() {
        return sigma.iter().fold(0.0, |a, s| larger(a, s.abs() / w));
    }
    let dim = lambda.len();
    let mut point = [0.0; MAX_DIM];
    let point = &mut point[..dim];
    for i in 0..dim {
        point[i] = lambda[i] - sigma[i] / w;
    }
    if model == ContactModel::Ncp {
        point[dim - 1] -= set.desaxce_shift(sigma) / w;
    }
    set.project(point);
    (0..dim).fold(0.0, |a, i| larger(a, (lambda[i] - point[i]).abs()))
}
