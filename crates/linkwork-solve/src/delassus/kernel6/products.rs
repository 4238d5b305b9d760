//! Products of blocks and vectors, added to what is there.

use super::{Arithmetic, Block6, column, columns, columns_mut, dot6};

/// C ← C − A Bᵀ.
#[inline(always)]
pub fn subtract_product<A: Arithmetic>(c: &mut Block6, a: &Block6, b: &Block6) {
    for j in 0..6 {
        let mut v = column(c, j);
        for k in 0..6 {
            let s = b[6 * k + j];
            for r in 0..6 {
                v[r] = A::madd(-s, a[6 * k + r], v[r]);
            }
        }
        c[6 * j..6 * j + 6].copy_from_slice(&v);
    }
}

/// y ← y − A x.
#[inline(always)]
pub fn subtract_multiply<A: Arithmetic>(a: &Block6, x: &[f64; 6], y: &mut [f64; 6]) {
    for (c, &s) in x.iter().enumerate() {
        for r in 0..6 {
            y[r] = A::madd(-s, a[6 * c + r], y[r]);
        }
    }
}

/// y ← y − Aᵀ x.
#[inline(always)]
pub fn subtract_multiply_transposed<A: Arithmetic>(a: &Block6, x: &[f64; 6], y: &mut [f64; 6]) {
    for c in 0..6 {
        let mut s = 0.0;
        for r in 0..6 {
            s = A::madd(a[6 * c + r], x[r], s);
        }
        y[c] -= s;
    }
}

/// A ← A + s x yᵀ.
#[inline(always)]
pub fn add_outer<A: Arithmetic>(a: &mut Block6, s: f64, x: &[f64; 6], y: &[f64; 6]) {
    for c in 0..6 {
        let k = s * y[c];
        for r in 0..6 {
            a[6 * c + r] = A::madd(k, x[r], a[6 * c + r]);
        }
    }
}

/// A ← A + Xᵀ Y with three rows each: the contribution of a contact to a block.
#[inline(always)]
pub fn add_outers<A: Arithmetic>(a: &mut Block6, x: &[[f64; 6]; 3], y: &[[f64; 6]; 3]) {
    for c in 0..6 {
        let mut v = column(a, c);
        for k in 0..3 {
            for r in 0..6 {
                v[r] = A::madd(y[k][c], x[k][r], v[r]);
            }
        }
        a[6 * c..6 * c + 6].copy_from_slice(&v);
    }
}

/// [`add_outers`] of which the lower triangle counts.
#[inline(always)]
pub fn add_outers_lower<A: Arithmetic>(a: &mut Block6, x: &[[f64; 6]; 3], y: &[[f64; 6]; 3]) {
    let a = columns_mut(a);
    outer_columns::<A, 0, 6>(a, x, y);
    outer_columns::<A, 2, 4>(a, x, y);
    outer_columns::<A, 4, 2>(a, x, y);
}

/// Columns `FROM` and `FROM` + 1 of [`add_outers_lower`], their last `N` rows.
#[inline(always)]
fn outer_columns<A: Arithmetic, const FROM: usize, const N: usize>(
    a: &mut [[f64; 6]; 6],
    x: &[[f64; 6]; 3],
    y: &[[f64; 6]; 3],
) {
    for c in [FROM, FROM + 1] {
        for r in 0..N {
            let mut v = a[c][FROM + r];
            for k in 0..3 {
                v = A::madd(y[k][c], x[k][FROM + r], v);
            }
            a[c][FROM + r] = v;
        }
    }
}

/// C ← C − A Aᵀ, of which the lower triangle counts.
#[inline(always)]
pub fn subtract_square<A: Arithmetic>(c: &mut Block6, a: &Block6) {
    let (c, a) = (columns_mut(c), columns(a));
    subtract_square_columns::<A, 0, 6>(c, a);
    subtract_square_columns::<A, 2, 4>(c, a);
    subtract_square_columns::<A, 4, 2>(c, a);
}

