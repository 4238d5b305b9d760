//! The exponential map of rotations and what comes with it.

use super::{Mat3, Quat, Vec3};
use nalgebra::{Quaternion, Unit};

/// Rotation by the rotation vector `v` (rad).
#[inline]
pub fn exp(v: &Vec3) -> Quat {
    let t2 = v.norm_squared();
    // sin(t/2)/t and cos(t/2). Rotations in a step are small: the series has full precision up to a tenth of a radian.
    let (s, c) = if t2 < 1e-2 {
        let y = 0.25 * t2;
        (
            0.5 - y * (1.0 / 12.0 - y * (1.0 / 240.0 - y * (1.0 / 10080.0 - y / 725_760.0))),
            1.0 - y * (0.5 - y * (1.0 / 24.0 - y * (1.0 / 720.0 - y / 40320.0))),
        )
    } else {
        let t = t2.sqrt();
        let (sin, cos) = (0.5 * t).sin_cos();
        (sin / t, cos)
    };
    Unit::new_unchecked(Quaternion::new(c, s * v.x, s * v.y, s * v.z))
}

/// Rotation vector (rad, norm at most pi) of a rotation.
pub fn log(q: &Quat) -> Vec3 {
    // q and -q are the same rotation: take the shorter one.
    let (w, v) = if q.w < 0.0 {
        (-q.w, -q.imag())
    } else {
        (q.w, q.imag())
    };
    let s = v.norm();
    if s < 1e-5 {
        v * (2.0 / w) * (1.0 - s * s / (3.0 * w * w))
    } else {
        v * (2.0 * s.atan2(w) / s)
    }
}

/// The matrix of the cross product with `v`: w ↦ v × w.
pub fn cross_matrix(v: &Vec3) -> Mat3 {
    Mat3::new(0.0, -v.z, v.y, v.z, 0.0, -v.x, -v.y, v.x, 0.0)
}

/// J_l⁻¹ of the rotation vector `t`: if R = exp(t) turns with angular velocity w, the rate of t is J_l⁻¹(t) w.
pub fn left_jacobian_inverse(t: &Vec3) -> Mat3 {
    let k = left_jacobian_inverse_factor(t);
    let x = cross_matrix(t);
    let double = t * t.transpose() - Mat3::from_diagonal_element(t.norm_squared());
    Mat3::identity() - 0.5 * x + k * double
}

/// k of J_l⁻¹(t) = 1 − ½t× + k t×t×.
pub(crate) fn left_jacobian_inverse_factor(t: &Vec3) -> f64 {
    let a2 = t.norm_squared();
    if a2 < 1e-4 {
        1.0 / 12.0 + a2 / 720.0 + a2 * a2 / 30240.0
    } else {
        let a = a2.sqrt();
        (1.0 - 0.5 * a * (0.5 * a).cos() / (0.5 * a).sin()) / a2
    }
}

/// Two unit vectors that complete the unit vector `n` to a right-handed frame (t1, t2, n).
///
/// Continuous except across n.z = 0⁻, and the same bits for the same `n` (Duff et al. 2017).
pub fn tangent_basis(n: &Vec3) -> (Vec3, Vec3) {
    let sign = if n.z < 0.0 { -1.0 } else { 1.0 };
    let a = -1.0 / (sign + n.z);
    let b = n.x * n.y * a;
    (
        Vec3::new(1.0 + sign * n.x * n.x * a, sign * b, -sign * n.x),
        Vec3::new(b, sign + n.y * n.y * a, -n.y),
    )
}

/// The shortest rotation that takes the unit vector `a` to the unit vector `b`.
pub fn rotation_between(a: &Vec3, b: &Vec3) -> Quat {
    let w = 1.0 + a.dot(b);
    if w < 1e-12 {
        // Opposite vectors: any axis perpendicular to a will do.
        let (t, _) = tangent_basis(a);
        return Unit::new_unchecked(Quaternion::new(0.0, t.x, t.y, t.z));
    }
    let v = a.cross(b);
    Unit::new_normalize(Quaternion::new(w, v.x, v.y, v.z))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn log_inverts_exp_from_tiny_to_nearly_a_half_turn() {
        for angle in [0.0, 1e-12, 1e-6, 1e-4, 1e-3, 0.1, 1.0, 3.0, 3.1] {
            let v = Vec3::new(1.0, -2.0, 0.5).normalize() * angle;
            assert!(
                (log(&exp(&v)) - v).norm() <= 4e-15 * (1.0 + angle),
                "{angle}"
            );
        }
    }

    #[test]
    fn tangent_basis_is_right_handed_and_orthonormal() {
        for n in [
            Vec3::z(),
            -Vec3::z(),
            Vec3::x(),
            Vec3::new(1.0, -2.0, -0.3).normalize(),
        ] {
            let (t1, t2) = tangent_basis(&n);
            assert!((t1.cross(&t2) - n).norm() < 1e-15);
            assert!((t1.norm() - 1.0).abs() < 1e-15);
        }
    }

    #[test]
    fn left_jacobian_inverse_is_the_derivative_of_log() {
        let w = Vec3::new(0.3, -0.7, 0.2);
        for angle in [1e-3, 0.02, 1.0, 2.5] {
            let t = Vec3::new(-1.0, 0.4, 2.0).normalize() * angle;
            let e = 1e-6;
            let fd =
                (log(&(exp(&(e * w)) * exp(&t))) - log(&(exp(&(-e * w)) * exp(&t)))) / (2.0 * e);
            assert!((fd - left_jacobian_inverse(&t) * w).norm() < 1e-9);
        }
    }
}
