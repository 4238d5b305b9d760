//! The space in which Newton works: the velocities of the bodies or, where only D is known, the velocities that the
//! rows can produce.

use super::super::anderson::dot;
use super::rows::{RowFactors, Rows};
use crate::blocks::{BlockCsr6, BlockDiag6};
use crate::delassus::{NewtonMatrix, NotPositive, Slope, Symmetry};
use crate::problem::{Operator, Problem};

/// A space of velocities d with a mass M and rows J such that D = J M⁻¹ Jᵀ.
pub(super) trait Space {
    /// Number of unknowns.
    fn dim(&self) -> usize;
    /// rows = J d.
    fn multiply(&mut self, d: &[f64], rows: &mut [f64]);
    /// out = Jᵀ rows.
    fn multiply_transposed(&mut self, rows: &[f64], out: &mut [f64]);
    /// out = M d.
    fn mass(&mut self, d: &[f64], out: &mut [f64]);
    /// out = M⁻¹ x.
    fn inverse_mass(&mut self, x: &[f64], out: &mut [f64]);
    /// dᵀ x for a velocity d and a momentum x, J.
    fn work(&mut self, d: &[f64], momentum: &[f64]) -> f64;
    /// Factor M + Jᵀ G J.
    fn factor(&mut self, slopes: &[Slope]) -> Result<(), NotPositive>;
    /// x ← (M + Jᵀ G J)⁻¹ x.
    fn solve(&mut self, x: &mut [f64]);
}

/// The velocities of the bodies.
struct Bodies<'a> {
    mass: &'a BlockDiag6,
    jacobian: &'a BlockCsr6,
    lu: &'a mut NewtonMatrix,
}

impl Space for Bodies<'_> {
    fn dim(&self) -> usize {
        6 * self.mass.len()
    }

    fn multiply(&mut self, d: &[f64], rows: &mut [f64]) {
        self.jacobian.multiply(d, rows);
    }

    fn multiply_transposed(&mut self, rows: &[f64], out: &mut [f64]) {
        self.jacobian.multiply_transposed(rows, out);
    }

    fn mass(&mut self, d: &[f64], out: &mut [f64]) {
        self.mass.multiply(d, out);
    }

    fn inverse_mass(&mut self, x: &[f64], out: &mut [f64]) {
        self.mass.solve(x, out);
    }

    fn work(&mut self, d: &[f64], momentum: &[f64]) -> f64 {
        dot(d, momentum)
    }

    fn factor(&mut self, slopes: &[Slope]) -> Result<(), NotPositive> {
        self.lu
            .factor(self.mass, self.jacobian, slopes, Symmetry::None)
    }

    fn solve(&mut self, x: &mut [f64]) {
        self.lu.solve(x);
    }
}

/// Factorisations of both kinds of space, kept from solve to solve.
#[derive(Default)]
pub(super) struct Spaces {
    lu: NewtonMatrix,
    rows: RowFactors,
}

impl Spaces {
    /// Forget the last problem.
    pub fn restart(&mut self) {
        self.rows.clear();
    }

    /// Run `work` in the space that suits `problem`.
    pub fn with<T>(&mut self, problem: &Problem, work: impl FnOnce(&mut dyn Space) -> T) -> T {
        match &problem.operator {
            Operator::Bodies { mass, jacobian, .. } => {
                let lu = &mut self.lu;
                work(&mut Bodies { mass, jacobian, lu })
            }
            Operator::Delassus { matrix, .. } => work(&mut Rows {
                matrix,
                sets: &problem.sets,
                factors: &mut self.rows,
            }),
        }
    }
}
