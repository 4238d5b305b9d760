//! Proximal semismooth Newton on the exact contact law (Alart-Curnier form).
//!
//! Around the multiplier λᵏ every block answers the velocity v = J u + v* by
//!   τ = (ε λᵏ − v)/(R + ε),  λ(u) = τ (Free), max(0, τ), clamp(τ), and for contacts
//!   λ_N = max(0, τ_N), λ_T = the point nearest to τ_T in the disk of radius μ λ_N,
//! ε = δ w with the block weight w. At a fixed point λ = λᵏ this is Signorini-Coulomb with compliance
//! R exactly, no De Saxcé shift needed. The inner problem F(u) = M (u − u_f) − Jᵀ λ(u) = 0 is solved by
//! Newton with the generalised Jacobian M + Jᵀ G J, G = −∂λ/∂v: block sparse on the body graph, not
//! symmetric where contacts slide. Then λᵏ ← λ(u): a proximal-point iteration, whose error shrinks by
//! δ/(δ + d) a pass for the eigenvalue d of the scaled D, so that a handful of factorisations reach
//! round-off where first-order methods need thousands of iterations. None of the papers has it.
//!
//! Globalisation: steps are shortened until ‖F‖ in the metric M⁻¹ decreases; if that stalls δ grows
//! (an easier inner problem), and if nothing helps ADMM takes over from the best iterate.

use super::admm::{Admm, AdmmSettings};
use super::direct::DirectCore;
use super::{Observer, Solver, SolverSettings, Unsupported};
use crate::blocks::{BlockCsr6, BlockDiag6};
use crate::delassus::{BodyLu, OperatorChoice, Slope};
use crate::problem::{Operator, Problem, Solution, SolveReport, Status};
use crate::residuals::{ContactModel, ResidualBuffers, natural_map, residuals_with};
use crate::sets::ImpulseSet;

/// δ of free rows: as in the direct solver, redundant rows need some, exactness wants little.
const FREE_PROXIMAL: f64 = 1e-7;
/// δ of the other rows: least and greatest, and that of the first solve. Large is easy and slow.
const PROXIMAL_RANGE: (f64, f64) = (1e-6, 1.0);
const PROXIMAL_START: f64 = 0.1;
/// Newton steps within one proximal pass before δ is raised.
const INNER_LIMIT: usize = 20;
/// Passes without a halved residual before ADMM takes over.
const VAIN_LIMIT: usize = 8;

/// The solver; see the module documentation.
pub struct Newton {
    settings: SolverSettings,
    /// δ to start the next solve with.
    delta: f64,
    direct: DirectCore,
    fallback: Admm,
    lu: BodyLu,
    work: Work,
}

#[derive(Default)]
struct Work {
    weights: Vec<f64>,
    /// λᵏ, the centre of the proximal term.
    centre: Vec<f64>,
    /// λ(u).
    lambda: Vec<f64>,
    best: Vec<f64>,
    u: Vec<f64>,
    u_start: Vec<f64>,
    velocity: Vec<f64>,
    slopes: Vec<Slope>,
    force: Vec<f64>,
    step: Vec<f64>,
    scratch: Vec<f64>,
    sigma: Vec<f64>,
    buffers: ResidualBuffers,
}

/// Borrowed parts of a problem on bodies.
#[derive(Clone, Copy)]
struct Parts<'a> {
    problem: &'a Problem,
    mass: &'a BlockDiag6,
    jacobian: &'a BlockCsr6,
    u_free: &'a [f64],
}

impl Newton {
    /// With the given settings.
    pub fn new(settings: SolverSettings) -> Self {
        let fallback = AdmmSettings {
            common: settings,
            ..AdmmSettings::default()
        };
        Self {
            settings,
            delta: PROXIMAL_START,
            direct: DirectCore::new(OperatorChoice::Auto),
            fallback: Admm::new(fallback),
            lu: BodyLu::default(),
            work: Work::default(),
        }
    }

