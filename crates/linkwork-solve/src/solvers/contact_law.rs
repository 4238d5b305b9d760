//! How a block answers a velocity around a proximal centre: λ from τ = (ε λᵏ − v)/(R + ε), in place,
//! and its slope G = −∂λ/∂v. `inverse` is 1/(R + ε) by row.

use crate::delassus::Slope;
use crate::sets::ImpulseSet;

/// How a contact answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Friction {
    /// Alart-Curnier: Signorini-Coulomb exactly, a slope that is not symmetric.
    Exact,
    /// Projection on the cone in the metric R + ε, with the De Saxcé shift of the centre: the gradient of
    /// a convex energy, so that Newton cannot get stuck; right once the shift no longer changes.
    Lagged,
}

/// λ and G of a block.
pub(super) fn respond(
    set: ImpulseSet,
    friction: Friction,
    tau: &mut [f64],
    inverse: &[f64; 6],
) -> Slope {
    match set {
        ImpulseSet::Free { .. } => Slope::Diagonal(*inverse),
        ImpulseSet::NonNegative | ImpulseSet::Interval { .. } => {
            let before = tau[0];
            set.project(tau);
            if tau[0] == before {
                Slope::Diagonal(*inverse)
            } else {
                Slope::Zero
            }
        }
        ImpulseSet::Coulomb { mu } => match friction {
            Friction::Exact => contact(mu, tau, inverse),
            Friction::Lagged => cone(mu, tau, inverse),
        },
    }
}

/// G of a block whose active set is that of λᵏ, at the velocity v: a block that carries no impulse answers nothing, a
/// contact inside its cone sticks, one at the edge slips on.
pub(super) fn predict(
    set: ImpulseSet,
    friction: Friction,
    lambda: &[f64],
    velocity: &[f64],
    inverse: &[f64; 6],
) -> Slope {
    match set {
        ImpulseSet::Free { .. } => Slope::Diagonal(*inverse),
        ImpulseSet::NonNegative if lambda[0] > 0.0 => Slope::Diagonal(*inverse),
        ImpulseSet::NonNegative => Slope::Zero,
        ImpulseSet::Interval { bound } if lambda[0].abs() < bound => Slope::Diagonal(*inverse),
        ImpulseSet::Interval { .. } => Slope::Zero,
        ImpulseSet::Coulomb { mu } => {
            let size = (lambda[0] * lambda[0] + lambda[1] * lambda[1]).sqrt();
            if lambda[2] <= 0.0 {
                Slope::Zero
            } else if size < (1.0 - 1e-9) * mu * lambda[2] {
                Slope::Diagonal(*inverse)
            } else {
                // The normal velocity does not matter to where it slips.
                let mut tau = [
                    lambda[0] - velocity[0] * inverse[0],
                    lambda[1] - velocity[1] * inverse[1],
                    lambda[2],
                ];
                respond(set, friction, &mut tau, inverse)
            }
        }
    }
}

/// Signorini-Coulomb: λ_N = max(0, τ_N), λ_T nearest to τ_T in the disk of radius μ λ_N.
fn contact(mu: f64, tau: &mut [f64], inverse: &[f64; 6]) -> Slope {
    if tau[2] <= 0.0 {
        tau.fill(0.0);
        return Slope::Zero;
    }
    let radius = mu * tau[2];
    let size = (tau[0] * tau[0] + tau[1] * tau[1]).sqrt();
    if size <= radius {
        return Slope::Diagonal(*inverse);
    }
    // Sliding: λ_T = μ λ_N t, t = τ_T/‖τ_T‖. size > radius ≥ 0, so t exists.
    let t = [tau[0] / size, tau[1] / size];
    let k = radius / size;
    let g = |a: usize, b: usize| {
        let identity = if a == b { 1.0 } else { 0.0 };
        k * (identity - t[a] * t[b]) * inverse[b]
    };
    tau[0] = radius * t[0];
    tau[1] = radius * t[1];
    Slope::Full([
        [g(0, 0), g(0, 1), mu * t[0] * inverse[2]],
        [g(1, 0), g(1, 1), mu * t[1] * inverse[2]],
        [0.0, 0.0, inverse[2]],
    ])
}

/// Projection on the Coulomb cone in the metric R + ε [Castro eq. 27]. In scaled coordinates √(R + ε) λ it
/// is the Euclidean projection on the cone with μ̃ = μ √(r_t/r_n).
fn cone(mu: f64, tau: &mut [f64], inverse: &[f64; 6]) -> Slope {
    // The tangential rows of a contact have one compliance.
    let (root_t, root_n) = ((1.0 / inverse[0]).sqrt(), (1.0 / inverse[2]).sqrt());
    let mu = mu * root_t / root_n;
    let y = [root_t * tau[0], root_t * tau[1], root_n * tau[2]];
    let size = (y[0] * y[0] + y[1] * y[1]).sqrt();
    if mu * size <= -y[2] {
        tau.fill(0.0);
        return Slope::Zero;
    }
    if size <= mu * y[2] {
        return Slope::Diagonal(*inverse);
    }
    // On the mantle: λ̃ = (g · y) g with the generator g = (μ̃ t, 1)/√(1 + μ̃²).
    let t = [y[0] / size, y[1] / size];
    let norm = (1.0 + mu * mu).sqrt();
    let g = [mu * t[0] / norm, mu * t[1] / norm, 1.0 / norm];
    let along = g[0] * y[0] + g[1] * y[1] + g[2] * y[2];
    let side = mu * along / (norm * size);
    let across = [-t[1], t[0], 0.0];
    let roots = [root_t, root_t, root_n];
    for i in 0..3 {
        tau[i] = along * g[i] / roots[i];
    }
    Slope::Full(std::array::from_fn(|a| {
        std::array::from_fn(|b| {
            (g[a] * g[b] + side * across[a] * across[b]) / (roots[a] * roots[b])
        })
    }))
}
