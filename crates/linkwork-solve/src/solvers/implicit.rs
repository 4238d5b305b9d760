//! Implicit complementarity [Todorov 2010]: impulse f(x) and velocity v(x) = f(x) + x satisfy the contact law
//! for every x, and x is found from r(x) = (D + R − 1) f(x) − x + v_f + v* = 0 by a non-smooth Gauss-Newton
//! method that knows where r has edges.

mod law;
mod model;
mod search;
mod settings;
mod system;
#[cfg(test)]
mod tests;

use super::ends::{Counts, Grader, projected_guess};
use super::{Observer, Solver, SolverSettings, Unsupported};
use crate::problem::{Problem, Solution, SolveReport, Status};
use crate::residuals::{ContactModel, natural_map};
pub use settings::{ImplicitSettings, ImplicitSteps, Start};

use law::ImplicitLaw;
use model::Model;
use search::Search;
use system::{Point, System};

/// Rows above which a dense matrix is refused.
const MAX_ROWS: usize = 4000;
/// Levenberg λ of the start that assumes sticking.
const START_DAMPING: f64 = 1e-12;

/// Rounds of a kick out of a local minimum.
const KICK: usize = 500;
/// With restarts left, so many iterations must halve the cost.
const PATIENCE: usize = 15;

/// The solver; see the module documentation.
#[derive(Default)]
pub struct Implicit {
    /// Name of the registry; none means "implicit".
    name: Option<&'static str>,
    settings: ImplicitSettings,
    system: System,
    model: Model,
    search: Search,
    point: Point,
    trial: Point,
    cauchy: Vec<f64>,
    lambda: Vec<f64>,
    /// The λ with the least residual so far.
    best: Vec<f64>,
    sigma: Vec<f64>,
    scratch: Vec<f64>,
    grader: Grader,
    steps: ImplicitSteps,
}

impl Implicit {
    /// With the given settings.
    pub fn new(settings: ImplicitSettings) -> Self {
        Self {
            settings,
            ..Self::default()
        }
    }

    /// Under a name of the registry.
    pub(super) fn named(name: &'static str, settings: ImplicitSettings) -> Self {
        Self {
            name: Some(name),
            ..Self::new(settings)
        }
    }

    /// The points that the last solve accepted.
    pub fn steps(&self) -> ImplicitSteps {
        self.steps
    }

