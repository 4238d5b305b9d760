//! LU of a block.

use super::{Arithmetic, Block6, NotPositive, column};

/// LU of a block in place without pivoting: unit lower and upper triangle, the diagonal of U stored
/// **inverted**. The blocks met here are M plus a nearly positive semidefinite part.
#[inline(always)]
pub fn lu<A: Arithmetic>(a: &mut Block6) -> Result<(), NotPositive> {
    for k in 0..6 {
        let pivot = a[7 * k];
        // Written so that a NaN fails too.
        if !(pivot.abs() > 0.0 && pivot.abs() < f64::INFINITY) {
            return Err(NotPositive);
        }
        let inverse = 1.0 / pivot;
        a[7 * k] = inverse;
        for r in k + 1..6 {
            a[6 * k + r] *= inverse;
        }
        let column: [f64; 6] = column(a, k);
        for c in k + 1..6 {
            let s = a[6 * c + k];
            for r in k + 1..6 {
                a[6 * c + r] = A::madd(-s, column[r], a[6 * c + r]);
            }
        }
    }
    Ok(())
}

/// A ← A U⁻¹ with U from [`lu`].
#[inline(always)]
pub fn lu_solve_right<A: Arithmetic>(f: &Block6, a: &mut Block6) {
    for c in 0..6 {
        let mut v = column(a, c);
        for k in 0..c {
            let s = f[6 * c + k];
            for r in 0..6 {
                v[r] = A::madd(-s, a[6 * k + r], v[r]);
            }
        }
        let inverse = f[7 * c];
        for r in 0..6 {
            a[6 * c + r] = v[r] * inverse;
        }
    }
}

/// A ← L⁻¹ A with unit L from [`lu`].
#[inline(always)]
pub fn lu_solve_left<A: Arithmetic>(f: &Block6, a: &mut Block6) {
    for c in 0..6 {
        let v: &mut [f64; 6] = (&mut a[6 * c..6 * c + 6]).try_into().expect("six values");
        lu_forward::<A>(f, v);
    }
}

/// x ← L⁻¹ x with unit L.
#[inline(always)]
pub fn lu_forward<A: Arithmetic>(f: &Block6, x: &mut [f64; 6]) {
    for c in 0..5 {
        let s = x[c];
        for r in c + 1..6 {
            x[r] = A::madd(-s, f[6 * c + r], x[r]);
        }
    }
}

/// x ← U⁻¹ x.
#[inline(always)]
pub fn lu_backward<A: Arithmetic>(f: &Block6, x: &mut [f64; 6]) {
    for c in (0..6).rev() {
        x[c] *= f[7 * c];
        let s = x[c];
        for r in 0..c {
            x[r] = A::madd(-s, f[6 * c + r], x[r]);
        }
    }
}
