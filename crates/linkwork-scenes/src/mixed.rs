//! Boxes, cylinders, capsules and spheres of random size, mass and orientation.

use super::parts::{Solid, cuboid};
use linkwork::math::{Pose, Quat, Vec3};
use linkwork::model::{Geometry, Material, ModelBuilder};
use std::f64::consts::TAU;

/// Distance between places that solids start from, m: more than the largest one's diameter.
pub(super) const SPACING: f64 = 0.16;

/// Solids, one after the other.
pub(super) struct Mixed {
    random: Random,
    material: Material,
    count: usize,
}

impl Mixed {
    /// Solids of one material; the same ones for the same seed.
    pub(super) fn new(seed: f64, material: Material) -> Self {
        Self {
            random: Random(seed as u64),
            material,
            count: 0,
        }
    }

    /// Add the next one, of 0.3 to 1 kg, with its centre at `at` (m).
    pub(super) fn add(&mut self, b: &mut ModelBuilder, at: Vec3) {
        let random = &mut self.random;
        let geometry = random.geometry();
        let name = format!("solid{}", self.count);
        Solid::new(name, random.within(0.3, 1.0), geometry)
            .pose(Pose::new(at, random.rotation()))
            .material(self.material)
            .add(b);
        self.count += 1;
    }
}

/// Reproducible pseudo-random numbers (SplitMix64, Steele et al. 2014).
struct Random(u64);

impl Random {
    /// Uniform in [min, max).
    fn within(&mut self, min: f64, max: f64) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        // The upper 53 bits as a fraction of one.
        min + (max - min) * ((z >> 11) as f64 / (1u64 << 53) as f64)
    }

    /// Uniform over all rotations (Shoemake 1992).
    fn rotation(&mut self) -> Quat {
        let (u, a, b) = (
            self.within(0.0, 1.0),
            self.within(0.0, TAU),
            self.within(0.0, TAU),
        );
        let (r, s) = ((1.0 - u).sqrt(), u.sqrt());
        Quat::new_normalize(nalgebra::Quaternion::new(
            r * a.sin(),
            r * a.cos(),
            s * b.sin(),
            s * b.cos(),
        ))
    }

    /// A form that fits a ball of diameter [`SPACING`]; few spheres, since nothing slows rolling.
    fn geometry(&mut self) -> Geometry {
        let kind = self.within(0.0, 1.0);
        if kind < 0.45 {
            cuboid(
                self.within(0.025, 0.045),
                self.within(0.025, 0.045),
                self.within(0.025, 0.045),
            )
        } else if kind < 0.65 {
            Geometry::Cylinder {
                radius: self.within(0.025, 0.04),
                half_length: self.within(0.025, 0.045),
            }
        } else if kind < 0.85 {
            Geometry::Capsule {
                radius: self.within(0.025, 0.035),
                half_length: self.within(0.02, 0.04),
            }
        } else {
            Geometry::Sphere {
                radius: self.within(0.025, 0.045),
            }
        }
    }
}
