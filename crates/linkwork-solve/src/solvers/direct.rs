//! Equality-only problems: one factorisation, a few proximal refinements [math.md §5 Direct].
//!
//! λ ← λ − (D + R + ε W)⁻¹ σ(λ), W the block weights. With redundant (rank-deficient, consistent) rows the component in
//! the range contracts by ε/(d + ε) per pass; started from 0 the iteration converges to the impulse of minimum norm. σ
//! is computed from J and M in every pass, which recovers the digits that a stiff factorisation loses. Where refinement
//! stalls above the tolerance, as on chains of tens of links, conjugate gradients continue with the factorisation as
//! preconditioner.

mod conjugate;
mod minimum_norm;

use super::{Observer, Solver, SolverSettings, Unsupported};
use crate::delassus::{AnyDelassus, Delassus, OperatorChoice};
use crate::problem::{Operator, Problem, Solution, SolveReport, Status};
use crate::residuals::{ContactModel, natural_map};
pub use minimum_norm::minimum_norm;

/// ε: large enough to factor redundant rows, small enough that two or three passes do.
pub(super) const PROXIMAL: f64 = 1e-8;
/// Passes after which no more digits are to be had.
const MAX_PASSES: usize = 12;
/// The solver; see the module documentation.
pub struct Direct {
    settings: SolverSettings,
    core: DirectCore,
}

impl Direct {
    /// With the given settings.
    pub fn new(settings: SolverSettings) -> Self {
        Self {
            settings,
            core: DirectCore::new(OperatorChoice::Auto),
        }
    }
}

impl Solver for Direct {
    fn name(&self) -> &'static str {
        "direct"
    }

    fn model(&self) -> ContactModel {
        ContactModel::Ncp
    }

    fn supports(&self, problem: &Problem) -> Result<(), Unsupported> {
        if problem.sets.all_free() {
            return Ok(());
        }
        Err(Unsupported {
            solver: self.name(),
            reason: "it has limits, friction or contacts; use an ADMM solver".into(),
        })
    }

    fn set_operator(&mut self, operator: OperatorChoice) {
        self.core = DirectCore::new(operator);
    }

    fn solve(
        &mut self,
        problem: &Problem,
        x: &mut Solution,
        _observer: &mut dyn Observer,
    ) -> SolveReport {
        self.core.solve(problem, x, self.settings.tolerance)
    }

    fn resolve(
        &mut self,
        problem: &Problem,
        x: &mut Solution,
        _observer: &mut dyn Observer,
    ) -> SolveReport {
        self.core.resolve(problem, x, self.settings.tolerance)
    }
}

/// The algorithm and its buffers, shared with ADMM, which meets equality-only problems too.
#[derive(Default)]
pub(super) struct DirectCore {
    operator: AnyDelassus,
    weights: Vec<f64>,
    shift: Vec<f64>,
    delta: Vec<f64>,
    impulse: Vec<f64>,
    change: Vec<f64>,
    best: Vec<f64>,
    image: Vec<f64>,
    /// z, p and the last σ of conjugate gradients, and the λ and u⁺ they start from.
    directions: [Vec<f64>; 3],
    start: [Vec<f64>; 2],
}

impl DirectCore {
    pub fn new(choice: OperatorChoice) -> Self {
        Self {
            operator: AnyDelassus::new(choice),
            ..Self::default()
        }
    }

    /// Factor and solve from λ = 0 (a guess would leave its null-space part in the answer).
    pub fn solve(&mut self, problem: &Problem, x: &mut Solution, tolerance: f64) -> SolveReport {
        problem.block_weights(&mut self.weights);
        self.shift.clear();
        for ((_, rows), &w) in problem.sets.iter().zip(&self.weights) {
            let r = &problem.compliance[rows];
            self.shift.extend(r.iter().map(|r| r + PROXIMAL * w));
        }
        x.lambda.clear();
        x.lambda.resize(problem.rows(), 0.0);
        problem.velocity(&x.lambda, &mut x.u_plus, &mut self.impulse);
        if self.operator.factor(problem, &self.shift).is_err() {
            return self.report(problem, x, Status::NumericalFailure, 0, 1, tolerance);
        }
        self.refine(problem, x, tolerance, 1)
    }

