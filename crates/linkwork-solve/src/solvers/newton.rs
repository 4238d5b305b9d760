//! Proximal semismooth Newton, in two laws that share everything but the answer of a contact.
//!
//! Around the multiplier λᵏ every block answers the velocity v = J u + v* by a function of
//! τ = (ε λᵏ − v)/(R + ε), ε = δ w with the block weight w ([`contact_law`]):
//! - *convex*: the projection on the cone, with the De Saxcé shift Γ held at its last value. This is the
//!   gradient of a convex energy of u, so Newton with a line search always gets down [Castro §III].
//! - *exact*: Alart-Curnier, λ_N = max(0, τ_N) and λ_T nearest to τ_T in the disk of radius μ λ_N. At a
//!   fixed point λ = λᵏ this is Signorini-Coulomb without any shift, and Newton is quadratic near it.
//!
//! F(u) = M (u − u_f) − Jᵀ λ(u) = 0 is solved with the generalised Jacobian M + Jᵀ G J, G = −∂λ/∂v, block
//! sparse on the body graph. Then λᵏ ← λ(u): a proximal-point iteration whose error shrinks by
//! δ/(δ + d) a pass for the eigenvalue d of the scaled D, so that a handful of factorisations reach
//! round-off where first-order methods need thousands of iterations. Convex passes find the active set
//! from afar, exact passes polish; where both stall ADMM takes over. None of the papers has it.

use super::admm::{Admm, AdmmSettings};
use super::direct::DirectCore;
use super::{Observer, Solver, SolverSettings, Unsupported, contact_law};
use crate::blocks::{BlockCsr6, BlockDiag6};
use crate::delassus::{BodyLu, OperatorChoice, Slope};
use crate::problem::{Operator, Problem, Solution, SolveReport, Status};
use crate::residuals::{ContactModel, ResidualBuffers, natural_map, residuals_with};
use crate::sets::ImpulseSet;

/// δ of free rows: as in the direct solver, redundant rows need some, exactness wants little.
const FREE_PROXIMAL: f64 = 1e-7;
/// δ of the other rows in the convex and in the exact passes.
const CONVEX_PROXIMAL: f64 = 1e-3;
const EXACT_PROXIMAL: f64 = 1e-4;
/// Newton steps in one pass.
const CONVEX_LIMIT: usize = 12;
const EXACT_LIMIT: usize = 8;
/// Scaled residual below which a guess is worth polishing at once.
const SMALL: f64 = 1e-3;
/// Passes without gain before ADMM takes over.
const VAIN_LIMIT: usize = 12;

/// The solver; see the module documentation.
pub struct Newton {
    settings: SolverSettings,
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
    /// The best λᵏ so far.
    best: Vec<f64>,
    /// λ(u).
    lambda: Vec<f64>,
    u: Vec<f64>,
    u_start: Vec<f64>,
    velocity: Vec<f64>,
    /// De Saxcé shift of each block, held fixed in a convex pass.
    shift: Vec<f64>,
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

#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    iterations: usize,
    factorizations: usize,
}

