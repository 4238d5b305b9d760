//! Fixed-size 6x6 kernels, column by column, so that inner loops run over contiguous sixes.
//!
//! | file | concept |
//! |---|---|
//! | `cholesky` | L Lᵀ and its substitutions |
//! | `lanes` | four vectors or blocks at once |
//! | `lu` | L U and its substitutions |
//! | `products` | products of blocks and vectors, added |

mod cholesky;
mod lanes;
mod lu;
mod products;

pub use cholesky::{backward, cholesky, cholesky_dropping, forward, solve_right};
pub use lanes::{
    LaneBlock, add_multiply_block, add_multiply_lanes, add_product_lanes, add_row_squares_lanes,
    add_square_lanes, backward_block, cholesky_dropping_lanes, cholesky_lanes, forward_block,
    forward_lanes, solve_right_lanes, subtract_transposed_block,
};
pub use lu::{lu, lu_backward, lu_forward, lu_solve_left, lu_solve_right};
pub use products::{
    add_multiply, add_multiply_transposed, add_outer, add_outers, add_outers_lower, add_product,
    add_row_squares, add_square, subtract_multiply, subtract_multiply_transposed, subtract_product,
    subtract_product_plain, subtract_square,
};

use super::NotPositive;
use crate::arithmetic::Arithmetic;
use crate::blocks::{Block6, dot6};

/// Column `c` of a block.
#[inline(always)]
fn column(a: &Block6, c: usize) -> [f64; 6] {
    std::array::from_fn(|r| a[6 * c + r])
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
