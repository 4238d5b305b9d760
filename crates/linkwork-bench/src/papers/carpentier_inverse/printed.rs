//! [Carpentier Alg. 2] as printed, for one rigid contact.

use linkwork_solve::{ContactModel, ImpulseSet};

/// ρ of [Carpentier §V-D].
const PROXIMAL: f64 = 1e-8;

/// Size of the impulse after each iteration, N s, for a contact of friction `mu` whose velocity (t₁, t₂, n) is `c`, started at the
/// normal impulse `pressing`. R = 0, so that line 3 is λ ← P_K(λ − (c + s)/ρ); without De Saxcé's shift s = 0 where
/// the model is the convex relaxation.
pub(super) fn impulses(
    mu: f64,
    c: &[f64; 3],
    pressing: f64,
    model: ContactModel,
    iterations: usize,
) -> Vec<f64> {
    let set = ImpulseSet::Coulomb { mu };
    let mut lambda = [0.0, 0.0, pressing];
    let mut sizes = Vec::with_capacity(iterations);
    for _ in 0..iterations {
        let shift = match model {
            ContactModel::Ncp => set.desaxce_shift(c),
            ContactModel::Ccp => 0.0,
        };
        lambda[0] -= c[0] / PROXIMAL;
        lambda[1] -= c[1] / PROXIMAL;
        lambda[2] -= (c[2] + shift) / PROXIMAL;
        set.project(&mut lambda);
        sizes.push(lambda.iter().map(|l| l * l).sum::<f64>().sqrt());
    }
    sizes
}
