//! One contact: all answers of both laws, found by scanning the direction of sliding.

use linkwork_solve::*;
use nalgebra::{DMatrix, Matrix3, Vector3};
use std::f64::consts::TAU;

/// σ = D λ + q on one contact, rows (t₁, t₂, n).
pub struct OneContact {
    pub d: Matrix3<f64>,
    pub q: Vector3<f64>,
    pub mu: f64,
}

/// What a contact does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    Open,
    Stick,
    Slip,
}

/// Directions scanned.
const DIRECTIONS: usize = 7200;

impl OneContact {
    /// The problem on nothing but D.
    pub fn problem(&self) -> Problem {
        let mut sets = ImpulseSets::new();
        sets.push(ImpulseSet::Coulomb { mu: self.mu });
        let d = DMatrix::from_fn(3, 3, |r, c| self.d[(r, c)]);
        Problem {
            dt: 1e-3,
            operator: Operator::Delassus {
                matrix: super::sparse(&d),
                v_free: self.q.as_slice().to_vec(),
            },
            v_bias: vec![0.0; 3],
            compliance: vec![0.0; 3],
            sets,
        }
    }

    /// Every λ that `model` allows. The convex law has exactly one.
    pub fn answers(&self, model: ContactModel) -> Vec<(Mode, Vector3<f64>)> {
        if self.mu == 0.0 {
            let n = (-self.q.z / self.d.m33).max(0.0);
            let mode = if n > 0.0 { Mode::Slip } else { Mode::Open };
            return vec![(mode, Vector3::new(0.0, 0.0, n))];
        }
        let mut all = Vec::new();
        let margin = match model {
            ContactModel::Ncp => 0.0,
            // q in the dual cone.
            ContactModel::Ccp => self.mu * self.q.xy().norm(),
        };
        if self.q.z >= margin {
            all.push((Mode::Open, Vector3::zeros()));
        }
        let stop = -self.d.try_inverse().unwrap() * self.q;
        if stop.xy().norm() <= self.mu * stop.z {
            all.push((Mode::Stick, stop));
        }
        let step = TAU / DIRECTIONS as f64;
        for k in 0..DIRECTIONS {
            let (a, b) = (k as f64 * step, (k as f64 + 1.0) * step);
            if let Some(lambda) = self.slip(model, a, b) {
                all.push((Mode::Slip, lambda));
            }
        }
        all
    }

    /// The slipping answer that pulls along a direction between `a` and `b`, if there is one.
    fn slip(&self, model: ContactModel, mut a: f64, mut b: f64) -> Option<Vector3<f64>> {
        let (first, last) = (self.pull(model, a)?, self.pull(model, b)?);
        if first.1 * last.1 > 0.0 {
            return None;
        }
        for _ in 0..60 {
            let middle = 0.5 * (a + b);
            if self.pull(model, middle)?.1 * first.1 > 0.0 {
                a = middle;
            } else {
                b = middle;
            }
        }
        let (lambda, _) = self.pull(model, a)?;
        let sigma = self.d * lambda + self.q;
        // Friction opposes the motion.
        (lambda.xy().dot(&sigma.xy()) < 0.0).then_some(lambda)
    }

    /// λ = s (μ cos θ, μ sin θ, 1) with s > 0 from σ_N = 0 (NCP) or λᵀσ = 0 (CCP), and the part of σ_T
    /// across the pull, zero where it slips straight. For the CCP that is ∂/∂θ of the energy.
    fn pull(&self, model: ContactModel, theta: f64) -> Option<(Vector3<f64>, f64)> {
        let (sin, cos) = theta.sin_cos();
        let ray = Vector3::new(self.mu * cos, self.mu * sin, 1.0);
        let test = match model {
            ContactModel::Ncp => Vector3::z(),
            ContactModel::Ccp => ray,
        };
        let s = -test.dot(&self.q) / test.dot(&(self.d * ray));
        if !s.is_finite() || s <= 0.0 {
            return None;
        }
        let lambda = s * ray;
        let sigma = self.d * lambda + self.q;
        Some((lambda, cos * sigma.y - sin * sigma.x))
    }
}
