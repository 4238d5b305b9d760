//! One contact alone: D̃ and μ, prepared so that its local problems cost no factorisation.
//!
//! Eliminating λ_N by σ_N = 0 leaves two unknowns. With c = D_TN/D_NN and p = −z̄_N/D_NN:
//!   λ_N = p − c·λ_T,   σ_T = A λ_T + b,   A = D_TT − D_TN D_NT/D_NN,   b = z̄_T − c z̄_N.
//! A is kept by eigenvalues and axes; everything tangential below is along those axes.

use crate::sets::ImpulseSet;
use nalgebra::{Matrix2, Matrix3};

/// A contact with its block D̃ (1/kg) and friction coefficient.
#[derive(Clone, Copy, Debug)]
pub struct Contact {
    /// D̃_kk, rows (t₁, t₂, n).
    pub(in crate::solvers) d: [[f64; 3]; 3],
    pub(in crate::solvers) mu: f64,
    /// Largest eigenvalue of D̃_kk, and of its tangential part.
    pub(in crate::solvers) largest: f64,
    pub(in crate::solvers) largest_tangential: f64,
    /// Eigenvalues of A, both positive, and the first of its axes.
    pub(super) a: [f64; 2],
    axis: [f64; 2],
    /// c along the axes of A.
    pub(super) c: [f64; 2],
}

/// A local problem in the two tangential unknowns along the axes of A.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reduced {
    pub b: [f64; 2],
    pub p: f64,
}

impl Contact {
    /// Prepare; None where D is not finite or has no positive normal and tangential part.
    pub fn new(d: [[f64; 3]; 3], mu: f64) -> Option<Self> {
        let trace = d[0][0] + d[1][1] + d[2][2];
        let finite = d.iter().flatten().all(|x| x.is_finite()) && mu.is_finite();
        if !finite || d[2][2] <= 0.0 || trace <= d[2][2] || mu < 0.0 {
            return None;
        }
        let c = [d[0][2] / d[2][2], d[1][2] / d[2][2]];
        let schur = Matrix2::from_fn(|r, k| d[r][k] - d[r][2] * c[k]).symmetric_eigen();
        let axis = [schur.eigenvectors[(0, 0)], schur.eigenvectors[(1, 0)]];
        // D̃ is semi-definite; what round-off makes of a zero eigenvalue of A must stay positive, so that
        // an unresisted direction reads "sticks only at a huge impulse" and the contact slides.
        let floor = 1e-16 * trace;
        let largest = Matrix3::from_fn(|r, k| d[r][k]).symmetric_eigenvalues();
        let tangential = Matrix2::from_fn(|r, k| d[r][k]).symmetric_eigenvalues();
        let mut contact = Self {
            d,
            mu,
            largest: largest.max(),
            largest_tangential: tangential.max(),
            a: [
                schur.eigenvalues[0].max(floor),
                schur.eigenvalues[1].max(floor),
            ],
            axis,
            c,
        };
        contact.c = contact.along(c);
        Some(contact)
    }

    /// z̄ = σ − D̃ λ: the velocity without this contact's impulse.
    pub(in crate::solvers) fn others(&self, lambda: &[f64; 3], sigma: &[f64; 3]) -> [f64; 3] {
        let own = self.multiply(lambda);
        std::array::from_fn(|r| sigma[r] - own[r])
    }

    /// D̃ x.
    pub(super) fn multiply(&self, x: &[f64]) -> [f64; 3] {
        self.d.map(|d| d[0] * x[0] + d[1] * x[1] + d[2] * x[2])
    }

    /// σ = D̃ λ + z.
    pub(in crate::solvers) fn velocity(&self, z: &[f64; 3], lambda: &[f64; 3]) -> [f64; 3] {
        let own = self.multiply(lambda);
        std::array::from_fn(|r| z[r] + own[r])
    }

    /// λ_T ← the nearest point of the disk of radius μ λ_N.
    pub(in crate::solvers) fn clip_to_disk(&self, lambda: &mut [f64; 3]) {
        let radius = self.mu * lambda[2];
        let size = lambda[0].hypot(lambda[1]);
        if size > radius {
            lambda[0] *= radius / size;
            lambda[1] *= radius / size;
        }
    }

    /// μ‖σ_T‖, the normal component of the De Saxcé shift, m/s.
    pub(in crate::solvers) fn desaxce_shift(&self, sigma: &[f64; 3]) -> f64 {
        ImpulseSet::Coulomb { mu: self.mu }.desaxce_shift(sigma)
    }

    /// The reduced problem for the velocity `z` of the others.
    pub(super) fn reduce(&self, z: &[f64; 3]) -> Reduced {
        let n = z[2] / self.d[2][2];
        let b = [z[0] - self.d[0][2] * n, z[1] - self.d[1][2] * n];
        Reduced {
            b: self.along(b),
            p: -n,
        }
    }

    /// λ from λ_T along the axes of A, with σ_N = 0.
    pub(super) fn expand(&self, t: [f64; 2], p: f64) -> [f64; 3] {
        let [x, y] = self.axis;
        let n = p - self.c[0] * t[0] - self.c[1] * t[1];
        [x * t[0] - y * t[1], y * t[0] + x * t[1], n]
    }

    /// Components of `t` along the axes of A.
    fn along(&self, t: [f64; 2]) -> [f64; 2] {
        let [x, y] = self.axis;
        [x * t[0] + y * t[1], x * t[1] - y * t[0]]
    }
}
