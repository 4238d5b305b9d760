//! Proximal semismooth Newton on the exact contact law [math.md §5].
//!
//! Around the multiplier λᵏ with σᵏ = σ(λᵏ) every block answers a change d of the velocities by a function
//! of τ = λᵏ − (σᵏ + J d)/(R + ε), ε = δ w with the block weight w ([`contact_law`]); a contact by
//! Alart-Curnier, λ_N = max(0, τ_N) and λ_T nearest to τ_T in the disk of radius μ λ_N. At a fixed point
//! λ = λᵏ this is Signorini-Coulomb with compliance R exactly, without any De Saxcé shift. A pass solves
//! F(d) = M d − Jᵀ (λ(d) − λᵏ) = 0 by Newton with the generalised Jacobian M + Jᵀ G J, G = −∂λ/∂v, not
//! symmetric where contacts slide, and a line search on ½ Fᵀ M⁻¹ F; then λᵏ ← λ(d). That is a
//! proximal-point iteration whose error shrinks by δ/(δ + d) a pass for the eigenvalue d of the scaled D.
//! Large δ makes a pass easy, small δ makes it worth more: δ falls after a pass that succeeds and rises
//! after one that fails, which globalises the method. Writing it in the change d keeps round-off relative
//! to the change: passes go on improving down to the precision of σ itself.

mod factored;
mod space;

use super::direct::DirectCore;
use super::ends::{Counts, Grader, projected_guess};
use super::{Observer, Solver, SolverSettings, Unsupported, contact_law};
use crate::delassus::{OperatorChoice, Slope};
use crate::problem::{Problem, Solution, SolveReport, Status};
use crate::residuals::{ContactModel, larger, natural_map};
use space::{Space, Spaces};

/// δ of free rows: as in the direct solver, redundant rows need some, exactness wants little.
const FREE_PROXIMAL: f64 = 1e-5;
/// The shortest step worth taking.
const LEAST_LENGTH: f64 = 0.05;

/// Settings of the proximal Newton method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NewtonSettings {
    /// Tolerance and iteration limit; an iteration is a Newton step.
    pub common: SolverSettings,
    /// Least and greatest δ, relative to the block weights; nominal 1e-8 … 1e3.
    pub proximal: (f64, f64),
    /// δ of the first pass.
    pub first_proximal: f64,
    /// Newton steps in one pass; nominal 5 … 50.
    pub steps: usize,
    /// Passes without gain after which it gives up.
    pub patience: usize,
}

impl Default for NewtonSettings {
    fn default() -> Self {
        Self {
            common: SolverSettings::default(),
            proximal: (1e-6, 10.0),
            first_proximal: 1.0,
            steps: 20,
            patience: 40,
        }
    }
}

/// The solver; see the module documentation.
pub struct Newton {
    settings: NewtonSettings,
    direct: DirectCore,
    core: NewtonCore,
    grader: Grader,
}

impl Newton {
    /// With the given settings.
    pub fn new(settings: NewtonSettings) -> Self {
        Self {
            settings,
            direct: DirectCore::new(OperatorChoice::Auto),
            core: NewtonCore::default(),
            grader: Grader::default(),
        }
    }

    fn run(
        &mut self,
        problem: &Problem,
        x: &mut Solution,
        observer: &mut dyn Observer,
    ) -> (Status, Counts) {
        let s = self.settings;
        let tolerance = s.common.tolerance;
        let mut count = Counts::default();
        let mut least = self.core.start(problem, x);
        let (mut delta, mut vain) = (s.first_proximal, 0);
        while least > tolerance {
            if count.iterations >= s.common.max_iterations {
                return (Status::IterationLimit, count);
            }
            if vain == s.patience {
                return (Status::Stalled, count);
            }
            let goal = 0.3 * tolerance.max(1e-3 * least);
            let effort = Effort {
                delta,
                goal,
                steps: s.steps,
            };
            let end = self.core.pass(problem, effort, &mut count, observer);
            if end == PassEnd::Interrupted {
                return (Status::Interrupted, count);
            }
            delta *= if end == PassEnd::Done { 0.1 } else { 10.0 };
            delta = delta.clamp(s.proximal.0, s.proximal.1);
            let size = self.core.measure(problem);
            vain = if size < 0.9 * least { 0 } else { vain + 1 };
            if size < least {
                least = size;
                x.lambda.clone_from(&self.core.centre);
            }
            if size.is_nan() {
                return (Status::NumericalFailure, count);
            }
        }
        (Status::Converged, count)
    }
}

