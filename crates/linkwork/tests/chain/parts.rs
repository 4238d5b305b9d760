//! Random chains and their rows.

use linkwork::joints::{Chain, ChainLink, JointType, Relative, Row};
use linkwork::math::{Vec3, exp};

/// Marsaglia's xorshift64*: small, and the same numbers on every machine.
pub struct Random(pub u64);

impl Random {
    /// Uniform in [−bound, bound].
    pub fn number(&mut self, bound: f64) -> f64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let bits = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 11;
        bound * (2.0 * bits as f64 / (1u64 << 53) as f64 - 1.0)
    }

    pub fn vector(&mut self, bound: f64) -> Vec3 {
        Vec3::from_fn(|_, _| self.number(bound))
    }

    pub fn relative(&mut self, shift: f64, turn: f64) -> Relative {
        Relative {
            d: self.vector(shift),
            rotation: exp(&self.vector(turn)),
        }
    }

    /// A chain of `n` links with any axes and anchors.
    pub fn chain(&mut self, n: usize) -> Chain {
        // More than three slides always depend on each other.
        let slides = (self.number(2.0).abs() + 0.5) as usize;
        let mut link = |i: usize| ChainLink {
            slide: i % 2 == 1 && i / 2 < slides,
            axis: self.vector(1.0).normalize(),
            anchor: self.vector(0.3),
            offset: self.number(0.5),
        };
        let links = (0..n).map(&mut link).collect();
        Chain { links }
    }
}

pub fn constrained(joint: &dyn JointType, rel: &Relative, turns: &[f64]) -> Vec<Row> {
    let mut rows = vec![Row::ZERO; joint.locked().len()];
    joint.constrain(rel, turns, &mut rows);
    rows
}

pub fn measured(joint: &dyn JointType, rel: &Relative, turns: &[f64]) -> Vec<Row> {
    let mut rows = vec![Row::ZERO; joint.coordinates().len()];
    joint.measure(rel, turns, &mut rows);
    rows
}

pub fn values(rows: &[Row]) -> Vec<f64> {
    rows.iter().map(|row| row.value).collect()
}

pub fn distance(a: &Row, b: &Row) -> f64 {
    let value = (a.value - b.value).abs();
    value.max((a.linear - b.linear).norm() + (a.angular - b.angular).norm())
}

/// Largest difference of two lists of rows, values and derivatives.
pub fn difference(a: &[Row], b: &[Row]) -> f64 {
    assert_eq!(a.len(), b.len());
    let pairs = a.iter().zip(b).map(|(a, b)| distance(a, b));
    pairs.fold(0.0, f64::max)
}

/// Hinges through the origin.
pub fn hinges(axes: &[Vec3]) -> Chain {
    let links = axes.iter().map(|a| ChainLink::hinge(*a, Vec3::zeros()));
    Chain {
        links: links.collect(),
    }
}
