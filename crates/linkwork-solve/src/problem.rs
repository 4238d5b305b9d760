//! The problem of one step, and the answer of a solver.

use crate::blocks::{BlockCsr6, BlockDiag6, SparseSym};
use crate::residuals::Residuals;
use crate::sets::ImpulseSets;
use serde::{Deserialize, Serialize};

/// One complementarity problem: find λ with K* ∋ σ + Γ(σ) ⟂ λ ∈ K, σ = (D + R) λ + v_f + v*.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Problem {
    /// Step size, s.
    pub dt: f64,
    /// Where D and v_f come from.
    pub operator: Operator,
    /// v*, nd values: stabilisation, restitution, drive targets; m/s or rad/s.
    pub v_bias: Vec<f64>,
    /// R, nd values ≥ 0, 0 = hard; 1/kg or 1/(kg m²).
    pub compliance: Vec<f64>,
    /// K: where the impulses live, in row order.
    pub sets: ImpulseSets,
}

/// Where the Delassus matrix D = J M⁻¹ Jᵀ and the free velocity v_f come from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Operator {
    /// A simulation step. Block k of `jacobian` has the rows of set k.
    Bodies {
        /// M, kg and kg m².
        mass: BlockDiag6,
        /// J.
        jacobian: BlockCsr6,
        /// u_f, 6 values per body: (v, ω) without constraint impulses.
        u_free: Vec<f64>,
    },
    /// Only D and v_f are known, as in an FCLIB local problem.
    Delassus {
        /// D.
        matrix: SparseSym,
        /// v_f, nd values.
        v_free: Vec<f64>,
    },
}

impl Problem {
    /// A problem on bodies without bodies or rows yet, to be filled; dt in s.
    pub fn for_bodies(dt: f64) -> Self {
        Self {
            dt,
            operator: Operator::Bodies {
                mass: BlockDiag6::new(),
                jacobian: BlockCsr6::new(0),
                u_free: Vec::new(),
            },
            v_bias: Vec::new(),
            compliance: Vec::new(),
            sets: ImpulseSets::new(),
        }
    }

    /// Number of rows nd.
    pub fn rows(&self) -> usize {
        self.sets.rows()
    }

    /// Number of bodies; 0 where only D is known.
    pub fn bodies(&self) -> usize {
        match &self.operator {
            Operator::Bodies { mass, .. } => mass.len(),
            Operator::Delassus { .. } => 0,
        }
    }

    /// σ(λ) = (D + R) λ + v_f + v*, into `sigma`. `scratch` is any buffer, reused.
    pub fn sigma(&self, lambda: &[f64], sigma: &mut Vec<f64>, scratch: &mut Vec<f64>) {
        let n = self.rows();
        sigma.resize(n, 0.0);
        match &self.operator {
            Operator::Bodies {
                mass,
                jacobian,
                u_free,
            } => {
                let m = u_free.len();
                scratch.resize(2 * m, 0.0);
                let (impulse, u) = scratch.split_at_mut(m);
                jacobian.multiply_transposed(lambda, impulse);
                mass.solve(impulse, u);
                for (u, free) in u.iter_mut().zip(u_free) {
                    *u += free;
                }
                jacobian.multiply(u, sigma);
            }
            Operator::Delassus { matrix, v_free } => {
                matrix.multiply(lambda, sigma);
                for (s, v) in sigma.iter_mut().zip(v_free) {
                    *s += v;
                }
            }
        }
        for i in 0..n {
            sigma[i] += self.compliance[i] * lambda[i] + self.v_bias[i];
        }
    }

    /// σ of λ where its u⁺ is known, into `sigma`; `u_plus` is not read where only D is known.
    pub fn sigma_at(&self, lambda: &[f64], u_plus: &[f64], sigma: &mut Vec<f64>) {
        match &self.operator {
            Operator::Bodies { jacobian, .. } => {
                sigma.resize(self.rows(), 0.0);
                jacobian.multiply(u_plus, sigma);
                for i in 0..sigma.len() {
                    sigma[i] += self.compliance[i] * lambda[i] + self.v_bias[i];
                }
            }
            Operator::Delassus { .. } => self.sigma(lambda, sigma, &mut Vec::new()),
        }
    }

    /// u⁺ = u_f + M⁻¹ Jᵀ λ into `u_plus`; empty where only D is known.
    pub fn velocity(&self, lambda: &[f64], u_plus: &mut Vec<f64>, scratch: &mut Vec<f64>) {
        match &self.operator {
            Operator::Bodies {
                mass,
                jacobian,
                u_free,
            } => {
                scratch.resize(u_free.len(), 0.0);
                u_plus.resize(u_free.len(), 0.0);
                jacobian.multiply_transposed(lambda, scratch);
                mass.solve(scratch, u_plus);
                for (u, free) in u_plus.iter_mut().zip(u_free) {
                    *u += free;
                }
            }
            Operator::Delassus { .. } => u_plus.clear(),
        }
    }