    /// Continues from `x`, with its u⁺, and the present factorisation.
    pub fn resolve(&mut self, problem: &Problem, x: &mut Solution, tolerance: f64) -> SolveReport {
        self.refine(problem, x, tolerance, 0)
    }

    fn refine(
        &mut self,
        problem: &Problem,
        x: &mut Solution,
        tolerance: f64,
        factorizations: usize,
    ) -> SolveReport {
        let n = problem.rows();
        self.delta.resize(n, 0.0);
        // Restored if the first pass produces a NaN, as with bodies at 1e308 m.
        self.best.clone_from(&x.lambda);
        let mut least = f64::INFINITY;
        let mut passes = 0;
        loop {
            self.sigma(problem, x);
            let size = natural_map(
                problem,
                &x.lambda,
                &x.sigma,
                &self.weights,
                ContactModel::Ncp,
            )
            .scaled();
            // Another digit beyond the tolerance costs one cheap pass.
            let done = size <= 0.1 * tolerance;
            // A reduction of half a digit per pass is the minimum that counts as converging.
            if !done && (size > 0.3 * least || passes == MAX_PASSES || size.is_nan()) {
                if size > least || size.is_nan() {
                    x.lambda.copy_from_slice(&self.best);
                    problem.velocity(&x.lambda, &mut x.u_plus, &mut self.impulse);
                }
                let mut reached = least.min(size);
                if reached > tolerance && matches!(problem.operator, Operator::Bodies { .. }) {
                    reached = self.conjugate_gradients(problem, x, tolerance);
                }
                let status = if reached <= tolerance {
                    Status::Converged
                } else {
                    Status::Stalled
                };
                return self.report(problem, x, status, passes, factorizations, tolerance);
            }
            if done {
                let status = Status::Converged;
                return self.report(problem, x, status, passes, factorizations, tolerance);
            }
            least = size;
            self.best.clone_from(&x.lambda);
            self.operator.solve(problem, &x.sigma, &mut self.delta);
            for (l, d) in x.lambda.iter_mut().zip(&self.delta) {
                *l -= d;
            }
            self.advance(problem, &mut x.u_plus);
            passes += 1;
        }
    }

    /// σ from u⁺, which is kept up to date.
    fn sigma(&mut self, problem: &Problem, x: &mut Solution) {
        match &problem.operator {
            Operator::Bodies { jacobian, .. } => {
                x.sigma.resize(problem.rows(), 0.0);
                jacobian.multiply(&x.u_plus, &mut x.sigma);
                for i in 0..x.sigma.len() {
                    x.sigma[i] += problem.compliance[i] * x.lambda[i] + problem.v_bias[i];
                }
            }
            Operator::Delassus { .. } => {
                problem.sigma(&x.lambda, &mut x.sigma, &mut self.impulse);
            }
        }
    }

    /// u⁺ ← u⁺ − M⁻¹ Jᵀ delta; no effect where only D is known, since there is no u⁺.
    fn advance(&mut self, problem: &Problem, u_plus: &mut [f64]) {
        self.spread(problem);
        for (u, c) in u_plus.iter_mut().zip(&self.change) {
            *u -= c;
        }
    }

    /// change = M⁻¹ Jᵀ delta.
    fn spread(&mut self, problem: &Problem) {
        if let Operator::Bodies { mass, jacobian, .. } = &problem.operator {
            self.impulse.resize(6 * jacobian.bodies(), 0.0);
            self.change.resize(6 * jacobian.bodies(), 0.0);
            jacobian.multiply_transposed(&self.delta, &mut self.impulse);
            mass.solve(&self.impulse, &mut self.change);
        }
    }

    fn report(
        &mut self,
        problem: &Problem,
        x: &mut Solution,
        status: Status,
        iterations: usize,
        factorizations: usize,
        tolerance: f64,
    ) -> SolveReport {
        // u⁺ was updated by increments: recompute it from λ.
        problem.velocity(&x.lambda, &mut x.u_plus, &mut self.impulse);
        self.sigma(problem, x);
        let model = ContactModel::Ncp;
        let residuals = natural_map(problem, &x.lambda, &x.sigma, &self.weights, model);
        // The status depends on the recomputed residual only.
        let status = match status {
            Status::Converged if !residuals.meets(tolerance) => Status::Stalled,
            other => other,
        };
        SolveReport {
            status,
            iterations,
            factorizations,
            residuals,
        }
    }
}
