//! The equations linearised in the unknowns, and solved.

use super::active::Activity;
use super::difference::{self, Outcome};
use super::equations::{Acting, Equations, Evaluated, Unknowns};
use crate::dynamics::PivotedQr;
use crate::rows::Rows;
use linkwork_solve::MAX_DIM;
use nalgebra::{DMatrix, DVector};

/// Pivots of the scaled equations below this share of the first count as zero: redundant joints.
const RANK: f64 = 1e-10;
/// Velocities of a null vector, scaled so that its other entries are of order 1, below which they are round-off.
const NULL: f64 = 1e-6;
/// Step of velocities for the derivatives of positions at the end of the step, m/s or rad/s; over 1 ms a tenth of a
/// millimetre.
const STRIDE: f64 = 0.1;

/// How a block that slides answers.
struct Slip {
    /// t = σ_F/‖σ_F‖.
    direction: [f64; MAX_DIM],
    /// μ λ_N/‖σ_F‖, kg.
    stiffness: f64,
    mu: f64,
    normal: f64,
}

impl Slip {
    fn of(a: &Acting, i: usize, at: &Evaluated, x: &Unknowns) -> Self {
        let n = a.rows.len() - 1;
        let sigma = &at.sigma[a.rows.clone()];
        let speed = sigma[..n].iter().map(|s| s * s).sum::<f64>().sqrt();
        let mut direction = [0.0; MAX_DIM];
        for (d, s) in direction[..n].iter_mut().zip(sigma) {
            *d = s / speed;
        }
        let (mu, normal) = (at.size[i], x.lambda[a.rows.end - 1]);
        Self {
            direction,
            stiffness: mu * normal / speed,
            mu,
            normal,
        }
    }

    /// Row `row` of μ λ_N (1 − t tᵀ)/‖σ_F‖ times the friction rows of `v`.
    fn turn(&self, row: usize, v: &[f64]) -> f64 {
        let along: f64 = self.direction.iter().zip(v).map(|(t, v)| t * v).sum();
        self.stiffness * (v[row] - self.direction[row] * along)
    }
}

/// The factored F_x, with the data that converts changes of the parameters to changes of the unknowns and of the next
/// state.
pub(super) struct Linear<'a> {
    acting: &'a [Acting],
    slips: Vec<Option<Slip>>,
    qr: PivotedQr,
    /// Unknowns are these times the scaled ones; equations are divided by their norms.
    columns: Vec<f64>,
    norms: Vec<f64>,
    /// The next state by u⁺.
    outcome: DMatrix<f64>,
    velocities: usize,
    /// Whether the equations leave one u⁺.
    pub unique: bool,
}

impl<'a> Linear<'a> {
    /// At the solution `x` of `equations`.
    pub fn new(equations: &Equations, acting: &'a [Acting], x: &Unknowns) -> Self {
        let at = equations.evaluate(acting, x);
        let rows = &equations.posed.rows;
        let (mass, jacobian, _) = rows.bodies();
        let (nu, nl) = (x.u_plus.len(), x.lambda.len());
        let (by_position, outcome) = by_velocities(equations, acting, x, &at);
        let slips: Vec<Option<Slip>> = acting
            .iter()
            .enumerate()
            .map(|(i, a)| (a.activity == Activity::Slides).then(|| Slip::of(a, i, &at, x)))
            .collect();
        // Rows of F_x as columns.
        let mut matrix = DMatrix::zeros(nu + nl, nu + nl);
        for b in 0..nu / 6 {
            let block = mass.block(b);
            for (i, m) in block.iter().enumerate() {
                // M is symmetric.
                matrix[(6 * b + i % 6, 6 * b + i / 6)] = *m;
            }
        }
        for (i, (a, &k)) in acting.iter().zip(&equations.blocks).enumerate() {
            let dim = a.rows.len();
            for entry in jacobian.entries_of(k) {
                for (row, j) in a.rows.clone().zip(jacobian.values_of(entry, dim)) {
                    for (c, j) in j.iter().enumerate() {
                        matrix[(nu + row, 6 * entry.body + c)] -= j;
                    }
                }
            }
            if let Activity::AtBound(_) = a.activity {
                matrix[(nu + a.rows.start, nu + a.rows.start)] = 1.0;
                continue;
            }
            // ∂σ/∂(u, λ) of the block, a column a row.
            let mut sigma = DMatrix::zeros(nu + nl, dim);
            if equations.is_of_positions(k) {
                let part = by_position.columns(a.rows.start, dim);
                sigma.rows_mut(0, nu).copy_from(&part);
            } else {
                for entry in jacobian.entries_of(k) {
                    for (row, j) in jacobian.values_of(entry, dim).iter().enumerate() {
                        for (c, j) in j.iter().enumerate() {
                            sigma[(6 * entry.body + c, row)] += j;
                        }
                    }
                }
            }
            for row in 0..dim {
                sigma[(nu + a.rows.start + row, row)] += compliance(rows, k, row);
            }
            for row in 0..dim {
                let equation = nu + a.rows.start + row;
                match &slips[i] {
                    Some(slip) if row < dim - 1 => {
                        for unknown in 0..nu + nl {
                            let mut v = [0.0; MAX_DIM];
                            for (r, v) in v[..dim - 1].iter_mut().enumerate() {
                                *v = sigma[(unknown, r)];
                            }
                            matrix[(unknown, equation)] += slip.turn(row, &v);
                        }
                        matrix[(equation, equation)] += 1.0;
                        let normal = nu + a.rows.end - 1;
                        matrix[(normal, equation)] += slip.mu * slip.direction[row];
                    }
                    _ => matrix.column_mut(equation).copy_from(&sigma.column(row)),
                }
            }
        }
        let columns = unknown_scales(equations, acting, nu);
        for (mut row, scale) in matrix.row_iter_mut().zip(&columns) {
            row *= *scale;
        }
        let mut norms = Vec::with_capacity(nu + nl);
        for mut column in matrix.column_iter_mut() {
            let norm = column.norm();
            let norm = if norm > 0.0 { norm } else { 1.0 };
            column /= norm;
            norms.push(norm);
        }
        let qr = PivotedQr::new(matrix.clone(), RANK);
        Self {
            unique: is_unique(&qr, &matrix, nu),
            acting,
            slips,
            qr,
            columns,
            norms,
            outcome,
            velocities: nu,
        }
    }

