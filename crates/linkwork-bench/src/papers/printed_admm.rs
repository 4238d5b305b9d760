//! [Carpentier Alg. 1] to the letter, on the dense Delassus matrix: one scalar ρ for all rows, stopped on the
//! iterates' own residuals, eq. 43.
//!
//! Linkwork's ADMM differs (a weight a block, free rows not split, Anderson acceleration, a recomputed
//! residual); this one shows what the paper's own algorithm does on our problems.

use linkwork_solve::Problem;
use linkwork_solve::solvers::PenaltyRule;
use nalgebra::{Cholesky, DMatrix, DVector, Dyn};

/// η [Carpentier §V-A].
const ETA: f64 = 1e-6;
/// First exponent p of ρ = √(mL) κᵖ, for both rules; the value of the authors' implementation
/// (Pinocchio, `ADMMContactSolver`), as the paper gives none.
const FIRST_POWER: f64 = 0.2;
/// How much later each mark of a history is than the one before.
const GROWTH: f64 = 1.1;

/// The residuals of eq. 40–42 after some iterations.
#[derive(Clone, Copy)]
pub(super) struct Mark {
    pub iteration: usize,
    /// ‖f − y‖∞, N s.
    pub primal: f64,
    /// ‖η Δf + ρ Δy‖∞, m/s.
    pub dual: f64,
    /// max |f_kᵀ z_k|, J.
    pub complementarity: f64,
}

impl Mark {
    /// Whether eq. 43 holds.
    pub fn meets(&self, tolerance: f64) -> bool {
        let all = [self.primal, self.dual, self.complementarity];
        all.iter().all(|r| *r <= tolerance)
    }
}

/// A run.
pub(super) struct Printed {
    /// Marks at growing distances; the last is the end of the run.
    pub marks: Vec<Mark>,
    /// Cholesky factorisations.
    pub factorizations: usize,
    /// The answer y, N s.
    pub lambda: Vec<f64>,
}

impl Printed {
    /// How it ended.
    pub fn end(&self) -> Mark {
        *self.marks.last().expect("a run has at least one iteration")
    }
}

/// Iterate from zero until eq. 43 holds or `limit` (≥ 1) iterations are done. `None` where a
/// factorisation fails.
pub(super) fn printed_admm(
    problem: &Problem,
    rule: PenaltyRule,
    tolerance: f64,
    limit: usize,
) -> Option<Printed> {
    let (d, g) = delassus(problem);
    let n = g.len();
    // m = η: D is singular where contacts are redundant. L = λ_max(D) + η.
    let kappa = d.clone().symmetric_eigenvalues().max() / ETA + 1.0;
    let mut rho = ETA * kappa.powf(0.5 + FIRST_POWER);
    let mut factors = factor(&d, rho)?;
    let mut factorizations = 1;
    let (mut f, mut y, mut z) = (zeros(n), zeros(n), zeros(n));
    let mut marks = Vec::new();
    let mut next = 1;
    for iteration in 1..=limit {
        let (f_last, y_last) = (f.clone(), y.clone());
        let s = shift(problem, &z);
        f = -factors.solve(&(&g + s - &f_last * ETA - &y_last * rho - &z));
        y = &f - &z / rho;
        project(problem, &mut y);
        z -= (&f - &y) * rho;
        let mark = Mark {
            iteration,
            primal: (&f - &y).amax(),
            dual: ((&f - &f_last) * ETA + (&y - &y_last) * rho).amax(),
            complementarity: complementarity(problem, &f, &z),
        };
        let done = mark.meets(tolerance) || iteration == limit;
        if done || iteration >= next {
            marks.push(mark);
            next = (GROWTH * iteration as f64).ceil() as usize;
        }
        if done {
            break;
        }
        if let Some(changed) = rule.next(rho, mark.primal, mark.dual, || kappa) {
            rho = changed;
            factors = factor(&d, rho)?;
            factorizations += 1;
        }
    }
    Some(Printed {
        marks,
        factorizations,
        lambda: y.as_slice().to_vec(),
    })
}

/// D + R column by column, and g = σ(0).
fn delassus(problem: &Problem) -> (DMatrix<f64>, DVector<f64>) {
    let g = problem.free_velocity();
    let n = g.len();
    let mut d = DMatrix::zeros(n, n);
    let (mut unit, mut sigma, mut scratch) = (vec![0.0; n], Vec::new(), Vec::new());
    for j in 0..n {
        unit[j] = 1.0;
        problem.sigma(&unit, &mut sigma, &mut scratch);
        unit[j] = 0.0;
        for i in 0..n {
            d[(i, j)] = sigma[i] - g[i];
        }
    }
    (0.5 * (&d + d.transpose()), DVector::from_vec(g))
}

fn zeros(n: usize) -> DVector<f64> {
    DVector::zeros(n)
}

fn factor(d: &DMatrix<f64>, rho: f64) -> Option<Cholesky<f64, Dyn>> {
    let n = d.nrows();
    Cholesky::new(d + DMatrix::identity(n, n) * (ETA + rho))
}

/// Γ(z).
fn shift(problem: &Problem, z: &DVector<f64>) -> DVector<f64> {
    let mut s = zeros(z.len());
    for (set, rows) in problem.sets.iter() {
        s[rows.end - 1] = set.desaxce_shift(&z.as_slice()[rows.clone()]);
    }
    s
}

fn project(problem: &Problem, y: &mut DVector<f64>) {
    for (set, rows) in problem.sets.iter() {
        set.project(&mut y.as_mut_slice()[rows]);
    }
}

fn complementarity(problem: &Problem, f: &DVector<f64>, z: &DVector<f64>) -> f64 {
    let work = |rows: std::ops::Range<usize>| rows.map(|i| f[i] * z[i]).sum::<f64>().abs();
    problem
        .sets
        .iter()
        .map(|(_, rows)| work(rows))
        .fold(0.0, f64::max)
}
