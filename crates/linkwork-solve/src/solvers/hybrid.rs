//! Bursts of ADMM, polished by a proximal semismooth Newton method on the exact contact law.
//!
//! Around the multiplier λᵏ every block answers the velocity v = J u + v* by a function of
//! τ = (ε λᵏ − v)/(R + ε), ε = δ w with the block weight w ([`contact_law`]); a contact by Alart-Curnier,
//! λ_N = max(0, τ_N) and λ_T nearest to τ_T in the disk of radius μ λ_N. At a fixed point λ = λᵏ this is
//! Signorini-Coulomb with compliance R exactly, without any De Saxcé shift. A pass solves
//! F(u) = M (u − u_f) − Jᵀ λ(u) = 0 by Newton with the generalised Jacobian M + Jᵀ G J, G = −∂λ/∂v, block
//! sparse on the body graph and not symmetric where contacts slide; then λᵏ ← λ(u). That is a
//! proximal-point iteration whose error shrinks by δ/(δ + d) a pass for the eigenvalue d of the scaled D:
//! a handful of factorisations reach round-off where first-order methods need thousands of iterations.
//! Newton finds the active set only from nearby, which ADMM gets to. None of the papers has it.

use super::admm::{Admm, AdmmSettings};
use super::direct::DirectCore;
use super::{Observer, Solver, SolverSettings, Unsupported, contact_law};
use crate::blocks::{BlockCsr6, BlockDiag6};
use crate::delassus::{BodyLu, OperatorChoice, Slope};
use crate::problem::{Operator, Problem, Solution, SolveReport, Status};
use crate::residuals::{ContactModel, ResidualBuffers, larger, natural_map, residuals_with};

/// δ of free rows: as in the direct solver, redundant rows need some, exactness wants little.
const FREE_PROXIMAL: f64 = 1e-5;
/// δ of the other rows: least and greatest.
const PROXIMAL_RANGE: (f64, f64) = (1e-6, 1e-3);
/// Newton steps in one pass, and the shortest step worth taking.
const STEP_LIMIT: usize = 8;
const LEAST_LENGTH: f64 = 0.05;
/// Iterations of the first and of the longest burst of ADMM.
const FIRST_BURST: usize = 25;
const MAX_BURST: usize = 200;
/// Scaled residual below which a guess is worth polishing at once.
const SMALL: f64 = 1e-3;
/// Passes without gain before it gives up, and Newton passes that succeed and gain nothing.
const VAIN_LIMIT: usize = 16;
const FLAT_LIMIT: usize = 4;

