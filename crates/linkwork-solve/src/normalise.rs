//! A problem in its own units, so that one tolerance means the same on every problem.

use crate::problem::{Operator, Problem};
use crate::residuals::max_abs;

/// The units of a normalised problem.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Units {
    /// |q|∞, q = v_f + v*: the unit of velocity, m/s.
    pub velocity: f64,
    /// |q|∞/s, s = mean diag(D + R): the unit of impulse, N s.
    pub impulse: f64,
}

impl Problem {
    /// q = v_f + v* = σ(0).
    pub fn free_velocity(&self) -> Vec<f64> {
        let mut q = Vec::new();
        self.sigma(&vec![0.0; self.rows()], &mut q, &mut Vec::new());
        q
    }

    /// s = mean diag(D + R), 1/kg; 1 where nothing can move.
    pub fn mean_diagonal(&self) -> f64 {
        let mut weights = Vec::new();
        self.block_weights(&mut weights);
        let blocks = self.sets.iter().zip(&weights);
        let trace: f64 = blocks.map(|((set, _), w)| w * set.dim() as f64).sum();
        if trace > 0.0 {
            trace / self.rows() as f64
        } else {
            1.0
        }
    }

    /// The same problem in its own units: |q|∞ = 1 and mean diag(D + R) = 1. Its λ and σ are those of this problem
    /// divided by the units; the contact law has no units and does not change.
    ///
    /// A tolerance on the normalised problem is relative to the free velocity, as in the FCLIB comparisons.
    pub fn normalised(&self) -> (Problem, Units) {
        let q = self.free_velocity();
        let velocity = match max_abs(&q) {
            v if v > 0.0 && v < f64::INFINITY => v,
            // At rest, or not finite: the unit does not matter.
            _ => 1.0,
        };
        let s = self.mean_diagonal();
        let units = Units {
            velocity,
            impulse: velocity / s,
        };
        let mut problem = self.clone();
        let scale = |x: &mut Vec<f64>, by: f64| x.iter_mut().for_each(|x| *x *= by);
        match &mut problem.operator {
            Operator::Bodies { mass, u_free, .. } => {
                mass.scale(s);
                scale(u_free, 1.0 / velocity);
            }
            Operator::Delassus { matrix, v_free } => {
                matrix.scale(1.0 / s);
                scale(v_free, 1.0 / velocity);
            }
        }
        scale(&mut problem.v_bias, 1.0 / velocity);
        scale(&mut problem.compliance, 1.0 / s);
        problem.sets.clear();
        for (set, _) in self.sets.iter() {
            problem.sets.push(set.in_units(units.impulse));
        }
        (problem, units)
    }
}
