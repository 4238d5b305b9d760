//! SAP: the convex problem with compliance as an unconstrained problem in the velocities, solved by Newton's method
//! with an exact line search [Castro Alg. 2].
//!
//! Minimise ℓ(u) = ½‖u − u_f‖²_M + ½‖γ(u)‖²_R, γ = P_K^R(y), y = −R⁻¹(J u + v*). ℓ is strongly convex with the gradient
//! M (u − u_f) − Jᵀγ, and R (y − γ) ∈ N_K(γ) by construction: where the gradient vanishes, λ = γ solves the CCP.
//! Newton's matrix H = M + Jᵀ G J is factored on the body graph. Differences from the paper:
//! - Free, one-sided and clamped rows in addition to contacts; for a set that is not a cone ℓ has another form
//!   ([`cost`]).
//! - It supports hard rows: joints, limits and contacts ([`hard`]).
//! - It stops on the recomputed natural map. Whether the momentum residual meets [Castro eq. 26] is reported separately
//!   ([`Solver::own_test`]); `castro/sap` stops on that, and starts from the velocities of the last step ([`printed`]).
//! - The answer may also be the impulse γ − G J Δu predicted by a Newton step: γ evaluated from u carries the round-off
//!   ε|v|/R, which is large for small R; the prediction does not.

mod cost;
mod hard;
mod printed;
mod response;
mod root;
#[cfg(test)]
mod tests;

use super::ends::{Counts, Grader, projected_guess};
use super::{Observer, Solver, SolverSettings, Unsupported};
use crate::delassus::{NewtonMatrix, Symmetry};
use crate::problem::{Operator, Problem, Solution, SolveReport, Status};
use crate::residuals::{ContactModel, natural_map};
use cost::{Line, Parts, Point};
use hard::{Hard, is_compliant};
use root::increasing_root;

/// Iterations that reduce neither ℓ nor the residual after which the solve ends.
const IDLE_LIMIT: usize = 4;
/// Relative decrease of ℓ that counts: below it is round-off.
const LEAST_DECREASE: f64 = 1e-13;

/// Settings of SAP.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SapSettings {
    /// Tolerance and limit of Newton iterations.
    pub common: SolverSettings,
    /// The line search along each Newton step.
    pub line_search: ExactLineSearch,
    /// What ends a solve, and where it begins.
    pub stop: SapStop,
}

/// What ends a solve.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SapStop {
    /// The recomputed natural map; the solve begins at the velocities of the guess λ.
    #[default]
    NaturalMap,
    /// The balance of momenta [Castro eq. 26] with ε_r the tolerance (no unit); the solve begins at the velocities in
    /// [`Solution::u_plus`], where there are any, else at u_f. Every row needs R > 0.
    Momentum,
}

/// The exact line search: the root of ℓ'(α) by Newton's method with bisection.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExactLineSearch {
    /// Done where |ℓ'(α)| ≤ this · |ℓ'(0)|; no unit, nominal 1e-14 … 1e-2.
    pub tolerance: f64,
    /// At most this many evaluations of ℓ', O(rows) each; nominal 20 … 200.
    pub max_evaluations: usize,
}

impl Default for ExactLineSearch {
    fn default() -> Self {
        Self {
            tolerance: 1e-10,
            max_evaluations: 100,
        }
    }
}

impl From<SolverSettings> for SapSettings {
    fn from(common: SolverSettings) -> Self {
        Self {
            common,
            line_search: ExactLineSearch::default(),
            stop: SapStop::NaturalMap,
        }
    }
}

/// The solver; see the module documentation.
pub struct Sap {
    settings: SapSettings,
    lu: NewtonMatrix,
    point: Point,
    line: Line,
    weights: Vec<f64>,
    lambda: Vec<f64>,
    best: Vec<f64>,
    /// The scaled natural map of `best`.
    least: f64,
    sigma: Vec<f64>,
    scratch: Vec<f64>,
    hard: Hard,
    /// Whether eq. 26 held at the end of the last solve.
    own_test: Option<bool>,
    grader: Grader,
}

impl Sap {
    /// With the given settings.
    pub fn new(settings: SapSettings) -> Self {
        Self {
            settings,
            lu: NewtonMatrix::default(),
            point: Point::default(),
            line: Line::default(),
            weights: Vec::new(),
            lambda: Vec::new(),
            best: Vec::new(),
            least: f64::INFINITY,
            sigma: Vec::new(),
            scratch: Vec::new(),
            hard: Hard::default(),
            own_test: None,
            grader: Grader::default(),
        }
    }

    fn has_hard_rows(&self, problem: &Problem) -> bool {
        (0..problem.sets.len()).any(|k| !is_compliant(problem, k))
    }

    /// Iterate from u_f + M⁻¹Jᵀλ, λ the guess in `lambda`, to the answer in `best`.
    fn run(
        &mut self,
        parts: Parts,
        tolerance: f64,
        observer: &mut dyn Observer,
        count: &mut Counts,
    ) -> Status {
        let max_iterations = self.settings.common.max_iterations;
        let problem = parts.problem;
        problem.block_weights(&mut self.weights);
        problem.velocity(&self.lambda, &mut self.point.u, &mut self.scratch);
        self.best.clone_from(&self.lambda);
        self.least = f64::INFINITY;
        self.judge(problem);
        self.point.evaluate(parts);
        let mut idle = 0;
        while self.least > tolerance {
            if count.iterations >= max_iterations {
                return Status::IterationLimit;
            }
            count.iterations += 1;
            let (cost, least) = (self.point.cost, self.least);
            if !self.newton_step(parts, count) {
                return Status::NumericalFailure;
            }
            self.line.predict(parts, &self.point, &mut self.lambda);
            self.judge(problem);
            if self.least > tolerance {
                self.advance(parts);
                self.lambda.clone_from(&self.point.gamma);
                self.judge(problem);
            }
            if observer.iteration(count.iterations, self.least).is_break() {
                return Status::Interrupted;
            }
            if !self.point.cost.is_finite() {
                return Status::NumericalFailure;
            }
            // ℓ falls in every exact step; where round-off hides this, the residual may still fall.
            let lowered = self.point.cost < (1.0 - LEAST_DECREASE) * cost;
            idle = if lowered || self.least < 0.5 * least {
                0
            } else {
                idle + 1
            };
            if idle == IDLE_LIMIT {
                return Status::Stalled;
            }
        }
        Status::Converged
    }