impl Solver for Newton {
    fn name(&self) -> &'static str {
        "newton"
    }

    fn model(&self) -> ContactModel {
        ContactModel::Ncp
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
        let tolerance = self.settings.common.tolerance;
        if problem.sets.all_free() {
            return self.direct.solve(problem, x, tolerance);
        }
        let (status, count) = self.run(problem, x, observer);
        self.grader
            .report(problem, x, ContactModel::Ncp, tolerance, status, count)
    }
}

/// What a pass may cost and should reach.
#[derive(Clone, Copy)]
pub(super) struct Effort {
    /// δ of the rows that are not free.
    pub delta: f64,
    /// Largest max |J M⁻¹ F| at the end, m/s.
    pub goal: f64,
    /// Newton steps at most.
    pub steps: usize,
}

/// How a pass ended.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum PassEnd {
    Done,
    Stuck,
    Interrupted,
}

/// The passes and their buffers, shared with the hybrid solver.
#[derive(Default)]
pub(super) struct NewtonCore {
    spaces: Spaces,
    weights: Vec<f64>,
    /// λᵏ, the centre of the proximal term, and σᵏ.
    pub centre: Vec<f64>,
    sigma: Vec<f64>,
    pass: Pass,
    scratch: Vec<f64>,
}

/// Buffers of a pass.
#[derive(Default)]
struct Pass {
    /// λ(d) and λ(d) − λᵏ.
    lambda: Vec<f64>,
    change: Vec<f64>,
    slopes: Vec<Slope>,
    d: Vec<f64>,
    d_start: Vec<f64>,
    rows: Vec<f64>,
    force: Vec<f64>,
    step: Vec<f64>,
    scratch: Vec<f64>,
}

/// Size of F.
#[derive(Clone, Copy, Debug)]
struct Imbalance {
    /// Fᵀ M⁻¹ F, J.
    energy: f64,
    /// max |J M⁻¹ F|: what the impulses λ(d) make of the rows beyond J d; m/s.
    velocity: f64,
}

impl NewtonCore {
    /// λᵏ = the guess, projected, also into `x`; its residual.
    pub fn start(&mut self, problem: &Problem, x: &mut Solution) -> f64 {
        projected_guess(problem, x, &mut self.centre);
        x.lambda.clone_from(&self.centre);
        problem.block_weights(&mut self.weights);
        self.spaces.restart();
        self.measure(problem)
    }

    /// The recomputed scaled natural map at λᵏ; leaves σᵏ.
    pub fn measure(&mut self, problem: &Problem) -> f64 {
        problem.sigma(&self.centre, &mut self.sigma, &mut self.scratch);
        let (lambda, sigma) = (&self.centre, &self.sigma);
        natural_map(problem, lambda, sigma, &self.weights, ContactModel::Ncp).scaled()
    }

    /// λᵏ ← λ(d) with F(d) = 0 to the goal; λᵏ stays as before if Newton gets stuck. σᵏ must be up to
    /// date ([`NewtonCore::measure`]).
    pub fn pass(
        &mut self,
        problem: &Problem,
        effort: Effort,
        count: &mut Counts,
        observer: &mut dyn Observer,
    ) -> PassEnd {
        let law = Law {
            problem,
            weights: &self.weights,
            centre: &self.centre,
            sigma: &self.sigma,
            delta: effort.delta,
        };
        let pass = &mut self.pass;
        let work = |space: &mut dyn Space| pass.run(space, &law, effort, count, observer);
        let end = self.spaces.with(problem, work).unwrap_or(PassEnd::Stuck);
        if end == PassEnd::Done {
            self.centre.clone_from(&self.pass.lambda);
        }
        end
    }
}