    /// w_k = tr(D_kk + R_kk)/dim of every block, into `weights`: the inverse apparent mass that makes impulses and
    /// velocities of a block comparable (s_k = 1/w_k, math.md §2).
    ///
    /// A block that acts on nothing movable has w = 0; it gets weight 1, so that scaling by it is safe.
    pub fn block_weights(&self, weights: &mut Vec<f64>) {
        weights.clear();
        for k in 0..self.sets.len() {
            let rows = self.sets.range(k);
            let trace: f64 = match &self.operator {
                Operator::Bodies { mass, jacobian, .. } => jacobian
                    .entries_of(k)
                    .iter()
                    .map(|entry| {
                        let rows = jacobian.values_of(entry, rows.len());
                        let square = |j| mass.inverse_square(entry.body, j);
                        rows.iter().map(square).sum::<f64>()
                    })
                    .sum(),
                Operator::Delassus { matrix, .. } => rows.clone().map(|r| matrix.get(r, r)).sum(),
            };
            let dim = rows.len() as f64;
            let compliance: f64 = self.compliance[rows].iter().sum();
            let w = (trace + compliance) / dim;
            weights.push(if w > 0.0 { w } else { 1.0 });
        }
    }
}

/// A guess on entry to a solver, the answer on exit.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Solution {
    /// λ, nd values: constraint impulses, N s or N m s.
    pub lambda: Vec<f64>,
    /// u⁺, 6 values per body; empty where only D is known. On entry it is a guess, from which `castro/sap` starts; a
    /// simulator passes the velocities before the step.
    pub u_plus: Vec<f64>,
    /// σ(λ), nd values: biased constraint velocities.
    pub sigma: Vec<f64>,
}

/// Result of a solve. Every status leaves an iterate in the [`Solution`].
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Status {
    /// The recomputed residuals meet the tolerance.
    Converged,
    /// The residuals meet the tolerance, except for rows that cannot open: the problem has no solution, and these rows
    /// were relaxed by the smallest velocity ([`Solver::yielded`](crate::Solver::yielded)).
    Blocked,
    /// The iteration limit was reached first.
    IterationLimit,
    /// The residuals stopped decreasing above the tolerance: contradicting rows, or round-off.
    Stalled,
    /// A factorisation failed or a number was not finite.
    NumericalFailure,
    /// The observer asked to stop, for example at a time limit.
    Interrupted,
    /// Lemke's method ended on a ray: the pyramid problem may have no solution.
    RayTermination,
}

impl Status {
    /// All of them, in the order of their numbers.
    pub const ALL: [Self; 7] = [
        Self::Converged,
        Self::IterationLimit,
        Self::Stalled,
        Self::NumericalFailure,
        Self::Interrupted,
        Self::RayTermination,
        Self::Blocked,
    ];

    /// Its number in recordings, in the viewer's frames and in arrays of Python: 0 is converged.
    pub fn number(self) -> u8 {
        Self::ALL
            .iter()
            .position(|s| *s == self)
            .unwrap_or_default() as u8
    }

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Status::Converged => "converged",
            Status::Blocked => "blocked",
            Status::IterationLimit => "iteration limit",
            Status::Stalled => "stalled",
            Status::NumericalFailure => "numerical failure",
            Status::Interrupted => "interrupted",
            Status::RayTermination => "ray termination",
        }
    }

    /// Whether the impulses solve the problem, or the nearest problem that has a solution.
    pub fn is_solved(self) -> bool {
        matches!(self, Status::Converged | Status::Blocked)
    }

    /// The worse of the two statuses. The order is: converged, blocked, iteration limit, interrupted, stalled, ray
    /// termination, numerical failure.
    pub fn worse(self, other: Self) -> Self {
        let rank = |status| match status {
            Status::Converged => 0,
            Status::Blocked => 1,
            Status::IterationLimit => 2,
            Status::Interrupted => 3,
            Status::Stalled => 4,
            Status::RayTermination => 5,
            Status::NumericalFailure => 6,
        };
        if rank(other) > rank(self) {
            other
        } else {
            self
        }
    }
}

impl std::fmt::Display for Status {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// The report of a solver.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolveReport {
    /// How it ended.
    pub status: Status,
    /// Iterations used.
    pub iterations: usize,
    /// Factorisations computed.
    pub factorizations: usize,
    /// Residuals of the answer, recomputed from the problem by [`crate::residuals`].
    pub residuals: Residuals,
}
