//! One linear complementarity problem: rotates tangential rows, eliminates free rows, builds the pyramid, runs Lemke's
//! method and solves its basis.

use super::lemke::{Ending, Lemke};
use super::pyramid::{Facets, Pyramid};
use super::reduction::Reduction;
use crate::problem::Problem;
use crate::solvers::Observer;
use crate::solvers::ends::Counts;
use crate::solvers::scaled::{Matrix, Scaled};
use std::ops::ControlFlow;

/// An iteration is ⌊n/20⌋ + 1 pivots, n the number of complementary pairs.
const BATCHES: usize = 20;

/// The workspace of a pass, and its answer.
#[derive(Default)]
pub(super) struct Pass {
    scaled: Scaled,
    /// A and q with the tangential rows of `Facets::Tangent` turned.
    a: Matrix,
    q: Vec<f64>,
    gone: Vec<bool>,
    reduction: Reduction,
    pyramid: Pyramid,
    lemke: Lemke,
    /// λ.
    pub lambda: Vec<f64>,
}

impl Pass {
    /// Take the problem of the passes to come.
    pub fn start(&mut self, problem: &Problem) {
        self.scaled.fill(problem, false);
    }

    /// The block weights of the problem.
    pub fn weights(&self) -> &[f64] {
        &self.scaled.weights
    }

    /// Solve with polygons of so many corners and these shapes; its λ into `lambda`.
    pub fn run(
        &mut self,
        problem: &Problem,
        (corners, shapes): (usize, &[Facets]),
        max_iterations: usize,
        observer: &mut dyn Observer,
        count: &mut Counts,
    ) -> Ending {
        self.turn(problem, shapes);
        count.factorizations += 1;
        if !self.reduction.eliminate(&self.a, &self.q, &self.gone) {
            return Ending::Broken;
        }
        // Velocities in units of the largest, so that the tolerances of Lemke's method are absolute.
        let unit = self.reduction.q.iter().fold(0.0f64, |a, q| a.max(q.abs()));
        let unit = if unit > 0.0 { unit } else { 1.0 };
        self.reduction.q.iter_mut().for_each(|q| *q /= unit);
        let bound = |row: usize, b: f64| b * self.scaled.root[row] / unit;
        self.pyramid
            .fill(&problem.sets, &self.reduction, corners, shapes, bound);
        let batch = self.pyramid.q.len() / BATCHES + 1;
        let left = max_iterations.saturating_sub(count.iterations);
        let mut pivots = 0;
        let watch = |violation: f64| {
            pivots += 1;
            if (pivots - 1) % batch != 0 {
                return ControlFlow::Continue(());
            }
            count.iterations += 1;
            observer.iteration(count.iterations, violation * unit)
        };
        let (m, q) = (&self.pyramid.m, &self.pyramid.q);
        let ending = self.lemke.run(m, q, left.saturating_mul(batch), watch);
        count.factorizations += self.lemke.refactorings;
        if ending != Ending::Solved {
            return ending;
        }
        count.factorizations += 1;
        if self.unravel(problem, shapes, unit) {
            Ending::Solved
        } else {
            Ending::Broken
        }
    }

    /// A and q with the rows of sliding contacts turned to (e, t), and which rows to eliminate.
    fn turn(&mut self, problem: &Problem, shapes: &[Facets]) {
        let (a, q) = (&mut self.a, &mut self.q);
        a.clone_from(&self.scaled.a);
        q.clone_from(&self.scaled.q);
        self.gone.clear();
        self.gone.resize(q.len(), false);
        for ((set, rows), shape) in problem.sets.iter().zip(shapes) {
            if set.is_free() {
                self.gone[rows].fill(true);
            } else if let Facets::Tangent { angle, compliance } = *shape {
                let (e, t) = (rows.start, rows.start + 1);
                let (y, x) = angle.sin_cos();
                let turned = |a: f64, b: f64| (x * a + y * b, x * b - y * a);
                for i in 0..q.len() {
                    (a[(i, e)], a[(i, t)]) = turned(a[(i, e)], a[(i, t)]);
                }
                for i in 0..q.len() {
                    (a[(e, i)], a[(t, i)]) = turned(a[(e, i)], a[(t, i)]);
                }
                (q[e], q[t]) = turned(q[e], q[t]);
                a[(t, t)] += compliance;
                self.gone[t] = true;
            }
        }
    }

    /// λ from the final basis: solved, completed on the eliminated rows, turned back, unscaled. False if
    /// the basis is singular.
    fn unravel(&mut self, problem: &Problem, shapes: &[Facets], unit: f64) -> bool {
        let lambda = &mut self.lambda;
        lambda.clear();
        lambda.resize(problem.rows(), 0.0);
        let active = |j| self.lemke.is_active(j);
        if !self.pyramid.impulses(active, &self.reduction, lambda) {
            return false;
        }
        lambda.iter_mut().for_each(|l| *l *= unit);
        self.reduction.complete(&self.a, &self.q, lambda);
        for ((_, rows), shape) in problem.sets.iter().zip(shapes) {
            if let Facets::Tangent { angle, .. } = *shape {
                let (y, x) = angle.sin_cos();
                let l = &mut lambda[rows];
                (l[0], l[1]) = (x * l[0] - y * l[1], y * l[0] + x * l[1]);
            }
        }
        for (l, root) in lambda.iter_mut().zip(&self.scaled.root) {
            *l /= root;
        }
        true
    }
}
