//! ADMM as printed in the papers [Tsounis Alg. 6, Carpentier Alg. 1]: the iteration of [`super::iteration`] with one ρ
//! for all rows, free rows split like the others, no acceleration, ρ reconsidered in every iteration, and the iterates'
//! own residuals as the stopping test.

use super::{Admm, AdmmForm, Counts};
use crate::problem::{Problem, Solution, SolveReport, Status};
use crate::residuals::{ContactModel, larger, raise};
use crate::sets::ImpulseSet;
use crate::solvers::power::largest_eigenvalue;
use std::ops::ControlFlow;

impl AdmmForm {
    /// Whether the rows of a block have their own copy y.
    #[inline]
    pub(super) fn splits(self, set: ImpulseSet) -> bool {
        !set.is_free() || self != AdmmForm::Weighted
    }
}

/// The residuals of an iterate [Tsounis eq. 170, Carpentier eq. 40–42].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct IterateResiduals {
    /// ‖x − y‖∞, N s.
    pub primal: f64,
    /// ‖η Δx + ρ Δy‖∞, m/s.
    pub dual: f64,
    /// max |x_kᵀ z_k| over limits and contacts, J.
    pub complementarity: f64,
}

impl IterateResiduals {
    /// The largest, regardless of the unit.
    pub fn largest(&self) -> f64 {
        larger(larger(self.primal, self.dual), self.complementarity)
    }
}

impl Admm {
    /// Solves by the printed iteration and passes the residuals of every iterate to `see`; `Break` interrupts. The
    /// metric and the split rows are those of [`super::AdmmSettings::form`].
    pub fn trace(
        &mut self,
        problem: &Problem,
        x: &mut Solution,
        see: &mut dyn FnMut(usize, IterateResiduals) -> ControlFlow<()>,
    ) -> SolveReport {
        let mut count = Counts::default();
        self.own_test = Some(false);
        self.restart();
        let warm = x.lambda.len() == problem.rows();
        self.start(problem, x);
        self.begin(warm, problem);
        let kappa = self.condition(problem);
        if let AdmmForm::Printed { exponent: Some(p) } = self.settings.form {
            self.penalty = self.settings.proximal * kappa.powf(0.5 + p);
        }
        let status = if self.factor(problem, &mut count) {
            self.loop_printed(problem, kappa, see, &mut count)
        } else {
            Status::NumericalFailure
        };
        self.finish(problem, x, status, count)
    }

    fn loop_printed(
        &mut self,
        problem: &Problem,
        kappa: f64,
        see: &mut dyn FnMut(usize, IterateResiduals) -> ControlFlow<()>,
        count: &mut Counts,
    ) -> Status {
        let (mut x, mut y) = (Vec::new(), Vec::new());
        while count.iterations < self.settings.common.max_iterations {
            count.iterations += 1;
            x.clone_from(&self.work.x);
            y.clone_from(&self.work.y);
            self.solve_x(problem);
            self.fixed_point_image(problem);
            self.project(problem);
            let residuals = self.residuals(problem, &x, &y);
            let flow = see(count.iterations, residuals);
            if residuals.largest().is_nan() {
                return Status::NumericalFailure;
            }
            if residuals.largest() <= self.settings.common.tolerance {
                self.own_test = Some(true);
                return Status::Converged;
            }
            if flow.is_break() {
                return Status::Interrupted;
            }
            // σ(x) is carried from iteration to iteration; undo its round-off.
            self.refresh(problem);
            let rule = self.settings.penalty;
            if let Some(penalty) =
                rule.next(self.penalty, residuals.primal, residuals.dual, || kappa)
            {
                self.penalty = penalty;
                if !self.factor(problem, count) {
                    return Status::NumericalFailure;
                }
            }
        }
        Status::IterationLimit
    }

    /// x = y, and z = 0, or with a guess σ + Γ of it, as it is at a solution.
    fn begin(&mut self, warm: bool, problem: &Problem) {
        let w = &mut self.work;
        let n = w.y.len();
        w.x.clone_from(&w.y);
        problem.sigma(&w.y, &mut w.sigma, &mut w.scratch);
        w.g.clone_from(&w.sigma);
        for buffer in [&mut w.z, &mut w.rhs, &mut w.delta] {
            buffer.clear();
            buffer.resize(n, 0.0);
        }
        if warm {
            w.z.clone_from(&w.sigma);
        }
        if warm && self.settings.model == ContactModel::Ncp {
            for (set, rows) in problem.sets.iter() {
                let last = rows.end - 1;
                w.z[last] += set.desaxce_shift(&w.sigma[rows]);
            }
        }
    }

    /// κ = L/m of D + R + η; only L if η = 0, and only for a rule that needs it.
    fn condition(&mut self, problem: &Problem) -> f64 {
        let w = &mut self.work;
        let buffers = [&mut w.rhs, &mut w.delta, &mut w.image];
        let eta = self.settings.proximal;
        let largest = largest_eigenvalue(problem, &w.weight, buffers, &mut w.scratch) + eta;
        if eta > 0.0 { largest / eta } else { largest }
    }

    fn residuals(&self, problem: &Problem, x: &[f64], y: &[f64]) -> IterateResiduals {
        let (w, eta) = (&self.work, self.settings.proximal);
        let mut r = IterateResiduals::default();
        for i in 0..x.len() {
            raise(&mut r.primal, (w.x[i] - w.y[i]).abs());
            let dual = eta * (w.x[i] - x[i]) + self.penalty * (w.y[i] - y[i]);
            raise(&mut r.dual, dual.abs());
        }
        for (set, rows) in problem.sets.iter().filter(|(set, _)| set.is_cone()) {
            // K* of free rows is 0: z is their distance from it, and x_kᵀz_k has no meaning.
            if !set.is_free() {
                let work: f64 = rows.map(|i| w.x[i] * w.z[i]).sum();
                raise(&mut r.complementarity, work.abs());
            }
        }
        r
    }
}
