//! Four vectors at once, one per lane.

use super::{Arithmetic, Block6, columns};
use crate::lanes::Lanes;

/// x ← L⁻¹ x with L from [`super::cholesky`].
#[inline(always)]
pub fn forward_lanes<A: Arithmetic>(l: &Block6, x: &mut [Lanes; 6]) {
    let l = columns(l);
    for c in 0..6 {
        x[c] = x[c] * Lanes::all(l[c][c]);
        let minus = -x[c];
        for r in c + 1..6 {
            x[r] = x[r].madd::<A>(Lanes::all(l[c][r]), minus);
        }
    }
}

/// y ← y + A x.
#[inline(always)]
pub fn add_multiply_lanes<A: Arithmetic>(a: &Block6, x: &[Lanes; 6], y: &mut [Lanes; 6]) {
    let mut sum = *y;
    for (a, x) in columns(a).iter().zip(x) {
        for r in 0..6 {
            sum[r] = sum[r].madd::<A>(Lanes::all(a[r]), *x);
        }
    }
    *y = sum;
}