/// Columns `FROM` and `FROM` + 1 of [`subtract_square`], their last `N` rows.
#[inline(always)]
fn subtract_square_columns<A: Arithmetic, const FROM: usize, const N: usize>(
    c: &mut [[f64; 6]; 6],
    a: &[[f64; 6]; 6],
) {
    for j in [FROM, FROM + 1] {
        let mut v: [f64; N] = std::array::from_fn(|r| c[j][FROM + r]);
        for a in a {
            for r in 0..N {
                v[r] = A::madd(-a[j], a[FROM + r], v[r]);
            }
        }
        c[j][FROM..].copy_from_slice(&v);
    }
}

/// C ← C − A B.
#[inline(always)]
pub fn subtract_product_plain<A: Arithmetic>(c: &mut Block6, a: &Block6, b: &Block6) {
    for j in 0..6 {
        let mut v = column(c, j);
        for k in 0..6 {
            let s = b[6 * j + k];
            for r in 0..6 {
                v[r] = A::madd(-s, a[6 * k + r], v[r]);
            }
        }
        c[6 * j..6 * j + 6].copy_from_slice(&v);
    }
}

/// C ← C + s A Bᵀ.
#[inline(always)]
pub fn add_product<A: Arithmetic>(c: &mut Block6, s: f64, a: &Block6, b: &Block6) {
    let (c, a, b) = (columns_mut(c), columns(a), columns(b));
    for j in 0..6 {
        let mut v = [0.0; 6];
        for k in 0..6 {
            for r in 0..6 {
                v[r] = A::madd(b[k][j], a[k][r], v[r]);
            }
        }
        for r in 0..6 {
            c[j][r] = A::madd(s, v[r], c[j][r]);
        }
    }
}

/// C ← C + s A Aᵀ, of which the lower triangle counts.
#[inline(always)]
pub fn add_square<A: Arithmetic>(c: &mut Block6, s: f64, a: &Block6) {
    let (c, a) = (columns_mut(c), columns(a));
    // Pairs of columns from their diagonal on: whole vectors, two thirds of the work.
    square_columns::<A, 0, 6>(c, s, a);
    square_columns::<A, 2, 4>(c, s, a);
    square_columns::<A, 4, 2>(c, s, a);
}

/// Columns `FROM` and `FROM` + 1 of [`add_square`], their last `N` rows.
#[inline(always)]
fn square_columns<A: Arithmetic, const FROM: usize, const N: usize>(
    c: &mut [[f64; 6]; 6],
    s: f64,
    a: &[[f64; 6]; 6],
) {
    for j in [FROM, FROM + 1] {
        let mut v = [0.0; N];
        for a in a {
            for r in 0..N {
                v[r] = A::madd(a[j], a[FROM + r], v[r]);
            }
        }
        for r in 0..N {
            c[j][FROM + r] = A::madd(s, v[r], c[j][FROM + r]);
        }
    }
}

/// d_r ← d_r + Σ_k A_rk²: the diagonal of A Aᵀ.
#[inline(always)]
pub fn add_row_squares<A: Arithmetic>(d: &mut [f64; 6], a: &Block6) {
    for k in 0..6 {
        for r in 0..6 {
            d[r] = A::madd(a[6 * k + r], a[6 * k + r], d[r]);
        }
    }
}

/// y ← y + s A x.
#[inline(always)]
pub fn add_multiply<A: Arithmetic>(a: &Block6, s: f64, x: &[f64; 6], y: &mut [f64; 6]) {
    let mut v = [0.0; 6];
    for (a, x) in columns(a).iter().zip(x) {
        for r in 0..6 {
            v[r] = A::madd(*x, a[r], v[r]);
        }
    }
    for r in 0..6 {
        y[r] = A::madd(s, v[r], y[r]);
    }
}

/// y ← y + Aᵀ x.
#[inline(always)]
pub fn add_multiply_transposed<A: Arithmetic>(a: &Block6, x: &[f64; 6], y: &mut [f64; 6]) {
    for (y, a) in y.iter_mut().zip(columns(a)) {
        *y += dot6::<A>(a, x);
    }
}
