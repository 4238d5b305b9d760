//! The impulses that the motion alone does not determine: those in their sets that explain most of it.
//!
//! With p = M (u⁺ − u_f) − Jᵀλ of the known ones, minimise ½‖p − Jᵀλ‖² in the metric M⁻¹ over λ ∈ K. This is the convex
//! problem of a step with the free velocity −M⁻¹p, without bias and compliance, and uses the same solvers. The
//! remaining p is the residual wrench, which no admissible force explains. If several λ are equally good, the one
//! nearest to a given one is used, by the proximal iteration of [Carpentier Alg. 2], which in the paper started with
//! the decoupled problem.
//!
//! Cones come first, with the free rows eliminated. The impulses of free rows then follow by a pivoted QR, as for
//! reactions (`dynamics/gauss.rs`): exact, and of minimum norm if they are not unique.

use super::InverseError;
use super::law::BlockLaw;
use crate::dynamics::{determined_rows, explain_freely};
use crate::model::Model;
use crate::reactions::push_block;
use crate::rows::Rows;
use crate::state::State;
use linkwork_solve::{
    BlockCsr6, ImpulseSet, MAX_DIM, Operator, Problem, Solution, SolverSettings, Status,
    solver_by_name,
};

/// ρ of the first and of the last proximal steps [Carpentier Alg. 2], relative to the weight of each block; in the
/// paper it is always 1e-8. With a large ρ a solve is easy, with a small one it reduces the error more: each step
/// leaves ρ divided by the smallest eigenvalue of the cones' mobility.
const PROXIMAL: (f64, f64) = (1e-2, 1e-8);
/// Proximal steps at most.
const PROXIMAL_STEPS: usize = 12;
/// Tolerance of each solve, in units of the problem.
const TOLERANCE: f64 = 1e-10;
/// Residual of a solve in units of the problem, or remaining share of p, that still counts as solved: the last digits
/// are round-off.
const ACCEPTED: f64 = 1e-8;
/// Share of all forces at which the search ends: the remaining p, or the effect of the last change.
const SETTLED: f64 = 1e-11;

/// Unknown impulses and the problem they solve.
pub(super) struct Unknown {
    problem: Problem,
    /// Source of each block: a block of the step, and its direction if it slides.
    origin: Vec<(usize, Option<[f64; MAX_DIM]>)>,
    /// p.
    left: Vec<f64>,
}

/// What was found.
pub(super) struct Solved {
    /// λ of all rows of the step, N s or N m s.
    pub lambda: Vec<f64>,
    /// Whether the motion leaves each of them no other value.
    pub determined: Vec<bool>,
    /// What is left of p, N s and N m s.
    pub residual: Vec<f64>,
    pub status: Status,
}

impl Unknown {
    /// The unknown blocks among `laws`, and the part of `impulses` that the known ones do not explain.
    pub fn new(rows: &Rows, laws: &[BlockLaw], impulses: &[f64]) -> Self {
        let (mass, all, _) = rows.bodies();
        let mut known = vec![0.0; rows.problem.rows()];
        let mut jacobian = BlockCsr6::new(all.bodies());
        let mut problem = Problem::for_bodies(rows.problem.dt);
        let mut origin = Vec::new();
        for (k, law) in laws.iter().enumerate() {
            match law {
                BlockLaw::Known(lambda) => {
                    let range = all.rows_of(k);
                    let n = range.len();
                    known[range].copy_from_slice(&lambda[..n]);
                }
                BlockLaw::In(set) => {
                    problem.sets.push(*set);
                    push_block(&mut jacobian, all, k);
                    origin.push((k, None));
                }
                BlockLaw::Ray(direction) => {
                    problem.sets.push(ImpulseSet::NonNegative);
                    push_ray(&mut jacobian, all, k, direction);
                    origin.push((k, Some(*direction)));
                }
            }
        }
        let mut left = vec![0.0; impulses.len()];
        all.multiply_transposed(&known, &mut left);
        for (left, p) in left.iter_mut().zip(impulses) {
            *left = p - *left;
        }
        let rows = problem.sets.rows();
        problem.v_bias = vec![0.0; rows];
        problem.compliance = vec![0.0; rows];
        problem.operator = Operator::Bodies {
            mass: mass.clone(),
            jacobian,
            u_free: Vec::new(),
        };
        Self {
            problem,
            origin,
            left,
        }
    }

