//! Proximal ADMM on the dual problem [Tsounis Alg. 6, Carpentier Alg. 1].
//!
//! Per iteration, with s = Γ(z) (NCP) or 0 (CCP), g = (D + R) x + v_f + v* and S = R + (η + ρ) W:
//!   Δ = (D + S)⁻¹ (z + ρW (y − x) − g − s),  x ← x + Δ,  x̂ = ω x + (1 − ω) y,
//!   y⁺ = P_K(x̂ − z/(ρW)),  z⁺ = z − ρW (x̂ − y⁺),  λ = y⁺.
//! Differences from the papers:
//! - W has one weight per block, w_k = tr(D_kk + R_kk)/dim. ADMM with the metric ρW is ADMM with the scalar ρ on the
//!   problem scaled block by block by w_k^(−1/2). Cones are preserved because a block has one weight, and nothing has
//!   to be scaled or unscaled.
//! - Free rows are not split (ρ = 0 there). Their projection is the identity, so they are solved exactly in every
//!   iteration, up to the proximal weight that regularises redundant rows.
//! - x is updated by a residual correction and not solved for again, so round-off of the factorisation does not limit
//!   the accuracy.
//! - It stops on the recomputed natural map at λ = y. The differences of iterates only decide when to evaluate it.
//!
//! With [`AdmmForm::Printed`] none of these holds ([`printed`]).

mod iteration;
mod printed;
mod restraint;

use super::anderson::Anderson;
use super::direct::DirectCore;
use super::ends::{Counts, Grader, projected_guess};
use super::power::largest_eigenvalue;
use super::{Observer, PenaltyRule, Solver, SolverSettings, Unsupported};
use crate::delassus::{AnyDelassus, Delassus, OperatorChoice};
use crate::problem::{Problem, Solution, SolveReport, Status};
use crate::residuals::{ContactModel, natural_map};
use crate::sets::MAX_DIM;
pub use printed::IterateResiduals;
use restraint::Restraint;

/// The metric, the rows that are split and the test that ends a solve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AdmmForm {
    /// As in the module documentation.
    Weighted,
    /// As printed in the papers: one ρ for all rows, all rows split, stopped when the iterates' own residuals [Tsounis
    /// eq. 170, Carpentier eq. 40–43] are at most the tolerance.
    Printed {
        /// p₀ of the first penalty ρ = √(m L) κ^p₀ with m = η and L the largest eigenvalue of D + R + η [Tsounis
        /// eq. 172a, Carpentier eq. 45]; nominal 0 … 0.3. `None`: [`AdmmSettings::initial_penalty`].
        exponent: Option<f64>,
    },
}

/// Settings of proximal ADMM.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AdmmSettings {
    /// Tolerance and iteration limit.
    pub common: SolverSettings,
    /// NCP or its convex relaxation.
    pub model: ContactModel,
    /// Initial penalty ρ, relative to the block weights; nominal 1e-3 … 10.
    pub initial_penalty: f64,
    /// How ρ changes.
    pub penalty: PenaltyRule,
    /// Iterations between updates of ρ; a change costs a factorisation. Nominal 5 … 50.
    pub penalty_interval: usize,
    /// Proximal weight η, relative to the block weights; nominal 1e-8 … 1e-5.
    pub proximal: f64,
    /// Over-relaxation ω, in [1, 2); nominal 1 … 1.8.
    pub over_relaxation: f64,
    /// Stored differences of Anderson acceleration; 0 turns it off. Nominal 0 … 15.
    pub anderson: usize,
    /// Which factorisation.
    pub operator: OperatorChoice,
    /// Linkwork's form or the papers'.
    pub form: AdmmForm,
}

impl Default for AdmmSettings {
    fn default() -> Self {
        Self {
            common: SolverSettings::default(),
            model: ContactModel::Ncp,
            initial_penalty: 0.01,
            penalty: PenaltyRule::spectral(),
            penalty_interval: 10,
            proximal: 1e-6,
            over_relaxation: 1.6,
            anderson: 15,
            operator: OperatorChoice::Auto,
            form: AdmmForm::Weighted,
        }
    }
}

