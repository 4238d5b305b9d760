//! Joints eliminated exactly, Newton on the rows that can open, slip or saturate: the default solver.
//!
//! 1. Rows that are equations are eliminated by one sparse factorisation ([`crate::condense`]). Which drives are below
//!    their limits is predicted from the guess. If an impulse leaves its interval, its row is kept and the step is
//!    factored again.
//! 2. The remaining small problem is solved from the guess by Newton's method ([`small`]). If the active set is that of
//!    the guess, this is one linear solve. Where Newton fails, `hybrid` continues.
//! 3. Islands without joints are separate, sparse problems ([`islands`]). Where the active set is not that of the
//!    guess, passes, an interior-point method ([`interior`]) or `hybrid` continue, depending on the size of the island.
//!
//! Rounds repeat until the recomputed residual of the whole problem meets the tolerance. The first is nearly exact;
//! further rounds add kept rows that turn out to close, or refine round-off.

mod choose;
mod cones;
mod contacts;
mod dense;
mod interior;
mod islands;
mod lorentz;
mod mobility;
mod pass;
mod plan;
mod ports;
mod small;
mod stuck;

pub use contacts::ContactSolver;

use super::ends::{Counts, projected_guess};
use super::hybrid::Hybrid;
use super::{Admm, AdmmSettings, Observer, Solver, SolverSettings, Unsupported};
use crate::condense::{Condensation, Plans, is_reducible};
use crate::problem::{Operator, Problem, Solution, SolveReport, Status};
use crate::residuals::{ContactModel, Residuals, natural_map};
use crate::sets::Friction;
use choose::Role;
use islands::Islands;
use mobility::{Dense, Factors};
use small::Small;
use std::sync::Arc;

/// Maximum number of rounds.
const ROUNDS: usize = 12;
/// Number of kept rows above which a problem with joints is not condensed, because S is dense: under Coulomb's law, and
/// under its convex relaxation, where the interior-point method solves larger problems (`dual_arm` has up to 600).
const MOST_ROWS: usize = 400;
const MOST_ROWS_CONVEX: usize = 1200;

/// The solver; see the module documentation.
pub struct Condensed {
    settings: SolverSettings,
    condensation: Condensation,
    small: Small,
    factors: Factors,
    islands: Islands,
    threads: usize,
    /// Allowed contradiction between rows in a step, m.
    open: f64,
    model: ContactModel,
    /// Solver for problems that are not condensed or not solved otherwise.
    whole: Box<dyn Solver>,
    weights: Vec<f64>,
    impulse: Vec<f64>,
    felt: Vec<f64>,
    /// σ of redundant rows, with the row and the weight of its block.
    hidden: Vec<(usize, f64, f64)>,
    change: Vec<f64>,
    /// λ at the start of a round.
    before: Vec<f64>,
    roles: Vec<Role>,
    /// Rows of the small problem on each body, and the port that the body is.
    body_rows: Vec<usize>,
    body_port: Vec<Option<usize>>,
    best: (f64, Vec<f64>),
    /// Whether the last problem was condensed, and whether it had nothing to eliminate (bodies without joints).
    condensed: bool,
    loose: bool,
    /// Whether only redundant rows remained unsolved.
    contradiction: bool,
    escalations: u64,
    /// Velocity by which each row was relaxed, m/s; empty if none was.
    yielded: Vec<f64>,
}

impl Condensed {
    /// For Coulomb's law or its convex relaxation.
    pub fn new(settings: SolverSettings, model: ContactModel) -> Self {
        let (friction, whole): (_, Box<dyn Solver>) = match model {
            ContactModel::Ncp => (Friction::Exact, Box::new(Hybrid::new(settings))),
            ContactModel::Ccp => (
                Friction::Convex,
                Box::new(Admm::new(AdmmSettings {
                    common: settings,
                    model,
                    ..AdmmSettings::default()
                })),
            ),
        };
        Self {
            settings,
            condensation: Condensation::default(),
            small: Small::new(friction),
            factors: Factors::default(),
            islands: Islands::new(friction),
            threads: 1,
            open: 0.0,
            model,
            whole,
            weights: Vec::new(),
            impulse: Vec::new(),
            felt: Vec::new(),
            hidden: Vec::new(),
            change: Vec::new(),
            before: Vec::new(),
            roles: Vec::new(),
            body_rows: Vec::new(),
            body_port: Vec::new(),
            best: (f64::INFINITY, Vec::new()),
            condensed: false,
            loose: false,
            contradiction: false,
            escalations: 0,
            yielded: Vec::new(),
        }
    }

