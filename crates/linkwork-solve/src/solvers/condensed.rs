//! Joints eliminated exactly, Newton on what can open, slip or saturate: the default.
//!
//! 1. Rows that are equations are eliminated by one sparse factorisation ([`crate::condense`]). Which drives and
//!    dry frictions are inside their intervals is predicted from the guess; where the answer leaves an
//!    interval, its row is kept and the step factored again.
//! 2. The small problem that is left is solved from the guess by Newton's method ([`small`]). While the
//!    active set is that of the guess, that is one dense solve.
//! 3. Where Newton gets stuck, `hybrid` goes on with the small problem.
//!
//! Rounds repeat until the recomputed residual of the whole problem meets the tolerance: the first is nearly
//! exact, another one adds kept rows that turn out to close, or refines what round-off left.

mod dense;
mod small;

use super::ends::{Counts, projected_guess};
use super::hybrid::Hybrid;
use super::{Observer, Solver, SolverSettings, Unsupported};
use crate::blocks::SparseSym;
use crate::condense::{Condensation, Plans};
use crate::problem::{Operator, Problem, Solution, SolveReport, Status};
use crate::residuals::{ContactModel, Residuals, natural_map};
use crate::sets::{ImpulseSet, ImpulseSets};
use small::Small;
use std::sync::Arc;

/// Rounds at most.
const ROUNDS: usize = 12;
/// More kept rows than this are not condensed: S is dense. Heaps go to `hybrid` on their bodies.
const MOST_ROWS: usize = 300;

/// The solver; see the module documentation.
pub struct Condensed {
    settings: SolverSettings,
    condensation: Condensation,
    small: Small,
    whole: Hybrid,
    weights: Vec<f64>,
    impulse: Vec<f64>,
    felt: Vec<f64>,
    change: Vec<f64>,
    added: Vec<bool>,
    best: (f64, Vec<f64>),
    /// Whether the last problem was condensed.
    condensed: bool,
}

impl Condensed {
    /// With the given settings.
    pub fn new(settings: SolverSettings) -> Self {
        Self {
            settings,
            condensation: Condensation::default(),
            small: Small::default(),
            whole: Hybrid::new(settings),
            weights: Vec::new(),
            impulse: Vec::new(),
            felt: Vec::new(),
            change: Vec::new(),
            added: Vec::new(),
            best: (f64::INFINITY, Vec::new()),
            condensed: false,
        }
    }

    /// u⁺ and σ of λ, and the natural map.
    fn evaluate(&mut self, problem: &Problem, x: &mut Solution) -> Residuals {
        problem.velocity(&x.lambda, &mut x.u_plus, &mut self.impulse);
        if let Operator::Bodies { jacobian, .. } = &problem.operator {
            x.sigma.resize(problem.rows(), 0.0);
            jacobian.multiply(&x.u_plus, &mut x.sigma);
            for i in 0..x.sigma.len() {
                x.sigma[i] += problem.compliance[i] * x.lambda[i] + problem.v_bias[i];
            }
        }
        let model = ContactModel::Ncp;
        natural_map(problem, &x.lambda, &x.sigma, &self.weights, model)
    }

    fn factor(&mut self, problem: &Problem, count: &mut Counts) -> bool {
        self.added.clear();
        self.added.resize(problem.sets.len(), false);
        count.factorizations += 1;
        self.condensation.factor(problem).is_ok()
    }

    /// Rounds from the λ in `x`, with the factorisation at hand.
    fn rounds(
        &mut self,
        problem: &Problem,
        x: &mut Solution,
        count: &mut Counts,
        observer: &mut dyn Observer,
    ) -> (Status, Residuals) {
        let tolerance = self.settings.tolerance;
        let mut residuals = self.evaluate(problem, x);
        self.best = (f64::INFINITY, Vec::new());
        let mut vain = 0;
        for _ in 0..ROUNDS {
            let size = residuals.scaled();
            if size < 0.5 * self.best.0 {
                vain = 0;
            } else {
                vain += 1;
            }
            if size < self.best.0 {
                self.best.0 = size;
                self.best.1.clone_from(&x.lambda);
            }
            if residuals.meets(tolerance) {
                return (Status::Converged, residuals);
            }
            if size.is_nan() || vain > 3 {
                break;
            }
            if observer.iteration(count.iterations, size).is_break() {
                return (Status::Interrupted, residuals);
            }
            count.iterations += 1;
            self.choose(problem, x);
            self.condensation.begin(problem, &x.sigma, &mut self.felt);
            self.load(problem, x);
            // The weights of the small problem are its own: a digit covers the difference.
            let goal = 0.1 * tolerance;
            let (steps, done) = self.small.newton(goal);
            count.iterations += steps.saturating_sub(1);
            if !done {
                self.globalise(problem, count, observer);
            }
            self.change.clear();
            for (block, row) in self.condensation.blocks() {
                let range = problem.sets.range(block);
                let now = &self.small.lambda[row..];
                let pairs = x.lambda[range].iter().zip(now);
                self.change.extend(pairs.map(|(before, now)| now - before));
            }
            self.condensation
                .finish(problem, &self.change, &mut x.lambda);
            if self.saturate(problem, x) && !self.factor(problem, count) {
                return (Status::NumericalFailure, residuals);
            }
            residuals = self.evaluate(problem, x);
        }
        if self.best.1.len() == x.lambda.len() {
            x.lambda.clone_from(&self.best.1);
        }
        residuals = self.evaluate(problem, x);
        (Status::Stalled, residuals)
    }

