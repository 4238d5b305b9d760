//! The sets that constraint impulses live in, and their projections [math.md §2].

use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Where the impulse λ of one constraint block lives.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum ImpulseSet {
    /// ℝᵐ: joints, couplings, armature, drives without effort limit.
    Free {
        /// Number of rows m.
        dim: usize,
    },
    /// ℝ₊: joint limits, frictionless contact.
    NonNegative,
    /// [−b, b]: dry friction, effort-limited drives.
    Interval {
        /// The bound b ≥ 0, N s or N m s.
        bound: f64,
    },
    /// ‖λ_T‖ ≤ μ λ_N, rows ordered (t₁, t₂, n): contacts.
    Coulomb {
        /// Friction coefficient μ ≥ 0.
        mu: f64,
    },
}

impl ImpulseSet {
    /// Number of rows.
    #[inline]
    pub fn dim(&self) -> usize {
        match *self {
            ImpulseSet::Free { dim } => dim,
            ImpulseSet::NonNegative | ImpulseSet::Interval { .. } => 1,
            ImpulseSet::Coulomb { .. } => 3,
        }
    }

    /// Whether λ is unrestricted.
    #[inline]
    pub fn is_free(&self) -> bool {
        matches!(self, ImpulseSet::Free { .. })
    }

    /// Euclidean projection P_K of `x`, in place.
    #[inline]
    pub fn project(&self, x: &mut [f64]) {
        match *self {
            ImpulseSet::Free { .. } => {}
            ImpulseSet::NonNegative => x[0] = x[0].max(0.0),
            ImpulseSet::Interval { bound } => x[0] = x[0].clamp(-bound, bound),
            ImpulseSet::Coulomb { mu } => project_cone(mu, x),
        }
    }

    /// Projection on the dual cone K*, in place. An interval is not a cone: its velocity is judged
    /// by the natural map alone [math.md §6], so here it stays as it is.
    pub fn project_dual(&self, x: &mut [f64]) {
        match *self {
            ImpulseSet::Free { .. } => x.fill(0.0),
            ImpulseSet::NonNegative => x[0] = x[0].max(0.0),
            ImpulseSet::Interval { .. } => {}
            // K* is the cone with 1/μ; for μ = 0 the half space x_N ≥ 0, never a division.
            ImpulseSet::Coulomb { mu: 0.0 } => x[2] = x[2].max(0.0),
            // Moreau: P_K*(x) = x + P_K(−x).
            ImpulseSet::Coulomb { mu } => {
                let mut minus = [-x[0], -x[1], -x[2]];
                project_cone(mu, &mut minus);
                for (x, m) in x.iter_mut().zip(minus) {
                    *x += m;
                }
            }
        }
    }

    /// The normal component μ‖σ_T‖ of the De Saxcé shift Γ(σ); zero but on contacts.
    #[inline]
    pub fn desaxce_shift(&self, sigma: &[f64]) -> f64 {
        match *self {
            ImpulseSet::Coulomb { mu } => mu * (sigma[0] * sigma[0] + sigma[1] * sigma[1]).sqrt(),
            _ => 0.0,
        }
    }
}

/// Projection on the Coulomb cone ‖x_T‖ ≤ μ x_N.
#[inline]
fn project_cone(mu: f64, x: &mut [f64]) {
    let (t1, t2, n) = (x[0], x[1], x[2]);
    let t = (t1 * t1 + t2 * t2).sqrt();
    if mu * t <= -n {
        // In the polar cone (for μ = 0: n ≤ 0): nearest is the apex.
        x.fill(0.0);
    } else if t > mu * n {
        let y = (n + mu * t) / (1.0 + mu * mu);
        // t > μ n and μ t > −n imply t > 0.
        let k = mu * y / t;
        x[0] = k * t1;
        x[1] = k * t2;
        x[2] = y;
    }
}

/// The product of the sets of all constraint blocks, in row order.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ImpulseSets {
    sets: Vec<ImpulseSet>,
    starts: Vec<usize>,
    rows: usize,
}

impl ImpulseSets {
    /// No sets.
    pub fn new() -> Self {
        Self::default()
    }

