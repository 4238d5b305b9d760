//! How a compliant block answers a velocity: γ = P_K^R(−R⁻¹ v), the projection in the metric R, and
//! G = −∂γ/∂v, symmetric and positive semidefinite [Castro eq. 27, 36, 37].

use crate::delassus::Slope;
use crate::sets::ImpulseSet;

/// γ into `gamma`, and G, for the biased velocity `v` = J u + v* of a block with compliances `r` > 0.
///
/// Where γ has a kink, G is that of the set's interior [Castro App. D].
pub(super) fn respond(set: ImpulseSet, r: &[f64], v: &[f64], gamma: &mut [f64]) -> Slope {
    let mut inverse = [0.0; 6];
    for i in 0..v.len() {
        inverse[i] = 1.0 / r[i];
        gamma[i] = -v[i] / r[i];
    }
    let inside = match set {
        ImpulseSet::Free { .. } => true,
        ImpulseSet::NonNegative => gamma[0] >= 0.0,
        ImpulseSet::Interval { bound } => gamma[0].abs() <= bound,
        ImpulseSet::Coulomb { mu: 0.0 } => return frictionless(gamma, r),
        ImpulseSet::Coulomb { mu } => return contact(mu, gamma, r, &inverse),
    };
    if inside {
        return Slope::Diagonal(inverse);
    }
    // One row: the metric does not matter.
    set.project(gamma);
    Slope::Zero
}

/// The ray (0, 0, ℝ₊): no tangential impulse, whatever y_T is.
fn frictionless(y: &mut [f64], r: &[f64]) -> Slope {
    (y[0], y[1]) = (0.0, 0.0);
    if y[2] < 0.0 {
        y[2] = 0.0;
        return Slope::Zero;
    }
    Slope::Diagonal([0.0, 0.0, 1.0 / r[2], 0.0, 0.0, 0.0])
}

/// y becomes γ, for μ > 0 and R = diag(R_t, R_t, R_n).
fn contact(mu: f64, y: &mut [f64], r: &[f64], inverse: &[f64; 6]) -> Slope {
    let (r_t, r_n) = (r[0], r[2]);
    let size = (y[0] * y[0] + y[1] * y[1]).sqrt();
    // μ̂ = μ R_t/R_n and 1 + μ̃², μ̃² = μ² R_t/R_n: the cone in the metric R.
    let mu_hat = mu * r_t / r_n;
    let scale = 1.0 + mu * mu_hat;
    if size <= mu * y[2] {
        return Slope::Diagonal(*inverse);
    }
    if y[2] < -mu_hat * size {
        y.fill(0.0);
        return Slope::Zero;
    }
    // Sliding: ‖y_T‖ > μ y_N ≥ −μ μ̂ ‖y_T‖ implies ‖y_T‖ > 0, so t exists.
    let t = [y[0] / size, y[1] / size];
    let normal = (y[2] + mu_hat * size) / scale;
    y[0] = mu * normal * t[0];
    y[1] = mu * normal * t[1];
    y[2] = normal;
    // G = R⁻¹ ∇²ℓ_R R⁻¹ [Castro eq. 37] with μ̂ R_n/R_t = μ: along t it is rank one with the
    // normal, across t the turning of the impulse, μ γ_N/(R_t ‖y_T‖).
    let along = mu * mu / (r_n * scale);
    let across = mu * normal / (r_t * size);
    let g = |a: usize, b: usize| {
        let identity = if a == b { across } else { 0.0 };
        identity + (along - across) * t[a] * t[b]
    };
    let mixed = mu / (r_n * scale);
    Slope::Full([
        [g(0, 0), g(0, 1), mixed * t[0]],
        [g(1, 0), g(1, 1), mixed * t[1]],
        [mixed * t[0], mixed * t[1], 1.0 / (r_n * scale)],
    ])
}

/// dᵀ G d.
pub(super) fn quadratic(slope: &Slope, d: &[f64]) -> f64 {
    (0..d.len()).map(|i| d[i] * row_product(slope, i, d)).sum()
}

/// (G d)_i.
pub(super) fn row_product(slope: &Slope, i: usize, d: &[f64]) -> f64 {
    match slope {
        Slope::Zero => 0.0,
        Slope::Diagonal(g) => g[i] * d[i],
        Slope::Full(g) => g[i][0] * d[0] + g[i][1] * d[1] + g[i][2] * d[2],
    }
}