    /// The change of the next state for a change of the parameters, with the unknowns fixed at `at`.
    pub fn respond(&self, at: &Outcome) -> DVector<f64> {
        let nu = self.velocities;
        let mut right = DVector::zeros(self.norms.len());
        right.rows_mut(0, nu).copy_from_slice(&at.momentum);
        for (i, a) in self.acting.iter().enumerate() {
            let sigma = &at.sigma[a.rows.clone()];
            for row in 0..a.rows.len() {
                right[nu + a.rows.start + row] = match (&self.slips[i], a.activity) {
                    (_, Activity::AtBound(sign)) => -f64::from(sign) * at.size[i],
                    (Some(slip), _) if row + 1 < a.rows.len() => {
                        let turned = slip.turn(row, &sigma[..a.rows.len() - 1]);
                        turned + slip.normal * slip.direction[row] * at.size[i]
                    }
                    _ => sigma[row],
                };
            }
        }
        for (right, norm) in right.iter_mut().zip(&self.norms) {
            *right /= -norm;
        }
        let (mut change, _) = self.qr.least(&right);
        for (change, scale) in change.iter_mut().zip(&self.columns) {
            *change *= scale;
        }
        let mut next = DVector::from_column_slice(&at.next);
        next += &self.outcome * change.rows(0, nu);
        next
    }
}

/// Whether no solution of the homogeneous equations, given as columns, moves anything: u⁺ is then the same for any λ. A
/// solution is the difference between any vector and the minimum-norm one with the same image; this one has all digits.
fn is_unique(qr: &PivotedQr, matrix: &DMatrix<f64>, velocities: usize) -> bool {
    if qr.rank() == matrix.ncols() {
        return true;
    }
    let some = DVector::from_fn(matrix.nrows(), |i, _| (1.0 + i as f64).sin());
    let (least, _) = qr.least(&matrix.tr_mul(&some));
    let null = some - least;
    null.rows(0, velocities).amax() <= NULL
}

/// R of a row.
fn compliance(rows: &Rows, k: usize, row: usize) -> f64 {
    let geared = rows.geared.iter().find(|g| g.block == Some(k));
    let first = rows.problem.sets.range(k).start;
    geared.map_or(rows.problem.compliance[first + row], |g| g.compliance)
}

/// Scales of u⁺ and λ for which the momentum balance is near the identity.
fn unknown_scales(equations: &Equations, acting: &[Acting], nu: usize) -> Vec<f64> {
    let problem = &equations.posed.rows.problem;
    let mass = equations.posed.rows.bodies().0;
    let mut scales = Vec::with_capacity(nu);
    for b in 0..nu / 6 {
        let block = mass.block(b);
        scales.extend((0..6).map(|c| block[7 * c].sqrt().recip()));
    }
    let mut weights = Vec::new();
    problem.block_weights(&mut weights);
    for (a, &k) in acting.iter().zip(&equations.blocks) {
        scales.extend(a.rows.clone().map(|_| weights[k].sqrt().recip()));
    }
    scales
}

/// ∂σ/∂u⁺ of all rows, one column per row, and the derivative of the next state, one row per value.
fn by_velocities(
    equations: &Equations,
    acting: &[Acting],
    x: &Unknowns,
    at: &Evaluated,
) -> (DMatrix<f64>, DMatrix<f64>) {
    let nu = x.u_plus.len();
    let mut sigma = DMatrix::zeros(nu, x.lambda.len());
    let mut outcome = DMatrix::zeros(2 * nu, nu);
    for i in 0..nu {
        let change = difference::along(STRIDE, at, |by| {
            let mut x = x.clone();
            x.u_plus[i] += by;
            Ok(equations.evaluate(acting, &x))
        });
        // An evaluation with only the unknowns changed cannot fail.
        if let Ok(change) = change {
            sigma.row_mut(i).copy_from_slice(&change.sigma);
            outcome.column_mut(i).copy_from_slice(&change.next);
        }
    }
    (sigma, outcome)
}
