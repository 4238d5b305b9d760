//! Block matrices on 6-dimensional bodies.

mod jacobian;
mod mass;
mod sparse;

pub use jacobian::{BlockCsr6, Entry};
pub use mass::BlockDiag6;
pub use sparse::SparseSym;

use crate::arithmetic::Arithmetic;

/// A 6x6 block, column by column.
pub type Block6 = [f64; 36];

/// The six numbers of body `b`.
#[inline]
pub(crate) fn segment(u: &[f64], b: usize) -> &[f64; 6] {
    u[6 * b..6 * b + 6].try_into().expect("six values")
}

/// The six numbers of body `b`, to change.
#[inline]
pub(crate) fn segment_mut(u: &mut [f64], b: usize) -> &mut [f64; 6] {
    (&mut u[6 * b..6 * b + 6]).try_into().expect("six values")
}

#[inline(always)]
pub(crate) fn dot6<A: Arithmetic>(a: &[f64; 6], b: &[f64; 6]) -> f64 {
    // Two independent sums: the order is fixed, and the processor can overlap them.
    let even = A::madd(a[4], b[4], A::madd(a[2], b[2], a[0] * b[0]));
    even + A::madd(a[5], b[5], A::madd(a[3], b[3], a[1] * b[1]))
}
