//! Shells: surfaces through a stack of ellipses, and the mass properties of the enclosed solid.

use linkwork::math::{MassProperties, Mat3, Vec3};
use std::f64::consts::TAU;

/// An ellipse across z.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ring {
    z: f64,
    x: f64,
    rx: f64,
    ry: f64,
}

impl Ring {
    /// At height `z`, with semi-axes `rx` and `ry`; m.
    pub(crate) const fn new(z: f64, rx: f64, ry: f64) -> Self {
        Self { z, x: 0.0, rx, ry }
    }

    /// Its centre shifted along x, m.
    pub(crate) const fn shifted(self, x: f64) -> Self {
        Self { x, ..self }
    }

    fn point(&self, k: usize, of: usize) -> Vec3 {
        let (s, c) = (TAU * k as f64 / of as f64).sin_cos();
        Vec3::new(self.x + self.rx * c, self.ry * s, self.z)
    }
}

/// Corners of rings with `n` corners each, in turn.
fn points(rings: &[Ring], n: usize) -> Vec<Vec3> {
    let on_ring = |r: &Ring| (0..n).map(|k| r.point(k, n)).collect::<Vec<_>>();
    rings.iter().flat_map(on_ring).collect()
}

/// The closed surface through the rings (at least two, ascending), `n` corners each, with flat ends.
pub(super) fn surface(rings: &[Ring], n: usize) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let at = |ring: usize, k: usize| (ring * n + k % n) as u32;
    let mut triangles = Vec::with_capacity(2 * n * rings.len());
    for ring in 1..rings.len() {
        for k in 0..n {
            let [a, b] = [at(ring - 1, k), at(ring - 1, k + 1)];
            let [c, d] = [at(ring, k), at(ring, k + 1)];
            triangles.extend([[a, b, d], [a, d, c]]);
        }
    }
    let top = rings.len() - 1;
    for k in 1..n - 1 {
        triangles.push([at(0, 0), at(0, k + 1), at(0, k)]);
        triangles.push([at(top, 0), at(top, k), at(top, k + 1)]);
    }
    (points(rings, n), triangles)
}

/// Mass properties of the homogeneous solid of density 1 within a closed surface: the sum over the
/// tetrahedra from the origin to each triangle, with ∫ x xᵀ = V/20 (Σ v vᵀ + s sᵀ), s = Σ v.
pub(super) fn enclosed(vertices: &[Vec3], triangles: &[[u32; 3]]) -> MassProperties {
    let (mut volume, mut first, mut second) = (0.0, Vec3::zeros(), Mat3::zeros());
    for triangle in triangles {
        let [a, b, c] = triangle.map(|i| vertices[i as usize]);
        let v = a.dot(&b.cross(&c)) / 6.0;
        let s = a + b + c;
        let squares = [a, b, c, s].map(|p| p * p.transpose()).iter().sum::<Mat3>();
        volume += v;
        first += s * (v / 4.0);
        second += squares * (v / 20.0);
    }
    let com = first / volume;
    let central = second - com * com.transpose() * volume;
    MassProperties {
        mass: volume,
        com,
        inertia: Mat3::identity() * central.trace() - central,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lofted_cylinder_has_the_mass_properties_of_one() {
        let rings = [Ring::new(-0.3, 0.2, 0.2), Ring::new(0.3, 0.2, 0.2)];
        let (v, t) = surface(&rings.map(|r| r.shifted(0.5)), 400);
        let found = enclosed(&v, &t);
        let volume = 0.6 * std::f64::consts::PI * 0.04;
        let exact = MassProperties::solid_cylinder(volume, 0.2, 0.3);
        assert!((found.mass / volume - 1.0).abs() < 1e-3);
        assert!((found.com - Vec3::new(0.5, 0.0, 0.0)).norm() < 1e-12);
        assert!((found.inertia - exact.inertia).norm() < 1e-3 * exact.inertia.norm());
    }
}
