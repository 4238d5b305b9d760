//! Cholesky of a block.

use super::{Arithmetic, Block6, NotPositive, columns, columns_mut};

/// Cholesky of the lower triangle in place; the diagonal of L is stored **inverted**.
#[inline(always)]
pub fn cholesky<A: Arithmetic>(a: &mut Block6) -> Result<(), NotPositive> {
    let a = columns_mut(a);
    for c in 0..6 {
        let mut v = a[c];
        for done in &a[..c] {
            for r in 0..6 {
                v[r] = A::madd(-done[c], done[r], v[r]);
            }
        }
        let pivot = v[c];
        // Written so that a NaN fails too.
        if !(pivot > 0.0 && pivot < f64::INFINITY) {
            return Err(NotPositive);
        }
        let inverse = 1.0 / pivot.sqrt();
        // Values above the diagonal are never read.
        a[c] = v.map(|v| v * inverse);
        a[c][c] = inverse;
    }
    Ok(())
}

/// A ← A L⁻ᵀ with L from [`cholesky`].
#[inline(always)]
pub fn solve_right<A: Arithmetic>(l: &Block6, a: &mut Block6) {
    let (l, a) = (columns(l), columns_mut(a));
    for c in 0..6 {
        let mut v = a[c];
        for k in 0..c {
            for r in 0..6 {
                v[r] = A::madd(-l[k][c], a[k][r], v[r]);
            }
        }
        a[c] = v.map(|v| v * l[c][c]);
    }
}

/// x ← L⁻¹ x.
#[inline(always)]
pub fn forward<A: Arithmetic>(l: &Block6, x: &mut [f64; 6]) {
    let l = columns(l);
    let mut v = *x;
    for c in 0..6 {
        x[c] = v[c] * l[c][c];
        for r in 0..6 {
            v[r] = A::madd(-x[c], l[c][r], v[r]);
        }
    }
}

/// x ← L⁻ᵀ x.
#[inline(always)]
pub fn backward<A: Arithmetic>(l: &Block6, x: &mut [f64; 6]) {
    for c in (0..6).rev() {
        let mut s = x[c];
        for r in c + 1..6 {
            s = A::madd(-l[6 * c + r], x[r], s);
        }
        x[c] = s * l[7 * c];
    }
}

/// [`cholesky`] of a positive semidefinite block whose diagonal entries are differences of sums `reach`, known to a
/// relative error of `accuracy`. A row whose pivot is within its error is dropped, with an inverse pivot of 0; its
/// unknown is then 0.
///
/// A pivot is the difference between its diagonal entry and squares l_k², which are as uncertain as the pivots by which
/// they were divided. Its error is therefore `accuracy` (reach + Σ l_k² reach_k/pivot_k).
#[inline(always)]
pub fn cholesky_dropping<A: Arithmetic>(
    a: &mut Block6,
    reach: &[f64; 6],
    accuracy: f64,
) -> Result<(), NotPositive> {
    let a = columns_mut(a);
    let mut doubt = [0.0; 6];
    for c in 0..6 {
        let mut v = a[c];
        let mut error = reach[c];
        for k in 0..c {
            let l = a[k][c];
            error = A::madd(l * l, doubt[k], error);
            for r in 0..6 {
                v[r] = A::madd(-l, a[k][r], v[r]);
            }
        }
        let pivot = v[c];
        if !pivot.is_finite() {
            return Err(NotPositive);
        }
        let inverse = if pivot > accuracy * error {
            1.0 / pivot.sqrt()
        } else {
            0.0
        };
        // Values above the diagonal are never read.
        a[c] = v.map(|v| v * inverse);
        a[c][c] = inverse;
        doubt[c] = reach[c] * inverse * inverse;
    }
    Ok(())
}
