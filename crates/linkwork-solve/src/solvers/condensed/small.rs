//! The small problem that is left without joints: dense, of what can open, slip or saturate.
//!
//! Semismooth Newton on F(λ) = λ − Π(λ − σ/w), Π the response of each block's set (for a contact
//! Alart-Curnier's, which is Signorini-Coulomb exactly), σ = σ₀ + (S + R)(λ − λ₀). With P' the derivative of Π a step
//! solves (P'(S + R) + w (1 − P')) δ = −w F: blocks that answer nothing (open, saturated) give their δ directly, and
//! blocks that stick have the rows of S + R.

use super::dense::Factors;
use crate::delassus::Slope;
use crate::residuals::larger;
use crate::sets::ImpulseSet;
use crate::solvers::contact_law::{Friction, respond};

/// Steps at most.
const STEPS: usize = 20;
/// Steps in a row without gain after which another method has to go on.
const VAIN_STEPS: usize = 5;
/// Proximal weight relative to the weight of a block: rows that share a load in many ways (corners of a foot)
/// keep their share.
const PROXIMAL: f64 = 1e-9;

/// The problem, its iterate, and buffers.
#[derive(Clone, Debug, Default)]
pub(super) struct Small {
    pub sets: Vec<(ImpulseSet, usize)>,
    /// S + R by rows.
    pub matrix: Vec<f64>,
    /// One weight a block.
    pub weights: Vec<f64>,
    /// λ and σ(λ).
    pub lambda: Vec<f64>,
    pub sigma: Vec<f64>,
    state: Response,
    trial: Response,
    best: (f64, Vec<f64>, Vec<f64>),
    step: Vec<f64>,
    step_sigma: Vec<f64>,
    active: Vec<u32>,
    rhs: Vec<f64>,
    factors: Factors,
}

/// Blocks at a λ: slopes, F, and how large it is.
#[derive(Clone, Debug, Default)]
struct Response {
    slopes: Vec<Slope>,
    f: Vec<f64>,
    /// max |F| as an impulse and as a velocity.
    size: f64,
    /// Σ w |F|².
    merit: f64,
}

impl Response {
    fn at(&mut self, sets: &[(ImpulseSet, usize)], weights: &[f64], lambda: &[f64], sigma: &[f64]) {
        self.slopes.clear();
        self.f.resize(lambda.len(), 0.0);
        (self.size, self.merit) = (0.0, 0.0);
        for (&(set, row), &w) in sets.iter().zip(weights) {
            let dim = set.dim();
            let mut tau = [0.0; 6];
            for r in 0..dim {
                tau[r] = lambda[row + r] - sigma[row + r] / w;
            }
            let slope = respond(set, Friction::Exact, &mut tau[..dim], &[1.0 / w; 6]);
            self.slopes.push(slope);
            for r in 0..dim {
                let f = lambda[row + r] - tau[r];
                self.f[row + r] = f;
                self.size = larger(self.size, f.abs().max(w * f.abs()));
                self.merit += w * f * f;
            }
        }
    }
}