    /// Finds them, near the impulses `near` of all rows of the step. `whole` is the norm of all forces in the metric of
    /// M⁻¹; p itself may be round-off.
    pub fn solve(
        mut self,
        (model, here): (&Model, &State),
        rows: &Rows,
        (laws, near): (&[BlockLaw], &[f64]),
        whole: f64,
    ) -> Result<Solved, InverseError> {
        let mut lambda = self.gather(rows, near);
        // First without actuator limits, with the given contact impulses: this is usually sufficient.
        let unlimited =
            |set: ImpulseSet| set.is_free() || matches!(set, ImpulseSet::Interval { .. });
        self.project(&mut lambda);
        self.solve_rows(model, here, &mut lambda, unlimited)?;
        self.project(&mut lambda);
        let mut status = Status::Converged;
        if !self.problem.sets.all_free() && self.rest(&lambda) > SETTLED * whole {
            status = self.solve_cones(&mut lambda, whole)?;
            self.solve_rows(model, here, &mut lambda, |set| set.is_free())?;
            // Impulses in their sets that leave no residual are a solution, whatever the status of the last solve.
            if self.rest(&lambda) <= ACCEPTED * whole {
                status = Status::Converged;
            }
        }
        let flags = determined_rows(model, here, &self.problem)?;
        let residual = self.residual(&lambda);
        let mut solved = Solved {
            lambda: vec![0.0; rows.problem.rows()],
            determined: vec![true; rows.problem.rows()],
            residual,
            status,
        };
        for (k, law) in laws.iter().enumerate() {
            if let BlockLaw::Known(known) = law {
                let range = rows.problem.sets.range(k);
                let n = range.len();
                solved.lambda[range].copy_from_slice(&known[..n]);
            }
        }
        for (block, (k, ray)) in self.origin.iter().enumerate() {
            let own = self.problem.sets.range(block);
            for (i, row) in rows.problem.sets.range(*k).enumerate() {
                (solved.lambda[row], solved.determined[row]) = match ray {
                    Some(direction) => (lambda[own.start] * direction[i], flags[own.start]),
                    None => (lambda[own.start + i], flags[own.start + i]),
                };
            }
        }
        if solved.residual.iter().any(|r| !r.is_finite()) {
            return Err(InverseError::NotFinite { time: here.time });
        }
        Ok(solved)
    }

    fn jacobian(&self) -> &BlockCsr6 {
        match &self.problem.operator {
            Operator::Bodies { jacobian, .. } => jacobian,
            Operator::Delassus { .. } => unreachable!("made on bodies"),
        }
    }

    /// The unknown ones of the impulses of a step.
    fn gather(&self, rows: &Rows, all: &[f64]) -> Vec<f64> {
        let mut lambda = Vec::with_capacity(self.problem.rows());
        for (k, ray) in &self.origin {
            let of_block = &all[rows.problem.sets.range(*k)];
            match ray {
                Some(_) => lambda.push(of_block[of_block.len() - 1]),
                None => lambda.extend_from_slice(of_block),
            }
        }
        lambda
    }

    /// Sets u_f to −M⁻¹(p − Jᵀλ): the part to be explained in addition to λ.
    fn leave(&mut self, lambda: &[f64]) {
        let rest: Vec<f64> = self.residual(lambda).iter().map(|r| -r).collect();
        if let Operator::Bodies { mass, u_free, .. } = &mut self.problem.operator {
            u_free.resize(rest.len(), 0.0);
            mass.solve(&rest, u_free);
        }
    }

    /// √(xᵀM⁻¹x) of impulses x on the bodies.
    fn norm(&self, x: &[f64]) -> f64 {
        let Operator::Bodies { mass, .. } = &self.problem.operator else {
            unreachable!("made on bodies")
        };
        let mut u = vec![0.0; x.len()];
        mass.solve(x, &mut u);
        x.iter().zip(&u).map(|(x, u)| x * u).sum::<f64>().sqrt()
    }

    /// The norm of Jᵀλ.
    fn effect(&self, lambda: &[f64]) -> f64 {
        let mut x = vec![0.0; self.left.len()];
        self.jacobian().multiply_transposed(lambda, &mut x);
        self.norm(&x)
    }

    /// p − Jᵀλ.
    fn residual(&self, lambda: &[f64]) -> Vec<f64> {
        let mut x = vec![0.0; self.left.len()];
        self.jacobian().multiply_transposed(lambda, &mut x);
        x.iter_mut().zip(&self.left).for_each(|(x, p)| *x = p - *x);
        x
    }

