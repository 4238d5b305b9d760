//! Mass, centre of mass and rotational inertia of solids.

use super::{Mat3, Quat, Vec3};

/// Mass properties of a rigid body in its own frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MassProperties {
    /// Mass, kg.
    pub mass: f64,
    /// Centre of mass in the body frame, m.
    pub com: Vec3,
    /// Inertia about the centre of mass along the body axes, kg m².
    pub inertia: Mat3,
}

impl MassProperties {
    /// A body with the given principal moments (kg m²) along its axes, centred on its frame.
    pub fn principal(mass: f64, moments: Vec3) -> Self {
        Self {
            mass,
            com: Vec3::zeros(),
            inertia: Mat3::from_diagonal(&moments),
        }
    }

    /// A solid box with the given half extents (m).
    pub fn solid_box(mass: f64, half: Vec3) -> Self {
        let s = half.component_mul(&half) * (mass / 3.0);
        Self::principal(mass, Vec3::new(s.y + s.z, s.z + s.x, s.x + s.y))
    }

    /// A solid sphere of the given radius (m).
    pub fn solid_sphere(mass: f64, radius: f64) -> Self {
        Self::principal(mass, Vec3::repeat(0.4 * mass * radius * radius))
    }

    /// A solid ellipsoid with the given semi-axes (m).
    pub fn solid_ellipsoid(mass: f64, radii: Vec3) -> Self {
        let s = radii.component_mul(&radii) * (mass / 5.0);
        Self::principal(mass, Vec3::new(s.y + s.z, s.z + s.x, s.x + s.y))
    }

    /// A solid cylinder along z with the given radius and half length (m).
    pub fn solid_cylinder(mass: f64, radius: f64, half_length: f64) -> Self {
        let axial = 0.5 * mass * radius * radius;
        let radial = 0.5 * axial + mass * half_length * half_length / 3.0;
        Self::principal(mass, Vec3::new(radial, radial, axial))
    }

    /// A solid capsule along z with the given radius and half length of the segment (m).
    pub fn solid_capsule(mass: f64, radius: f64, half_length: f64) -> Self {
        let (r, h) = (radius, half_length);
        // Volumes over pi: cylinder 2 h r², two half balls 4/3 r³.
        let (vc, vs) = (2.0 * h * r * r, 4.0 / 3.0 * r * r * r);
        let (mc, ms) = (mass * vc / (vc + vs), mass * vs / (vc + vs));
        let axial = 0.5 * mc * r * r + 0.4 * ms * r * r;
        let radial = mc * (0.25 * r * r + h * h / 3.0) + ms * (0.4 * r * r + h * h + 0.75 * h * r);
        Self::principal(mass, Vec3::new(radial, radial, axial))
    }

    /// The same body with its centre of mass moved to `com` (m) in the body frame.
    pub fn with_com(self, com: Vec3) -> Self {
        Self { com, ..self }
    }

    /// The same body turned by `rotation` about its centre of mass.
    pub fn rotated(self, rotation: &Quat) -> Self {
        let r = rotation.to_rotation_matrix();
        Self {
            inertia: r * self.inertia * r.transpose(),
            ..self
        }
    }
}

/// Principal moments of a symmetric inertia (kg m²), ascending.
pub fn principal_moments(inertia: &Mat3) -> Vec3 {
    let mut m = inertia.symmetric_eigenvalues();
    m.as_mut_slice().sort_by(f64::total_cmp);
    m
}

/// Inverse of a symmetric positive definite 3x3 matrix by cofactors.
#[inline]
pub fn symmetric_inverse(a: &Mat3) -> Mat3 {
    let (xx, xy, xz) = (a[(0, 0)], a[(0, 1)], a[(0, 2)]);
    let (yy, yz, zz) = (a[(1, 1)], a[(1, 2)], a[(2, 2)]);
    let cxx = yy * zz - yz * yz;
    let cxy = xz * yz - xy * zz;
    let cxz = xy * yz - xz * yy;
    let d = 1.0 / (xx * cxx + xy * cxy + xz * cxz);
    let (cyy, cyz, czz) = (xx * zz - xz * xz, xy * xz - xx * yz, xx * yy - xy * xy);
    Mat3::new(cxx, cxy, cxz, cxy, cyy, cyz, cxz, cyz, czz) * d
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn capsule_inertia_matches_a_sum_over_slices() {
        let (m, r, h) = (2.0, 0.3, 0.5);
        let n = 200_000;
        let dz = 2.0 * (h + r) / n as f64;
        let (mut v, mut axial, mut radial) = (0.0, 0.0, 0.0);
        for i in 0..n {
            let z = -h - r + (i as f64 + 0.5) * dz;
            let over = (z.abs() - h).max(0.0);
            let a2 = r * r - over * over;
            v += a2 * dz;
            axial += 0.5 * a2 * a2 * dz;
            radial += (0.25 * a2 * a2 + a2 * z * z) * dz;
        }
        let solid = MassProperties::solid_capsule(m, r, h).inertia;
        assert!((solid[(2, 2)] - m * axial / v).abs() < 1e-8);
        assert!((solid[(0, 0)] - m * radial / v).abs() < 1e-8);
    }

    #[test]
    fn symmetric_inverse_inverts() {
        let a = Mat3::new(4.0, 1.0, -0.5, 1.0, 3.0, 0.2, -0.5, 0.2, 2.0);
        assert!((a * symmetric_inverse(&a) - Mat3::identity()).norm() < 1e-15);
    }
}
