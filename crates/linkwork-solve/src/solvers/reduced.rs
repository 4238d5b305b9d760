//! Any solver on the reduced problem: the equations are eliminated first, the solver gets the rest.
//!
//! E and I are those of [`crate::condense`]: joints, and drives below their limit, are eliminated by one sparse
//! factorisation; every other block is kept, open contacts too. The inner solver sees σ = (S + R) λ_I + q with the
//! Schur complement S of E and no bodies ([`crate::Operator::Delassus`]), which is small and well conditioned where
//! the whole problem is neither. λ_E follows by back substitution.
//!
//! Rounds refine: a round starts from the σ of the whole problem at the answer of the last, so that q carries what
//! round-off left. Drives that leave their interval are kept from then on, and E is factored again.

mod small;

use super::ends::{Counts, Grader, projected_guess};
use super::{Observer, Solver, Unsupported};
use crate::condense::{Condensation, Plans, is_reducible};
use crate::delassus::OperatorChoice;
use crate::problem::{Problem, Solution, SolveReport, Status};
use crate::residuals::{ContactModel, natural_map};
use small::Small;
use std::cell::RefCell;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Rounds in a row that do not halve the residual: then it is round-off, or the inner solver gives no more.
const IDLE_LIMIT: usize = 2;

/// A solver on the problem without its equations; see the module documentation.
pub struct Reduced {
    inner: Box<dyn Solver>,
    tolerance: f64,
    condensation: Condensation,
    small: Small,
    grader: Grader,
    weights: Vec<f64>,
    felt: Vec<f64>,
    change: Vec<f64>,
    scratch: Vec<f64>,
    /// σ without what redundant rows contradict the others by.
    sigma: Vec<f64>,
    /// λ at the start of a round.
    before: Vec<f64>,
    best: (f64, Vec<f64>),
    /// Whether the last problem was reduced.
    reduced: bool,
    /// What the inner solver is asked whether it can take.
    asked: RefCell<Problem>,
}

impl Reduced {
    /// `inner` on reduced problems; `tolerance` is that of `inner`, N s and m/s.
    pub fn new(inner: Box<dyn Solver>, tolerance: f64) -> Self {
        Self {
            inner,
            tolerance,
            condensation: Condensation::default(),
            small: Small::default(),
            grader: Grader::default(),
            weights: Vec::new(),
            felt: Vec::new(),
            change: Vec::new(),
            scratch: Vec::new(),
            sigma: Vec::new(),
            before: Vec::new(),
            best: (f64::INFINITY, Vec::new()),
            reduced: false,
            asked: RefCell::new(small::empty(0.0)),
        }
    }

    /// Factor E and form S.
    fn factor(&mut self, problem: &Problem, count: &mut Counts) -> bool {
        count.factorizations += 1;
        if self.condensation.factor(problem).is_err() {
            return false;
        }
        self.small.clear(problem.dt);
        for (k, (_, rows)) in problem.sets.iter().enumerate() {
            if self.condensation.is_kept(k) {
                self.condensation.add_block(problem, k);
                self.small.push(k, &problem.compliance[rows]);
            }
        }
        self.condensation.complete();
        self.small.set_matrix(self.condensation.matrix());
        true
    }

    /// The scaled residual of the whole problem, and the part of it that impulses can change; leaves σ in `x`.
    fn measure(&mut self, problem: &Problem, x: &mut Solution) -> (f64, f64) {
        problem.sigma(&x.lambda, &mut x.sigma, &mut self.scratch);
        let model = self.inner.model();
        let map = |sigma: &[f64]| natural_map(problem, &x.lambda, sigma, &self.weights, model);
        let whole = map(&x.sigma).scaled();
        if self.condensation.redundant().is_empty() {
            return (whole, whole);
        }
        self.sigma.clone_from(&x.sigma);
        for &(row, _) in self.condensation.redundant() {
            self.sigma[row] = 0.0;
        }
        (whole, map(&self.sigma).scaled())
    }