impl AdmmSettings {
    /// [`AdmmForm::Printed`] with a fixed penalty of 1, η = 1e-6, not over-relaxed [Tsounis §VI-F].
    pub fn printed(common: SolverSettings) -> Self {
        Self {
            common,
            initial_penalty: 1.0,
            penalty: PenaltyRule::Fixed,
            penalty_interval: 1,
            over_relaxation: 1.0,
            anderson: 0,
            form: AdmmForm::Printed { exponent: None },
            ..Self::default()
        }
    }
}

/// The solver; see the module documentation.
pub struct Admm {
    name: &'static str,
    settings: AdmmSettings,
    /// ρ, as the rule has changed it during this solve.
    penalty: f64,
    anderson: Anderson,
    /// Least change of the fixed-point iteration since the memory was cleared.
    least_change: f64,
    restraint: Restraint,
    direct: DirectCore,
    operator: AnyDelassus,
    /// Whether `operator` holds the factors of the problem last given to `solve`.
    factored: bool,
    /// Whether the last solve ended by the iterates' own residuals; `None` in Linkwork's form.
    own_test: Option<bool>,
    work: Work,
    grader: Grader,
}

/// Vectors of an iteration, all with nd rows except the block weights.
#[derive(Default)]
struct Work {
    block_weights: Vec<f64>,
    block_roots: Vec<f64>,
    /// W by row.
    weight: Vec<f64>,
    /// (η + ρ) W on split rows, η W on free rows.
    proximal: Vec<f64>,
    shift: Vec<f64>,
    x: Vec<f64>,
    y: Vec<f64>,
    z: Vec<f64>,
    g: Vec<f64>,
    rhs: Vec<f64>,
    delta: Vec<f64>,
    /// t⁺ and t⁺ − t, scaled by √W.
    image: Vec<f64>,
    change: Vec<f64>,
    sigma: Vec<f64>,
    scratch: Vec<f64>,
}

/// Sizes of the last change of the iterates.
#[derive(Clone, Copy, Default)]
struct Progress {
    /// ‖x − y‖ and ‖η Δx + ρ Δy‖ in the scaled problem, for the penalty rule.
    primal: f64,
    dual: f64,
    /// The largest of both as impulse or velocity, comparable with the tolerance.
    largest: f64,
}

impl Admm {
    /// With the given settings.
    pub fn new(settings: AdmmSettings) -> Self {
        Self::named("admm", settings)
    }

    /// Under a name of the registry.
    pub fn named(name: &'static str, settings: AdmmSettings) -> Self {
        Self {
            name,
            settings,
            penalty: settings.initial_penalty,
            anderson: Anderson::new(settings.anderson),
            least_change: f64::INFINITY,
            restraint: Restraint::default(),
            direct: DirectCore::new(settings.operator),
            operator: AnyDelassus::new(settings.operator),
            factored: false,
            own_test: None,
            work: Work::default(),
            grader: Grader::default(),
        }
    }

    /// Starts with the initial penalty: a penalty that suited the last problem may be unsuitable for this one, and an
    /// answer must depend on its problem and guess only.
    pub(super) fn restart(&mut self) {
        self.penalty = self.settings.initial_penalty;
    }

    /// At most `iterations` iterations, from the guess in `x` or from where the last burst on the same
    /// problem ended.
    pub(super) fn burst(
        &mut self,
        problem: &Problem,
        x: &mut Solution,
        observer: &mut dyn Observer,
        iterations: usize,
        resume: bool,
    ) -> SolveReport {
        let limits = (self.settings.common.tolerance, iterations);
        // A burst without iterations made no factors: the present ones belong to another problem.
        if resume && self.factored {
            return self.continue_iterating(problem, x, observer, limits, Counts::default());
        }
        let limit = std::mem::replace(&mut self.settings.common.max_iterations, iterations);
        let report = self.run(problem, x, observer, false);
        self.settings.common.max_iterations = limit;
        report
    }

