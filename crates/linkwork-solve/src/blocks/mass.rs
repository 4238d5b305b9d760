//! M of rigid bodies.

use super::Block6;
use crate::residuals::larger;
use serde::{Deserialize, Serialize};

/// Block-diagonal mass matrix M of rigid bodies about their centres of mass, with its inverse. A block is diag(m, m, m)
/// and the inertia I along the world axes. Stored as m and I, which most uses need.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BlockDiag6 {
    bodies: Vec<Rigid>,
}

/// Mass and inertia of a body, and their inverses; 3x3 matrices row by row, symmetric.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Rigid {
    mass: f64,
    inertia: [f64; 9],
    inverse_mass: f64,
    inverse_inertia: [f64; 9],
}

impl BlockDiag6 {
    /// No blocks.
    pub fn new() -> Self {
        Self::default()
    }

    /// Remove all blocks, keeping the memory.
    pub fn clear(&mut self) {
        self.bodies.clear();
    }

    /// Append the block of a rigid body about its centre of mass: mass m (kg), inertia I (kg m²) and
    /// its inverse, row by row (symmetric), along the world axes.
    pub fn push_rigid(&mut self, mass: f64, inertia: &[f64; 9], inverse: &[f64; 9]) {
        self.bodies.push(Rigid {
            mass,
            inertia: *inertia,
            inverse_mass: 1.0 / mass,
            inverse_inertia: *inverse,
        });
    }

    /// Append the block of body `b` of another matrix.
    pub fn push_from(&mut self, other: &Self, b: usize) {
        self.bodies.push(other.bodies[b]);
    }

    /// Multiply all masses and inertias by `factor` > 0.
    pub fn scale(&mut self, factor: f64) {
        for b in &mut self.bodies {
            b.mass *= factor;
            b.inverse_mass /= factor;
            b.inertia.iter_mut().for_each(|i| *i *= factor);
            b.inverse_inertia.iter_mut().for_each(|i| *i /= factor);
        }
    }

    /// A body whose mass or inertia is not finite, or not positive on the diagonal, and the value, if any.
    pub(crate) fn malformed_body(&self) -> Option<(usize, f64)> {
        let positive = |x: f64| x > 0.0 && x.is_finite();
        let bad = |b: &Rigid| {
            let diagonal = |i: &[f64; 9]| [i[0], i[4], i[8]];
            let masses = [b.mass, b.inverse_mass];
            let mut scales = masses.into_iter().chain(diagonal(&b.inertia));
            let all = b.inertia.iter().chain(&b.inverse_inertia);
            let inverse = diagonal(&b.inverse_inertia);
            scales
                .find(|x| !positive(*x))
                .or_else(|| inverse.into_iter().find(|x| !positive(*x)))
                .or_else(|| all.copied().find(|x| !x.is_finite()))
        };
        let mut bodies = self.bodies.iter().enumerate();
        bodies.find_map(|(i, b)| bad(b).map(|value| (i, value)))
    }

    /// Number of bodies.
    pub fn len(&self) -> usize {
        self.bodies.len()
    }

    /// Whether there is no body.
    pub fn is_empty(&self) -> bool {
        self.bodies.is_empty()
    }

    /// Block of body `b`.
    #[inline]
    pub fn block(&self, b: usize) -> Block6 {
        spatial(self.bodies[b].mass, &self.bodies[b].inertia)
    }

    /// Inverse block of body `b`.
    #[inline]
    pub fn inverse(&self, b: usize) -> Block6 {
        spatial(self.bodies[b].inverse_mass, &self.bodies[b].inverse_inertia)
    }

    /// Inertia of body `b` along the world axes, row by row, kg m².
    #[inline]
    pub fn inertia(&self, b: usize) -> &[f64; 9] {
        &self.bodies[b].inertia
    }

    /// Inverse of [`BlockDiag6::inertia`].
    #[inline]
    pub fn inverse_inertia(&self, b: usize) -> &[f64; 9] {
        &self.bodies[b].inverse_inertia
    }

