//! [Tsounis Alg. 5] as printed: sweeps until a test of Table I holds, and the λ of the last sweep. No acceleration and
//! no search for a better λ.

use super::settings::PrintedTest;
use super::sweep::{ContactRule, Sweeper};
use super::{Counts, Splitting};
use crate::problem::{Operator, Problem, Status};
use crate::residuals::{ContactModel, larger, raise};
use crate::sets::MAX_DIM;
use crate::solvers::Observer;

impl<R: ContactRule> Splitting<R> {
    pub(super) fn iterate_printed(
        &mut self,
        problem: &Problem,
        test: PrintedTest,
        observer: &mut dyn Observer,
        count: &mut Counts,
    ) -> Status {
        let (common, relaxation) = (self.settings.common, self.settings.relaxation);
        let mut omega = relaxation.initial;
        let inertia = total_inertia(problem);
        self.own_test = Some(false);
        let status = loop {
            if count.iterations == common.max_iterations {
                break Status::IterationLimit;
            }
            count.iterations += 1;
            let progress = self.sweeper.sweep(problem, &self.rule, omega, false);
            self.sweeper.state.refresh(problem, &self.sweeper.lambda);
            let size = match test {
                PrintedTest::Residuals => largest(&self.sweeper, problem, self.rule.model()),
                PrintedTest::Objective => progress.objective.abs() / inertia,
            };
            let flow = observer.iteration(count.iterations, size);
            if size.is_nan() || progress.residual.is_nan() {
                break Status::NumericalFailure;
            }
            if size <= common.tolerance {
                self.own_test = Some(true);
                break Status::Converged;
            }
            if flow.is_break() {
                break Status::Interrupted;
            }
            omega = relaxation.minimum.max(relaxation.decay * omega);
        };
        self.watch.best.clone_from(&self.sweeper.lambda);
        status
    }
}

/// Σ diag M, kg and kg m²; 1 where only D is known, which [`PrintedTest::Objective`] refuses.
fn total_inertia(problem: &Problem) -> f64 {
    match &problem.operator {
        Operator::Bodies { mass, .. } => mass.trace(),
        Operator::Delassus { .. } => 1.0,
    }
}

/// The largest of ‖λ − P(λ)‖∞, ‖v − P*(v)‖∞ and |λ_kᵀv_k|, v = σ + Γ(σ) under the exact law [Tsounis eq. 156–158]. Sets
/// that are not cones (drives below their limit, friction of joints) are not in the paper; they are judged by the
/// natural map with unit step.
fn largest(sweeper: &Sweeper, problem: &Problem, model: ContactModel) -> f64 {
    let mut size = 0.0;
    for (k, (set, rows)) in problem.sets.iter().enumerate() {
        let n = rows.len();
        let lambda = &sweeper.lambda[rows];
        let mut sigma = [0.0; MAX_DIM];
        let sigma = &mut sigma[..n];
        sweeper.state.sigma(problem, &sweeper.lambda, k, sigma);
        if set.is_free() {
            size = sigma.iter().fold(size, |a, s| larger(a, s.abs()));
            continue;
        }
        let (mut v, mut point) = ([0.0; MAX_DIM], [0.0; MAX_DIM]);
        v[..n].copy_from_slice(sigma);
        if model == ContactModel::Ncp {
            v[n - 1] += set.desaxce_shift(sigma);
        }
        let mut apart = |from: &[f64], to: &[f64]| {
            for (a, b) in from.iter().zip(to) {
                raise(&mut size, (a - b).abs());
            }
        };
        point[..n].copy_from_slice(lambda);
        set.project(&mut point[..n]);
        apart(lambda, &point[..n]);
        if set.is_cone() {
            point[..n].copy_from_slice(&v[..n]);
            set.project_dual(&mut point[..n]);
            apart(&v[..n], &point[..n]);
            let work: f64 = lambda.iter().zip(&v).map(|(l, v)| l * v).sum();
            raise(&mut size, work.abs());
        } else {
            for i in 0..n {
                point[i] = lambda[i] - v[i];
            }
            set.project(&mut point[..n]);
            apart(lambda, &point[..n]);
        }
    }
    size
}
