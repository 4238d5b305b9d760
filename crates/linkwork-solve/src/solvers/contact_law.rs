//! How a block answers a velocity around a proximal centre: λ from τ = (ε λᵏ − v)/(R + ε), in place,
//! and its slope G = −∂λ/∂v. `inverse` is 1/(R + ε) by row.

use crate::delassus::Slope;
use crate::sets::ImpulseSet;

/// λ and G of a block.
pub(super) fn respond(set: ImpulseSet, tau: &mut [f64], inverse: &[f64; 6]) -> Slope {
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
        ImpulseSet::Coulomb { mu } => contact(mu, tau, inverse),
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
