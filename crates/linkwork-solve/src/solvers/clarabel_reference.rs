//! The reference: Clarabel's interior-point method [Goulart and Chen 2024] on the convex problem, and on the exact
//! contact law by the De Saxcé cascade s ← Γ(σ(λ*(s))) [Carpentier §III-A].
//!
//! It shares no iteration with the other solvers, so it is an independent check. One run of an interior-point method
//! has only about half the digits where an impulse and its velocity vanish together. Further runs about the last
//! answer, in a unit of the size of its residual, recover them ([`conic`]).

mod conic;
mod convex;
mod polish;
mod watched;

use super::anderson::Anderson;
use super::ends::{Counts, Grader, projected_guess};
use super::{Observer, Solver, SolverSettings, Unsupported};
use crate::problem::{Problem, Solution, SolveReport, Status};
use crate::residuals::{ContactModel, natural_map};
use convex::{Convex, Failure};

/// Settings of the reference.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClarabelSettings {
    /// Tolerance, and limit of interior-point iterations over all runs.
    pub common: SolverSettings,
    /// The convex relaxation, or the exact law by the cascade.
    pub model: ContactModel,
    /// Clarabel's own tolerance on its scaled problem: relative residuals and duality gap. No unit,
    /// nominal 1e-15 … 1e-9.
    pub interior_tolerance: f64,
    /// How the cascade moves s.
    pub cascade: Cascade,
}

/// s ← s + β (Γ(σ(λ*(s))) − s).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cascade {
    /// β is halved where the residual grew, down to this; in (0, 1], nominal 0.05 … 1.
    pub least_damping: f64,
    /// Stored differences of the Anderson acceleration of s; 0 turns it off. Nominal 0 … 10.
    pub anderson: usize,
}

impl Default for ClarabelSettings {
    fn default() -> Self {
        Self {
            common: SolverSettings::default(),
            model: ContactModel::Ccp,
            interior_tolerance: 1e-15,
            cascade: Cascade {
                least_damping: 0.1,
                anderson: 5,
            },
        }
    }
}

/// Problems of the cascade without a halving of the residual after which it stops.
const IDLE_LIMIT: usize = 12;
/// A convex problem of the cascade is solved to this share of the present residual.
const INNER_SHARE: f64 = 0.1;

/// The solver; see the module documentation.
pub struct ClarabelReference {
    name: &'static str,
    settings: ClarabelSettings,
    lambda: Vec<f64>,
    best: Vec<f64>,
    sigma: Vec<f64>,
    /// s by row: 0 except on the normal rows of contacts.
    desaxce: Vec<f64>,
    change: Vec<f64>,
    /// β.
    damping: f64,
    anderson: Anderson,
    scratch: Vec<f64>,
    grader: Grader,
}

impl ClarabelReference {
    /// Under a name of the registry.
    pub fn named(name: &'static str, settings: ClarabelSettings) -> Self {
        Self {
            name,
            settings,
            lambda: Vec::new(),
            best: Vec::new(),
            sigma: Vec::new(),
            desaxce: Vec::new(),
            change: Vec::new(),
            damping: 1.0,
            anderson: Anderson::new(settings.cascade.anderson),
            scratch: Vec::new(),
            grader: Grader::default(),
        }
    }

