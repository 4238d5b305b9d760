//! [Carpentier Alg. 1] exactly (`carpentier/admm`) under any penalty rule, with the residuals of its iterates.

use linkwork_solve::solvers::{Admm, AdmmForm, AdmmSettings, IterateResiduals, PenaltyRule};
use linkwork_solve::{Problem, Solution, SolverSettings, Status};
use std::ops::ControlFlow;

/// First exponent p of ρ = √(mL) κᵖ, for both rules; the value of the authors' implementation (Pinocchio,
/// `ADMMContactSolver`), as the paper states none.
const FIRST_POWER: f64 = 0.2;
/// How much later each mark of a history is than the one before.
const GROWTH: f64 = 1.1;

/// The residuals of eq. 40–42 after some iterations.
#[derive(Clone, Copy)]
pub(super) struct Mark {
    pub iteration: usize,
    pub residuals: IterateResiduals,
}

impl Mark {
    /// Whether eq. 43 holds.
    pub fn meets(&self, tolerance: f64) -> bool {
        self.residuals.largest() <= tolerance
    }
}

/// A run.
pub(super) struct Printed {
    /// Marks at growing distances; the last is the end of the run.
    pub marks: Vec<Mark>,
    /// Cholesky factorisations.
    pub factorizations: usize,
    /// The answer y, N s.
    pub lambda: Vec<f64>,
}

impl Printed {
    /// How it ended.
    pub fn end(&self) -> Mark {
        *self.marks.last().expect("a run has at least one iteration")
    }
}

/// Settings of the algorithm under a rule.
pub(super) fn printed_settings(rule: PenaltyRule, common: SolverSettings) -> AdmmSettings {
    let exponent = Some(FIRST_POWER);
    AdmmSettings {
        penalty: rule,
        form: AdmmForm::Printed { exponent },
        ..AdmmSettings::printed(common)
    }
}

/// Iterate from zero until eq. 43 holds or `limit` (≥ 1) iterations are done. `None` where a
/// factorisation fails.
pub(super) fn printed_admm(
    problem: &Problem,
    rule: PenaltyRule,
    tolerance: f64,
    limit: usize,
) -> Option<Printed> {
    let settings = SolverSettings {
        tolerance,
        max_iterations: limit,
    };
    let mut marks: Vec<Mark> = Vec::new();
    let (mut next, mut last) = (1, None);
    let mut x = Solution::default();
    let mut solver = Admm::new(printed_settings(rule, settings));
    let report = solver.trace(problem, &mut x, &mut |iteration, residuals| {
        let mark = Mark {
            iteration,
            residuals,
        };
        last = Some(mark);
        if iteration >= next {
            marks.push(mark);
            next = (GROWTH * iteration as f64).ceil() as usize;
        }
        ControlFlow::Continue(())
    });
    let end = last?;
    if marks.last().is_none_or(|m| m.iteration < end.iteration) {
        marks.push(end);
    }
    (report.status != Status::NumericalFailure).then_some(Printed {
        marks,
        factorizations: report.factorizations,
        lambda: x.lambda,
    })
}
