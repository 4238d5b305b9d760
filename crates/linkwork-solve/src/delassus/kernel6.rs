//! Fixed-size 6x6 kernels, column by column, so that inner loops run over contiguous sixes.

use super::NotPositive;
use crate::blocks::{Block6, dot6};

/// Column `c` of a block.
#[inline(always)]
fn column(a: &Block6, c: usize) -> [f64; 6] {
    std::array::from_fn(|r| a[6 * c + r])
}

/// Cholesky of the lower triangle in place; the diagonal of L is stored **inverted**.
#[inline]
pub fn cholesky(a: &mut Block6) -> Result<(), NotPositive> {
    let a = columns_mut(a);
    for c in 0..6 {
        let mut v = a[c];
        for left in &a[..c] {
            for r in 0..6 {
                v[r] -= left[c] * left[r];
            }
        }
        let pivot = v[c];
        // Written so that a NaN fails too.
        if !(pivot > 0.0 && pivot < f64::INFINITY) {
            return Err(NotPositive);
        }
        let inverse = 1.0 / pivot.sqrt();
        // Above the diagonal are numbers that nothing reads.
        a[c] = v.map(|v| v * inverse);
        a[c][c] = inverse;
    }
    Ok(())
}

/// The block as columns.
#[inline(always)]
fn columns(a: &Block6) -> &[[f64; 6]; 6] {
    a.as_chunks().0.try_into().expect("six columns of six")
}

/// The same, to change.
#[inline(always)]
fn columns_mut(a: &mut Block6) -> &mut [[f64; 6]; 6] {
    a.as_chunks_mut().0.try_into().expect("six columns of six")
}

/// A ← A L⁻ᵀ with L from [`cholesky`].
#[inline]
pub fn solve_right(l: &Block6, a: &mut Block6) {
    let (l, a) = (columns(l), columns_mut(a));
    for c in 0..6 {
        let mut v = a[c];
        for k in 0..c {
            for r in 0..6 {
                v[r] -= l[k][c] * a[k][r];
            }
        }
        a[c] = v.map(|v| v * l[c][c]);
    }
}

/// C ← C − A Bᵀ.
#[inline]
pub fn subtract_product(c: &mut Block6, a: &Block6, b: &Block6) {
    for j in 0..6 {
        let mut v = column(c, j);
        for k in 0..6 {
            let s = b[6 * k + j];
            for r in 0..6 {
                v[r] -= s * a[6 * k + r];
            }
        }
        c[6 * j..6 * j + 6].copy_from_slice(&v);
    }
}

/// x ← L⁻¹ x.
#[inline]
pub fn forward(l: &Block6, x: &mut [f64; 6]) {
    let l = columns(l);
    let mut v = *x;
    for c in 0..6 {
        x[c] = v[c] * l[c][c];
        for r in 0..6 {
            v[r] -= x[c] * l[c][r];
        }
    }
}

/// x ← L⁻ᵀ x.
#[inline]
pub fn backward(l: &Block6, x: &mut [f64; 6]) {
    for c in (0..6).rev() {
        let mut s = x[c];
        for r in c + 1..6 {
            s -= l[6 * c + r] * x[r];
        }
        x[c] = s * l[7 * c];
    }
}

/// y ← y − A x.
#[inline]
pub fn subtract_multiply(a: &Block6, x: &[f64; 6], y: &mut [f64; 6]) {
    for (c, &s) in x.iter().enumerate() {
        for r in 0..6 {
            y[r] -= s * a[6 * c + r];
        }
    }
}

/// y ← y − Aᵀ x.
#[inline]
pub fn subtract_multiply_transposed(a: &Block6, x: &[f64; 6], y: &mut [f64; 6]) {
    for c in 0..6 {
        let mut s = 0.0;
        for r in 0..6 {
            s += a[6 * c + r] * x[r];
        }
        y[c] -= s;
    }
}

/// A ← A + s x yᵀ.
#[inline]
pub fn add_outer(a: &mut Block6, s: f64, x: &[f64; 6], y: &[f64; 6]) {
    for c in 0..6 {
        let k = s * y[c];
        for r in 0..6 {
            a[6 * c + r] += k * x[r];
        }
    }
}

/// LU of a block in place without pivoting: unit lower and upper triangle, the diagonal of U stored
/// **inverted**. The blocks met here are M plus a nearly positive semidefinite part.
#[inline]
pub fn lu(a: &mut Block6) -> Result<(), NotPositive> {
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
                a[6 * c + r] -= s * column[r];
            }
        }
    }
    Ok(())
}

/// A ← A U⁻¹ with U from [`lu`].
#[inline]
pub fn lu_solve_right(f: &Block6, a: &mut Block6) {
    for c in 0..6 {
        let mut v = column(a, c);
        for k in 0..c {
            let s = f[6 * c + k];
            for r in 0..6 {
                v[r] -= s * a[6 * k + r];
            }
        }
        let inverse = f[7 * c];
        for r in 0..6 {
            a[6 * c + r] = v[r] * inverse;
        }
    }
}