    /// The iteration of [Todorov §III-E], from the start and again after each restart.
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
        self.system.evaluate(&mut self.point);
        let mut damping = self.settings.damping;
        let mut restarts = self.settings.restarts;
        let (mut milestone, mut least) = (self.point.cost, f64::INFINITY);
        loop {
            let size = self.measure(problem);
            if size.is_nan() {
                return Status::NumericalFailure;
            }
            if size < least {
                least = size;
                self.best.clone_from(&self.lambda);
            }
            if observer.iteration(count.iterations, size).is_break() {
                return Status::Interrupted;
            }
            if size <= tolerance {
                return Status::Converged;
            }
            if count.iterations == max_iterations {
                return Status::IterationLimit;
            }
            count.iterations += 1;
            let mut moved = self.iterate(&mut damping, count);
            if restarts > 0 && count.iterations.is_multiple_of(PATIENCE) {
                moved &= self.point.cost < 0.5 * milestone;
                milestone = self.point.cost;
            }
            if !moved {
                if restarts == 0 {
                    return Status::Stalled;
                }
                restarts -= 1;
                self.kick();
                milestone = self.point.cost;
                damping = self.settings.damping;
            }
        }
    }

    /// One iteration; false in a local minimum of ½‖r‖², where no step is short enough.
    fn iterate(&mut self, damping: &mut f64, count: &mut Counts) -> bool {
        let ImplicitSettings {
            damping_range: (least, greatest),
            damping_factor,
            acceptance,
            ..
        } = self.settings;
        self.model.build(&self.system, &self.point);
        loop {
            count.factorizations += 1;
            let (x, to) = (&self.point.x, &mut self.trial.x);
            let predicted = self.model.newton(&self.system, x, *damping, to);
            if let Some(predicted) = predicted {
                self.system.evaluate(&mut self.trial);
                if self.point.cost - self.trial.cost >= acceptance * predicted {
                    std::mem::swap(&mut self.point, &mut self.trial);
                    self.steps.newton += 1;
                    *damping = (*damping / damping_factor).max(least);
                    return true;
                }
            }
            let last = *damping >= greatest;
            *damping = (*damping * damping_factor).min(greatest);
            if predicted.is_some() && self.backtrack() {
                return true;
            }
            if last {
                return false;
            }
        }
    }

    /// Search between x, the Cauchy point and the Newton point for a better one, and take it.
    fn backtrack(&mut self) -> bool {
        let (system, newton) = (&self.system, &self.trial.x);
        self.model.cauchy(system, &self.point.x, &mut self.cauchy);
        if !self.search.run(system, &self.point, &self.cauchy, newton) {
            return false;
        }
        std::mem::swap(&mut self.point, &mut self.search.best);
        if self.search.beyond_cauchy {
            self.steps.interpolated += 1;
        } else {
            self.steps.cauchy += 1;
        }
        self.steps.on_edge += usize::from(self.search.on_edge);
        true
    }

    /// Leaves a local minimum by some iterations x ← x + ω r, a projected Richardson iteration on the impulses, which
    /// reduces a function other than ‖r‖. ω = 1/‖A‖∞.
    fn kick(&mut self) {
        let rows = 0..self.system.rows();
        let sum = |i: usize| {
            self.system
                .scaled
                .a
                .col_as_slice(i)
                .iter()
                .map(|a| a.abs())
                .sum()
        };
        let norm = rows.map(sum).fold(1.0, f64::max);
        for _ in 0..KICK {
            let Point { x, r, .. } = &mut self.point;
            for (x, r) in x.iter_mut().zip(r.iter()) {
                *x += r / norm;
            }
            self.system.evaluate(&mut self.point);
        }
    }

    /// x to begin with.
    fn begin(&mut self, problem: &Problem, guess: &Solution) {
        let root = &self.system.scaled.root;
        let x = &mut self.point.x;
        x.clear();
        if self.settings.start == Start::Guess && guess.lambda.len() == problem.rows() {
            projected_guess(problem, guess, &mut self.lambda);
            problem.sigma(&self.lambda, &mut self.sigma, &mut self.scratch);
            let rows = self.lambda.iter().zip(&self.sigma).zip(root);
            x.extend(rows.map(|((l, s), root)| s / root - l * root));
            return;
        }
        x.resize(problem.rows(), 0.0);
        self.model.stick(&self.system, START_DAMPING, x);
    }

    /// λ(x) and its recomputed scaled natural map.
    fn measure(&mut self, problem: &Problem) -> f64 {
        let scaled = &self.system.scaled;
        self.lambda.clear();
        let rows = self.point.f.iter().zip(&scaled.root);
        self.lambda.extend(rows.map(|(f, root)| f / root));
        problem.sigma(&self.lambda, &mut self.sigma, &mut self.scratch);
        let (lambda, sigma, weights) = (&self.lambda, &self.sigma, &scaled.weights);
        natural_map(problem, lambda, sigma, weights, ContactModel::Ncp).scaled()
    }
}

impl Solver for Implicit {
    fn name(&self) -> &'static str {
        self.name.unwrap_or("implicit")
    }

    fn model(&self) -> ContactModel {
        ContactModel::Ncp
    }

    fn supports(&self, problem: &Problem) -> Result<(), Unsupported> {
        Unsupported::check_sets(self.name(), problem, |set| {
            ImplicitLaw::of(set, 1.0).is_some()
        })?;
        let rows = problem.rows();
        if rows <= MAX_ROWS {
            return Ok(());
        }
        Err(Unsupported {
            solver: self.name(),
            reason: format!(
                "it works on the dense Delassus matrix of at most {MAX_ROWS} rows and there are {rows}; \
                 use the solver hybrid"
            ),
        })
    }

    fn solve(
        &mut self,
        problem: &Problem,
        x: &mut Solution,
        observer: &mut dyn Observer,
    ) -> SolveReport {
        self.steps = ImplicitSteps::default();
        let mut count = Counts::default();
        projected_guess(problem, x, &mut self.best);
        let status = if self.system.load(problem, !self.settings.scaled) {
            self.begin(problem, x);
            self.run(problem, observer, &mut count)
        } else {
            // Asked for what `supports` refuses: the guess is all there is.
            Status::NumericalFailure
        };
        x.lambda.clone_from(&self.best);
        let tolerance = self.settings.common.tolerance;
        let model = Solver::model(self);
        self.grader
            .report(problem, x, model, tolerance, status, count)
    }
}
