//! The small problem that is left without joints: dense, of what can open, slip or saturate.
//!
//! A proximal method with semismooth Newton inside ([`super::pass`]): a pass solves the problem with a compliance
//! δ w about the impulses λᵏ of the pass before, which is small where the active set is known, and grows
//! where Newton does not find it. Rows that share a load in many ways (corners of a foot) so keep their
//! shares. Where Coulomb's law itself gets in the way, passes with a lagged De Saxcé shift, each a convex problem
//! that Newton with a line search always solves, lead near the solution first.

use super::pass::{Law, Pass, PassEnd};
use super::ports::Ports;
use crate::problem::{Problem, Solution};
use crate::residuals::larger;
use crate::sets::{Friction, ImpulseSet, MAX_DIM};

/// δ of the first pass, and of those near a solution.
const NEAR: f64 = 1e-6;
/// Least δ: where rows share a load in many ways, a pass moves it by what they contradict each other by, over δ.
const LEAST: f64 = 1e-12;
/// δ where the guess does not lead to the active set.
const FAR: f64 = 1e-3;
/// δ at which passes with the exact law count as stuck.
const REACH: f64 = 1e-2;
/// Passes with a lagged shift in a row.
const LAGGED: usize = 5;
/// Passes at most, and passes without gain.
const PASSES: usize = 200;
const VAIN: usize = 40;

/// The problem, its iterate, and buffers.
#[derive(Clone, Debug, Default)]
pub(super) struct Small {
    /// Blocks of the problem.
    pub blocks: Vec<usize>,
    /// Sets and the first row of each.
    pub sets: Vec<(ImpulseSet, usize)>,
    /// C.
    pub ports: Ports,
    pub compliance: Vec<f64>,
    /// One weight a block, tr(C Λ Cᵀ + R)/dim.
    pub weights: Vec<f64>,
    /// λ and σ(λ).
    pub lambda: Vec<f64>,
    pub sigma: Vec<f64>,
    best: (f64, Vec<f64>, Vec<f64>),
    pass: Pass,
}

impl Small {
    /// No blocks.
    pub fn clear(&mut self) {
        self.blocks.clear();
        self.ports.clear();
        self.pass.restart();
    }

    /// Λ covers more ports than before.
    pub fn grown(&mut self, ports: usize) {
        self.ports.len = ports;
        self.pass.restart();
    }

    /// The problem at `x`, with `felt` the velocity that closing the joints gives to the ports.
    pub fn load(
        &mut self,
        problem: &Problem,
        x: &Solution,
        felt: &[f64],
        mobility: &[f64],
        weights: &[f64],
    ) {
        self.sets.clear();
        self.weights.clear();
        self.lambda.clear();
        self.sigma.clear();
        self.compliance.clear();
        for (k, &block) in self.blocks.iter().enumerate() {
            let range = problem.sets.range(block);
            let dim = range.len();
            let mut moved = [0.0; MAX_DIM];
            self.ports.multiply(k, felt, &mut moved[..dim]);
            self.sets.push((problem.sets.set(block), self.lambda.len()));
            self.lambda.extend_from_slice(&x.lambda[range.clone()]);
            let sigma = x.sigma[range.clone()].iter().zip(&moved);
            self.sigma.extend(sigma.map(|(s, m)| s + m));
            let compliance = &problem.compliance[range];
            self.compliance.extend_from_slice(compliance);
            let trace = self.ports.trace(k, dim, mobility) + compliance.iter().sum::<f64>();
            // A block that the joints hold altogether feels nothing of itself.
            let floor = 1e-12 * weights[block];
            self.weights.push((trace / dim as f64).max(floor));
        }
    }

