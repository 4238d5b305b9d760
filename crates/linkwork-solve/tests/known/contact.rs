//! One contact: all answers of both laws, found by scanning the direction of sliding.

use crate::body_graphs::*;
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
    /// The problem with only D.
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

/// Single contacts with a full D: on D alone with ever stronger coupling of normal and tangents, and on a
/// body, there also with compliance, which to the contact is part of D.
pub fn one_contacts() -> Vec<(OneContact, Problem)> {
    const MU: [f64; 6] = [0.0, 0.1, 0.3, 0.7, 1.0, 2.0];
    let mut random = Random(7);
    let mut all = Vec::new();
    for i in 0..120 {
        let mu = MU[i % MU.len()];
        let on_d = {
            let q = approach(&mut random);
            let a = Matrix3::from_fn(|_, _| random.symmetric());
            let t = 0.6 * random.below(5) as f64 * random.vector().xy();
            let shear = Matrix3::new(1., 0., t.x, 0., 1., t.y, 0., 0., 1.);
            let d = a * a.transpose() * 0.3 + Matrix3::identity() * 0.5;
            OneContact {
                d: shear * d * shear.transpose(),
                q,
                mu,
            }
        };
        let problem = on_d.problem();
        all.push((on_d, problem));

        let mut graph = Graph::new(i as u64, 1);
        graph.contact(None, 0, mu);
        let mut problem = graph.problem();
        let (q, free) = (approach(&mut random), problem.free_velocity());
        problem.v_bias = (0..3).map(|k| q[k] - free[k]).collect();
        let (_, d) = dense(&problem);
        let mut d = Matrix3::from_fn(|r, c| d[(r, c)]);
        if (i / MU.len()) % 2 == 1 {
            let (tangent, normal) = (0.05 * d.trace(), 0.02 * d.trace());
            problem.compliance = vec![tangent, tangent, normal];
            d += Matrix3::from_diagonal(&Vector3::new(tangent, tangent, normal));
        }
        all.push((OneContact { d, q, mu }, problem));
    }
    all
}

/// A free velocity: one in four separates, the others come with slow to fast sliding.
fn approach(random: &mut Random) -> Vector3<f64> {
    let mut q = random.vector();
    q.z = if random.below(4) == 0 {
        q.z.abs()
    } else {
        -q.z.abs() - 0.05
    };
    let sliding = [0.2, 1.0, 2.0][random.below(3)];
    Vector3::new(sliding * q.x, sliding * q.y, q.z)
}
