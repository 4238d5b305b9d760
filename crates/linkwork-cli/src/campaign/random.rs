//! Random numbers that are the same on every machine.

use linkwork::math::{Quat, Vec3};

/// Marsaglia's xorshift64*.
pub struct Random(u64);

impl Random {
    /// The numbers of mechanism `index` of a campaign.
    pub fn new(seed: u64, index: u64) -> Self {
        let mixed = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15)
            ^ (index + 1).wrapping_mul(0xd134_2543_de82_ef95);
        let mut random = Self(mixed | 1);
        for _ in 0..8 {
            random.unit();
        }
        random
    }

    /// Uniform in [0, 1).
    pub fn unit(&mut self) -> f64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Uniform in [a, b).
    pub fn between(&mut self, a: f64, b: f64) -> f64 {
        a + (b - a) * self.unit()
    }

    /// Uniform in the exponent, from 10ᵃ to 10ᵇ.
    pub fn decades(&mut self, a: f64, b: f64) -> f64 {
        10f64.powf(self.between(a, b))
    }

    /// Uniform in 0 … n − 1.
    pub fn below(&mut self, n: usize) -> usize {
        ((self.unit() * n as f64) as usize).min(n - 1)
    }

    /// True in so many of all cases.
    pub fn chance(&mut self, share: f64) -> bool {
        self.unit() < share
    }

    /// Uniform in the cube [−1, 1]³.
    pub fn vector(&mut self) -> Vec3 {
        Vec3::from_fn(|_, _| self.between(-1.0, 1.0))
    }

    /// Any rotation.
    pub fn rotation(&mut self) -> Quat {
        Quat::from_scaled_axis(std::f64::consts::PI * self.vector())
    }
}
