//! Four vectors, or eight blocks, at once, one per lane. Blocks of lanes need no padding to whole vectors: only what
//! counts of a triangle is computed.

use super::{Arithmetic, Block6, columns};
use crate::lanes::{Lanes, Wide};

/// Eight 6x6 blocks, column by column.
pub type LaneBlock = [[Wide; 6]; 6];

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

/// First column on which column `c` of L depends. A `RIGID` block is diag(m, m, m) and a 3x3 inertia, as for bodies
/// before any elimination.
#[inline(always)]
fn start<const RIGID: bool>(c: usize) -> usize {
    match (RIGID, c < 3) {
        (false, _) => 0,
        (true, true) => c,
        (true, false) => 3,
    }
}

/// [`super::cholesky`] of eight blocks: L strictly below its diagonal, with zeros elsewhere, and its inverse diagonal. A pivot that is not positive leaves a
/// NaN in its lane.
#[inline(always)]
pub fn cholesky_lanes<A: Arithmetic, const RIGID: bool>(
    a: &mut LaneBlock,
    inverse: &mut [Wide; 6],
) {
    for c in 0..6 {
        let mut v = a[c];
        for done in &a[start::<RIGID>(c)..c] {
            for r in 0..6 {
                v[r] = v[r].msub::<A>(done[c], done[r]);
            }
        }
        inverse[c] = inverse_root(v[c]);
        set_column(a, c, &v, inverse[c]);
    }
}

/// 1/√x. Root and quotient are computed independently.
#[inline(always)]
fn inverse_root(x: Wide) -> Wide {
    x.sqrt() * (Wide::ONE / x)
}

/// Column `c` of L: v times the inverse pivot below the diagonal.
#[inline(always)]
fn set_column(a: &mut LaneBlock, c: usize, v: &[Wide; 6], inverse: Wide) {
    for r in 0..6 {
        a[c][r] = if r > c { v[r] * inverse } else { Wide::ZERO };
    }
}

/// [`super::cholesky_dropping`] of eight blocks, as [`cholesky_lanes`]; a pivot that is not finite leaves a NaN in its lane.
#[inline(always)]
pub fn cholesky_dropping_lanes<A: Arithmetic>(
    a: &mut LaneBlock,
    inverse: &mut [Wide; 6],
    reach: &[Wide; 6],
    accuracy: f64,
) {
    let mut doubt = [Wide::ZERO; 6];
    for c in 0..6 {
        let mut v = a[c];
        let mut error = reach[c];
        for k in 0..c {
            let l = a[k][c];
            error = error.madd::<A>(l * l, doubt[k]);
            for r in 0..6 {
                v[r] = v[r].msub::<A>(l, a[k][r]);
            }
        }
        let pivot = v[c];
        let bound = Wide::all(accuracy) * error;
        let kept = bound.where_less(pivot, inverse_root(pivot), Wide::ZERO);
        // A pivot that is no number is not left out.
        inverse[c] = kept + Wide::ZERO * pivot;
        set_column(a, c, &v, inverse[c]);
        doubt[c] = reach[c] * inverse[c] * inverse[c];
    }
}

/// A ← A L⁻ᵀ, the first `R` rows of A.
#[inline(always)]
pub fn solve_right_lanes<A: Arithmetic, const RIGID: bool, const R: usize>(
    l: &LaneBlock,
    inverse: &[Wide; 6],
    a: &mut LaneBlock,
) {
    for c in 0..6 {
        let mut v = a[c];
        for k in start::<RIGID>(c)..c {
            for r in 0..R {
                v[r] = v[r].msub::<A>(l[k][c], a[k][r]);
            }
        }
        for r in 0..R {
            a[c][r] = v[r] * inverse[c];
        }
    }
}

/// C ← C + A Aᵀ, or C − A Aᵀ if `minus`; the lower triangle counts.
#[inline(always)]
pub fn add_square_lanes<A: Arithmetic>(c: &mut LaneBlock, minus: bool, a: &LaneBlock) {
    square_columns::<A, 0, 6>(c, minus, a);
    square_columns::<A, 2, 4>(c, minus, a);
    square_columns::<A, 4, 2>(c, minus, a);
}