    /// Add to the small problem the kept blocks that carry impulse, or should.
    fn choose(&mut self, problem: &Problem, x: &Solution) {
        let mut grown = false;
        for (k, (set, rows)) in problem.sets.iter().enumerate() {
            if self.added[k] || !self.condensation.is_kept(k) {
                continue;
            }
            let (lambda, sigma) = (&x.lambda[rows.clone()], &x.sigma[rows]);
            let w = self.weights[k];
            let mut point = [0.0; 6];
            let dim = lambda.len();
            for r in 0..dim {
                point[r] = lambda[r] - sigma[r] / w;
            }
            set.project(&mut point[..dim]);
            let idle = lambda.iter().chain(&point[..dim]).all(|l| *l == 0.0);
            if !idle {
                self.condensation.add(problem, k);
                self.added[k] = true;
                grown = true;
            }
        }
        if grown {
            self.condensation.complete();
        }
    }

    /// The small problem at the present λ.
    fn load(&mut self, problem: &Problem, x: &Solution) {
        let small = &mut self.small;
        let n = self.condensation.rows();
        small.sets.clear();
        small.weights.clear();
        small.lambda.clear();
        small.sigma.clear();
        small.matrix.clear();
        small.matrix.extend_from_slice(self.condensation.matrix());
        for (block, row) in self.condensation.blocks() {
            let range = problem.sets.range(block);
            let dim = range.len();
            let mut trace = 0.0;
            for (r, i) in range.enumerate() {
                let at = row + r;
                small.matrix[at * n + at] += problem.compliance[i];
                trace += small.matrix[at * n + at];
                small.lambda.push(x.lambda[i]);
                small.sigma.push(x.sigma[i] + self.felt[at]);
            }
            small.sets.push((problem.sets.set(block), row));
            // A block that the joints hold altogether feels nothing of itself.
            let floor = 1e-12 * self.weights[block];
            small.weights.push((trace / dim as f64).max(floor));
        }
    }

    /// Eliminated interval rows that have left their interval stay at its end from now on.
    fn saturate(&mut self, problem: &Problem, x: &mut Solution) -> bool {
        let mut any = false;
        for (k, (set, rows)) in problem.sets.iter().enumerate() {
            if let ImpulseSet::Interval { bound } = set {
                let lambda = &mut x.lambda[rows.start];
                if lambda.abs() > bound && !self.condensation.is_kept(k) {
                    *lambda = lambda.clamp(-bound, bound);
                    self.condensation.keep(k);
                    any = true;
                }
            }
        }
        any
    }

    /// The small problem by ADMM and proximal Newton steps, from the best that Newton found.
    fn globalise(&mut self, problem: &Problem, count: &mut Counts, observer: &mut dyn Observer) {
        let small = &mut self.small;
        let n = small.rows();
        let entries = small.matrix.iter().enumerate();
        let triplets: Vec<_> = entries.map(|(i, &a)| (i / n, i % n, a)).collect();
        let (matrix, _) = SparseSym::from_triplets(n, &triplets);
        let mut sets = ImpulseSets::new();
        small.sets.iter().for_each(|(set, _)| sets.push(*set));
        let mut v_free = vec![0.0; n];
        matrix.multiply(&small.lambda, &mut v_free);
        for (v, s) in v_free.iter_mut().zip(&small.sigma) {
            *v = s - *v;
        }
        let reduced = Problem {
            dt: problem.dt,
            operator: Operator::Delassus { matrix, v_free },
            v_bias: vec![0.0; n],
            // R is part of the matrix.
            compliance: vec![0.0; n],
            sets,
        };
        let mut x = Solution {
            lambda: small.lambda.clone(),
            ..Solution::default()
        };
        let report = self.whole.solve(&reduced, &mut x, observer);
        count.iterations += report.iterations;
        small.lambda.clone_from(&x.lambda);
    }
}

impl Solver for Condensed {
    fn name(&self) -> &'static str {
        "condensed"
    }

    fn model(&self) -> ContactModel {
        ContactModel::Ncp
    }

    fn supports(&self, _problem: &Problem) -> Result<(), Unsupported> {
        Ok(())
    }

    fn share(&mut self, plans: &Arc<Plans>) {
        self.condensation.share(plans.clone());
    }

    fn solve(
        &mut self,
        problem: &Problem,
        x: &mut Solution,
        observer: &mut dyn Observer,
    ) -> SolveReport {
        let kept = problem.sets.iter().filter(|(set, _)| !set.is_free());
        let kept: usize = kept.map(|(_, rows)| rows.len()).sum();
        self.condensed = kept <= MOST_ROWS && matches!(problem.operator, Operator::Bodies { .. });
        if !self.condensed {
            return self.whole.solve(problem, x, observer);
        }
        let mut lambda = std::mem::take(&mut self.change);
        projected_guess(problem, x, &mut lambda);
        std::mem::swap(&mut x.lambda, &mut lambda);
        self.change = lambda;
        problem.block_weights(&mut self.weights);
        self.condensation.partition(problem, &x.lambda);
        let mut count = Counts::default();
        let (status, residuals) = if self.factor(problem, &mut count) {
            self.rounds(problem, x, &mut count, observer)
        } else {
            (Status::NumericalFailure, self.evaluate(problem, x))
        };
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
        let (status, residuals) = self.rounds(problem, x, &mut count, observer);
        report(status, residuals, count)
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