    /// u⁺ and σ of λ, with the relaxation of the rows.
    fn evaluate(&mut self, problem: &Problem, x: &mut Solution) {
        problem.velocity(&x.lambda, &mut x.u_plus, &mut self.impulse);
        self.add_relaxation(problem, x);
    }

    /// Adds the relaxation of the rows to σ of λ and u⁺.
    fn add_relaxation(&self, problem: &Problem, x: &mut Solution) {
        problem.sigma_at(&x.lambda, &x.u_plus, &mut x.sigma);
        for (sigma, least) in x.sigma.iter_mut().zip(&self.yielded) {
            *sigma += least;
        }
    }

    /// Residuals in the original problem of an answer to the relaxed one. If the relaxed problem is solved, the status
    /// is `Blocked`; otherwise the relaxation is discarded.
    fn judge(
        &mut self,
        problem: &Problem,
        x: &mut Solution,
        (status, residuals): (Status, Residuals),
    ) -> (Status, Residuals) {
        if self.yielded.is_empty() {
            return (status, residuals);
        }
        problem.sigma_at(&x.lambda, &x.u_plus, &mut x.sigma);
        let residuals = self.measure(problem, x).0;
        let status = match status {
            // The relaxation is within the tolerance.
            Status::Converged if residuals.meets(self.settings.tolerance) => status,
            Status::Converged => return (Status::Blocked, residuals),
            Status::Stalled if self.contradiction => return (Status::Blocked, residuals),
            status => status,
        };
        self.yielded.clear();
        (status, residuals)
    }

    /// The residuals, and the part of them that impulses can change, which excludes the contradictions of redundant
    /// rows.
    fn measure(&mut self, problem: &Problem, x: &mut Solution) -> (Residuals, f64) {
        self.hidden.clear();
        for &(row, block) in self.condensation.redundant() {
            let sigma = std::mem::take(&mut x.sigma[row]);
            self.hidden.push((row, sigma, self.weights[block]));
        }
        let mut residuals = natural_map(problem, &x.lambda, &x.sigma, &self.weights, self.model);
        let reachable = residuals.scaled();
        for &(row, sigma, weight) in &self.hidden {
            x.sigma[row] = sigma;
            residuals.add_free_row(sigma, weight);
        }
        (residuals, reachable)
    }

    fn factor(&mut self, problem: &Problem, count: &mut Counts) -> bool {
        self.assign(problem);
        self.body_port.clear();
        self.small.clear();
        if self.loose {
            return true;
        }
        count.factorizations += 1;
        self.condensation.factor(problem).is_ok()
    }

