//! Conjugate gradients where plain refinement stalls.

use super::DirectCore;
use crate::delassus::Delassus;
use crate::problem::{Operator, Problem, Solution};
use crate::residuals::{ContactModel, natural_map};
use crate::solvers::anderson::dot;

/// Maximum number of conjugate gradient steps after the passes stall, in total and without gain. Contradicting rows
/// leave nothing to gain.
const CONJUGATE_LIMIT: usize = 40;
const CONJUGATE_IDLE: usize = 12;
/// Share of the residual above which the steps count as unsuccessful, and the change of velocity, relative to the
/// residual, beyond which a gain is only round-off.
const WORTH: f64 = 0.1;
const RUNAWAY: f64 = 1e6;

impl DirectCore {
    /// Conjugate gradients on (D + R) λ = −v_f − v*, with the factorisation as preconditioner, from x; returns the
    /// residual. Long chains need them: their softest modes are below the resolution of the stiff factorisation, so
    /// plain refinement diverges in a few directions, which conjugate gradients handle well. The flexible form of β
    /// tolerates the noise of the preconditioner.
    ///
    /// On contradicting rows they reduce the residual slightly with impulses that diverge along the softest modes:
    /// without a real gain, x does not change.
    pub(super) fn conjugate_gradients(
        &mut self,
        problem: &Problem,
        x: &mut Solution,
        tolerance: f64,
    ) -> f64 {
        let n = problem.rows();
        let grade = |core: &Self, x: &Solution| {
            natural_map(
                problem,
                &x.lambda,
                &x.sigma,
                &core.weights,
                ContactModel::Ncp,
            )
            .scaled()
        };
        self.sigma(problem, x);
        let before = grade(self, x);
        let mut least = before;
        let [mut start, mut u_start] = std::mem::take(&mut self.start);
        start.clone_from(&x.lambda);
        u_start.clone_from(&x.u_plus);
        self.best.clone_from(&x.lambda);
        let [mut z, mut p, mut old] = std::mem::take(&mut self.directions);
        z.resize(n, 0.0);
        self.operator.solve(problem, &x.sigma, &mut z);
        p.clone_from(&z);
        old.clone_from(&x.sigma);
        let mut rz = dot(&x.sigma, &z);
        let mut idle = 0;
        for _ in 0..CONJUGATE_LIMIT {
            // x ← x − α p, and σ, which is minus the residual, with it.
            self.delta.copy_from_slice(&p);
            self.image(problem);
            let alpha = rz / dot(&p, &self.image);
            if !alpha.is_finite() {
                break;
            }
            for (l, p) in x.lambda.iter_mut().zip(&p) {
                *l -= alpha * p;
            }
            for (u, c) in x.u_plus.iter_mut().zip(&self.change) {
                *u -= alpha * c;
            }
            let change = x.u_plus.iter().zip(&u_start);
            if change.fold(0.0, |m: f64, (u, s)| m.max((u - s).abs())) > RUNAWAY * before {
                break;
            }
            self.sigma(problem, x);
            let size = grade(self, x);
            idle = if size < 0.9 * least { 0 } else { idle + 1 };
            if size < least {
                least = size;
                self.best.clone_from(&x.lambda);
            }
            if size <= 0.1 * tolerance || size.is_nan() || idle == CONJUGATE_IDLE {
                break;
            }
            self.operator.solve(problem, &x.sigma, &mut z);
            let beta = (dot(&x.sigma, &z) - dot(&old, &z)) / rz;
            rz = dot(&x.sigma, &z);
            for (p, z) in p.iter_mut().zip(&z) {
                *p = z + beta * *p;
            }
            old.copy_from_slice(&x.sigma);
        }
        let worth = least <= tolerance || least <= WORTH * before;
        let answer = if worth { &self.best } else { &start };
        x.lambda.copy_from_slice(answer);
        self.directions = [z, p, old];
        self.start = [start, u_start];
        if worth { least } else { before }
    }

    /// image = (D + R) delta, change = M⁻¹ Jᵀ delta.
    fn image(&mut self, problem: &Problem) {
        self.spread(problem);
        if let Operator::Bodies { jacobian, .. } = &problem.operator {
            self.image.resize(self.delta.len(), 0.0);
            jacobian.multiply(&self.change, &mut self.image);
            for i in 0..self.delta.len() {
                self.image[i] += problem.compliance[i] * self.delta[i];
            }
        }
    }
}