    fn run(&mut self, parts: Parts, x: &mut Solution, observer: &mut dyn Observer) -> SolveReport {
        let tolerance = self.settings.tolerance;
        let (mut iterations, mut factorizations) = (0, 0);
        self.start(parts, x);
        let mut delta = self.delta;
        let mut least = self.measure(parts);
        self.work.best.clone_from(&self.work.centre);
        let mut vain = 0;
        while least > tolerance && vain < VAIN_LIMIT && iterations < self.settings.max_iterations {
            let goal = (0.1 * least).min(0.3 * tolerance.max(1e-3 * least));
            if !self.inner(parts, delta, goal, &mut iterations, &mut factorizations) {
                // The inner problem was too hard: go back to the best and make it easier.
                self.work.centre.clone_from(&self.work.best);
                delta = (10.0 * delta).min(PROXIMAL_RANGE.1);
                vain += 1;
                continue;
            }
            self.work.centre.clone_from(&self.work.lambda);
            let size = self.measure(parts);
            observer.iteration(iterations, size);
            vain = if size < 0.5 * least { 0 } else { vain + 1 };
            if size < least {
                least = size;
                self.work.best.clone_from(&self.work.centre);
            }
            delta = (0.1 * delta).max(PROXIMAL_RANGE.0);
        }
        self.delta = (10.0 * delta).min(PROXIMAL_START);
        if least > tolerance {
            return self.fall_back(parts.problem, x, observer, (iterations, factorizations));
        }
        x.lambda.clone_from(&self.work.best);
        self.report(parts.problem, x, iterations, factorizations)
    }

    /// λᵏ = guess, projected; u from it.
    fn start(&mut self, parts: Parts, guess: &Solution) {
        let w = &mut self.work;
        let n = parts.problem.rows();
        w.centre.clear();
        if guess.lambda.len() == n {
            w.centre.extend_from_slice(&guess.lambda);
        } else {
            w.centre.resize(n, 0.0);
        }
        for (set, rows) in parts.problem.sets.iter() {
            set.project(&mut w.centre[rows]);
        }
        parts.problem.block_weights(&mut w.weights);
        parts.problem.velocity(&w.centre, &mut w.u, &mut w.scratch);
    }

    /// The recomputed scaled natural map at λᵏ.
    fn measure(&mut self, parts: Parts) -> f64 {
        let w = &mut self.work;
        parts.problem.sigma(&w.centre, &mut w.sigma, &mut w.scratch);
        natural_map(
            parts.problem,
            &w.centre,
            &w.sigma,
            &w.weights,
            ContactModel::Ncp,
        )
        .scaled()
    }

    /// Newton on F(u) = 0 for fixed λᵏ until max |M⁻¹ F| ≤ `goal` (m/s); false if it got stuck.
    fn inner(
        &mut self,
        parts: Parts,
        delta: f64,
        goal: f64,
        iterations: &mut usize,
        factorizations: &mut usize,
    ) -> bool {
        let w = &mut self.work;
        answer(parts, delta, w);
        let mut size = imbalance(parts, w);
        for _ in 0..INNER_LIMIT {
            *iterations += 1;
            *factorizations += 1;
            if self
                .lu
                .factor(parts.mass, parts.jacobian, &w.slopes)
                .is_err()
            {
                return false;
            }
            w.step.clone_from(&w.force);
            self.lu.solve(&mut w.step);
            w.u_start.clone_from(&w.u);
            let start = size.energy;
            let mut length = 1.0;
            loop {
                for i in 0..w.u.len() {
                    w.u[i] = w.u_start[i] - length * w.step[i];
                }
                answer(parts, delta, w);
                size = imbalance(parts, w);
                if size.energy <= (1.0 - 0.1 * length) * start || size.velocity <= goal {
                    break;
                }
                length *= 0.5;
                if length < 1e-3 {
                    return false;
                }
            }
            if size.velocity <= goal {
                return true;
            }
        }
        false
    }

    fn fall_back(
        &mut self,
        problem: &Problem,
        x: &mut Solution,
        observer: &mut dyn Observer,
        (iterations, factorizations): (usize, usize),
    ) -> SolveReport {
        x.lambda.clone_from(&self.work.best);
        self.fallback.reset();
        let mut report = self.fallback.solve(problem, x, observer);
        report.iterations += iterations;
        report.factorizations += factorizations;
        report
    }

    fn report(
        &mut self,
        problem: &Problem,
        x: &mut Solution,
        iterations: usize,
        factorizations: usize,
    ) -> SolveReport {
        let w = &mut self.work;
        problem.velocity(&x.lambda, &mut x.u_plus, &mut w.scratch);
        problem.sigma(&x.lambda, &mut x.sigma, &mut w.scratch);
        let residuals = residuals_with(problem, x, ContactModel::Ncp, &mut w.buffers);
        SolveReport {
            status: if residuals.meets(self.settings.tolerance) {
                Status::Converged
            } else {
                Status::Stalled
            },
            iterations,
            factorizations,
            residuals,
        }
    }
}