    /// Rounds from the λ in `x`, with the present factorisation; the best λ is left in `x`.
    fn rounds(
        &mut self,
        problem: &Problem,
        x: &mut Solution,
        count: &mut Counts,
        observer: &mut dyn Observer,
    ) -> Status {
        let mut idle = 0;
        // Whether λ is an answer of the inner solver.
        let mut answered = false;
        let mut status = Status::Stalled;
        self.best.0 = f64::INFINITY;
        self.best.1.clone_from(&x.lambda);
        loop {
            let (whole, size) = self.measure(problem, x);
            idle = if size < 0.5 * self.best.0 {
                0
            } else {
                idle + 1
            };
            if size < self.best.0 {
                self.best.0 = size;
                self.best.1.clone_from(&x.lambda);
            }
            if whole <= self.tolerance {
                return Status::Converged;
            }
            // Below the tolerance only rows are open that contradict each other.
            if size <= self.tolerance || size.is_nan() || idle > IDLE_LIMIT {
                break;
            }
            let left = answered.then_some(size / self.tolerance);
            answered = true;
            self.before.clone_from(&x.lambda);
            self.condensation.begin(problem, &x.sigma, &mut self.felt);
            self.small
                .load(problem, x, &self.felt, (&self.weights, left));
            status = self.small.solve(&mut *self.inner, count, observer);
            self.small
                .hand_over(problem, &mut x.lambda, &mut self.change);
            self.condensation
                .finish(problem, &self.change, &mut x.lambda);
            if self
                .condensation
                .saturate(problem, &mut self.before, &mut x.lambda)
            {
                if !self.factor(problem, count) {
                    status = Status::NumericalFailure;
                    break;
                }
                // Another problem: earlier residuals cannot be compared.
                (self.best.0, idle, answered) = (f64::INFINITY, 0, false);
            }
            if status == Status::Interrupted || status == Status::IterationLimit {
                let (whole, size) = self.measure(problem, x);
                if whole <= self.tolerance {
                    return Status::Converged;
                }
                if size < self.best.0 {
                    self.best.1.clone_from(&x.lambda);
                }
                break;
            }
        }
        x.lambda.clone_from(&self.best.1);
        status
    }

    fn finish(
        &mut self,
        problem: &Problem,
        x: &mut Solution,
        status: Status,
        count: Counts,
    ) -> SolveReport {
        let model = self.inner.model();
        self.grader
            .report(problem, x, model, self.tolerance, status, count)
    }
}

impl Solver for Reduced {
    fn name(&self) -> &'static str {
        self.inner.name()
    }

    fn model(&self) -> ContactModel {
        self.inner.model()
    }

    fn supports(&self, problem: &Problem) -> Result<(), Unsupported> {
        if !is_reducible(problem) {
            return self.inner.supports(problem);
        }
        let mut asked = self.asked.borrow_mut();
        small::kept_part(problem, &mut asked);
        self.inner.supports(&asked)
    }

    fn own_test(&self) -> Option<bool> {
        self.inner.own_test()
    }

    fn escalations(&self) -> u64 {
        self.inner.escalations()
    }

    fn set_operator(&mut self, operator: OperatorChoice) {
        self.inner.set_operator(operator);
    }

    fn share(&mut self, plans: &Arc<Plans>) {
        self.condensation.share(plans.clone());
        self.inner.share(plans);
    }

    fn solve(
        &mut self,
        problem: &Problem,
        x: &mut Solution,
        observer: &mut dyn Observer,
    ) -> SolveReport {
        self.reduced = is_reducible(problem);
        if !self.reduced {
            return self.inner.solve(problem, x, observer);
        }
        projected_guess(problem, x, &mut self.before);
        x.lambda.clone_from(&self.before);
        problem.block_weights(&mut self.weights);
        self.condensation.partition(problem, &x.lambda);
        let mut count = Counts::default();
        let status = if self.factor(problem, &mut count) {
            self.rounds(problem, x, &mut count, observer)
        } else {
            Status::NumericalFailure
        };
        self.finish(problem, x, status, count)
    }

    fn resolve(
        &mut self,
        problem: &Problem,
        x: &mut Solution,
        observer: &mut dyn Observer,
    ) -> SolveReport {
        if !self.reduced {
            return self.inner.resolve(problem, x, observer);
        }
        let mut count = Counts::default();
        let status = self.rounds(problem, x, &mut count, observer);
        self.finish(problem, x, status, count)
    }
}

/// Counts iterations on from those of the rounds before.
struct Later<'a> {
    before: usize,
    observer: &'a mut dyn Observer,
}

impl Observer for Later<'_> {
    fn iteration(&mut self, iteration: usize, residual: f64) -> ControlFlow<()> {
        self.observer.iteration(self.before + iteration, residual)
    }
}

#[cfg(test)]
mod tests;
