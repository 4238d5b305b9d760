//! The primal cost ℓ(u) = ½‖u − u_f‖²_M + γᵀR(y − ½γ), y = −R⁻¹(J u + v*), γ = P_K^R(y), with its derivatives, at a
//! point and along a line.
//!
//! On a cone γᵀR(y − γ) = 0, and the second term is ½‖γ‖²_R [Castro eq. 24]. On an interval only the form above has the
//! gradient −Jᵀγ: beyond the bound ½‖γ‖²_R is constant, as if no impulse acted.

use super::response::respond;
use crate::blocks::{BlockCsr6, BlockDiag6};
use crate::problem::Problem;
use crate::sets::{MAX_DIM, Slope};

/// Borrowed parts of a problem on bodies.
#[derive(Clone, Copy)]
pub(super) struct Parts<'a> {
    pub problem: &'a Problem,
    pub mass: &'a BlockDiag6,
    pub jacobian: &'a BlockCsr6,
    pub u_free: &'a [f64],
}

/// A velocity u and what follows from it.
#[derive(Default)]
pub(super) struct Point {
    pub u: Vec<f64>,
    /// v = J u + v*, m/s.
    pub v: Vec<f64>,
    /// γ(v), N s.
    pub gamma: Vec<f64>,
    /// G = −∂γ/∂v, block by block.
    pub slopes: Vec<Slope>,
    /// ∇ℓ = M (u − u_f) − Jᵀγ, N s.
    pub gradient: Vec<f64>,
    /// ℓ, J.
    pub cost: f64,
    change: Vec<f64>,
}

impl Point {
    /// Everything from u.
    pub fn evaluate(&mut self, parts: Parts) {
        let problem = parts.problem;
        self.v.resize(problem.rows(), 0.0);
        self.gamma.resize(problem.rows(), 0.0);
        parts.jacobian.multiply(&self.u, &mut self.v);
        for (v, bias) in self.v.iter_mut().zip(&problem.v_bias) {
            *v += bias;
        }
        self.slopes.clear();
        let mut stored = 0.0;
        for (set, rows) in problem.sets.iter() {
            let r = &problem.compliance[rows.clone()];
            let gamma = &mut self.gamma[rows.clone()];
            self.slopes
                .push(respond(set, r, &self.v[rows.clone()], gamma));
            for i in rows {
                let (r, gamma) = (problem.compliance[i], self.gamma[i]);
                stored -= gamma * (self.v[i] + 0.5 * r * gamma);
            }
        }
        let m = self.u.len();
        self.change.resize(m, 0.0);
        self.gradient.resize(m, 0.0);
        for i in 0..m {
            self.change[i] = self.u[i] - parts.u_free[i];
        }
        parts.mass.multiply(&self.change, &mut self.gradient);
        self.cost = 0.5 * dot(&self.change, &self.gradient) + stored;
        parts
            .jacobian
            .multiply_transposed(&self.gamma, &mut self.change);
        for (g, j) in self.gradient.iter_mut().zip(&self.change) {
            *g -= j;
        }
    }
}

/// ℓ(α) = ℓ(u + α Δu), seen from a point.
#[derive(Default)]
pub(super) struct Line {
    /// Δu, m/s.
    pub step: Vec<f64>,
    /// Δv = J Δu, m/s.
    pub dv: Vec<f64>,
    /// ℓ'(0) = Δuᵀ∇ℓ, J.
    pub slope: f64,
    /// ΔuᵀMΔu, J: the least ℓ'' can be.
    pub inertia: f64,
    momentum: Vec<f64>,
}

impl Line {
    /// Everything from Δu.
    pub fn prepare(&mut self, parts: Parts, from: &Point) {
        self.dv.resize(from.v.len(), 0.0);
        self.momentum.resize(self.step.len(), 0.0);
        parts.jacobian.multiply(&self.step, &mut self.dv);
        parts.mass.multiply(&self.step, &mut self.momentum);
        self.slope = dot(&self.step, &from.gradient);
        self.inertia = dot(&self.step, &self.momentum);
    }

    /// ℓ'(α) and ℓ''(α) [Castro §IV-C], O(rows).
    ///
    /// ℓ' is taken as its change since α = 0, in which the large and nearly equal M (u − u_f) and Jᵀγ
    /// do not occur.
    pub fn derivatives(&self, parts: Parts, from: &Point, alpha: f64) -> (f64, f64) {
        let problem = parts.problem;
        let (mut first, mut second) = (self.slope + alpha * self.inertia, self.inertia);
        for (set, rows) in problem.sets.iter() {
            let dim = rows.len();
            let (mut v, mut gamma) = ([0.0; MAX_DIM], [0.0; MAX_DIM]);
            let dv = &self.dv[rows.clone()];
            for (k, i) in rows.clone().enumerate() {
                v[k] = from.v[i] + alpha * dv[k];
            }
            let r = &problem.compliance[rows.clone()];
            let slope = respond(set, r, &v[..dim], &mut gamma[..dim]);
            for (k, i) in rows.enumerate() {
                first -= dv[k] * (gamma[k] - from.gamma[i]);
            }
            second += slope.quadratic(dv);
        }
        (first, second)
    }

    /// λ = P_K(γ − G Δv), the impulse that the Newton step means to reach, into `lambda`.
    pub fn predict(&self, parts: Parts, from: &Point, lambda: &mut Vec<f64>) {
        lambda.clone_from(&from.gamma);
        for ((set, rows), slope) in parts.problem.sets.iter().zip(&from.slopes) {
            let (lambda, dv) = (&mut lambda[rows.clone()], &self.dv[rows]);
            for (i, l) in lambda.iter_mut().enumerate() {
                *l -= slope.row_product(i, dv);
            }
            set.project(lambda);
        }
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
