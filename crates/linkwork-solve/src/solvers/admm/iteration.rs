//! One iteration of ADMM.

use super::{Admm, Progress, Work};
use crate::delassus::Delassus;
use crate::problem::Problem;
use crate::residuals::{ContactModel, larger, max_abs};
use crate::sets::{ImpulseSet, MAX_DIM};
use std::ops::Range;

/// Calls a function with the rows of a block. Most blocks have one or three rows; for these numbers the function is
/// also compiled with unrolled loops.
macro_rules! by_rows {
    ($rows:expr, |$block:ident| $call:expr) => {{
        let rows: Range<usize> = $rows.clone();
        match rows.len() {
            1 => {
                let $block = rows.start..rows.start + 1;
                $call
            }
            3 => {
                let $block = rows.start..rows.start + 3;
                $call
            }
            _ => {
                let $block = rows;
                $call
            }
        }
    }};
}

impl Admm {
    /// One iteration; the algorithm of the module documentation.
    pub(super) fn iterate(&mut self, problem: &Problem) -> Progress {
        self.solve_x(problem);
        self.fixed_point_image(problem);
        let w = &mut self.work;
        let size = w.change.iter().map(|c| c * c).sum::<f64>().sqrt();
        if size > 2.0 * self.least_change {
            // The last combination increased the change: restart from here.
            self.anderson.clear();
            self.least_change = size;
        } else {
            self.least_change = self.least_change.min(size);
        }
        if self.restraint.allows() {
            self.anderson.accelerate(&mut w.image, &w.change);
        }
        self.project(problem)
    }

    /// x ← x + Δ, and g with it.
    pub(super) fn solve_x(&mut self, problem: &Problem) {
        let ncp = self.settings.model == ContactModel::Ncp;
        let w = &mut self.work;
        for (b, (set, rows)) in problem.sets.iter().enumerate() {
            if !self.settings.form.splits(set) {
                for (rhs, g) in w.rhs[rows.clone()].iter_mut().zip(&w.g[rows]) {
                    *rhs = -g;
                }
                continue;
            }
            let step = self.penalty * w.block_weights[b];
            by_rows!(rows, |rows| w.right_hand_side(rows, step));
            if ncp {
                let last = rows.end - 1;
                w.rhs[last] -= set.desaxce_shift(&w.z[rows]);
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
    pub(super) fn fixed_point_image(&mut self, problem: &Problem) {
        let omega = self.settings.over_relaxation;
        let w = &mut self.work;
        w.image.resize(w.x.len(), 0.0);
        w.change.resize(w.x.len(), 0.0);
        for (b, (set, rows)) in problem.sets.iter().enumerate() {
            let root = w.block_roots[b];
            let inverse = 1.0 / (self.penalty * root * root);
            if !self.settings.form.splits(set) {
                for i in rows {
                    w.image[i] = root * w.x[i];
                    w.change[i] = root * (w.x[i] - w.y[i]);
                }
                continue;
            }
            by_rows!(rows, |rows| w.image_block(rows, omega, root, inverse));
        }
    }

    /// y = P(t), z = ρW (y − t) for t in `work.image`; the sizes of the changes.
    pub(super) fn project(&mut self, problem: &Problem) -> Progress {
        let rho = self.penalty;
        let w = &mut self.work;
        let mut p = Progress::default();
        for (b, (set, rows)) in problem.sets.iter().enumerate() {
            let root = w.block_roots[b];
            let weight = root * root;
            let (primal, dual) = if !self.settings.form.splits(set) {
                w.y[rows.clone()].copy_from_slice(&w.x[rows.clone()]);
                (0.0, self.settings.proximal * max_abs(&w.delta[rows]))
            } else {
                by_rows!(rows, |rows| w.project_block(set, rows, rho, root))
            };
            p.primal = larger(p.primal, primal * root);
            p.dual = larger(p.dual, dual * root);
            let change = larger(primal, dual);
            p.largest = larger(p.largest, change * larger(1.0, weight));
        }
        p
    }
}

/// What an iteration does to the rows of one block.
impl Work {
    #[inline(always)]
    fn right_hand_side(&mut self, rows: Range<usize>, step: f64) {
        let (x, y) = (&self.x[rows.clone()], &self.y[rows.clone()]);
        let (z, g) = (&self.z[rows.clone()], &self.g[rows.clone()]);
        let rhs = &mut self.rhs[rows];
        for k in 0..rhs.len() {
            rhs[k] = z[k] + step * (y[k] - x[k]) - g[k];
        }
    }

    #[inline(always)]
    fn image_block(&mut self, rows: Range<usize>, omega: f64, root: f64, inverse: f64) {
        let (x, y) = (&self.x[rows.clone()], &self.y[rows.clone()]);
        let z = &self.z[rows.clone()];
        let (image, change) = (&mut self.image[rows.clone()], &mut self.change[rows]);
        for k in 0..image.len() {
            let relaxed = omega * (x[k] - y[k]);
            image[k] = root * (y[k] + relaxed - inverse * z[k]);
            change[k] = root * relaxed;
        }
    }

    /// Project a block; the largest |x − y⁺| and ρ |y⁺ − y|.
    #[inline(always)]
    fn project_block(
        &mut self,
        set: ImpulseSet,
        rows: Range<usize>,
        rho: f64,
        root: f64,
    ) -> (f64, f64) {
        let (x, image) = (&self.x[rows.clone()], &self.image[rows.clone()]);
        let (y, z) = (&mut self.y[rows.clone()], &mut self.z[rows]);
        let (inverse, step) = (1.0 / root, rho * root * root);
        let mut t = [0.0; MAX_DIM];
        let t = &mut t[..x.len()];
        for k in 0..x.len() {
            t[k] = inverse * image[k];
            // z = ρW (y⁺ − t), in two parts.
            z[k] = -t[k];
        }
        set.project(t);
        let (mut primal, mut dual) = (0.0, 0.0);
        for k in 0..x.len() {
            z[k] = step * (t[k] + z[k]);
            dual = larger(dual, (t[k] - y[k]).abs());
            primal = larger(primal, (x[k] - t[k]).abs());
            y[k] = t[k];
        }
        (primal, rho * dual)
    }
}