    fn run(
        &mut self,
        problem: &Problem,
        x: &mut Solution,
        observer: &mut dyn Observer,
        factored: bool,
    ) -> SolveReport {
        let SolverSettings {
            tolerance,
            max_iterations,
        } = self.settings.common;
        let mut count = Counts::default();
        self.factored &= factored;
        self.start(problem, x);
        if self.measure(problem) <= tolerance {
            return self.finish(problem, x, Status::Converged, count);
        }
        if !self.factored && !self.factor(problem, &mut count) {
            return self.finish(problem, x, Status::NumericalFailure, count);
        }
        self.split(problem);
        self.anderson.clear();
        self.least_change = f64::INFINITY;
        self.continue_iterating(problem, x, observer, (tolerance, max_iterations), count)
    }

    /// Iterate from the present x, y and z.
    fn continue_iterating(
        &mut self,
        problem: &Problem,
        x: &mut Solution,
        observer: &mut dyn Observer,
        (tolerance, max_iterations): (f64, usize),
        mut count: Counts,
    ) -> SolveReport {
        // Evaluate the true residual when the change of the iterates suggests that it is small enough. Each failed test
        // halves that threshold.
        let mut look = tolerance;
        self.restraint = Restraint::default();
        while count.iterations < max_iterations {
            count.iterations += 1;
            let progress = self.iterate(problem);
            if self.restraint.watch(progress.largest) {
                self.anderson.clear();
            }
            let flow = observer.iteration(count.iterations, progress.largest);
            if progress.largest.is_nan() {
                return self.finish(problem, x, Status::NumericalFailure, count);
            }
            if flow.is_break() {
                return self.finish(problem, x, Status::Interrupted, count);
            }
            if progress.largest <= look {
                if self.measure(problem) <= tolerance {
                    return self.finish(problem, x, Status::Converged, count);
                }
                look *= 0.5;
                if look < 1e-4 * tolerance {
                    return self.finish(problem, x, Status::Stalled, count);
                }
                self.refresh(problem);
            }
            if count
                .iterations
                .is_multiple_of(self.settings.penalty_interval)
            {
                self.refresh(problem);
                if !self.adapt(problem, progress, &mut count) {
                    return self.finish(problem, x, Status::NumericalFailure, count);
                }
            }
        }
        self.finish(problem, x, Status::IterationLimit, count)
    }

    /// y = guess, projected.
    fn start(&mut self, problem: &Problem, guess: &Solution) {
        let w = &mut self.work;
        projected_guess(problem, guess, &mut w.y);
        problem.block_weights(&mut w.block_weights);
        if self.settings.form != AdmmForm::Weighted {
            w.block_weights.fill(1.0);
        }
        w.block_roots.clear();
        w.block_roots
            .extend(w.block_weights.iter().map(|w| w.sqrt()));
        w.weight.clear();
        for ((set, _), &weight) in problem.sets.iter().zip(&w.block_weights) {
            w.weight.extend(std::iter::repeat_n(weight, set.dim()));
        }
    }

    /// The recomputed scaled natural map at y; leaves σ(y) in `work.sigma`.
    fn measure(&mut self, problem: &Problem) -> f64 {
        let w = &mut self.work;
        problem.sigma(&w.y, &mut w.sigma, &mut w.scratch);
        natural_map(
            problem,
            &w.y,
            &w.sigma,
            &w.block_weights,
            self.settings.model,
        )
        .scaled()
    }

    /// Factor D + S for the current penalty.
    fn factor(&mut self, problem: &Problem, count: &mut Counts) -> bool {
        let w = &mut self.work;
        w.proximal.clear();
        for ((set, _), &weight) in problem.sets.iter().zip(&w.block_weights) {
            let rho = if self.settings.form.splits(set) {
                self.penalty
            } else {
                0.0
            };
            let value = (self.settings.proximal + rho) * weight;
            w.proximal.extend(std::iter::repeat_n(value, set.dim()));
        }
        w.shift.clear();
        w.shift.extend(
            w.proximal
                .iter()
                .zip(&problem.compliance)
                .map(|(p, r)| p + r),
        );
        self.anderson.clear();
        self.least_change = f64::INFINITY;
        count.factorizations += 1;
        self.factored = self.operator.factor(problem, &w.shift).is_ok();
        self.factored
    }