/// The solver; see the module documentation.
pub struct Hybrid {
    settings: SolverSettings,
    direct: DirectCore,
    admm: Admm,
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

impl Hybrid {
    /// With the given settings.
    pub fn new(settings: SolverSettings) -> Self {
        let admm = AdmmSettings {
            common: settings,
            ..AdmmSettings::default()
        };
        Self {
            settings,
            direct: DirectCore::new(OperatorChoice::Auto),
            admm: Admm::new(admm),
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
        self.admm.restart();
        self.start(parts, x);
        let mut least = self.measure(parts);
        self.work.best.clone_from(&self.work.centre);
        let (mut delta, mut burst) = (PROXIMAL_RANGE.1, FIRST_BURST);
        // A guess that is nearly right goes straight to Newton.
        let mut polishing = least < SMALL;
        let mut resume = false;
        let (mut vain, mut flat) = (0, 0);
        while least > tolerance && vain < VAIN_LIMIT && count.iterations < max_iterations {
            let before = least;
            if polishing {
                let goal = 0.3 * tolerance.max(1e-3 * least);
                polishing = self.newton_pass(parts, delta, goal, &mut count);
                // ADMM goes on where it was unless Newton has moved λᵏ since.
                resume &= !polishing;
                // Small δ gains more a pass, large δ is easier.
                delta = if polishing { 0.1 * delta } else { 10.0 * delta };
                delta = delta.clamp(PROXIMAL_RANGE.0, PROXIMAL_RANGE.1);
            } else {
                let left = max_iterations - count.iterations;
                self.admm_pass(parts, burst.min(left), x, resume, &mut count);
                resume = true;
                burst = (2 * burst).min(MAX_BURST);
                polishing = true;
            }
            let size = self.measure(parts);
            let flow = observer.iteration(count.iterations, size);
            if flow.is_break() {
                break;
            }
            if size < least {
                least = size;
                self.work.best.clone_from(&self.work.centre);
            }
            vain = if least < 0.5 * before { 0 } else { vain + 1 };
            // Newton solves its equations and the residual stays: rows that contradict each other.
            flat = if polishing && size > 0.8 * before {
                flat + 1
            } else {
                0
            };
            if flat == FLAT_LIMIT {
                break;
            }
        }
        x.lambda.clone_from(&self.work.best);
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
        natural_map(
            parts.problem,
            &w.centre,
            &w.sigma,
            &w.weights,
            ContactModel::Ncp,
        )
        .scaled()
    }

    /// λᵏ ← some iterations of ADMM from it.
    fn admm_pass(
        &mut self,
        parts: Parts,
        burst: usize,
        x: &mut Solution,
        resume: bool,
        count: &mut Counts,
    ) {
        x.lambda.clone_from(&self.work.centre);
        let report = self.admm.burst(parts.problem, x, &mut (), burst, resume);
        count.iterations += report.iterations;
        count.factorizations += report.factorizations;
        self.work.centre.clone_from(&x.lambda);
        self.work.u.clone_from(&x.u_plus);
    }

    /// λᵏ ← λ(u) with F(u) = 0 to max |M⁻¹ F| ≤ `goal` (m/s); false, and λᵏ as before, if Newton got
    /// stuck.
    fn newton_pass(&mut self, parts: Parts, delta: f64, goal: f64, count: &mut Counts) -> bool {
        let mut size = self.respond(parts, delta);
        for _ in 0..STEP_LIMIT {
            if size.velocity <= goal {
                break;
            }
            if !self.newton_step(parts, count) {
                break;
            }
            let start = size.energy;
            let mut length = 1.0;
            loop {
                self.move_to(length);
                size = self.respond(parts, delta);
                if size.energy <= (1.0 - 0.1 * length) * start || size.velocity <= goal {
                    break;
                }
                length *= 0.5;
                if length < LEAST_LENGTH {
                    break;
                }
            }
            if length < LEAST_LENGTH {
                break;
            }
        }
        let w = &mut self.work;
        let done = size.velocity <= goal;
        if done {
            w.centre.clone_from(&w.lambda);
        } else {
            parts.problem.velocity(&w.centre, &mut w.u, &mut w.scratch);
        }
        done
    }

    /// Factor and solve for the step from the present u.
    fn newton_step(&mut self, parts: Parts, count: &mut Counts) -> bool {
        let w = &mut self.work;
        count.iterations += 1;
        count.factorizations += 1;
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
        true
    }

    /// u = start of the step − length · step.
    fn move_to(&mut self, length: f64) {
        let w = &mut self.work;
        for i in 0..w.u.len() {
            w.u[i] = w.u_start[i] - length * w.step[i];
        }
    }

    /// λ(u), G and F at the present u.
    fn respond(&mut self, parts: Parts, delta: f64) -> Imbalance {
        answer(parts, delta, &mut self.work);
        imbalance(parts, &mut self.work)
    }

    fn report(&mut self, problem: &Problem, x: &mut Solution, count: Counts) -> SolveReport {
        let w = &mut self.work;
        problem.velocity(&x.lambda, &mut x.u_plus, &mut w.scratch);
        problem.sigma(&x.lambda, &mut x.sigma, &mut w.scratch);
        let residuals = residuals_with(problem, x, ContactModel::Ncp, &mut w.buffers);
        SolveReport {
            status: if residuals.meets(self.settings.tolerance) {
                Status::Converged
            } else if count.iterations >= self.settings.max_iterations {
                Status::IterationLimit
            } else {
                Status::Stalled
            },
            iterations: count.iterations,
            factorizations: count.factorizations,
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
        let tau = &mut w.lambda[rows];
        w.slopes.push(contact_law::respond(set, tau, &inverse));
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
        velocity: pairs().fold(0.0, |a, (_, c)| larger(a, c.abs())),
    }
}

impl Solver for Hybrid {
    fn name(&self) -> &'static str {
        "hybrid"
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
            Operator::Delassus { .. } => self.admm.solve(problem, x, observer),
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
