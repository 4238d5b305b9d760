//! Accelerated projected gradient steps on the convex problem.
//!
//! On a second-order cone λᵀσ is quadratic in the angle between λ_T and −σ_T: with a duality gap at round-off, 1e-16,
//! the direction of friction may be wrong by 1e-8 rad, which no interior-point method can detect. Steps λ⁺ = P_K(y −
//! W⁻¹(σ(y) + s)/L) correct the angle directly. Nesterov's y = λ⁺ + β (λ⁺ − λ) with β = k/(k + 3) is restarted where
//! the step turns against the gradient [O'Donoghue and Candès 2015, eq. 12].

use crate::problem::Problem;
use crate::residuals::{ContactModel, natural_map};
use crate::solvers::power::largest_eigenvalue;

/// Maximum number of steps; each costs one product with D.
const STEP_LIMIT: usize = 1000;
/// Power iteration underestimates the largest eigenvalue.
const SAFETY: f64 = 1.1;

/// Step lengths and buffers.
pub(super) struct Polish<'a> {
    problem: &'a Problem,
    weights: &'a [f64],
    /// 1/(L w) by block.
    steps: Vec<f64>,
    start: Vec<f64>,
    y: Vec<f64>,
    next: Vec<f64>,
    sigma: Vec<f64>,
    scratch: Vec<f64>,
}

impl<'a> Polish<'a> {
    /// For `problem` with block `weights`.
    pub fn new(problem: &'a Problem, weights: &'a [f64]) -> Self {
        let mut by_row = Vec::with_capacity(problem.rows());
        for ((set, _), &w) in problem.sets.iter().zip(weights) {
            by_row.extend(std::iter::repeat_n(w, set.dim()));
        }
        let (mut y, mut next, mut sigma) = (Vec::new(), Vec::new(), Vec::new());
        let mut scratch = Vec::new();
        let buffers = [&mut y, &mut next, &mut sigma];
        let largest = SAFETY * largest_eigenvalue(problem, &by_row, buffers, &mut scratch);
        Self {
            problem,
            weights,
            steps: weights.iter().map(|w| 1.0 / (largest * w)).collect(),
            start: Vec::new(),
            y,
            next,
            sigma,
            scratch,
        }
    }

    /// Steps from λ until its residual is at most `goal` or the limit is reached; returns the residual. λ does not
    /// change if the steps do not help.
    pub fn run(&mut self, lambda: &mut Vec<f64>, s: &[f64], goal: f64) -> f64 {
        let before = self.measure(lambda, s);
        self.start.clone_from(lambda);
        self.y.clone_from(lambda);
        let (mut size, mut k) = (before, 0.0);
        for _ in 0..STEP_LIMIT {
            // A NaN ends it too.
            if size <= goal || size.is_nan() {
                break;
            }
            self.step(s);
            k = if self.turned(lambda) { 0.0 } else { k + 1.0 };
            let momentum = k / (k + 3.0);
            for ((y, next), l) in self.y.iter_mut().zip(&self.next).zip(lambda.iter()) {
                *y = next + momentum * (next - l);
            }
            std::mem::swap(lambda, &mut self.next);
            size = self.measure(lambda, s);
        }
        if size < before {
            return size;
        }
        lambda.clone_from(&self.start);
        before
    }

    /// λ⁺ = P_K(y − W⁻¹(σ(y) + s)/L) into `next`.
    fn step(&mut self, s: &[f64]) {
        self.problem
            .sigma(&self.y, &mut self.sigma, &mut self.scratch);
        self.next.clone_from(&self.y);
        for ((set, rows), step) in self.problem.sets.iter().zip(&self.steps) {
            for i in rows.clone() {
                self.next[i] -= step * (self.sigma[i] + s[i]);
            }
            set.project(&mut self.next[rows]);
        }
    }

    /// Whether the step from y has turned against the one from λ.
    fn turned(&self, lambda: &[f64]) -> bool {
        let blocks = self.problem.sets.iter().zip(&self.steps);
        let product = |i: usize| (self.y[i] - self.next[i]) * (self.next[i] - lambda[i]);
        let sum: f64 = blocks
            .map(|((_, rows), step)| rows.map(product).sum::<f64>() / step)
            .sum();
        sum > 0.0
    }

    /// The scaled natural map at λ of the convex problem with the shift s.
    fn measure(&mut self, lambda: &[f64], s: &[f64]) -> f64 {
        self.problem
            .sigma(lambda, &mut self.sigma, &mut self.scratch);
        for (sigma, s) in self.sigma.iter_mut().zip(s) {
            *sigma += s;
        }
        let model = ContactModel::Ccp;
        natural_map(self.problem, lambda, &self.sigma, self.weights, model).scaled()
    }
}