    /// At least `least` rounds from the λ in `x`, with the present factorisation.
    fn rounds(
        &mut self,
        problem: &Problem,
        x: &mut Solution,
        least: usize,
        count: &mut Counts,
        observer: &mut dyn Observer,
    ) -> (Status, Residuals) {
        let tolerance = self.settings.tolerance;
        let (mut residuals, mut size) = self.measure(problem, x);
        self.best.0 = f64::INFINITY;
        self.best.1.clear();
        let (mut idle, mut lost) = (0, 0);
        self.contradiction = false;
        // A round that adds blocks does not count, and the number of blocks is finite.
        let limit = ROUNDS + problem.sets.len();
        for round in 0..limit {
            if size < 0.5 * self.best.0 {
                idle = 0;
            } else {
                idle += 1;
            }
            self.keep_best(size, &x.lambda);
            if round >= least && residuals.meets(tolerance) {
                return (Status::Converged, residuals);
            }
            if round >= least && size <= tolerance {
                self.contradiction = true;
                return (Status::Stalled, residuals);
            }
            if size.is_nan() || idle > 3 {
                break;
            }
            if observer.iteration(count.iterations, size).is_break() {
                return (Status::Interrupted, residuals);
            }
            count.iterations += 1;
            if self.choose(problem, x, size) {
                idle = 0;
            } else if lost > 1 && self.open > 0.0 {
                // Another round would start where the last two ended. Given problems may take more (a redundant one of
                // the conformance tests).
                break;
            }
            if !self.loose {
                self.condensation.begin(problem, &x.sigma, &mut self.felt);
                let solved = self.solve_small(problem, x, count, observer);
                lost = if solved { 0 } else { lost + 1 };
                self.before.clone_from(&x.lambda);
                self.small
                    .hand_over(problem, &mut x.lambda, &mut self.change);
                if !self.finish(problem, &mut x.lambda, count) {
                    return (Status::NumericalFailure, residuals);
                }
            }
            // Islands measure Coulomb's law by the Alart-Curnier map, which on the edge of a cone can be half of the
            // natural map (a contact of the conformance tests). A round that was not sufficient therefore requires more
            // of the next. The convex relaxation is measured as in the whole problem, with a tenth reserved for
            // round-off.
            let share = match self.model {
                ContactModel::Ncp => 0.5,
                ContactModel::Ccp => 0.9,
            };
            let goal = share * tolerance * 0.1_f64.powi(round.min(2) as i32);
            let solved = self.islands.solve(
                problem,
                x,
                (&self.roles, &self.weights),
                goal,
                self.threads,
                &mut *self.whole,
                (count, observer),
            );
            for small in self.islands.problems() {
                record_relaxation(problem, small, &mut self.yielded);
            }
            self.evaluate(problem, x);
            (residuals, size) = self.measure(problem, x);
            // Another round would begin where this one ended.
            if !solved {
                self.keep_best(size, &x.lambda);
                break;
            }
        }
        if self.best.1.len() == x.lambda.len() {
            x.lambda.clone_from(&self.best.1);
        }
        self.evaluate(problem, x);
        (residuals, _) = self.measure(problem, x);
        (Status::Stalled, residuals)
    }

    fn keep_best(&mut self, size: f64, lambda: &Vec<f64>) {
        if size < self.best.0 {
            self.best.0 = size;
            self.best.1.clone_from(lambda);
        }
    }

    /// λ of the eliminated rows; whether all went well.
    fn finish(&mut self, problem: &Problem, lambda: &mut [f64], count: &mut Counts) -> bool {
        self.condensation.finish(problem, &self.change, lambda);
        let saturated = self
            .condensation
            .saturate(problem, &mut self.before, lambda);
        !saturated || self.factor(problem, count)
    }

    /// Solve the small problem; whether it is solved.
    fn solve_small(
        &mut self,
        problem: &Problem,
        x: &Solution,
        count: &mut Counts,
        observer: &mut dyn Observer,
    ) -> bool {
        // Half of the tolerance is reserved for round-off in the joints.
        let goal = 0.5 * self.settings.tolerance;
        let mut mobility = Dense {
            matrix: self.condensation.matrix(),
            factors: &mut self.factors,
        };
        self.small
            .load(problem, x, &self.felt, &mobility, &self.weights);
        self.small.contradiction = self.open / problem.dt;
        let way = self.small.fallback_with_joints();
        let steps = self.small.solve(&mut mobility, goal, way);
        count.iterations += steps.saturating_sub(1);
        record_relaxation(problem, &self.small, &mut self.yielded);
        self.small.is_solved(goal) || self.globalise(problem, count, observer)
    }

    /// Continues the small problem with `hybrid` from Newton's best iterate and accepts its answer if it is one
    /// (`biped14` landing on two flat soles: 6 of 3000 steps). Returns whether it was accepted.
    fn globalise(
        &mut self,
        problem: &Problem,
        count: &mut Counts,
        observer: &mut dyn Observer,
    ) -> bool {
        let mut mobility = Dense {
            matrix: self.condensation.matrix(),
            factors: &mut self.factors,
        };
        let reduced = self.small.as_problem(&mut mobility, problem.dt);
        let mut guess = Solution {
            lambda: self.small.lambda.clone(),
            ..Solution::default()
        };
        let report = self.whole.solve(&reduced, &mut guess, observer);
        count.iterations += report.iterations;
        count.escalations += 1;
        let solved = report.status == Status::Converged;
        if solved {
            self.small.lambda = guess.lambda;
        }
        solved
    }
}