    /// Put the impulses found into `lambda`, and their change on the ports into `on_ports`.
    pub fn hand_over(&self, problem: &Problem, lambda: &mut [f64], on_ports: &mut Vec<f64>) {
        on_ports.clear();
        on_ports.resize(self.ports.len, 0.0);
        let mut change = [0.0; MAX_DIM];
        for (k, &block) in self.blocks.iter().enumerate() {
            let (set, row) = self.sets[k];
            let dim = set.dim();
            let lambda = &mut lambda[problem.sets.range(block)];
            for r in 0..dim {
                change[r] = self.lambda[row + r] - lambda[r];
                lambda[r] = self.lambda[row + r];
            }
            self.ports.add_transposed(k, &change[..dim], on_ports);
        }
    }

    /// Go on from `lambda` until the residual is at most `goal`; returns the factorisations made. The
    /// best iterate is left.
    pub fn solve(&mut self, mobility: &[f64], goal: f64) -> usize {
        let mut cost = 0;
        let mut size = self.measure();
        let mut delta = NEAR;
        let mut lagged = 0;
        let mut vain = 0;
        self.best.0 = f64::INFINITY;
        let mut found = false;
        for _ in 0..PASSES {
            vain = if size < 0.5 * self.best.0 {
                0
            } else {
                vain + 1
            };
            if size < self.best.0 {
                self.best.0 = size;
                self.best.1.clone_from(&self.lambda);
                self.best.2.clone_from(&self.sigma);
            }
            if size <= goal {
                return cost;
            }
            if vain > VAIN || size.is_nan() {
                break;
            }
            let friction = if lagged > 0 {
                Friction::Lagged
            } else {
                Friction::Exact
            };
            let law = Law {
                sets: &self.sets,
                ports: &self.ports,
                mobility,
                compliance: &self.compliance,
                weights: &self.weights,
                delta,
                friction,
            };
            // Solved to a share of what the proximal term leaves anyway.
            let inner = 0.3 * goal.max(1e-3 * size);
            let end = self.pass.run(&law, &self.lambda, &self.sigma, inner);
            cost += self.pass.factorizations;
            let before = size;
            if end != PassEnd::Stuck {
                self.pass.take(&law, &mut self.lambda, &mut self.sigma);
                size = self.measure();
            }
            found |= end == PassEnd::Done || delta >= FAR;
            let flat = size > 0.5 * before;
            (delta, lagged) = match (end, friction) {
                (PassEnd::Done, Friction::Exact) if flat => ((0.01 * delta).max(LEAST), 0),
                (PassEnd::Done, Friction::Exact) => ((0.1 * delta).max(NEAR).min(delta), 0),
                (PassEnd::Stuck, Friction::Exact) if !found => (delta.max(FAR), 0),
                (PassEnd::Stuck, Friction::Exact) if delta < REACH => (10.0 * delta, 0),
                (PassEnd::Stuck, Friction::Exact) => (0.1 * FAR, LAGGED),
                // After the last, the exact law again.
                (PassEnd::Done, Friction::Lagged) => (delta, lagged - 1),
                (PassEnd::Stuck, Friction::Lagged) => (10.0 * delta, lagged - 1),
            };
        }
        if self.best.0 < f64::INFINITY {
            self.lambda.clone_from(&self.best.1);
            self.sigma.clone_from(&self.best.2);
        }
        cost
    }

    /// max |λ − Π(λ − σ/w)| as an impulse and as a velocity, Π the exact response of each block.
    fn measure(&self) -> f64 {
        let mut size = 0.0;
        for (&(set, row), &w) in self.sets.iter().zip(&self.weights) {
            let dim = set.dim();
            let mut tau = [0.0; MAX_DIM];
            for r in 0..dim {
                tau[r] = self.lambda[row + r] - self.sigma[row + r] / w;
            }
            set.respond(Friction::Exact, &mut tau[..dim], &[1.0 / w; MAX_DIM]);
            for r in 0..dim {
                let f = (self.lambda[row + r] - tau[r]).abs();
                size = larger(size, f.max(w * f));
            }
        }
        size
    }
}