/// λ(u) and G.
fn answer(parts: Parts, delta: f64, w: &mut Work) {
    let problem = parts.problem;
    w.velocity.resize(problem.rows(), 0.0);
    w.lambda.resize(problem.rows(), 0.0);
    parts.jacobian.multiply(&w.u, &mut w.velocity);
    w.slopes.clear();
    for ((set, rows), &weight) in problem.sets.iter().zip(&w.weights) {
        let delta = if set.is_free() { FREE_PROXIMAL } else { delta };
        let epsilon = delta * weight;
        let mut inverse = [0.0; 6];
        for (k, i) in rows.clone().enumerate() {
            inverse[k] = 1.0 / (problem.compliance[i] + epsilon);
            let v = w.velocity[i] + problem.v_bias[i];
            w.lambda[i] = (epsilon * w.centre[i] - v) * inverse[k];
        }
        w.slopes.push(law(set, &mut w.lambda[rows], &inverse));
    }
}

/// Turn τ into λ in place and return G; `inverse` is 1/(R + ε) by row.
fn law(set: ImpulseSet, tau: &mut [f64], inverse: &[f64; 6]) -> Slope {
    match set {
        ImpulseSet::Free { .. } => Slope::Diagonal(*inverse),
        ImpulseSet::NonNegative | ImpulseSet::Interval { .. } => {
            let before = tau[0];
            set.project(tau);
            if tau[0] == before {
                Slope::Uniform(inverse[0])
            } else {
                Slope::Zero
            }
        }
        ImpulseSet::Coulomb { mu } => {
            if tau[2] <= 0.0 {
                tau.fill(0.0);
                return Slope::Zero;
            }
            let radius = mu * tau[2];
            let size = tau[0].hypot(tau[1]);
            if size <= radius {
                return Slope::Diagonal(*inverse);
            }
            // Sliding: λ_T = μ λ_N t, t = τ_T/‖τ_T‖. size > radius ≥ 0, so t exists.
            let t = [tau[0] / size, tau[1] / size];
            let k = radius / size;
            let g = |a: usize, b: usize| {
                let identity = if a == b { 1.0 } else { 0.0 };
                k * (identity - t[a] * t[b]) * inverse[b]
            };
            tau[0] = radius * t[0];
            tau[1] = radius * t[1];
            Slope::Full([
                [g(0, 0), g(0, 1), mu * t[0] * inverse[2]],
                [g(1, 0), g(1, 1), mu * t[1] * inverse[2]],
                [0.0, 0.0, inverse[2]],
            ])
        }
    }
}

/// Size of F.
#[derive(Clone, Copy, Debug)]
struct Imbalance {
    /// Fᵀ M⁻¹ F, J.
    energy: f64,
    /// max |M⁻¹ F|, m/s or rad/s.
    velocity: f64,
}

/// F = M (u − u_f) − Jᵀ λ into `force`, and its size.
fn imbalance(parts: Parts, w: &mut Work) -> Imbalance {
    let m = w.u.len();
    w.force.resize(m, 0.0);
    w.scratch.resize(2 * m, 0.0);
    let (impulse, change) = w.scratch.split_at_mut(m);
    parts.jacobian.multiply_transposed(&w.lambda, impulse);
    for (c, (u, f)) in change.iter_mut().zip(w.u.iter().zip(parts.u_free)) {
        *c = u - f;
    }
    parts.mass.multiply(change, &mut w.force);
    for (f, i) in w.force.iter_mut().zip(impulse.iter()) {
        *f -= i;
    }
    parts.mass.solve(&w.force, change);
    let pairs = || w.force.iter().zip(change.iter());
    Imbalance {
        energy: pairs().map(|(f, c)| f * c).sum(),
        velocity: pairs().fold(0.0, |a, (_, c)| a.max(c.abs())),
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
        if problem.sets.all_free() {
            return self.direct.solve(problem, x, self.settings.tolerance);
        }
        match &problem.operator {
            Operator::Bodies {
                mass,
                jacobian,
                u_free,
            } => {
                let parts = Parts {
                    problem,
                    mass,
                    jacobian,
                    u_free,
                };
                self.run(parts, x, observer)
            }
            // Only D is known: there is no body graph to factor on.
            Operator::Delassus { .. } => self.fallback.solve(problem, x, observer),
        }
    }

    fn resolve(
        &mut self,
        problem: &Problem,
        x: &mut Solution,
        observer: &mut dyn Observer,
    ) -> SolveReport {
        if problem.sets.all_free() {
            return self.direct.resolve(problem, x, self.settings.tolerance);
        }
        self.solve(problem, x, observer)
    }

    fn reset(&mut self) {
        self.delta = PROXIMAL_START;
    }
}