impl Solver for Condensed {
    fn name(&self) -> &'static str {
        match self.model {
            ContactModel::Ncp => "condensed",
            ContactModel::Ccp => "condensed-ccp",
        }
    }

    fn model(&self) -> ContactModel {
        self.model
    }

    fn supports(&self, _problem: &Problem) -> Result<(), Unsupported> {
        Ok(())
    }

    fn weights(&self) -> &[f64] {
        if self.condensed { &self.weights } else { &[] }
    }

    fn met_contradictions(&self) -> bool {
        self.contradiction
    }

    fn yielded(&self) -> &[f64] {
        if self.condensed { &self.yielded } else { &[] }
    }

    fn escalations(&self) -> u64 {
        self.escalations
    }

    fn share(&mut self, plans: &Arc<Plans>) {
        self.condensation.share(plans.clone());
    }

    fn set_threads(&mut self, threads: usize) {
        self.threads = threads;
    }

    fn allow_contradictions(&mut self, distance: f64) {
        self.open = distance;
    }

    fn solve(
        &mut self,
        problem: &Problem,
        x: &mut Solution,
        observer: &mut dyn Observer,
    ) -> SolveReport {
        let kept = problem.sets.iter().filter(|(set, _)| !set.is_free());
        let kept: usize = kept.map(|(_, rows)| rows.len()).sum();
        self.loose = !is_reducible(problem);
        let most = match self.model {
            ContactModel::Ncp => MOST_ROWS,
            ContactModel::Ccp => MOST_ROWS_CONVEX,
        };
        self.condensed =
            (kept <= most || self.loose) && matches!(problem.operator, Operator::Bodies { .. });
        if !self.condensed {
            return self.whole.solve(problem, x, observer);
        }
        let mut lambda = std::mem::take(&mut self.change);
        projected_guess(problem, x, &mut lambda);
        std::mem::swap(&mut x.lambda, &mut lambda);
        self.change = lambda;
        problem.block_weights(&mut self.weights);
        self.condensation.partition(problem, &x.lambda);
        self.condensation.forget(problem, &mut x.lambda);
        let mut count = Counts::default();
        self.yielded.clear();
        self.evaluate(problem, x);
        let ended = if self.factor(problem, &mut count) {
            self.rounds(problem, x, 0, &mut count, observer)
        } else {
            (Status::NumericalFailure, self.measure(problem, x).0)
        };
        let (status, residuals) = self.judge(problem, x, ended);
        self.escalations += count.escalations;
        report(status, residuals, count)
    }

    fn resolve(
        &mut self,
        problem: &Problem,
        x: &mut Solution,
        observer: &mut dyn Observer,
    ) -> SolveReport {
        if !self.condensed {
            return self.whole.resolve(problem, x, observer);
        }
        let mut count = Counts::default();
        self.add_relaxation(problem, x);
        // Near a singular configuration, errors within the tolerance of most rows still move others.
        let ended = self.rounds(problem, x, 1, &mut count, observer);
        let (status, residuals) = self.judge(problem, x, ended);
        self.escalations += count.escalations;
        report(status, residuals, count)
    }
}

/// Records the relaxation of the rows of a small problem.
fn record_relaxation(problem: &Problem, small: &Small, yielded: &mut Vec<f64>) {
    let own = &small.stuck.yielded;
    if own.is_empty() {
        return;
    }
    yielded.resize(problem.rows(), 0.0);
    for (&block, &(_, first)) in small.blocks.iter().zip(&small.sets) {
        let rows = problem.sets.range(block);
        let own = &own[first..first + rows.len()];
        for (sum, least) in yielded[rows].iter_mut().zip(own) {
            *sum += least;
        }
    }
}

fn report(status: Status, residuals: Residuals, count: Counts) -> SolveReport {
    SolveReport {
        status,
        iterations: count.iterations,
        factorizations: count.factorizations,
        residuals,
    }
}
