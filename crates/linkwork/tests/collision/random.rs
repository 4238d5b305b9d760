//! Reproducible random numbers.

use linkwork::math::{Quat, Vec3, exp};

/// A small deterministic generator (splitmix64).
pub struct Random(pub u64);

impl Random {
    pub fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub fn between(&mut self, lo: f64, hi: f64) -> f64 {
        lo + (hi - lo) * self.unit()
    }

    pub fn direction(&mut self) -> Vec3 {
        loop {
            let mut between = || self.between(-1.0, 1.0);
            let v = Vec3::new(between(), between(), between());
            if (0.01..1.0).contains(&v.norm()) {
                return v.normalize();
            }
        }
    }

    pub fn rotation(&mut self) -> Quat {
        exp(&(self.direction() * self.between(0.0, 3.0)))
    }
}