    /// Solves convex problems until the residual meets the tolerance or no longer decreases; the answer is in `best`.
    fn run(
        &mut self,
        problem: &Problem,
        observer: &mut dyn Observer,
        count: &mut Counts,
    ) -> Status {
        let SolverSettings {
            tolerance,
            max_iterations,
        } = self.settings.common;
        let mut weights = Vec::new();
        problem.block_weights(&mut weights);
        self.best.clone_from(&self.lambda);
        let mut least = self.measure(problem, &weights);
        if least <= tolerance {
            return Status::Converged;
        }
        let ClarabelSettings {
            model,
            interior_tolerance,
            ..
        } = self.settings;
        let mut convex = Convex::new(problem, &weights, interior_tolerance);
        self.start_cascade(problem);
        let (mut size, mut idle) = (least, 0);
        loop {
            let goal = match model {
                ContactModel::Ccp => tolerance,
                ContactModel::Ncp => INNER_SHARE * size.max(10.0 * tolerance),
            };
            let (lambda, s) = (&mut self.lambda, &self.desaxce);
            let outcome = convex.solve(lambda, s, goal, max_iterations, observer, count);
            let before = std::mem::replace(&mut size, self.measure(problem, &weights));
            idle = if size < 0.5 * least { 0 } else { idle + 1 };
            if size < least {
                least = size;
                self.best.clone_from(&self.lambda);
            }
            match outcome {
                Err(Failure::Interrupted) => return Status::Interrupted,
                Err(Failure::Limit) => return Status::IterationLimit,
                Err(Failure::Numerical) => return Status::NumericalFailure,
                Ok(()) if least <= tolerance => return Status::Converged,
                Ok(()) if model == ContactModel::Ccp || idle == IDLE_LIMIT => {
                    return Status::Stalled;
                }
                Ok(()) => self.next_shift(problem, size > before),
            }
        }
    }

    /// The scaled natural map of λ; leaves σ(λ) in `sigma`.
    fn measure(&mut self, problem: &Problem, weights: &[f64]) -> f64 {
        problem.sigma(&self.lambda, &mut self.sigma, &mut self.scratch);
        let model = self.settings.model;
        natural_map(problem, &self.lambda, &self.sigma, weights, model).scaled()
    }

    /// s = Γ(σ(guess)), 0 for the convex relaxation.
    fn start_cascade(&mut self, problem: &Problem) {
        self.anderson.clear();
        self.damping = 1.0;
        match self.settings.model {
            ContactModel::Ncp => desaxce_shift(problem, &self.sigma, &mut self.desaxce),
            ContactModel::Ccp => {
                self.desaxce.clear();
                self.desaxce.resize(problem.rows(), 0.0);
            }
        }
    }

    /// s ← s + β (Γ(σ) − s), accelerated.
    fn next_shift(&mut self, problem: &Problem, grew: bool) {
        if grew {
            // The acceleration overshot, or the map does not contract.
            self.anderson.clear();
            self.damping = (0.5 * self.damping).max(self.settings.cascade.least_damping);
        }
        desaxce_shift(problem, &self.sigma, &mut self.change);
        for (c, s) in self.change.iter_mut().zip(&mut self.desaxce) {
            *c = self.damping * (*c - *s);
            *s += *c;
        }
        self.anderson.accelerate(&mut self.desaxce, &self.change);
        for s in &mut self.desaxce {
            // Γ is never negative; an extrapolation may be.
            *s = s.max(0.0);
        }
    }
}

/// Γ(σ) by row, into `out`.
fn desaxce_shift(problem: &Problem, sigma: &[f64], out: &mut Vec<f64>) {
    out.clear();
    for (set, rows) in problem.sets.iter() {
        out.resize(rows.end, 0.0);
        let last = rows.end - 1;
        out[last] = set.desaxce_shift(&sigma[rows]);
    }
}

impl Solver for ClarabelReference {
    fn name(&self) -> &'static str {
        self.name
    }

    fn model(&self) -> ContactModel {
        self.settings.model
    }

    fn supports(&self, _problem: &Problem) -> Result<(), Unsupported> {
        Ok(())
    }

    fn solve(
        &mut self,
        problem: &Problem,
        x: &mut Solution,
        observer: &mut dyn Observer,
    ) -> SolveReport {
        let mut count = Counts::default();
        projected_guess(problem, x, &mut self.lambda);
        let status = self.run(problem, observer, &mut count);
        x.lambda.clone_from(&self.best);
        let (model, tolerance) = (self.settings.model, self.settings.common.tolerance);
        self.grader
            .report(problem, x, model, tolerance, status, count)
    }
}
