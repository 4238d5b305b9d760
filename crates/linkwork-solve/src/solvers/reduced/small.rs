//! The problem on the kept rows that the inner solver gets.

use super::super::ends::Counts;
use super::super::{Observer, Solver};
use super::Later;
use crate::blocks::SparseSym;
use crate::problem::{Operator, Problem, Solution, Status};
use crate::sets::ImpulseSets;

/// The problem, its answer, and the unit it is given in.
#[derive(Clone, Debug)]
pub(super) struct Small {
    problem: Problem,
    x: Solution,
    /// Blocks of the whole problem.
    blocks: Vec<usize>,
    weights: Vec<f64>,
    /// Impulses and velocities are divided by this for the inner solver, so that its tolerance becomes that of the
    /// whole problem.
    unit: f64,
    /// Whether the inner solver has solved a problem that differs from this one in v* only.
    known: bool,
}

impl Default for Small {
    fn default() -> Self {
        Self {
            problem: empty(0.0),
            x: Solution::default(),
            blocks: Vec::new(),
            weights: Vec::new(),
            unit: 1.0,
            known: false,
        }
    }
}

impl Small {
    /// No blocks; dt in s.
    pub fn clear(&mut self, dt: f64) {
        self.problem.dt = dt;
        self.problem.compliance.clear();
        self.blocks.clear();
        self.known = false;
        self.unit = 1.0;
    }

    /// Keep a block of the whole problem, with the compliance of its rows.
    pub fn push(&mut self, block: usize, compliance: &[f64]) {
        self.blocks.push(block);
        self.problem.compliance.extend_from_slice(compliance);
    }

    /// S, by rows.
    pub fn set_matrix(&mut self, s: &[f64]) {
        let n = self.problem.compliance.len();
        if let Operator::Delassus { matrix, v_free } = &mut self.problem.operator {
            matrix.set_dense(n, s);
            v_free.clear();
            v_free.resize(n, 0.0);
        }
    }

    /// v* for which the kept rows have the velocities at `x` after E is closed, which changes the port velocities by
    /// `felt`. The guess is `x`. `weights` are those of the blocks of the whole problem; `excess` is the residual of
    /// the last answer of the inner solver there, relative to the tolerance, if `x` is one.
    pub fn load(
        &mut self,
        whole: &Problem,
        x: &Solution,
        felt: &[f64],
        (weights, excess): (&[f64], Option<f64>),
    ) {
        self.set_unit(whole, weights, excess);
        let lambda = &mut self.x.lambda;
        lambda.clear();
        for &k in &self.blocks {
            let rows = whole.sets.range(k);
            lambda.extend(x.lambda[rows].iter().map(|l| l / self.unit));
        }
        let Operator::Delassus { matrix, .. } = &self.problem.operator else {
            return;
        };
        let bias = &mut self.problem.v_bias;
        bias.resize(lambda.len(), 0.0);
        matrix.multiply(lambda, bias);
        let rows = self.blocks.iter().flat_map(|&k| whole.sets.range(k));
        for (i, row) in rows.enumerate() {
            let own = bias[i] + self.problem.compliance[i] * lambda[i];
            bias[i] = (x.sigma[row] + felt[i]) / self.unit - own;
        }
    }

    /// A block moves less with E closed, w_S ≤ w_D. An answer to the tolerance t is accurate to t as an impulse in the
    /// whole problem, but as a velocity only to t w_D/max(1, w_S). If an answer has left more than t, the unit shrinks,
    /// but not below that bound.
    fn set_unit(&mut self, whole: &Problem, weights: &[f64], excess: Option<f64>) {
        if let Some(excess) = excess {
            self.problem.block_weights(&mut self.weights);
            let apart = |(&k, w): (&usize, &f64)| weights[k] / w.max(1.0);
            let bound = self.blocks.iter().zip(&self.weights).map(apart);
            let least = 0.5 / bound.fold(1.0, f64::max);
            let unit = (0.5 * self.unit / excess).max(least);
            self.known &= unit == self.unit;
            self.unit = unit;
        }
        if !self.known {
            let sets = &mut self.problem.sets;
            sets.clear();
            for &k in &self.blocks {
                sets.push(whole.sets.set(k).in_units(self.unit));
            }
        }
    }

    /// Let `inner` solve it.
    pub fn solve(
        &mut self,
        inner: &mut dyn Solver,
        count: &mut Counts,
        observer: &mut dyn Observer,
    ) -> Status {
        if self.blocks.is_empty() {
            return Status::Stalled;
        }
        let mut later = Later {
            before: count.iterations,
            observer,
        };
        let report = if self.known {
            inner.resolve(&self.problem, &mut self.x, &mut later)
        } else {
            inner.solve(&self.problem, &mut self.x, &mut later)
        };
        self.known = true;
        count.iterations += report.iterations;
        count.factorizations += report.factorizations;
        match report.status {
            Status::Converged => Status::Stalled,
            other => other,
        }
    }

    /// Put the impulses found into `lambda`, and their change into `change`.
    pub fn hand_over(&self, whole: &Problem, lambda: &mut [f64], change: &mut Vec<f64>) {
        change.clear();
        let rows = self.blocks.iter().flat_map(|&k| whole.sets.range(k));
        for (row, l) in rows.zip(&self.x.lambda) {
            let found = self.unit * l;
            change.push(found - lambda[row]);
            lambda[row] = found;
        }
    }
}

/// What may be kept of `whole`, any interval too, without its matrix, into `part`.
pub(super) fn kept_part(whole: &Problem, part: &mut Problem) {
    part.sets.clear();
    part.compliance.clear();
    for (set, rows) in whole.sets.iter().filter(|(set, _)| !set.is_free()) {
        part.sets.push(set);
        part.compliance.extend_from_slice(&whole.compliance[rows]);
    }
}

pub(super) fn empty(dt: f64) -> Problem {
    Problem {
        dt,
        operator: Operator::Delassus {
            matrix: SparseSym::default(),
            v_free: Vec::new(),
        },
        v_bias: Vec::new(),
        compliance: Vec::new(),
        sets: ImpulseSets::new(),
    }
}