    /// Σ diag M: three times each mass and the moments of inertia, kg and kg m².
    pub fn trace(&self) -> f64 {
        let of_block = |b| {
            let block = self.block(b);
            (0..6).map(|i| block[7 * i]).sum::<f64>()
        };
        (0..self.len()).map(of_block).sum()
    }

    /// out = M x.
    pub fn multiply(&self, x: &[f64], out: &mut [f64]) {
        for (b, (x, out)) in self.bodies.iter().zip(sixes(x, out)) {
            apply(b.mass, &b.inertia, x, out);
        }
    }

    /// max |M x|, N s; a NaN stays.
    pub fn greatest_momentum(&self, x: &[f64]) -> f64 {
        let mut greatest = 0.0;
        let mut momentum = [0.0; 6];
        for (b, x) in self.bodies.iter().zip(x.as_chunks().0) {
            apply(b.mass, &b.inertia, x, &mut momentum);
            for p in momentum {
                greatest = larger(greatest, p.abs());
            }
        }
        greatest
    }

    /// xᵀ M y.
    pub fn product(&self, x: &[f64], y: &[f64]) -> f64 {
        let mut sum = 0.0;
        let mut my = [0.0; 6];
        for (b, x) in x.chunks_exact(6).enumerate() {
            let body = &self.bodies[b];
            let rows = 6 * b..6 * b + 6;
            for (y, out) in sixes(&y[rows], &mut my) {
                apply(body.mass, &body.inertia, y, out);
            }
            sum += x.iter().zip(&my).map(|(x, m)| x * m).sum::<f64>();
        }
        sum
    }

    /// out = M⁻¹ x.
    pub fn solve(&self, x: &[f64], out: &mut [f64]) {
        for (b, (x, out)) in self.bodies.iter().zip(sixes(x, out)) {
            apply(b.inverse_mass, &b.inverse_inertia, x, out);
        }
    }

    /// jᵀ M_b⁻¹ j for a row j on body `b`.
    #[inline]
    pub fn inverse_square(&self, b: usize, j: &[f64; 6]) -> f64 {
        let Rigid {
            inverse_mass,
            inverse_inertia: i,
            ..
        } = &self.bodies[b];
        let [x, y, z, a, b, c] = *j;
        // The inertia is symmetric.
        let angular = a * (i[0] * a + 2.0 * (i[1] * b + i[2] * c))
            + b * (i[4] * b + 2.0 * i[5] * c)
            + i[8] * c * c;
        inverse_mass * (x * x + y * y + z * z) + angular
    }

    /// M_b⁻¹ j for a row j on body `b`.
    #[inline]
    pub fn solve_row(&self, b: usize, j: &[f64; 6]) -> [f64; 6] {
        let mut out = [0.0; 6];
        let body = &self.bodies[b];
        apply(body.inverse_mass, &body.inverse_inertia, j, &mut out);
        out
    }
}

/// Six values per body of `x` and of `out`.
fn sixes<'a>(
    x: &'a [f64],
    out: &'a mut [f64],
) -> impl Iterator<Item = (&'a [f64; 6], &'a mut [f64; 6])> {
    x.as_chunks().0.iter().zip(out.as_chunks_mut().0)
}

/// out = diag(m, m, m, I) x.
#[inline]
fn apply(m: f64, i: &[f64; 9], x: &[f64; 6], out: &mut [f64; 6]) {
    for r in 0..3 {
        out[r] = m * x[r];
        out[r + 3] = i[3 * r] * x[3] + i[3 * r + 1] * x[4] + i[3 * r + 2] * x[5];
    }
}

fn spatial(m: f64, i: &[f64; 9]) -> Block6 {
    let mut b = [0.0; 36];
    for r in 0..3 {
        b[7 * r] = m;
        for c in 0..3 {
            b[6 * (c + 3) + r + 3] = i[3 * r + c];
        }
    }
    b
}
