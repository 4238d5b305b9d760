//! The convex problem with velocity σ(λ) + s, s given, solved to a requested residual: a run of Clarabel from a cold
//! start, refined, then runs about the last answer in smaller and smaller units.

use super::conic::Conic;
use super::polish::Polish;
use super::watched::{End, solve_watched};
use crate::problem::Problem;
use crate::residuals::larger;
use crate::solvers::Observer;
use crate::solvers::ends::Counts;
use clarabel::solver::{DefaultSettings, DefaultSolver};

/// Factor between the units of consecutive repeats. A larger factor makes the interior-point method fail: inactive
/// slacks and slopes grow by its inverse.
const UNIT_RATIO: f64 = 0.1;
/// Repeats without a halving of the residual after which it stops.
const IDLE_LIMIT: usize = 2;
/// Interior-point iterations of one run; ten to thirty are usual.
const RUN_LIMIT: u32 = 100;

/// The program of one problem, and the vectors of a run.
pub(super) struct Convex<'a> {
    problem: &'a Problem,
    conic: Conic,
    polish: Polish<'a>,
    solver: Option<DefaultSolver<f64>>,
    /// |S σ(0)|∞, √J.
    unit: f64,
    tolerance: f64,
    best: Vec<f64>,
    sigma: Vec<f64>,
    scratch: Vec<f64>,
}

/// Why the requested residual was not reached.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Failure {
    Interrupted,
    Limit,
    /// Clarabel failed, or its answer is not finite.
    Numerical,
}

impl<'a> Convex<'a> {
    /// For `problem` with block `weights`; Clarabel stops at `tolerance`.
    pub fn new(problem: &'a Problem, weights: &'a [f64], tolerance: f64) -> Self {
        let conic = Conic::new(problem, weights);
        let free = problem.free_velocity();
        let scaled = conic.scale.iter().zip(&free).map(|(s, q)| (s * q).abs());
        let unit = scaled.fold(0.0, larger);
        Self {
            problem,
            conic,
            polish: Polish::new(problem, weights),
            solver: None,
            unit: if unit > 0.0 { unit } else { 1.0 },
            tolerance,
            best: Vec::new(),
            sigma: Vec::new(),
            scratch: Vec::new(),
        }
    }

    /// λ for the shift `s`, with a scaled natural map of at most `goal` if possible.
    pub fn solve(
        &mut self,
        lambda: &mut Vec<f64>,
        s: &[f64],
        goal: f64,
        limit: usize,
        observer: &mut dyn Observer,
        count: &mut Counts,
    ) -> Result<(), Failure> {
        lambda.clear();
        lambda.resize(self.problem.rows(), 0.0);
        let mut least = f64::INFINITY;
        self.best.clone_from(lambda);
        let (mut unit, mut idle) = (self.unit, 0);
        while idle < IDLE_LIMIT {
            let end = self.run_about(lambda, s, unit, (count.iterations, limit), observer);
            count.iterations += self.iterations();
            count.factorizations = count.iterations;
            let size = self.polish.run(lambda, s, goal);
            idle = if size < 0.5 * least { 0 } else { idle + 1 };
            if size < least {
                least = size;
                self.best.clone_from(lambda);
            } else {
                lambda.clone_from(&self.best);
            }
            match end {
                End::Interrupted => return Err(Failure::Interrupted),
                End::Limit => return Err(Failure::Limit),
                End::Failed => return Err(Failure::Numerical),
                End::Own(_) if !least.is_finite() => return Err(Failure::Numerical),
                End::Own(_) if least <= goal => break,
                End::Own(_) => unit *= UNIT_RATIO,
            }
        }
        Ok(())
    }

    /// λ ← P_K(λ + correction), by Clarabel about the present λ.
    fn run_about(
        &mut self,
        lambda: &mut [f64],
        s: &[f64],
        unit: f64,
        limits: (usize, usize),
        observer: &mut dyn Observer,
    ) -> End {
        self.velocity(lambda, s);
        self.conic.centre(self.problem, lambda, &self.sigma, unit);
        if self.prepare().is_none() {
            return End::Failed;
        }
        let Some(solver) = &mut self.solver else {
            return End::Failed;
        };
        let end = solve_watched(solver, observer, limits, unit);
        let steps = solver.solution.x.iter().zip(&self.conic.scale);
        for (l, (x, scale)) in lambda.iter_mut().zip(steps) {
            *l += unit * scale * x;
        }
        for (set, rows) in self.problem.sets.iter() {
            set.project(&mut lambda[rows]);
        }
        end
    }

    /// A solver with the present q and b; none where Clarabel refuses them.
    fn prepare(&mut self) -> Option<()> {
        let Conic {
            p, a, cones, q, b, ..
        } = &self.conic;
        if let Some(solver) = &mut self.solver {
            solver.update_q(q).ok()?;
            return solver.update_b(b).ok();
        }
        let settings = DefaultSettings {
            verbose: false,
            max_iter: RUN_LIMIT,
            tol_gap_abs: self.tolerance,
            tol_gap_rel: self.tolerance,
            tol_feas: self.tolerance,
            // Presolve would not allow the updates above.
            presolve_enable: false,
            ..DefaultSettings::default()
        };
        self.solver = Some(DefaultSolver::new(p, q, a, b, cones, settings).ok()?);
        Some(())
    }

    fn iterations(&self) -> usize {
        let run = self.solver.as_ref();
        run.map_or(0, |solver| solver.solution.iterations as usize)
    }

    /// σ(λ) + s into `sigma`.
    fn velocity(&mut self, lambda: &[f64], s: &[f64]) {
        self.problem
            .sigma(lambda, &mut self.sigma, &mut self.scratch);
        for (sigma, s) in self.sigma.iter_mut().zip(s) {
            *sigma += s;
        }
    }
}
