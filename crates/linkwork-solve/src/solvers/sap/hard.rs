//! Rows that are hard, or whose compliances have no closed-form projection, by the method of multipliers.
//!
//! A pass gives them the compliance R + δ w_k and subtracts δ w_k λᵏ from v*, where λᵏ are the impulses before the
//! pass. This is a problem for SAP, and its fixed points are solutions without δ. On joints it is Newton's method with
//! equality constraints: with δ = 1e-5 one or two passes close them to round-off. Contacts start near-rigid, δ =
//! 1/(4π²) [Castro §V-B], and become harder from pass to pass.

use super::cost::Parts;
use super::{Counts, Sap};
use crate::problem::{Operator, Problem, Status};
use crate::residuals::{ContactModel, natural_map};
use crate::sets::MAX_DIM;
use crate::solvers::Observer;

/// δ of contacts, limits and bounded rows in the first pass, β²/(4π²) with β = 1.
const FIRST: f64 = 1.0 / (std::f64::consts::TAU * std::f64::consts::TAU);
/// Range of δ: below it, the round-off of evaluating γ from u exceeds the gain of a pass.
const RANGE: (f64, f64) = (1e-7, 1.0);
/// δ of free rows, as in the Newton solver: redundant rows need some; the smaller it is, the more exact is the solution.
const FREE: f64 = 1e-5;
/// Passes in a row that gain less than a tenth.
const PATIENCE: usize = 6;

/// The problem of a pass, and λᵏ.
#[derive(Default)]
pub(super) struct Hard {
    shifted: Option<Problem>,
    centre: Vec<f64>,
    weights: Vec<f64>,
    sigma: Vec<f64>,
    scratch: Vec<f64>,
}

/// Whether SAP takes a block as it is: R > 0 in every row, and a projection in closed form.
pub(super) fn is_compliant(problem: &Problem, k: usize) -> bool {
    let r = &problem.compliance[problem.sets.range(k)];
    let mut level = [0.0; MAX_DIM];
    let level = &mut level[..r.len()];
    level.copy_from_slice(r);
    problem.sets.set(k).level(level);
    r.iter().zip(level.iter()).all(|(r, l)| *r > 0.0 && r == l)
}

impl Hard {
    /// The problem of a pass with `delta` into `shifted`.
    fn shift(&self, problem: &Problem, delta: f64, shifted: &mut Problem) {
        shifted.compliance.clone_from(&problem.compliance);
        shifted.v_bias.clone_from(&problem.v_bias);
        for (k, (set, rows)) in problem.sets.iter().enumerate() {
            if is_compliant(problem, k) {
                continue;
            }
            let delta = if set.is_free() { FREE } else { delta };
            let r = &mut shifted.compliance[rows.clone()];
            r.iter_mut().for_each(|r| *r += delta * self.weights[k]);
            set.level(r);
            for i in rows {
                let more = shifted.compliance[i] - problem.compliance[i];
                shifted.v_bias[i] -= more * self.centre[i];
            }
        }
    }

    /// The recomputed scaled natural map at λᵏ.
    fn measure(&mut self, problem: &Problem) -> f64 {
        problem.sigma(&self.centre, &mut self.sigma, &mut self.scratch);
        let (lambda, sigma) = (&self.centre, &self.sigma);
        natural_map(problem, lambda, sigma, &self.weights, ContactModel::Ccp).scaled()
    }
}

impl Sap {
    /// Passes from the guess in `lambda` to the answer in `best`.
    pub(super) fn run_hard(
        &mut self,
        problem: &Problem,
        observer: &mut dyn Observer,
        count: &mut Counts,
    ) -> Status {
        let common = self.settings.common;
        let mut hard = std::mem::take(&mut self.hard);
        let mut shifted = match hard.shifted.take() {
            Some(mut shifted) => {
                shifted.clone_from(problem);
                shifted
            }
            None => problem.clone(),
        };
        problem.block_weights(&mut hard.weights);
        hard.centre.clone_from(&self.lambda);
        let mut best = self.lambda.clone();
        let mut least = hard.measure(problem);
        let (mut delta, mut idle) = (FIRST, 0);
        let status = loop {
            if least <= common.tolerance {
                break Status::Converged;
            }
            if count.iterations >= common.max_iterations {
                break Status::IterationLimit;
            }
            if idle == PATIENCE {
                break Status::Stalled;
            }
            hard.shift(problem, delta, &mut shifted);
            self.lambda.clone_from(&hard.centre);
            let goal = 0.3 * common.tolerance.max(0.1 * least);
            let end = match Parts::of(&shifted) {
                Some(parts) => self.run(parts, goal, observer, count),
                None => Status::NumericalFailure,
            };
            if end == Status::NumericalFailure {
                break end;
            }
            hard.centre.clone_from(&self.best);
            let size = hard.measure(problem);
            delta *= match end {
                Status::Converged => 0.1,
                _ if size < least => 1.0,
                _ => 10.0,
            };
            delta = delta.clamp(RANGE.0, RANGE.1);
            idle = if size < 0.9 * least { 0 } else { idle + 1 };
            if size < least {
                least = size;
                best.clone_from(&hard.centre);
            }
            if size.is_nan() {
                break Status::NumericalFailure;
            }
            if end == Status::Interrupted {
                break end;
            }
        };
        hard.shifted = Some(shifted);
        self.hard = hard;
        self.best = best;
        status
    }
}

impl<'a> Parts<'a> {
    /// `None` where only D is known.
    pub fn of(problem: &'a Problem) -> Option<Self> {
        match &problem.operator {
            Operator::Bodies {
                mass,
                jacobian,
                u_free,
            } => Some(Self {
                problem,
                mass,
                jacobian,
                u_free,
            }),
            Operator::Delassus { .. } => None,
        }
    }
}
