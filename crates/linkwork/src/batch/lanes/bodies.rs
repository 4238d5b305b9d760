//! Velocities and impulses of bodies.

use super::math::{M3, Six, V3, add, dot, join, three, transform};
use linkwork_solve::{Arithmetic, Wide};

/// J u of one row.
#[inline(always)]
pub(super) fn along<A: Arithmetic>(j: &Six, u: &Six) -> Wide {
    let even = (j[0] * u[0]).madd::<A>(j[2], u[2]).madd::<A>(j[4], u[4]);
    let odd = (j[1] * u[1]).madd::<A>(j[3], u[3]).madd::<A>(j[5], u[5]);
    even + odd
}

/// jᵀ M⁻¹ j of one row.
#[inline(always)]
pub(super) fn mobility<A: Arithmetic>(j: &Six, inverse_mass: Wide, inverse: &M3) -> Wide {
    let (l, a) = ([j[0], j[1], j[2]], [j[3], j[4], j[5]]);
    let spin = transform::<A>(inverse, &a);
    (inverse_mass * dot::<A>(&l, &l)) + dot::<A>(&a, &spin)
}

/// u + M⁻¹ p of one body.
#[inline(always)]
pub(super) fn kicked<A: Arithmetic>(u: &Six, p: &Six, inverse_mass: Wide, inverse: &M3) -> Six {
    let linear: V3 = three!(i => u[i].madd::<A>(inverse_mass, p[i]));
    let angular = add(
        &[u[3], u[4], u[5]],
        &transform::<A>(inverse, &[p[3], p[4], p[5]]),
    );
    join(&linear, &angular)
}
