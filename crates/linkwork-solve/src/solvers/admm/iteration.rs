//! One iteration of ADMM.

use super::{Admm, Progress, Work};
use crate::delassus::Delassus;
use crate::problem::Problem;
use crate::residuals::{ContactModel, larger};

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
        self.anderson.accelerate(&mut w.image, &w.change);
        self.project(problem)
    }

    /// x ← x + Δ, and g with it.
    fn solve_x(&mut self, problem: &Problem) {
        let ncp = self.settings.model == ContactModel::Ncp;
        let Work {
            x,
            y,
            z,
            g,
            rhs,
            delta,
            proximal,
            block_weights,
            ..
        } = &mut self.work;
        for ((set, rows), &weight) in problem.sets.iter().zip(block_weights.iter()) {
            let (g, rhs) = (&g[rows.clone()], &mut rhs[rows.clone()]);
            if set.is_free() {
                for (rhs, g) in rhs.iter_mut().zip(g) {
                    *rhs = -g;
                }
                continue;
            }
            let (x, y, z) = (&x[rows.clone()], &y[rows.clone()], &z[rows]);
            let step = self.penalty * weight;
            for i in 0..rhs.len() {
                rhs[i] = z[i] + step * (y[i] - x[i]) - g[i];
            }
            if ncp && let Some(last) = rhs.last_mut() {
                *last -= set.desaxce_shift(z);
            }
        }
        self.operator.solve(problem, rhs, delta);
        let n = x.len();
        let (g, rhs, delta, proximal) = (&mut g[..n], &rhs[..n], &delta[..n], &proximal[..n]);
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
        let Work {
            x,
            y,
            z,
            image,
            change,
            block_weights,
            ..
        } = &mut self.work;
        image.resize(x.len(), 0.0);
        change.resize(x.len(), 0.0);
        for ((set, rows), &weight) in problem.sets.iter().zip(block_weights.iter()) {
            let root = weight.sqrt();
            let (x, y, z) = (&x[rows.clone()], &y[rows.clone()], &z[rows.clone()]);
            let (image, change) = (&mut image[rows.clone()], &mut change[rows]);
            if set.is_free() {
                for i in 0..x.len() {
                    image[i] = root * x[i];
                    change[i] = root * (x[i] - y[i]);
                }
                continue;
            }
            let inverse = 1.0 / (self.penalty * weight);
            for i in 0..x.len() {
                let relaxed = omega * (x[i] - y[i]);
                image[i] = root * (y[i] + relaxed - inverse * z[i]);
                change[i] = root * relaxed;
            }
        }
    }

    /// y = P(t), z = ρW (y − t) for t in `work.image`; the sizes of the changes.
    fn project(&mut self, problem: &Problem) -> Progress {
        let rho = self.penalty;
        let Work {
            x,
            y,
            z,
            image,
            delta,
            block_weights,
            ..
        } = &mut self.work;
        let mut p = Progress::default();
        for ((set, rows), &weight) in problem.sets.iter().zip(block_weights.iter()) {
            let root = weight.sqrt();
            let (x, y, z) = (&x[rows.clone()], &mut y[rows.clone()], &mut z[rows.clone()]);
            if set.is_free() {
                y.copy_from_slice(x);
                for delta in &delta[rows] {
                    let change = (self.settings.proximal * delta).abs();
                    p.dual = p.dual.max(change * root);
                    p.largest = larger(p.largest, change.max(change * weight));
                }
                continue;
            }
            let (step, dim, inverse) = (rho * weight, x.len(), 1.0 / root);
            let mut t = [0.0; 3];
            for (t, image) in t.iter_mut().zip(&image[rows]) {
                *t = inverse * image;
            }
            let mut v = t;
            set.project(&mut v[..dim]);
            let (mut primal, mut dual) = (0.0, 0.0);
            for i in 0..dim {
                z[i] = step * (v[i] - t[i]);
                dual = larger(dual, (v[i] - y[i]).abs());
                primal = larger(primal, (x[i] - v[i]).abs());
                y[i] = v[i];
            }
            dual *= rho;
            p.primal = p.primal.max(primal * root);
            p.dual = p.dual.max(dual * root);
            let change = larger(primal, dual);
            p.largest = larger(p.largest, change.max(change * weight));
        }
        p
    }
}
