//! The response of a compliant block to a velocity: γ = P_K^R(−R⁻¹ v), the projection in the metric R, and G = −∂γ/∂v,
//! symmetric and positive semidefinite [Castro eq. 27, 36, 37].

use crate::sets::{Friction, ImpulseSet, MAX_DIM, Slope};

/// γ into `gamma`, and G, for the biased velocity `v` = J u + v* of a block with compliances `r` > 0.
///
/// That is the answer around a proximal centre with ε = 0, so without a centre.
pub(super) fn respond(set: ImpulseSet, r: &[f64], v: &[f64], gamma: &mut [f64]) -> Slope {
    let mut inverse = [0.0; MAX_DIM];
    for i in 0..v.len() {
        inverse[i] = 1.0 / r[i];
        gamma[i] = -v[i] / r[i];
    }
    set.respond(Friction::Lagged, gamma, &inverse)
}