/// Which answer λ(u) contacts give.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Law {
    Convex,
    Exact,
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
            direct: DirectCore::new(OperatorChoice::Auto),
            fallback: Admm::new(fallback),
            lu: BodyLu::default(),
            work: Work::default(),
        }
    }

    fn run(&mut self, parts: Parts, x: &mut Solution, observer: &mut dyn Observer) -> SolveReport {
        let SolverSettings {
            tolerance,
            max_iterations,
        } = self.settings;
        let mut count = Counts::default();
        self.start(parts, x);
        let mut least = self.measure(parts);
        self.work.best.clone_from(&self.work.centre);
        // A guess that is nearly right goes straight to the exact law.
        let mut law = if least < SMALL { Law::Exact } else { Law::Convex };
        let mut vain = 0;
        while least > tolerance && vain < VAIN_LIMIT && count.iterations < max_iterations {
            let done = match law {
                Law::Convex => self.convex_pass(parts, (0.03 * least).max(0.3 * tolerance), &mut count),
                Law::Exact => self.exact_pass(parts, 0.3 * tolerance.max(1e-3 * least), &mut count),
            };
            let mut size = f64::INFINITY;
            if done {
                self.work.centre.clone_from(&self.work.lambda);
                size = self.measure(parts);
            }
            if std::env::var("V").is_ok() { eprintln!("   {law:?} {} {size:.3e}", count.iterations); }
            observer.iteration(count.iterations, size);
            let gained = size < 0.3 * least;
            vain = if gained { 0 } else { vain + 1 };
            if size < least {
                least = size;
                self.work.best.clone_from(&self.work.centre);
            }
            // Each law goes on while it pays, else the other takes its turn.
            law = match law {
                Law::Convex if gained && size > SMALL => Law::Convex,
                Law::Convex => Law::Exact,
                Law::Exact if gained => Law::Exact,
                Law::Exact => {
                    let w = &mut self.work;
                    w.centre.clone_from(&w.best);
                    parts.problem.velocity(&w.centre, &mut w.u, &mut w.scratch);
                    Law::Convex
                }
            };
        }
        x.lambda.clone_from(&self.work.best);
        if least > tolerance {
            return self.fall_back(parts.problem, x, observer, count);
        }
        self.report(parts.problem, x, count)
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
        natural_map(parts.problem, &w.centre, &w.sigma, &w.weights, ContactModel::Ncp).scaled()
    }

    /// Minimise the convex energy until max |M⁻¹ F| ≤ `goal` (m/s) or the step limit; false only if
    /// a factorisation fails.
    fn convex_pass(&mut self, parts: Parts, goal: f64, count: &mut Counts) -> bool {
        hold_shift(parts, &mut self.work);
        let mut size = self.respond(parts, Law::Convex);
        for _ in 0..CONVEX_LIMIT {
            if size.velocity <= goal {
                break;
            }
            if !self.newton_step(parts, count) {
                return false;
            }
            // The energy is convex along the step: find where its slope −Fᵀ step vanishes, roughly.
            let first = self.slope();
            let (mut low, mut high, mut length) = (0.0, 1.0, 1.0);
            for _ in 0..10 {
                self.move_to(length);
                size = self.respond(parts, Law::Convex);
                let here = self.slope();
                if here.abs() <= 0.3 * first.abs() || (length == 1.0 && here < 0.0) {
                    break;
                }
                if here < 0.0 {
                    low = length;
                } else {
                    high = length;
                }
                length = 0.5 * (low + high);
            }
        }
        true
    }

    /// Newton on the exact law until max |M⁻¹ F| ≤ `goal` (m/s); false if it got stuck.
    fn exact_pass(&mut self, parts: Parts, goal: f64, count: &mut Counts) -> bool {
        let mut size = self.respond(parts, Law::Exact);
        for _ in 0..EXACT_LIMIT {
            if size.velocity <= goal {
                return true;
            }
            if !self.newton_step(parts, count) {
                return false;
            }
            let start = size.energy;
            let mut length = 1.0;
            loop {
                self.move_to(length);
                size = self.respond(parts, Law::Exact);
                if size.energy <= (1.0 - 0.1 * length) * start || size.velocity <= goal {
                    break;
                }
                length *= 0.5;
                if length < 0.05 {
                    return false;
                }
            }
        }
        size.velocity <= goal
    }

    /// Factor and solve for the step from the present u.
    fn newton_step(&mut self, parts: Parts, count: &mut Counts) -> bool {
        let w = &mut self.work;
        count.iterations += 1;
        count.factorizations += 1;
        if self.lu.factor(parts.mass, parts.jacobian, &w.slopes).is_err() {
            return false;
        }
        w.step.clone_from(&w.force);
        self.lu.solve(&mut w.step);
        w.u_start.clone_from(&w.u);
        true
    }

    /// u = start of the step − length · step.
    fn move_to(&mut self, length: f64) {
        let w = &mut self.work;
        for i in 0..w.u.len() {
            w.u[i] = w.u_start[i] - length * w.step[i];
        }
    }

    /// Derivative of the energy along the step.
    fn slope(&self) -> f64 {
        let w = &self.work;
        -w.force.iter().zip(&w.step).map(|(f, s)| f * s).sum::<f64>()
    }

    /// λ(u), G and F at the present u.
    fn respond(&mut self, parts: Parts, law: Law) -> Imbalance {
        answer(parts, law, &mut self.work);
        imbalance(parts, &mut self.work)
    }

    fn fall_back(
        &mut self,
        problem: &Problem,
        x: &mut Solution,
        observer: &mut dyn Observer,
        count: Counts,
    ) -> SolveReport {
        self.fallback.reset();
        let mut report = self.fallback.solve(problem, x, observer);
        report.iterations += count.iterations;
        report.factorizations += count.factorizations;
        report
    }

    fn report(&mut self, problem: &Problem, x: &mut Solution, count: Counts) -> SolveReport {
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
            iterations: count.iterations,
            factorizations: count.factorizations,
            residuals,
        }
    }
}

/// The De Saxcé shift of every block at the present u.
fn hold_shift(parts: Parts, w: &mut Work) {
    w.velocity.resize(parts.problem.rows(), 0.0);
    parts.jacobian.multiply(&w.u, &mut w.velocity);
    w.shift.clear();
    for (set, rows) in parts.problem.sets.iter() {
        let mut v = [0.0; 6];
        for (v, i) in v.iter_mut().zip(rows.clone()) {
            *v = w.velocity[i] + parts.problem.compliance[i] * w.centre[i];
        }
        w.shift.push(set.desaxce_shift(&v[..rows.len()]));
    }
}

/// λ(u) and G.
fn answer(parts: Parts, law: Law, w: &mut Work) {
    let problem = parts.problem;
    w.velocity.resize(problem.rows(), 0.0);
    w.lambda.resize(problem.rows(), 0.0);
    parts.jacobian.multiply(&w.u, &mut w.velocity);
    w.slopes.clear();
    for (b, ((set, rows), &weight)) in problem.sets.iter().zip(&w.weights).enumerate() {
        let delta = match law {
            _ if set.is_free() => FREE_PROXIMAL,
            Law::Convex => CONVEX_PROXIMAL,
            Law::Exact => EXACT_PROXIMAL,
        };
        let epsilon = delta * weight;
        let mut inverse = [0.0; 6];
        for (k, i) in rows.clone().enumerate() {
            inverse[k] = 1.0 / (problem.compliance[i] + epsilon);
            let v = w.velocity[i] + problem.v_bias[i];
            w.lambda[i] = (epsilon * w.centre[i] - v) * inverse[k];
        }
        let tau = &mut w.lambda[rows];
        w.slopes.push(match (set, law) {
            (ImpulseSet::Coulomb { mu }, Law::Exact) => contact_law::exact(mu, tau, &inverse),
            (ImpulseSet::Coulomb { mu }, Law::Convex) => {
                tau[2] -= w.shift[b] * inverse[2];
                contact_law::convex(mu, tau, &inverse)
            }
            _ => contact_law::scalar(set, tau, &inverse),
        });
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
}