impl Small {
    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.lambda.len()
    }

    /// Go on from `lambda` until |F| ≤ `goal`; returns the steps made and whether it got there. The best
    /// iterate is left.
    pub fn newton(&mut self, goal: f64) -> (usize, bool) {
        self.state
            .at(&self.sets, &self.weights, &self.lambda, &self.sigma);
        self.best.0 = f64::INFINITY;
        let mut vain = 0;
        for step in 0..=STEPS {
            if self.state.size < 0.5 * self.best.0 {
                vain = 0;
            } else {
                vain += 1;
            }
            if self.state.size < self.best.0 {
                self.best.0 = self.state.size;
                self.best.1.clone_from(&self.lambda);
                self.best.2.clone_from(&self.sigma);
            }
            if self.state.size <= goal {
                return (step, true);
            }
            if step == STEPS || vain > VAIN_STEPS || !self.direction() {
                break;
            }
            self.search();
        }
        if self.best.0 < f64::INFINITY {
            self.lambda.clone_from(&self.best.1);
            self.sigma.clone_from(&self.best.2);
        }
        (STEPS, false)
    }

    /// The Newton step; whether there is one.
    fn direction(&mut self) -> bool {
        let n = self.rows();
        self.step.clear();
        self.step.extend(self.state.f.iter().map(|f| -f));
        self.active.clear();
        let mut symmetric = true;
        for (&(set, row), slope) in self.sets.iter().zip(&self.state.slopes) {
            match slope {
                Slope::Zero => continue,
                Slope::Diagonal(_) => {}
                _ => symmetric = false,
            }
            self.active.extend(row as u32..(row + set.dim()) as u32);
        }
        if self.active.is_empty() {
            self.image();
            return true;
        }
        // What the others' steps change, then the rows of the active ones.
        let m = self.active.len();
        for &i in &self.active {
            self.step[i as usize] = 0.0;
        }
        self.image();
        self.rhs.clear();
        let a = self.factors.begin(m);
        let mut at = 0;
        for ((&(set, row), slope), &w) in
            self.sets.iter().zip(&self.state.slopes).zip(&self.weights)
        {
            let dim = set.dim();
            match slope {
                Slope::Zero => continue,
                Slope::Diagonal(_) => {
                    for r in 0..dim {
                        let i = row + r;
                        let source = &self.matrix[i * n..(i + 1) * n];
                        let out = &mut a[(at + r) * m..(at + r + 1) * m];
                        for (out, &j) in out.iter_mut().zip(&self.active) {
                            *out = source[j as usize];
                        }
                        out[at + r] += PROXIMAL * w;
                        self.rhs.push(-w * self.state.f[i] - self.step_sigma[i]);
                    }
                }
                Slope::Full(g) => {
                    for r in 0..dim {
                        let out = &mut a[(at + r) * m..(at + r + 1) * m];
                        let mut rhs = -w * self.state.f[row + r];
                        for k in 0..dim {
                            // P' = w G.
                            let p = w * g[r][k];
                            let source = &self.matrix[(row + k) * n..(row + k + 1) * n];
                            for (out, &j) in out.iter_mut().zip(&self.active) {
                                *out += p * source[j as usize];
                            }
                            let unit = if r == k { 1.0 } else { 0.0 };
                            out[at + k] += w * (unit - p) + PROXIMAL * w * unit;
                            rhs -= p * self.step_sigma[row + k];
                        }
                        self.rhs.push(rhs);
                    }
                }
            }
            at += dim;
        }
        if !self.factors.solve(symmetric, &mut self.rhs) {
            return false;
        }
        for (&i, x) in self.active.iter().zip(&self.rhs) {
            self.step[i as usize] = *x;
        }
        self.image();
        true
    }

    /// step_sigma = (S + R) step.
    fn image(&mut self) {
        let n = self.rows();
        self.step_sigma.clear();
        for row in self.matrix.chunks_exact(n.max(1)) {
            let products = row.iter().zip(&self.step).map(|(a, b)| a * b);
            self.step_sigma.push(products.sum());
        }
    }

    /// Go along the step to the shortest of a few lengths that lowers the merit, or the one that raises it least.
    fn search(&mut self) {
        let before = self.state.merit;
        let (lambda, sigma) = (self.lambda.clone(), self.sigma.clone());
        let mut least = (f64::INFINITY, 1.0);
        let mut length = 1.0;
        for _ in 0..10 {
            self.go(&lambda, &sigma, length);
            if self.trial.merit <= (1.0 - 0.2 * length) * before {
                least = (self.trial.merit, length);
                break;
            }
            if self.trial.merit < least.0 {
                least = (self.trial.merit, length);
            }
            length *= 0.5;
        }
        if length != least.1 {
            self.go(&lambda, &sigma, least.1);
        }
        std::mem::swap(&mut self.state, &mut self.trial);
    }

    fn go(&mut self, lambda: &[f64], sigma: &[f64], length: f64) {
        for i in 0..lambda.len() {
            self.lambda[i] = lambda[i] + length * self.step[i];
            self.sigma[i] = sigma[i] + length * self.step_sigma[i];
        }
        self.trial
            .at(&self.sets, &self.weights, &self.lambda, &self.sigma);
    }
}
