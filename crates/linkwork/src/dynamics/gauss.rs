//! Gauss's principle: of all accelerations that the rows allow, the one nearest to the free acceleration in the metric
//! of the kinetic energy.
//!
//! With M = L Lᵀ, x = Lᵀ(a − a_f) and A = J L⁻ᵀ this is the minimum-norm x with A x = −(J a_f + v*), and x = Aᵀλ: the
//! saddle-point system [M −Jᵀ; J 0][a; λ] = [M a_f; −v*] without its squared condition number. A row with compliance R
//! (an armature: a rotor of inertia 1/R geared to it) has a column √R of its own, so that J a + R λ = −v*. Rows are
//! normalised, and each connected part is solved by a pivoted QR of Aᵀ, whose pivots reveal the rank.

use super::pivoted::PivotedQr;
use crate::math::{Mat3, Quat, Vec3};
use crate::mobility::{RANK_TOLERANCE, connected_parts};
use crate::model::Body;
use linkwork_solve::{BlockCsr6, Operator, Problem};
use nalgebra::{DMatrix, DVector};

/// Solves with one factorisation: the first, and one for the round-off in the residual.
const PASSES: usize = 2;

/// What the rows make of the free acceleration.
pub(super) struct Constrained {
    /// a, 6 values per body.
    pub accelerations: Vec<f64>,
    /// λ of each row, N or N m; for dependent rows the one of minimum norm, with each block weighted by its w_k.
    pub lambda: Vec<f64>,
    /// Number of independent rows.
    pub rank: usize,
    /// Least pivot over the largest, of all connected parts.
    pub weakest: f64,
}

/// Solves J a + R λ + v* = 0, a = a_f + M⁻¹Jᵀλ, where a_f is the problem's u_f and all rows are free; `roots` has L of
/// each body.
pub(super) fn constrain(problem: &Problem, roots: &[MassRoot]) -> Constrained {
    let Operator::Bodies {
        jacobian, u_free, ..
    } = &problem.operator
    else {
        unreachable!("rows are made on bodies")
    };
    let mut weights = Vec::new();
    problem.block_weights(&mut weights);
    let mut found = Constrained {
        accelerations: u_free.clone(),
        lambda: vec![0.0; problem.rows()],
        rank: 0,
        weakest: 1.0,
    };
    for blocks in connected_parts(jacobian) {
        let part = Part::of(problem, jacobian, roots, &blocks);
        let qr = PivotedQr::new(part.columns.clone(), RANK_TOLERANCE);
        found.rank += qr.rank();
        found.weakest = found.weakest.min(qr.weakest());
        for _ in 0..PASSES {
            let missing = part.missing(problem, jacobian, &found);
            let (x, lambda) = qr.least(&missing);
            part.add(&x, &lambda, roots, &mut found);
        }
        if qr.rank() < part.rows.len() {
            part.share(&qr, &weights, &mut found.lambda);
        }
    }
    found
}

/// The forces with the same effect Jᵀλ as `lambda`, for a problem with free rigid rows only, distributed as between
/// equally stiff joints; at any condition number.
pub(super) fn share(problem: &Problem, roots: &[MassRoot], lambda: &mut [f64]) {
    let Operator::Bodies { jacobian, .. } = &problem.operator else {
        unreachable!("rows are made on bodies")
    };
    let mut weights = Vec::new();
    problem.block_weights(&mut weights);
    for blocks in connected_parts(jacobian) {
        let part = Part::of(problem, jacobian, roots, &blocks);
        let qr = PivotedQr::new(part.columns.clone(), RANK_TOLERANCE);
        if qr.rank() < part.rows.len() {
            part.share(&qr, &weights, lambda);
        }
    }
}

/// Whether the force of each row follows from Jᵀλ: no combination of others has the same effect. Parts without a free
/// row are not examined and count as determined.
pub(super) fn determined(problem: &Problem, roots: &[MassRoot]) -> Vec<bool> {
    let Operator::Bodies { jacobian, .. } = &problem.operator else {
        unreachable!("rows are made on bodies")
    };
    let mut flags = vec![true; problem.rows()];
    for blocks in connected_parts(jacobian) {
        if !blocks.iter().any(|k| problem.sets.set(*k).is_free()) {
            continue;
        }
        let part = Part::of(problem, jacobian, roots, &blocks);
        let qr = PivotedQr::new(part.columns, RANK_TOLERANCE);
        for (row, flag) in part.rows.iter().zip(qr.determined()) {
            flags[row.index] = flag;
        }
    }
    flags
}

/// L of one body's mass matrix: √m, and R K for the inertia, R the body's axes and K the Cholesky factor along them,
/// where the small moment of a thin rod is not lost in the others.
pub(super) struct MassRoot {
    root_mass: f64,
    axes: Quat,
    inertia: Mat3,
}

impl MassRoot {
    /// Of a body turned by `axes`; `None` if its inertia is singular to round-off.
    pub fn of(body: &Body, axes: Quat) -> Option<Self> {
        Some(Self {
            root_mass: body.mass.sqrt(),
            axes,
            inertia: body.inertia.cholesky()?.l(),
        })
    }

    /// L⁻¹ j.
    fn scale(&self, j: &[f64; 6]) -> [f64; 6] {
        let turn = self.axes.inverse() * Vec3::new(j[3], j[4], j[5]);
        let turn = self.inertia.solve_lower_triangular_unchecked(&turn);
        let m = self.root_mass;
        [j[0] / m, j[1] / m, j[2] / m, turn.x, turn.y, turn.z]
    }