/// Columns `FROM` and `FROM` + 1 of [`add_square_lanes`], their last `N` rows.
#[inline(always)]
fn square_columns<A: Arithmetic, const FROM: usize, const N: usize>(
    c: &mut LaneBlock,
    minus: bool,
    a: &LaneBlock,
) {
    for j in [FROM, FROM + 1] {
        let mut v = [Wide::ZERO; N];
        v.copy_from_slice(&c[j][FROM..]);
        for a in a {
            let s = signed(a[j], minus);
            for r in 0..N {
                v[r] = v[r].madd::<A>(s, a[FROM + r]);
            }
        }
        c[j][FROM..].copy_from_slice(&v);
    }
}

/// C ← C + A Bᵀ, or C − A Bᵀ if `minus`: the first `R` rows and `C` columns of C.
#[inline(always)]
pub fn add_product_lanes<A: Arithmetic, const R: usize, const C: usize>(
    c: &mut LaneBlock,
    minus: bool,
    a: &LaneBlock,
    b: &LaneBlock,
) {
    for j in 0..C {
        let mut v = c[j];
        for k in 0..6 {
            let s = signed(b[k][j], minus);
            for r in 0..R {
                v[r] = v[r].madd::<A>(s, a[k][r]);
            }
        }
        c[j] = v;
    }
}

#[inline(always)]
fn signed(x: Wide, minus: bool) -> Wide {
    if minus { -x } else { x }
}

/// d_r ← d_r + Σ_k A_rk²: the diagonal of A Aᵀ.
#[inline(always)]
pub fn add_row_squares_lanes<A: Arithmetic>(d: &mut [Wide; 6], a: &LaneBlock) {
    let mut sum = *d;
    for a in a {
        for r in 0..6 {
            sum[r] = sum[r].madd::<A>(a[r], a[r]);
        }
    }
    *d = sum;
}

/// x ← L⁻¹ x, a block per lane.
#[inline(always)]
pub fn forward_block<A: Arithmetic>(l: &LaneBlock, inverse: &[Wide; 6], x: &mut [Wide; 6]) {
    for c in 0..6 {
        let value = x[c] * inverse[c];
        x[c] = value;
        // Zeros up to the diagonal.
        for r in 0..6 {
            x[r] = x[r].msub::<A>(value, l[c][r]);
        }
    }
}

/// x ← L⁻ᵀ x, a block per lane.
#[inline(always)]
pub fn backward_block<A: Arithmetic>(l: &LaneBlock, inverse: &[Wide; 6], x: &mut [Wide; 6]) {
    for c in (0..6).rev() {
        let mut s = x[c];
        for r in 0..6 {
            s = s.msub::<A>(l[c][r], x[r]);
        }
        x[c] = s * inverse[c];
    }
}

/// y ← y + A x, or y − A x if `minus`, a block per lane; the first `R` rows of A.
#[inline(always)]
pub fn add_multiply_block<A: Arithmetic, const R: usize>(
    a: &LaneBlock,
    minus: bool,
    x: &[Wide; 6],
    y: &mut [Wide; 6],
) {
    let mut sum = *y;
    for c in 0..6 {
        let x = signed(x[c], minus);
        for r in 0..R {
            sum[r] = sum[r].madd::<A>(a[c][r], x);
        }
    }
    *y = sum;
}

/// y ← y − Aᵀ x, a block per lane; the first `R` rows of A.
#[inline(always)]
pub fn subtract_transposed_block<A: Arithmetic, const R: usize>(
    a: &LaneBlock,
    x: &[Wide; 6],
    y: &mut [Wide; 6],
) {
    for c in 0..6 {
        let mut s = y[c];
        for r in 0..R {
            s = s.msub::<A>(a[c][r], x[r]);
        }
        y[c] = s;
    }
}
