//! One iteration of ADMM.

use super::{Admm, Progress, Work};
use crate::delassus::Delassus;
use crate::problem::Problem;
use crate::residuals::ContactModel;
use crate::sets::ImpulseSet;

impl Admm {
    /// One iteration; the algorithm of the module documentation.
    pub(super) fn iterate(&mut self, problem: &Problem) -> Progress {
        self.solve_x(problem);
        self.fixed_point_image(problem);
        let w = &mut self.work;
        let size = w.change.iter().map(|c| c * c).sum::<f64>().sqrt();
        if size > 2.0 * self.least_change {
            // The last combination did harm: start afresh from here.
            self.anderson.clear();
            self.least_change = size;
        } else {
            self.least_change = self.least_change.min(size);
        }
        if self.restraint.allows() {
            self.anderson.accelerate(&mut w.image, &w.change);
        }
        let mut progress = self.project(problem);
        if size.is_nan() {
            // Maxima swallow a NaN, this sum does not.
            progress.largest = f64::NAN;
        }
        progress
    }

    /// x ← x + Δ, and g with it.
    fn solve_x(&mut self, problem: &Problem) {
        let ncp = self.settings.model == ContactModel::Ncp;
        let w = &mut self.work;
        for (b, (set, rows)) in problem.sets.iter().enumerate() {
            let (i, step) = (rows.start, self.penalty * w.block_weights[b]);
            match set.dim() {
                _ if set.is_free() => {
                    for (rhs, g) in w.rhs[rows.clone()].iter_mut().zip(&w.g[rows]) {
                        *rhs = -g;
                    }
                }
                3 => {
                    w.right_hand_side::<3>(i, step);
                    if ncp {
                        w.rhs[i + 2] -= set.desaxce_shift(&w.z[i..i + 3]);
                    }
                }
                _ => w.right_hand_side::<1>(i, step),
            }
        }
        self.operator.solve(problem, &w.rhs, &mut w.delta);
        let n = w.x.len();
        let (x, g) = (&mut w.x[..n], &mut w.g[..n]);
        let (rhs, delta, proximal) = (&w.rhs[..n], &w.delta[..n], &w.proximal[..n]);
        for i in 0..n {
            x[i] += delta[i];
            // (D + R) Δ = rhs − (η + ρ) W Δ, without another product.
            g[i] += rhs[i] - proximal[i] * delta[i];
        }
    }

    /// t⁺ = x̂ − z/(ρW), the state of the fixed-point iteration (y = P(t), z = ρW (y − t)), and its
    /// change, both scaled by √W, into `work.image` and `work.change`.
    fn fixed_point_image(&mut self, problem: &Problem) {
        let omega = self.settings.over_relaxation;
        let w = &mut self.work;
        w.image.resize(w.x.len(), 0.0);
        w.change.resize(w.x.len(), 0.0);
        for (b, (set, rows)) in problem.sets.iter().enumerate() {
            let root = w.block_roots[b];
            let inverse = 1.0 / (self.penalty * root * root);
            match set.dim() {
                _ if set.is_free() => {
                    for i in rows {
                        w.image[i] = root * w.x[i];
                        w.change[i] = root * (w.x[i] - w.y[i]);
                    }
                }
                3 => w.image_block::<3>(rows.start, omega, root, inverse),
                _ => w.image_block::<1>(rows.start, omega, root, inverse),
            }
        }
    }

    /// y = P(t), z = ρW (y − t) for t in `work.image`; the sizes of the changes.
    fn project(&mut self, problem: &Problem) -> Progress {
        let rho = self.penalty;
        let w = &mut self.work;
        let mut p = Progress::default();
        for (b, (set, rows)) in problem.sets.iter().enumerate() {
            let root = w.block_roots[b];
            let weight = root * root;
            let (primal, dual) = match set.dim() {
                _ if set.is_free() => {
                    w.y[rows.clone()].copy_from_slice(&w.x[rows.clone()]);
                    let moved = w.delta[rows].iter().fold(0.0f64, |a, d| a.max(d.abs()));
                    (0.0, self.settings.proximal * moved)
                }
                3 => w.project_block::<3>(set, rows.start, rho, root),
                _ => w.project_block::<1>(set, rows.start, rho, root),
            };
            p.primal = p.primal.max(primal * root);
            p.dual = p.dual.max(dual * root);
            let change = primal.max(dual);
            p.largest = p.largest.max(change.max(change * weight));
        }
        p
    }
}

/// Blocks of a fixed number of rows, so that their loops unroll: most rows are of contacts.
impl Work {
    #[inline]
    fn right_hand_side<const N: usize>(&mut self, i: usize, step: f64) {
        let (x, y) = (block::<N>(&self.x, i), block::<N>(&self.y, i));
        let (z, g) = (block::<N>(&self.z, i), block::<N>(&self.g, i));
        let rhs = block_mut::<N>(&mut self.rhs, i);
        for k in 0..N {
            rhs[k] = z[k] + step * (y[k] - x[k]) - g[k];
        }
    }

    #[inline]
    fn image_block<const N: usize>(&mut self, i: usize, omega: f64, root: f64, inverse: f64) {
        let (x, y, z) = (
            block::<N>(&self.x, i),
            block::<N>(&self.y, i),
            block::<N>(&self.z, i),
        );
        let image = block_mut::<N>(&mut self.image, i);
        let change = block_mut::<N>(&mut self.change, i);
        for k in 0..N {
            let relaxed = omega * (x[k] - y[k]);
            image[k] = root * (y[k] + relaxed - inverse * z[k]);
            change[k] = root * relaxed;
        }
    }

    /// Project a block; the largest |x − y⁺| and ρ |y⁺ − y|.
    #[inline]
    fn project_block<const N: usize>(
        &mut self,
        set: ImpulseSet,
        i: usize,
        rho: f64,
        root: f64,
    ) -> (f64, f64) {
        let (x, image) = (block::<N>(&self.x, i), block::<N>(&self.image, i));
        let (y, z) = (
            block_mut::<N>(&mut self.y, i),
            block_mut::<N>(&mut self.z, i),
        );
        let (inverse, step) = (1.0 / root, rho * root * root);
        let t: [f64; N] = std::array::from_fn(|k| inverse * image[k]);
        let mut v = t;
        set.project(&mut v);
        let (mut primal, mut dual) = (0.0f64, 0.0f64);
        for k in 0..N {
            z[k] = step * (v[k] - t[k]);
            dual = dual.max((v[k] - y[k]).abs());
            primal = primal.max((x[k] - v[k]).abs());
            y[k] = v[k];
        }
        (primal, rho * dual)
    }
}

#[inline]
fn block<const N: usize>(v: &[f64], i: usize) -> &[f64; N] {
    v[i..i + N].try_into().expect("a slice of N values")
}

#[inline]
fn block_mut<const N: usize>(v: &mut [f64], i: usize) -> &mut [f64; N] {
    (&mut v[i..i + N]).try_into().expect("a slice of N values")
}