    /// L⁻ᵀ x.
    fn unscale(&self, x: &[f64]) -> [f64; 6] {
        let turn = Vec3::new(x[3], x[4], x[5]);
        let turn = self.axes * self.inertia.tr_solve_lower_triangular_unchecked(&turn);
        let m = self.root_mass;
        [x[0] / m, x[1] / m, x[2] / m, turn.x, turn.y, turn.z]
    }
}

/// One row of a problem.
struct RowAt {
    block: usize,
    /// Which of the block's rows.
    offset: usize,
    /// Which of all rows.
    index: usize,
}

impl RowAt {
    /// Its values on each body.
    fn values<'a>(
        &self,
        jacobian: &'a BlockCsr6,
    ) -> impl Iterator<Item = (usize, &'a [f64; 6])> + use<'a> {
        let (dim, offset) = (jacobian.rows_of(self.block).len(), self.offset);
        let entries = jacobian.entries_of(self.block).iter();
        entries.map(move |e| (e.body, &jacobian.values_of(e, dim)[offset]))
    }
}

/// The rows of one connected part, dense over the bodies they act on.
struct Part {
    rows: Vec<RowAt>,
    /// Rows of A as columns, of unit norm.
    columns: DMatrix<f64>,
    /// Norm of each row before normalisation; 1 for a row that moves nothing.
    norms: Vec<f64>,
    /// Body of each group of six unknowns; those of compliant rows follow.
    bodies: Vec<usize>,
}

impl Part {
    fn of(problem: &Problem, jacobian: &BlockCsr6, roots: &[MassRoot], blocks: &[usize]) -> Self {
        let of_block = |&block: &usize| {
            let range = jacobian.rows_of(block).enumerate();
            range.map(move |(offset, index)| RowAt {
                block,
                offset,
                index,
            })
        };
        let rows: Vec<RowAt> = blocks.iter().flat_map(of_block).collect();
        let entries = blocks.iter().flat_map(|&k| jacobian.entries_of(k));
        let mut bodies: Vec<usize> = entries.map(|e| e.body).collect();
        bodies.sort_unstable();
        bodies.dedup();
        let compliance = |row: &RowAt| problem.compliance[row.index];
        let soft = rows.iter().filter(|row| compliance(row) > 0.0).count();
        let mut own = 6 * bodies.len();
        let mut columns = DMatrix::zeros(own + soft, rows.len());
        let mut norms = vec![1.0; rows.len()];
        for ((row, mut column), norm) in rows.iter().zip(columns.column_iter_mut()).zip(&mut norms)
        {
            for (body, j) in row.values(jacobian) {
                let at = 6 * bodies.partition_point(|&b| b < body);
                let mut six = column.rows_mut(at, 6);
                six.copy_from_slice(&roots[body].scale(j));
            }
            if compliance(row) > 0.0 {
                column[own] = compliance(row).sqrt();
                own += 1;
            }
            let size = column.norm();
            if size > 0.0 {
                *norm = size;
                column /= size;
            }
        }
        Self {
            rows,
            columns,
            norms,
            bodies,
        }
    }

    /// −(J a + R λ + v*) of the rows, scaled as they are.
    fn missing(
        &self,
        problem: &Problem,
        jacobian: &BlockCsr6,
        found: &Constrained,
    ) -> DVector<f64> {
        let missing = self.rows.iter().zip(&self.norms).map(|(row, norm)| {
            let i = row.index;
            let along = row.values(jacobian).map(|(body, j)| {
                let a = &found.accelerations[6 * body..6 * body + 6];
                j.iter().zip(a).map(|(j, a)| j * a).sum::<f64>()
            });
            let bias = problem.v_bias[i] + problem.compliance[i] * found.lambda[i];
            -(along.sum::<f64>() + bias) / norm
        });
        DVector::from_iterator(self.rows.len(), missing)
    }

    /// Add a solution of the scaled rows.
    fn add(
        &self,
        x: &DVector<f64>,
        lambda: &DVector<f64>,
        roots: &[MassRoot],
        found: &mut Constrained,
    ) {
        for (x, &body) in x.as_slice().chunks_exact(6).zip(&self.bodies) {
            let change = roots[body].unscale(x);
            let a = &mut found.accelerations[6 * body..6 * body + 6];
            a.iter_mut().zip(change).for_each(|(a, c)| *a += c);
        }
        for ((row, l), norm) in self.rows.iter().zip(lambda.iter()).zip(&self.norms) {
            found.lambda[row.index] += l / norm;
        }
    }

    /// Distributes the forces among dependent rows as between equally stiff joints.
    fn share(&self, qr: &PivotedQr, weights: &[f64], lambda: &mut [f64]) {
        let n = self.rows.len();
        let rows = || self.rows.iter().zip(&self.norms);
        let scaled = rows().map(|(row, norm)| lambda[row.index] * norm);
        let scaled = DVector::from_iterator(n, scaled);
        let roots = rows().map(|(row, norm)| weights[row.block].sqrt() / norm);
        let shared = qr.shared(&scaled, &DVector::from_iterator(n, roots));
        for ((row, norm), shared) in rows().zip(shared.iter()) {
            lambda[row.index] = shared / norm;
        }
    }
}
