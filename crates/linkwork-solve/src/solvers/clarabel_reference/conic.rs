//! The CCP as a conic quadratic program, min ½xᵀPx + qᵀx subject to b − A x ∈ cones.
//!
//! x = (λ̃, w): impulses λ = λ̄ + unit · S λ̃ about a centre λ̄, S = w_k^(−1/2) with one weight per block (which
//! preserves cones), and with bodies w = L⁻¹JᵀS λ̃, M = L Lᵀ, so that ½λᵀDλ = ½‖w‖² and D is never formed. Where only D
//! is known there is no w and P = S (D + R) S.
//!
//! The centre moves the slope of the objective to S σ(λ̄)/unit, which is computed from the problem, and the slacks to
//! those of λ̄. A repeat about the last answer in a smaller unit recovers the digits that one interior-point run loses.

use crate::problem::{Operator, Problem};
use crate::sets::Cone;
use clarabel::algebra::CscMatrix;
use clarabel::solver::SupportedConeT::{self, NonnegativeConeT, SecondOrderConeT, ZeroConeT};

/// Matrices and cones, and the vectors for the last centre.
pub(super) struct Conic {
    pub p: CscMatrix<f64>,
    pub a: CscMatrix<f64>,
    pub cones: Vec<SupportedConeT<f64>>,
    pub q: Vec<f64>,
    pub b: Vec<f64>,
    /// S by row.
    pub scale: Vec<f64>,
    /// Rows of A that the bodies take.
    balance: usize,
}

/// (rows, columns, values).
#[derive(Default)]
struct Triplets(Vec<usize>, Vec<usize>, Vec<f64>);

impl Triplets {
    fn push(&mut self, row: usize, column: usize, value: f64) {
        self.0.push(row);
        self.1.push(column);
        self.2.push(value);
    }

    fn matrix(self, rows: usize, columns: usize) -> CscMatrix<f64> {
        CscMatrix::new_from_triplets(rows, columns, self.0, self.1, self.2)
    }
}

impl Conic {
    /// Matrices and cones of `problem` with block `weights`.
    pub fn new(problem: &Problem, weights: &[f64]) -> Self {
        let n = problem.rows();
        let mut scale = Vec::with_capacity(n);
        for ((set, _), w) in problem.sets.iter().zip(weights) {
            scale.extend(std::iter::repeat_n(w.sqrt().recip(), set.dim()));
        }
        let (mut p, mut a) = (Triplets::default(), Triplets::default());
        for (i, (s, r)) in scale.iter().zip(&problem.compliance).enumerate() {
            p.push(i, i, s * r * s);
        }
        let mut cones = Vec::new();
        let mut balance = 0;
        match &problem.operator {
            Operator::Bodies { .. } => {
                balance = 6 * problem.bodies();
                push_bodies(problem, &scale, &mut p, &mut a);
                cones.push(ZeroConeT(balance));
            }
            Operator::Delassus { matrix, .. } => {
                for r in 0..n {
                    // The upper triangle.
                    for (c, d) in matrix.row(r).filter(|e| e.0 >= r) {
                        p.push(r, c, scale[r] * d * scale[c]);
                    }
                }
            }
        }
        let rows = balance + push_sets(problem, balance, &mut a, &mut cones);
        Self {
            p: p.matrix(n + balance, n + balance),
            a: a.matrix(rows, n + balance),
            cones,
            q: vec![0.0; n + balance],
            b: vec![0.0; rows],
            scale,
            balance,
        }
    }

    /// q and b about the centre λ̄ with velocity `sigma` (σ(λ̄), plus the shift of the cascade).
    pub fn centre(&mut self, problem: &Problem, lambda: &[f64], sigma: &[f64], unit: f64) {
        for (i, sigma) in sigma.iter().enumerate() {
            self.q[i] = self.scale[i] * sigma / unit;
        }
        let mut slacks = self.b[self.balance..].iter_mut();
        let mut push = |value: f64| *slacks.next().expect("a row of A for every slack") = value;
        for (set, rows) in problem.sets.iter() {
            let l = &lambda[rows.clone()];
            let f = 1.0 / (self.scale[rows.start] * unit);
            set.cones(&mut |_, slacks| {
                for slack in slacks {
                    push(f * (slack.constant + slack.factor * l[slack.row]));
                }
            });
        }
    }
}

/// ½‖w‖² and the rows L⁻¹JᵀS λ̃ − w = 0.
fn push_bodies(problem: &Problem, scale: &[f64], p: &mut Triplets, a: &mut Triplets) {
    let Operator::Bodies { mass, jacobian, .. } = &problem.operator else {
        return;
    };
    let n = problem.rows();
    let roots: Vec<Root> = (0..mass.len())
        .map(|b| Root::new(mass.block(b)[0], mass.inertia(b)))
        .collect();
    for i in 0..6 * mass.len() {
        p.push(n + i, n + i, 1.0);
        a.push(i, n + i, -1.0);
    }
    for k in 0..jacobian.blocks() {
        let rows = jacobian.rows_of(k);
        for entry in jacobian.entries_of(k) {
            for (i, j) in rows.clone().zip(jacobian.values_of(entry, rows.len())) {
                for (c, value) in roots[entry.body].solve(j).into_iter().enumerate() {
                    if value != 0.0 {
                        a.push(6 * entry.body + c, i, scale[i] * value);
                    }
                }
            }
        }
    }
}

/// The rows of A below `first` and the cones of the impulse sets; returns how many rows.
fn push_sets(
    problem: &Problem,
    first: usize,
    a: &mut Triplets,
    cones: &mut Vec<SupportedConeT<f64>>,
) -> usize {
    let mut row = first;
    for (set, rows) in problem.sets.iter() {
        set.cones(&mut |cone, slacks| {
            for slack in slacks {
                a.push(row, rows.start + slack.row, -slack.factor);
                row += 1;
            }
            let count = slacks.len();
            cones.push(match cone {
                Cone::Zero => ZeroConeT(count),
                Cone::NonNegative => NonnegativeConeT(count),
                Cone::SecondOrder => SecondOrderConeT(count),
            });
        });
    }
    row - first
}

/// L of a body's M = L Lᵀ: √m and the Cholesky factor of the inertia, row by row.
struct Root {
    mass: f64,
    inertia: [[f64; 3]; 3],
}

impl Root {
    fn new(mass: f64, inertia: &[f64; 9]) -> Self {
        let mut l = [[0.0; 3]; 3];
        for r in 0..3 {
            for c in 0..=r {
                let sum: f64 = (0..c).map(|k| l[r][k] * l[c][k]).sum();
                let rest = inertia[3 * r + c] - sum;
                l[r][c] = if r == c { rest.sqrt() } else { rest / l[c][c] };
            }
        }
        Self {
            mass: mass.sqrt(),
            inertia: l,
        }
    }

    /// L⁻¹ j.
    fn solve(&self, j: &[f64; 6]) -> [f64; 6] {
        let mut out = j.map(|j| j / self.mass);
        for r in 0..3 {
            let sum: f64 = (0..r).map(|k| self.inertia[r][k] * out[3 + k]).sum();
            out[3 + r] = (j[3 + r] - sum) / self.inertia[r][r];
        }
        out
    }
}