/// How blocks answer in a pass.
struct Law<'a> {
    problem: &'a Problem,
    weights: &'a [f64],
    centre: &'a [f64],
    sigma: &'a [f64],
    delta: f64,
}

impl Pass {
    fn run(
        &mut self,
        space: &mut dyn Space,
        law: &Law,
        effort: Effort,
        count: &mut Counts,
        observer: &mut dyn Observer,
    ) -> PassEnd {
        let goal = effort.goal;
        self.d.clear();
        self.d.resize(space.dim(), 0.0);
        let mut size = self.respond(space, law);
        for _ in 0..effort.steps {
            if size.velocity <= goal {
                break;
            }
            count.iterations += 1;
            count.factorizations += 1;
            if space.factor(&self.slopes).is_err() {
                break;
            }
            self.step.clone_from(&self.force);
            space.solve(&mut self.step);
            self.d_start.clone_from(&self.d);
            let start = size.energy;
            let mut length = 1.0;
            while length >= LEAST_LENGTH {
                for i in 0..self.d.len() {
                    self.d[i] = self.d_start[i] - length * self.step[i];
                }
                size = self.respond(space, law);
                if size.energy <= (1.0 - 0.1 * length) * start || size.velocity <= goal {
                    break;
                }
                length *= 0.5;
            }
            if length < LEAST_LENGTH {
                break;
            }
            let flow = observer.iteration(count.iterations, size.velocity);
            if flow.is_break() {
                return PassEnd::Interrupted;
            }
        }
        if size.velocity <= goal {
            PassEnd::Done
        } else {
            PassEnd::Stuck
        }
    }

    /// λ(d), G and F at the present d.
    fn respond(&mut self, space: &mut dyn Space, law: &Law) -> Imbalance {
        let n = law.centre.len();
        self.rows.resize(n, 0.0);
        self.lambda.resize(n, 0.0);
        self.change.resize(n, 0.0);
        space.multiply(&self.d, &mut self.rows);
        self.slopes.clear();
        for ((set, rows), &weight) in law.problem.sets.iter().zip(law.weights) {
            let delta = if set.is_free() {
                FREE_PROXIMAL.min(law.delta)
            } else {
                law.delta
            };
            let mut inverse = [0.0; 6];
            for (k, i) in rows.clone().enumerate() {
                inverse[k] = 1.0 / (law.problem.compliance[i] + delta * weight);
                self.lambda[i] = law.centre[i] - (law.sigma[i] + self.rows[i]) * inverse[k];
            }
            let slope = contact_law::respond(set, &mut self.lambda[rows], &inverse);
            self.slopes.push(slope);
        }
        for i in 0..n {
            self.change[i] = self.lambda[i] - law.centre[i];
        }
        self.imbalance(space)
    }

    /// F = M d − Jᵀ (λ − λᵏ) into `force`, and its size.
    fn imbalance(&mut self, space: &mut dyn Space) -> Imbalance {
        let m = self.d.len();
        self.force.resize(m, 0.0);
        self.scratch.resize(m, 0.0);
        space.mass(&self.d, &mut self.force);
        space.multiply_transposed(&self.change, &mut self.scratch);
        for (f, i) in self.force.iter_mut().zip(&self.scratch) {
            *f -= i;
        }
        space.inverse_mass(&self.force, &mut self.scratch);
        let energy = self.force.iter().zip(&self.scratch).map(|(f, c)| f * c);
        let energy = energy.sum();
        space.multiply(&self.scratch, &mut self.rows);
        Imbalance {
            energy,
            velocity: self.rows.iter().fold(0.0, |a, v| larger(a, v.abs())),
        }
    }
}