    /// x = y, g = σ(y), and z from the decomposition t = λ − s (σ + Γ) = P(t) − s z, whose z lies in
    /// minus the normal cone at P(t), as at a solution.
    fn split(&mut self, problem: &Problem) {
        let ncp = self.settings.model == ContactModel::Ncp;
        let w = &mut self.work;
        w.x.clone_from(&w.y);
        w.g.clone_from(&w.sigma);
        w.z.clear();
        w.z.resize(w.y.len(), 0.0);
        w.rhs.resize(w.y.len(), 0.0);
        w.delta.resize(w.y.len(), 0.0);
        for ((set, rows), &weight) in problem.sets.iter().zip(&w.block_weights) {
            if set.is_free() {
                continue;
            }
            let (y, sigma, z) = (&w.y[rows.clone()], &w.sigma[rows.clone()], &mut w.z[rows]);
            let shift = if ncp { set.desaxce_shift(sigma) } else { 0.0 };
            let mut t = [0.0; MAX_DIM];
            let dim = y.len();
            for i in 0..dim {
                let gamma = if i + 1 == dim { shift } else { 0.0 };
                t[i] = y[i] - (sigma[i] + gamma) / weight;
                z[i] = -weight * t[i];
            }
            set.project(&mut t[..dim]);
            for i in 0..dim {
                z[i] += weight * t[i];
            }
        }
    }

    /// g = σ(x) from J and M, which removes the round-off of its updates.
    fn refresh(&mut self, problem: &Problem) {
        let w = &mut self.work;
        problem.sigma(&w.x, &mut w.g, &mut w.scratch);
    }

    /// Let the rule change the penalty; false if the factorisation fails.
    fn adapt(&mut self, problem: &Problem, progress: Progress, count: &mut Counts) -> bool {
        let m = self.settings.proximal;
        let work = &mut self.work;
        let condition = || {
            largest_eigenvalue(
                problem,
                &work.weight,
                [&mut work.rhs, &mut work.delta, &mut work.image],
                &mut work.scratch,
            ) / m
        };
        match self
            .settings
            .penalty
            .next(self.penalty, progress.primal, progress.dual, condition)
        {
            Some(penalty) => {
                self.penalty = penalty;
                self.factor(problem, count)
            }
            None => true,
        }
    }

    /// Hand over λ = y and its grade.
    fn finish(
        &mut self,
        problem: &Problem,
        x: &mut Solution,
        status: Status,
        count: Counts,
    ) -> SolveReport {
        x.lambda.clone_from(&self.work.y);
        let (model, tolerance) = (self.settings.model, self.settings.common.tolerance);
        self.grader
            .report(problem, x, model, tolerance, status, count)
    }
}

impl Solver for Admm {
    fn name(&self) -> &'static str {
        self.name
    }

    fn model(&self) -> ContactModel {
        self.settings.model
    }

    fn supports(&self, _problem: &Problem) -> Result<(), Unsupported> {
        Ok(())
    }

    fn own_test(&self) -> Option<bool> {
        self.own_test
    }

    fn set_operator(&mut self, operator: OperatorChoice) {
        *self = Self::named(
            self.name,
            AdmmSettings {
                operator,
                ..self.settings
            },
        );
    }

    fn solve(
        &mut self,
        problem: &Problem,
        x: &mut Solution,
        observer: &mut dyn Observer,
    ) -> SolveReport {
        if self.settings.form != AdmmForm::Weighted {
            return self.trace(problem, x, &mut |iteration, r| {
                observer.iteration(iteration, r.largest())
            });
        }
        if problem.sets.all_free() {
            let tolerance = self.settings.common.tolerance;
            return self.direct.solve(problem, x, tolerance);
        }
        self.restart();
        self.run(problem, x, observer, false)
    }

    fn resolve(
        &mut self,
        problem: &Problem,
        x: &mut Solution,
        observer: &mut dyn Observer,
    ) -> SolveReport {
        if self.settings.form != AdmmForm::Weighted {
            return self.solve(problem, x, observer);
        }
        if problem.sets.all_free() {
            let tolerance = self.settings.common.tolerance;
            return self.direct.resolve(problem, x, tolerance);
        }
        self.run(problem, x, observer, true)
    }
}