    /// The norm of p − Jᵀλ.
    fn rest(&self, lambda: &[f64]) -> f64 {
        self.norm(&self.residual(lambda))
    }

    /// λ of all rows by proximal steps from `lambda`: each minimises ½‖p − Jᵀλ‖² + ½ρ‖λ − λᵏ‖² over K, on the rows that
    /// are not free. `whole` is the norm of all forces.
    fn solve_cones(&mut self, lambda: &mut [f64], whole: f64) -> Result<Status, InverseError> {
        let settings = SolverSettings {
            tolerance: TOLERANCE,
            max_iterations: 1000,
        };
        let mut solver = solver_by_name("condensed-ccp", settings)?;
        self.leave(&vec![0.0; lambda.len()]);
        let mut weights = Vec::new();
        self.problem.block_weights(&mut weights);
        let mut status = Status::Converged;
        let mut rho = PROXIMAL.0;
        for _ in 0..PROXIMAL_STEPS {
            for ((set, range), w) in self.problem.sets.iter().zip(&weights) {
                if !set.is_free() {
                    self.problem.compliance[range].fill(rho * w);
                }
            }
            rho = (0.1 * rho).max(PROXIMAL.1);
            for (i, bias) in self.problem.v_bias.iter_mut().enumerate() {
                *bias = -self.problem.compliance[i] * lambda[i];
            }
            let (problem, units) = self.problem.normalised();
            let mut x = Solution {
                lambda: lambda.iter().map(|l| l / units.impulse).collect(),
                ..Solution::default()
            };
            let report = solver.solve(&problem, &mut x, &mut ());
            status = match report.residuals.meets(ACCEPTED) {
                true => Status::Converged,
                false => report.status,
            };
            let change: Vec<f64> = lambda
                .iter()
                .zip(&x.lambda)
                .map(|(old, new)| units.impulse * new - old)
                .collect();
            lambda
                .iter_mut()
                .zip(&change)
                .for_each(|(l, change)| *l += change);
            // Impulses may continue to change where nothing determines them; their effect converges.
            let settled = self.effect(&change) <= SETTLED * whole;
            let explained = self.rest(lambda) <= SETTLED * whole;
            if settled || explained {
                break;
            }
        }
        self.problem.v_bias.fill(0.0);
        self.problem.compliance.fill(0.0);
        Ok(status)
    }

    /// Let every impulse be in its set.
    fn project(&self, lambda: &mut [f64]) {
        for (set, range) in self.problem.sets.iter() {
            set.project(&mut lambda[range]);
        }
    }

    /// Recomputes λ of the rows of the sets `chosen` as if they were free, with the others fixed: the least change that
    /// explains most.
    fn solve_rows(
        &mut self,
        model: &Model,
        here: &State,
        lambda: &mut [f64],
        chosen: impl Fn(ImpulseSet) -> bool,
    ) -> Result<(), InverseError> {
        self.leave(lambda);
        let Operator::Bodies {
            mass,
            jacobian,
            u_free,
        } = &self.problem.operator
        else {
            unreachable!("made on bodies")
        };
        let mut free = Problem::for_bodies(self.problem.dt);
        let mut rows = BlockCsr6::new(jacobian.bodies());
        let mut at = Vec::new();
        for (k, (set, range)) in self.problem.sets.iter().enumerate() {
            if chosen(set) {
                free.sets.push(ImpulseSet::Free { dim: set.dim() });
                push_block(&mut rows, jacobian, k);
                at.extend(range);
            }
        }
        free.v_bias = vec![0.0; at.len()];
        free.compliance = vec![0.0; at.len()];
        free.operator = Operator::Bodies {
            mass: mass.clone(),
            jacobian: rows,
            u_free: u_free.clone(),
        };
        let change = explain_freely(model, here, &free)?;
        for (i, change) in at.into_iter().zip(change) {
            lambda[i] += change;
        }
        Ok(())
    }
}

/// Append the row `direction`·J of block `k`.
fn push_ray(to: &mut BlockCsr6, all: &BlockCsr6, k: usize, direction: &[f64; MAX_DIM]) {
    let dim = all.rows_of(k).len();
    to.push_block(1);
    for entry in all.entries_of(k) {
        let mut row = [0.0; 6];
        for (d, values) in direction.iter().zip(all.values_of(entry, dim)) {
            row.iter_mut().zip(values).for_each(|(r, j)| *r += d * j);
        }
        to.push_entry(entry.body, &[row]);
    }
}
