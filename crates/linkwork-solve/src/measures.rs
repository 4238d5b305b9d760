//! The measures by which papers compare solvers, for any answer under any law.

use crate::problem::{Operator, Problem, Solution};
use crate::residuals::{ContactModel, residuals};
use crate::sets::{Friction, MAX_DIM};
use serde::{Deserialize, Serialize};

/// Measures of an answer. All are zero at a solution of the exact law. Those without a unit are NaN where nothing
/// moves.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measures {
    /// r_dual = ‖v̂ − P_K*(v̂)‖∞, v̂ = σ + Γ(σ), m/s [Tsounis eq. 174].
    pub r_dual: f64,
    /// r_ncp = max |λ_kᵀ v̂_k| over limits and contacts, J [Tsounis eq. 175].
    pub r_ncp: f64,
    /// r_nat = ‖λ − P_K(λ − v̂)‖∞, with unit step [Tsounis eq. 176].
    pub r_nat: f64,
    /// e_m: the momentum imbalance of u⁺ = u_f + M⁻¹Jᵀλ with the impulses γ(u⁺), relative to the larger of the two
    /// [Castro eq. 32]. γ are the impulses implied by the velocities where R > 0; hard rows imply none, and use λ.
    pub e_m: f64,
    /// e_μ: mean |σ_kᵀλ_k| of the contacts over the primal cost ½‖u⁺ − u_f‖²_M + ½‖λ‖²_R [Castro eq. 33].
    pub e_mu: f64,
}

impl Measures {
    /// Of the impulses λ; e_m and e_μ are NaN where only D is known.
    pub fn of(problem: &Problem, lambda: &[f64]) -> Self {
        let x = Solution {
            lambda: lambda.to_vec(),
            ..Solution::default()
        };
        let exact = residuals(problem, &x, ContactModel::Ncp);
        let (e_m, e_mu) = primal(problem, lambda);
        Self {
            r_dual: exact.dual,
            r_ncp: exact.complementarity,
            r_nat: exact.natural_unit,
            e_m,
            e_mu,
        }
    }
}

fn primal(problem: &Problem, lambda: &[f64]) -> (f64, f64) {
    let Operator::Bodies {
        mass,
        jacobian,
        u_free,
    } = &problem.operator
    else {
        return (f64::NAN, f64::NAN);
    };
    let (mut u, mut sigma) = (Vec::new(), Vec::new());
    problem.velocity(lambda, &mut u, &mut Vec::new());
    problem.sigma_at(lambda, &u, &mut sigma);
    let n = u.len();
    let change: Vec<f64> = u.iter().zip(u_free).map(|(u, free)| u - free).collect();
    let (mut push, mut momentum, mut impulse) = (vec![0.0; n], vec![0.0; n], vec![0.0; n]);
    mass.multiply(&change, &mut push);
    mass.multiply(&u, &mut momentum);
    jacobian.multiply_transposed(&implied(problem, lambda, &sigma), &mut impulse);
    let lacking: Vec<f64> = push.iter().zip(&impulse).map(|(p, j)| p - j).collect();
    // ‖diag(M)^(−1/2) p‖ [Castro eq. 25], √J.
    let size = |p: &[f64]| {
        let scaled = |(i, p): (usize, &f64)| p * p / mass.block(i / 6)[7 * (i % 6)];
        p.iter().enumerate().map(scaled).sum::<f64>().sqrt()
    };
    let e_m = size(&lacking) / size(&momentum).max(size(&impulse));

    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let stored = lambda.iter().zip(&problem.compliance);
    let stored: f64 = stored.map(|(l, r)| r * l * l).sum();
    let cost = 0.5 * (dot(&change, &push) + stored);
    let contacts = problem.sets.iter().filter(|(set, _)| set.dim() >= 3);
    let contacts = contacts.filter(|(set, _)| set.is_cone() && !set.is_free());
    let (mut work, mut count) = (0.0, 0);
    for (_, rows) in contacts {
        work += dot(&sigma[rows.clone()], &lambda[rows]).abs();
        count += 1;
    }
    let e_mu = match count {
        0 => 0.0,
        count => work / f64::from(count) / cost,
    };
    (e_m, e_mu)
}

/// γ = P_K^R(−R⁻¹ v) with v = σ − R λ where every row of a block has R > 0 and the projection a closed form, else λ.
fn implied(problem: &Problem, lambda: &[f64], sigma: &[f64]) -> Vec<f64> {
    let mut gamma = lambda.to_vec();
    for (set, rows) in problem.sets.iter() {
        let r = &problem.compliance[rows.clone()];
        let mut level = [0.0; MAX_DIM];
        level[..r.len()].copy_from_slice(r);
        set.level(&mut level[..r.len()]);
        if r.iter()
            .zip(&level)
            .any(|(r, level)| *r <= 0.0 || r != level)
        {
            continue;
        }
        let mut inverse = [0.0; MAX_DIM];
        for (k, i) in rows.clone().enumerate() {
            inverse[k] = 1.0 / r[k];
            gamma[i] = lambda[i] - sigma[i] / r[k];
        }
        set.respond(Friction::Lagged, &mut gamma[rows], &inverse);
    }
    gamma
}