    /// Remove all sets, keeping the memory.
    pub fn clear(&mut self) {
        self.sets.clear();
        self.starts.clear();
        self.rows = 0;
    }

    /// Remove all but the first `blocks` sets.
    pub fn truncate(&mut self, blocks: usize) {
        if let Some(start) = self.starts.get(blocks) {
            self.rows = *start;
        }
        self.sets.truncate(blocks);
        self.starts.truncate(blocks);
    }

    /// Append the set of the next constraint block.
    pub fn push(&mut self, set: ImpulseSet) {
        self.sets.push(set);
        self.starts.push(self.rows);
        self.rows += set.dim();
    }

    /// Number of rows nd.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of blocks.
    pub fn len(&self) -> usize {
        self.sets.len()
    }

    /// Whether there is no block.
    pub fn is_empty(&self) -> bool {
        self.sets.is_empty()
    }

    /// Set of block `k`.
    #[inline]
    pub fn set(&self, k: usize) -> ImpulseSet {
        self.sets[k]
    }

    /// Rows of block `k`.
    #[inline]
    pub fn range(&self, k: usize) -> Range<usize> {
        self.starts[k]..self.starts[k] + self.sets[k].dim()
    }

    /// All blocks with their rows.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = (ImpulseSet, Range<usize>)> + '_ {
        self.sets
            .iter()
            .zip(&self.starts)
            .map(|(set, &start)| (*set, start..start + set.dim()))
    }

    /// Whether every block is free: an equality-only problem.
    pub fn all_free(&self) -> bool {
        self.sets.iter().all(ImpulseSet::is_free)
    }

    /// A set whose rows are not where they should be, or whose bound or μ is not a number ≥ 0, if any.
    pub(crate) fn malformed(&self) -> Option<usize> {
        if self.starts.len() != self.sets.len() {
            return Some(self.starts.len().min(self.sets.len()));
        }
        let mut row = 0;
        for (k, set) in self.sets.iter().enumerate() {
            let valid = match *set {
                ImpulseSet::Free { dim } => (1..=6).contains(&dim),
                ImpulseSet::NonNegative => true,
                ImpulseSet::Interval { bound: x } | ImpulseSet::Coulomb { mu: x } => x >= 0.0,
            };
            if !valid || self.starts[k] != row {
                return Some(k);
            }
            row += set.dim();
        }
        (row != self.rows).then_some(self.sets.len())
    }

    /// Number of contacts.
    pub fn contacts(&self) -> usize {
        self.sets
            .iter()
            .filter(|s| matches!(s, ImpulseSet::Coulomb { .. }))
            .count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The projection is the nearest point: no other point of a fine sample of K is nearer, and
    /// x − P(x) is normal to the cone.
    #[test]
    fn cone_projection_is_nearest_and_moreau_holds() {
        let mut seed = 1u64;
        let mut random = || {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            (seed >> 11) as f64 / (1u64 << 53) as f64 * 4.0 - 2.0
        };
        for mu in [0.0, 0.1, 0.7, 2.0] {
            let set = ImpulseSet::Coulomb { mu };
            for _ in 0..200 {
                let x = [random(), random(), random()];
                let mut y = x;
                set.project(&mut y);
                assert!(y[0].hypot(y[1]) <= mu * y[2] + 1e-14);
                let d: [f64; 3] = std::array::from_fn(|i| x[i] - y[i]);
                let dot: f64 = (0..3).map(|i| d[i] * y[i]).sum();
                assert!(dot.abs() < 1e-13, "x − P(x) ⟂ P(x)");
                for _ in 0..50 {
                    let (a, n) = (random() * 2.0, random().abs());
                    let k = [mu * n * a.cos(), mu * n * a.sin(), n];
                    let dk: f64 = (0..3).map(|i| d[i] * k[i]).sum();
                    assert!(dk < 1e-13, "x − P(x) is in the polar cone");
                }
                let mut dual = [-x[0], -x[1], -x[2]];
                set.project_dual(&mut dual);
                let sum: f64 = (0..3).map(|i| (x[i] - y[i] + dual[i]).abs()).sum();
                assert!(sum < 1e-13, "x = P_K(x) − P_K*(−x)");
            }
        }
    }
}
