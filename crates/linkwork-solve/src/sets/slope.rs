//! The generalised derivative of a block's impulse.

use super::MAX_DIM;

/// Derivative G of a block's impulse with respect to minus its velocity, kg.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(
    clippy::large_enum_variant,
    reason = "a box would allocate in every step; only what a variant holds is read"
)]
pub enum Slope {
    /// The impulse does not respond.
    Zero,
    /// One number per row.
    Diagonal([f64; MAX_DIM]),
    /// A full 3x3, row by row, of a block with three rows: a sliding contact.
    Full([[f64; 3]; 3]),
    /// A full matrix, row by row, of a block with any number of rows; 0 beyond them.
    Full6([[f64; MAX_DIM]; MAX_DIM]),
}

impl Slope {
    /// G_ab.
    #[inline]
    pub fn entry(&self, a: usize, b: usize) -> f64 {
        match self {
            Slope::Zero => 0.0,
            Slope::Diagonal(g) => {
                if a == b {
                    g[a]
                } else {
                    0.0
                }
            }
            Slope::Full(g) => g[a][b],
            Slope::Full6(g) => g[a][b],
        }
    }

    /// (G d)_i.
    #[inline]
    pub fn row_product(&self, i: usize, d: &[f64]) -> f64 {
        let dot = |g: &[f64]| g.iter().zip(d).map(|(g, d)| g * d).sum();
        match self {
            Slope::Zero => 0.0,
            Slope::Diagonal(g) => g[i] * d[i],
            Slope::Full(g) => dot(&g[i]),
            Slope::Full6(g) => dot(&g[i]),
        }
    }

    /// dᵀ G d.
    #[inline]
    pub fn quadratic(&self, d: &[f64]) -> f64 {
        (0..d.len()).map(|i| d[i] * self.row_product(i, d)).sum()
    }
}

/// G of a block of up to three rows, row by row; 0 beyond them.
pub(crate) type Slope3 = [[f64; 3]; 3];

/// Slopes of many blocks.
pub(crate) trait Slopes {
    /// Whether the impulse of block `k` does not respond.
    fn is_zero(&self, k: usize) -> bool;
    /// G_ab of block `k`.
    fn entry(&self, k: usize, a: usize, b: usize) -> f64;
    /// out = G rows, for the rows of a Jacobian on block `k`.
    fn weigh(&self, k: usize, rows: &[[f64; 6]], out: &mut [[f64; 6]; MAX_DIM]);
}

impl Slopes for [Slope] {
    #[inline(always)]
    fn is_zero(&self, k: usize) -> bool {
        self[k] == Slope::Zero
    }

    #[inline(always)]
    fn entry(&self, k: usize, a: usize, b: usize) -> f64 {
        self[k].entry(a, b)
    }

    #[inline(always)]
    fn weigh(&self, k: usize, rows: &[[f64; 6]], out: &mut [[f64; 6]; MAX_DIM]) {
        match &self[k] {
            Slope::Zero => out.fill([0.0; 6]),
            Slope::Diagonal(g) => {
                for ((out, row), g) in out.iter_mut().zip(rows).zip(g) {
                    *out = row.map(|j| g * j);
                }
            }
            Slope::Full(g) => weigh3(g, rows, out),
            Slope::Full6(g) => {
                for (out, g) in out.iter_mut().zip(g) {
                    *out = std::array::from_fn(|c| {
                        rows.iter().zip(g).map(|(row, g)| g * row[c]).sum()
                    });
                }
            }
        }
    }
}

impl Slopes for [Slope3] {
    #[inline(always)]
    fn is_zero(&self, _: usize) -> bool {
        false
    }

    #[inline(always)]
    fn entry(&self, k: usize, a: usize, b: usize) -> f64 {
        self[k][a][b]
    }

    #[inline(always)]
    fn weigh(&self, k: usize, rows: &[[f64; 6]], out: &mut [[f64; 6]; MAX_DIM]) {
        if rows.len() == 3 {
            weigh3(&self[k], rows, out);
        } else {
            out[0] = rows[0].map(|j| self[k][0][0] * j);
        }
    }
}

#[inline(always)]
fn weigh3(g: &Slope3, rows: &[[f64; 6]], out: &mut [[f64; 6]; MAX_DIM]) {
    for (out, g) in out.iter_mut().zip(g) {
        *out = std::array::from_fn(|c| g[0] * rows[0][c] + g[1] * rows[1][c] + g[2] * rows[2][c]);
    }
}
