//! Rows that cannot open: a certificate that the small problem has no solution, and the least relaxation that gives it
//! one.
//!
//! A pass of the proximal method moves λ by d and leaves rows violated by δ w d. If the problem has solutions, passes
//! converge to one. Otherwise λ diverges along a ray, and δ w d tends to the least violation in the metric of the
//! weights: the element of least norm in the range of a monotone operator [Pazy 1971; Baillon, Bruck & Reich 1978].
//! With d ∈ K and D d = 0 the ray is a certificate: impulses along it stay in the cones, no row changes its velocity,
//! and their work against the requested velocities is positive (Farkas). The violation is then added to v* of its rows,
//! so that an overlap that joints do not allow to end is permitted. The solve starts again from the guess, without the
//! divergent part of λ.

use super::small::Small;
use crate::residuals::larger;
use crate::sets::ImpulseSet;

/// Velocity of the rows along a ray, relative to impulse and weight without joints, that counts as none. Passes have δ
/// of at most 1e-6, so a violation of this size is known to a thousandth.
const UNFELT: f64 = 1e-9;
/// Share of a ray that may be outside the cones.
const OUTSIDE: f64 = 1e-6;

/// Relaxation of the rows, and buffers.
#[derive(Clone, Debug, Default)]
pub(super) struct Stuck {
    /// Velocity by which each row was relaxed, m/s; empty if none was.
    pub yielded: Vec<f64>,
    /// λ and σ of the guess.
    guess: [Vec<f64>; 2],
    /// σ before the pass.
    sigma: Vec<f64>,
    /// The ray.
    ray: Vec<f64>,
}

impl Stuck {
    /// Before the first pass.
    pub fn start(&mut self, lambda: &Vec<f64>, sigma: &Vec<f64>) {
        self.yielded.clear();
        self.guess[0].clone_from(lambda);
        self.guess[1].clone_from(sigma);
    }

    /// Before a pass.
    pub fn note(&mut self, sigma: &Vec<f64>) {
        self.sigma.clone_from(sigma);
    }
}

impl Small {
    /// Whether the last pass, with this δ and solved to `error` (m/s), moved λ along a ray: within the cones, so that
    /// no row opens or slips at any distance, and without changing the velocity of any row.
    pub(super) fn diverges_along_ray(&mut self, delta: f64, error: f64) -> bool {
        let stuck = &mut self.stuck;
        stuck.ray.clear();
        stuck.ray.extend_from_slice(self.pass.change());
        let (mut inside, mut outside, mut free) = (0.0, 0.0, 0.0);
        let weights = self.weights.iter().zip(&self.graded);
        for (&(set, row), (&own, &w)) in self.sets.iter().zip(weights) {
            let off = error / (delta * own);
            let ray = &mut stuck.ray[row..row + set.dim()];
            project(set, ray);
            let moved = &self.pass.change()[row..row + set.dim()];
            for (r, d) in ray.iter().zip(moved) {
                inside = larger(inside, r.abs());
                outside = larger(outside, (r - d).abs() - off);
                free = larger(free, w * r.abs());
            }
        }
        let felt = self.sigma.iter().zip(&stuck.sigma);
        let felt = felt.fold(0.0, |a, (new, old)| larger(a, (new - old).abs()));
        // Written so that a NaN fails too.
        free > 0.0 && outside <= OUTSIDE * inside && felt <= UNFELT * free + error
    }

    /// Whether the violation of every row after the last pass is within the allowed contradiction.
    pub(super) fn contradicts_little(&self, delta: f64) -> bool {
        let left = self
            .sets
            .iter()
            .zip(&self.weights)
            .flat_map(|(&(set, row), &w)| {
                let change = &self.pass.change()[row..row + set.dim()];
                change.iter().map(move |d| delta * w * d.abs())
            });
        // Written so that a NaN fails too.
        self.contradiction > 0.0 && left.fold(0.0, larger) <= self.contradiction
    }

    /// After a pass of this δ: relaxes the rows by the remaining violation δ w d, for which λ of the pass is a
    /// solution.
    pub(super) fn relax_contradiction(&mut self, delta: f64) {
        self.stuck.yielded.resize(self.lambda.len(), 0.0);
        for (&(set, row), &w) in self.sets.iter().zip(&self.weights) {
            for i in row..row + set.dim() {
                let least = delta * w * self.pass.change()[i];
                self.stuck.yielded[i] += least;
                self.sigma[i] += least;
            }
        }
    }

    /// After a pass of this δ with [`Small::diverges_along_ray`]: relaxes the rows by the remaining violation.
    pub(super) fn relax_violated(&mut self, delta: f64) {
        let stuck = &mut self.stuck;
        let rows = self.lambda.len();
        stuck.yielded.resize(rows, 0.0);
        for (&(set, row), &w) in self.sets.iter().zip(&self.weights) {
            for i in row..row + set.dim() {
                let least = delta * w * stuck.ray[i];
                stuck.yielded[i] += least;
            }
        }
        let [lambda, sigma] = &stuck.guess;
        self.lambda.clone_from(lambda);
        self.sigma.clear();
        let yielded = sigma.iter().zip(&stuck.yielded);
        self.sigma
            .extend(yielded.map(|(sigma, least)| sigma + least));
    }
}

/// Projection on the recession cone of a set.
fn project(set: ImpulseSet, ray: &mut [f64]) {
    if set.is_cone() {
        set.project(ray);
    } else {
        ray.fill(0.0);
    }
}