/// A ← L⁻¹ A with unit L from [`lu`].
#[inline]
pub fn lu_solve_left(f: &Block6, a: &mut Block6) {
    for c in 0..6 {
        let v: &mut [f64; 6] = (&mut a[6 * c..6 * c + 6]).try_into().expect("six values");
        lu_forward(f, v);
    }
}

/// x ← L⁻¹ x with unit L.
#[inline]
pub fn lu_forward(f: &Block6, x: &mut [f64; 6]) {
    for c in 0..5 {
        let s = x[c];
        for r in c + 1..6 {
            x[r] -= s * f[6 * c + r];
        }
    }
}

/// x ← U⁻¹ x.
#[inline]
pub fn lu_backward(f: &Block6, x: &mut [f64; 6]) {
    for c in (0..6).rev() {
        x[c] *= f[7 * c];
        let s = x[c];
        for r in 0..c {
            x[r] -= s * f[6 * c + r];
        }
    }
}

/// C ← C − A B.
#[inline]
pub fn subtract_product_plain(c: &mut Block6, a: &Block6, b: &Block6) {
    for j in 0..6 {
        let mut v = column(c, j);
        for k in 0..6 {
            let s = b[6 * j + k];
            for r in 0..6 {
                v[r] -= s * a[6 * k + r];
            }
        }
        c[6 * j..6 * j + 6].copy_from_slice(&v);
    }
}

/// The unit matrix.
pub const IDENTITY: Block6 = {
    let mut a = [0.0; 36];
    let mut i = 0;
    while i < 6 {
        a[7 * i] = 1.0;
        i += 1;
    }
    a
};

/// [`cholesky`] of a positive semidefinite block whose diagonal entries are differences of sums `reach`, known to a
/// relative error of `accuracy`: a row whose pivot is within its error is left out, with an inverse pivot of 0. Its
/// unknown then comes out as 0.
///
/// A pivot is a difference of its diagonal entry and squares l_k² which are as uncertain as the pivots that they
/// were divided by, so that its error is `accuracy` (reach + Σ l_k² reach_k/pivot_k).
#[inline]
pub fn cholesky_dropping(
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
            error += l * l * doubt[k];
            for r in 0..6 {
                v[r] -= l * a[k][r];
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
        // Above the diagonal are numbers that nothing reads.
        a[c] = v.map(|v| v * inverse);
        a[c][c] = inverse;
        doubt[c] = reach[c] * inverse * inverse;
    }
    Ok(())
}

/// C ← C + s A Bᵀ.
#[inline]
pub fn add_product(c: &mut Block6, s: f64, a: &Block6, b: &Block6) {
    let (c, a, b) = (columns_mut(c), columns(a), columns(b));
    for j in 0..6 {
        let mut v = [0.0; 6];
        for k in 0..6 {
            for r in 0..6 {
                v[r] += b[k][j] * a[k][r];
            }
        }
        for r in 0..6 {
            c[j][r] += s * v[r];
        }
    }
}

/// C ← C + s A Aᵀ, of which the lower triangle counts.
#[inline]
pub fn add_square(c: &mut Block6, s: f64, a: &Block6) {
    let (c, a) = (columns_mut(c), columns(a));
    // Pairs of columns from their diagonal on: whole vectors, two thirds of the work.
    square_columns::<0, 6>(c, s, a);
    square_columns::<2, 4>(c, s, a);
    square_columns::<4, 2>(c, s, a);
}

/// Columns `FROM` and `FROM` + 1 of [`add_square`], their last `N` rows.
#[inline(always)]
fn square_columns<const FROM: usize, const N: usize>(
    c: &mut [[f64; 6]; 6],
    s: f64,
    a: &[[f64; 6]; 6],
) {
    for j in [FROM, FROM + 1] {
        let mut v = [0.0; N];
        for a in a {
            for r in 0..N {
                v[r] += a[j] * a[FROM + r];
            }
        }
        for r in 0..N {
            c[j][FROM + r] += s * v[r];
        }
    }
}

/// d_r ← d_r + Σ_k A_rk²: the diagonal of A Aᵀ.
#[inline]
pub fn add_row_squares(d: &mut [f64; 6], a: &Block6) {
    for k in 0..6 {
        for r in 0..6 {
            d[r] += a[6 * k + r] * a[6 * k + r];
        }
    }
}

/// y ← y + s A x.
#[inline]
pub fn add_multiply(a: &Block6, s: f64, x: &[f64; 6], y: &mut [f64; 6]) {
    let mut v = [0.0; 6];
    for (a, x) in columns(a).iter().zip(x) {
        for r in 0..6 {
            v[r] += x * a[r];
        }
    }
    for r in 0..6 {
        y[r] += s * v[r];
    }
}

/// y ← y + Aᵀ x.
#[inline]
pub fn add_multiply_transposed(a: &Block6, x: &[f64; 6], y: &mut [f64; 6]) {
    for (y, a) in y.iter_mut().zip(columns(a)) {
        *y += dot6(a, x);
    }
}
