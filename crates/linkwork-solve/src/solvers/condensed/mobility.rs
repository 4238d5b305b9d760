//! Λ, the mobility of the ports, and the Newton matrix 1 + CᵀG C Λ: dense, or sparse for bodies without joints.

use super::dense::{self, Lu};
use super::pass::Law;
use super::ports::Ports;
use crate::blocks::{BlockCsr6, BlockDiag6};
use crate::delassus::{NewtonMatrix, Symmetry};
use crate::sets::{Friction, Slopes};

/// How ports move.
pub(super) trait Mobility {
    /// out = Λ f.
    fn multiply(&mut self, f: &[f64], out: &mut Vec<f64>);
    /// Factor 1 + CᵀG C Λ; whether it is regular.
    fn factor(&mut self, law: &Law, slopes: &(impl Slopes + ?Sized)) -> bool;
    /// p ← (1 + CᵀG C Λ)⁻¹ p.
    fn solve(&mut self, p: &mut [f64]);
    /// tr(C_k Λ C_kᵀ) of block k; `None` if it is that of bodies without joints.
    fn trace(&self, ports: &Ports, k: usize) -> Option<f64>;
}

/// Factors of both kinds, kept from step to step.
#[derive(Clone, Debug, Default)]
pub(super) struct Factors {
    pub lu: Lu,
    /// CᵀG C if Λ is dense, otherwise a copy of the right-hand side.
    pub scratch: Vec<f64>,
    pub bodies: NewtonMatrix,
}

/// Λ as a dense matrix: of ports that joints tie together.
pub(super) struct Dense<'a> {
    /// Λ by rows.
    pub matrix: &'a [f64],
    pub factors: &'a mut Factors,
}

impl Mobility for Dense<'_> {
    fn multiply(&mut self, f: &[f64], out: &mut Vec<f64>) {
        dense::multiply(self.matrix, f, out);
    }

    fn factor(&mut self, law: &Law, slopes: &(impl Slopes + ?Sized)) -> bool {
        let n = law.ports.len;
        let Factors { lu, scratch, .. } = &mut *self.factors;
        scratch.clear();
        scratch.resize(n * n, 0.0);
        for k in 0..law.sets.len() {
            if !slopes.is_zero(k) {
                law.ports.add_stiffness(k, slopes, scratch);
            }
        }
        lu.factor_one_plus(scratch, self.matrix, n)
    }

    fn solve(&mut self, p: &mut [f64]) {
        self.factors.lu.solve(p);
    }

    fn trace(&self, ports: &Ports, k: usize) -> Option<f64> {
        Some(ports.trace(k, self.matrix))
    }
}

/// Λ = M⁻¹ of bodies without joints: (1 + CᵀG C M⁻¹)⁻¹ = M (M + CᵀG C)⁻¹, and M + CᵀG C has the sparsity of the
/// contacts.
pub(super) struct Bodies<'a> {
    pub mass: &'a BlockDiag6,
    /// C: the rows of the kept blocks.
    pub rows: &'a BlockCsr6,
    pub factors: &'a mut Factors,
}

impl Mobility for Bodies<'_> {
    fn multiply(&mut self, f: &[f64], out: &mut Vec<f64>) {
        out.resize(f.len(), 0.0);
        self.mass.solve(f, out);
    }

    fn factor(&mut self, law: &Law, slopes: &(impl Slopes + ?Sized)) -> bool {
        let lu = &mut self.factors.bodies;
        let symmetry = match law.friction {
            Friction::Exact => Symmetry::None,
            Friction::Lagged | Friction::Convex => Symmetry::Symmetric,
        };
        lu.refactor(self.mass, self.rows, slopes, symmetry).is_ok()
    }

    fn solve(&mut self, p: &mut [f64]) {
        let Factors {
            bodies, scratch, ..
        } = &mut *self.factors;
        bodies.solve(p);
        scratch.clear();
        scratch.extend_from_slice(p);
        self.mass.multiply(scratch, p);
    }

    fn trace(&self, _: &Ports, _: usize) -> Option<f64> {
        None
    }
}
