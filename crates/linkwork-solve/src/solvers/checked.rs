//! Wrapper of every solver obtained by name: an invalid problem is refused before the method gets it, and a result that
//! is not finite is not accepted as an answer.

use super::{Observer, Solver, Unsupported};
use crate::check::{ProblemError, first_infinite};
use crate::condense::Plans;
use crate::delassus::OperatorChoice;
use crate::problem::{Operator, Problem, Solution, SolveReport, Status};
use crate::residuals::{ContactModel, Residuals};
use std::sync::Arc;

/// A solver behind [`Problem::check`].
pub(super) struct Checked {
    inner: Box<dyn Solver>,
    /// Whether the last problem was refused, so that there is nothing to resolve.
    refused: bool,
}

impl Checked {
    pub fn new(inner: Box<dyn Solver>) -> Self {
        Self {
            inner,
            refused: false,
        }
    }
}

impl Solver for Checked {
    fn name(&self) -> &'static str {
        self.inner.name()
    }

    fn model(&self) -> ContactModel {
        self.inner.model()
    }

    fn supports(&self, problem: &Problem) -> Result<(), Unsupported> {
        problem.check().map_err(|error| Unsupported {
            solver: self.name(),
            reason: error.to_string(),
        })?;
        self.inner.supports(problem)
    }

    fn weights(&self) -> &[f64] {
        if self.refused {
            &[]
        } else {
            self.inner.weights()
        }
    }

    fn met_contradictions(&self) -> bool {
        !self.refused && self.inner.met_contradictions()
    }

    fn yielded(&self) -> &[f64] {
        if self.refused {
            &[]
        } else {
            self.inner.yielded()
        }
    }

    fn own_test(&self) -> Option<bool> {
        self.inner.own_test()
    }

    fn escalations(&self) -> u64 {
        self.inner.escalations()
    }

    fn share(&mut self, plans: &Arc<Plans>) {
        self.inner.share(plans);
    }

    fn set_operator(&mut self, operator: OperatorChoice) {
        self.inner.set_operator(operator);
    }

    fn set_threads(&mut self, threads: usize) {
        self.inner.set_threads(threads);
    }

    fn allow_contradictions(&mut self, distance: f64) {
        self.inner.allow_contradictions(distance);
    }

    fn solve(
        &mut self,
        problem: &Problem,
        x: &mut Solution,
        observer: &mut dyn Observer,
    ) -> SolveReport {
        let checked = problem.check();
        self.refused = checked.is_err();
        if let Err(error) = checked {
            return refuse(problem, x, &error);
        }
        if first_infinite(&x.lambda).is_some() {
            x.lambda.clear();
        }
        graded(self.inner.solve(problem, x, observer))
    }

    fn resolve(
        &mut self,
        problem: &Problem,
        x: &mut Solution,
        observer: &mut dyn Observer,
    ) -> SolveReport {
        if self.refused || x.lambda.len() != problem.rows() {
            return self.solve(problem, x, observer);
        }
        if let Err(error) = problem.check_bias() {
            self.refused = true;
            return refuse(problem, x, &error);
        }
        graded(self.inner.resolve(problem, x, observer))
    }
}

/// A result that is not finite is a failure, not a stall.
fn graded(report: SolveReport) -> SolveReport {
    if !report.residuals.has_nan() {
        return report;
    }
    SolveReport {
        status: Status::NumericalFailure,
        ..report
    }
}

/// No impulses, and residuals that never pass for good.
fn refuse(problem: &Problem, x: &mut Solution, error: &ProblemError) -> SolveReport {
    x.lambda.clear();
    x.u_plus.clear();
    x.sigma.clear();
    if error.is_number() {
        let n = problem.rows();
        x.lambda.resize(n, 0.0);
        x.sigma.resize(n, f64::NAN);
        if let Operator::Bodies { u_free, .. } = &problem.operator {
            x.u_plus.extend_from_slice(u_free);
        }
    }
    SolveReport {
        status: Status::NumericalFailure,
        iterations: 0,
        factorizations: 0,
        residuals: Residuals::BROKEN,
    }
}