    /// Δu = −H⁻¹∇ℓ; false where H cannot be factored.
    fn newton_step(&mut self, parts: Parts, count: &mut Counts) -> bool {
        count.factorizations += 1;
        let slopes = &self.point.slopes;
        let (mass, jacobian) = (parts.mass, parts.jacobian);
        if self
            .lu
            .factor(mass, jacobian, &slopes[..], Symmetry::Symmetric)
            .is_err()
        {
            return false;
        }
        let step = &mut self.line.step;
        step.clear();
        step.extend(self.point.gradient.iter().map(|g| -g));
        self.lu.solve(step);
        self.line.prepare(parts, &self.point);
        true
    }

    /// u ← u + α Δu with the α that minimises ℓ.
    fn advance(&mut self, parts: Parts) {
        let search = self.settings.line_search;
        let (line, point) = (&self.line, &self.point);
        // ℓ'' ≥ ΔuᵀMΔu bounds the root. Only round-off makes ℓ'(0) not negative: the full step then
        // is as good as any.
        let bound = -line.slope / line.inertia;
        let alpha = if bound > 1.0 {
            increasing_root(
                |alpha| line.derivatives(parts, point, alpha),
                (0.0, bound),
                1.0,
                search.tolerance * -line.slope,
                search.max_evaluations,
            )
        } else {
            1.0
        };
        for (u, step) in self.point.u.iter_mut().zip(&self.line.step) {
            *u += alpha * step;
        }
        self.point.evaluate(parts);
    }

    /// Keep `lambda` if its recomputed natural map is the least so far.
    fn judge(&mut self, problem: &Problem) {
        problem.sigma(&self.lambda, &mut self.sigma, &mut self.scratch);
        let model = ContactModel::Ccp;
        let size = natural_map(problem, &self.lambda, &self.sigma, &self.weights, model).scaled();
        if size < self.least {
            self.least = size;
            self.best.clone_from(&self.lambda);
        }
    }
}

impl Solver for Sap {
    fn name(&self) -> &'static str {
        match self.settings.stop {
            SapStop::NaturalMap => "sap",
            SapStop::Momentum => "castro/sap",
        }
    }

    fn model(&self) -> ContactModel {
        ContactModel::Ccp
    }

    fn supports(&self, problem: &Problem) -> Result<(), Unsupported> {
        let solver = self.name();
        let refuse = |reason: String| Err(Unsupported { solver, reason });
        if matches!(problem.operator, Operator::Delassus { .. }) {
            return refuse("only D is known, and it solves for the velocities of bodies; give M and J, or use clarabel or admm-ccp".into());
        }
        if let Some(i) = first_not(&problem.compliance, |r| r.is_finite() && r >= 0.0) {
            let r = problem.compliance[i];
            return refuse(format!(
                "row {i} has compliance {r}; it must be finite and not negative"
            ));
        }
        if self.settings.stop == SapStop::NaturalMap {
            return Ok(());
        }
        if let Some(i) = first_not(&problem.compliance, |r| r > 0.0) {
            return refuse(format!(
                "row {i} is hard and the printed method needs R > 0 in every row; give it compliance, or use sap"
            ));
        }
        let uneven = (0..problem.sets.len()).find(|k| !is_compliant(problem, *k));
        match uneven {
            None => Ok(()),
            Some(k) => refuse(format!(
                "{} block {k} has compliances for which the projection has no closed form; make them equal, or use sap",
                problem.sets.set(k).name()
            )),
        }
    }

    fn own_test(&self) -> Option<bool> {
        self.own_test
    }

    fn solve(
        &mut self,
        problem: &Problem,
        x: &mut Solution,
        observer: &mut dyn Observer,
    ) -> SolveReport {
        let mut count = Counts::default();
        projected_guess(problem, x, &mut self.lambda);
        let tolerance = self.settings.common.tolerance;
        self.own_test = Some(false);
        let status = match (Parts::of(problem), self.supports(problem)) {
            (Some(parts), Ok(())) if self.settings.stop == SapStop::Momentum => {
                let status = self.run_printed(parts, &x.u_plus, observer, &mut count);
                self.own_test = Some(self.balances(parts, tolerance));
                status
            }
            (Some(_), Ok(())) if self.has_hard_rows(problem) => {
                // Eq. 26 requires velocities that imply all impulses, which is not the case with hard rows.
                self.own_test = None;
                self.run_hard(problem, observer, &mut count)
            }
            (Some(parts), Ok(())) => {
                let status = self.run(parts, tolerance, observer, &mut count);
                self.own_test = Some(self.balances(parts, tolerance));
                status
            }
            // Asked for what `supports` refuses: the guess is all there is.
            _ => {
                self.best.clone_from(&self.lambda);
                Status::NumericalFailure
            }
        };
        x.lambda.clone_from(&self.best);
        self.grader
            .report(problem, x, self.model(), tolerance, status, count)
    }
}

/// The first of `values` that is not `good`; a NaN is not.
fn first_not(values: &[f64], good: impl Fn(f64) -> bool) -> Option<usize> {
    values.iter().position(|x| !good(*x))
}
