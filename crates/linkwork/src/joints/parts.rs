//! Reusable parts that joint types are composed of: `point`, `axis`, `angle`.

use super::{Relative, Row, unwrap_angle};
use crate::math::{Vec3, left_jacobian_inverse, log};

/// Translation along base axis `i`: C = dᵢ, Ċ = eᵢ · v.
#[inline]
pub fn point(rel: &Relative, i: usize) -> Row {
    let mut linear = Vec3::zeros();
    linear[i] = 1.0;
    Row {
        value: rel.d[i],
        linear,
        angular: Vec3::zeros(),
    }
}

/// Alignment of the two z axes, two rows.
///
/// With z the follower's z axis in the base frame, C = 2 (e_z × z)_{x,y} / (1 + z_z), which is
/// 2 tan(θ/2) about the swing axis: monotone in the swing angle θ, so an axis turned the wrong way
/// round is never taken for an aligned one. Ċ from ż = ω × z.
#[inline]
pub fn axis(rel: &Relative) -> [Row; 2] {
    let z = rel.rotation * Vec3::z();
    // At θ = π the swing axis is undefined: the floor keeps the row finite (and huge).
    let k = 2.0 / (1.0 + z.z).max(1e-9);
    // d(z_z)/dω = z × e_z
    let dzz = Vec3::new(z.y, -z.x, 0.0);
    // value = k s with s = ∓ z_{y,x}: d = k ds − ½ k² s dz_z
    let row = |s: f64, ds: Vec3| Row {
        value: k * s,
        linear: Vec3::zeros(),
        angular: k * ds - (0.5 * k * k * s) * dzz,
    };
    [
        // d(−z_y)/dω = −(z × e_y), d(z_x)/dω = z × e_x
        row(-z.y, Vec3::new(z.z, 0.0, -z.x)),
        row(z.x, Vec3::new(0.0, z.z, -z.y)),
    ]
}

/// Twist angle about z: q = 2 atan2(q_z, q_w), unwrapped to the turn nearest to `reference`.
///
/// From q̇ = ½ ω ∘ q: q̇ = (q_w q_y + q_z q_x, q_z q_y − q_w q_x, q_w² + q_z²) · ω / (q_w² + q_z²).
#[inline]
pub fn twist(rel: &Relative, reference: f64) -> Row {
    let q = rel.rotation.quaternion();
    let (x, y, z, w) = (q.i, q.j, q.k, q.w);
    // Both vanish only where the z axes are opposite: the angle is then undefined, 0 will do.
    let n = (w * w + z * z).max(1e-18);
    Row {
        value: unwrap_angle(2.0 * z.atan2(w), reference),
        linear: Vec3::zeros(),
        angular: Vec3::new(
            (w * y + z * x) / n,
            (z * y - w * x) / n,
            (w * w + z * z) / n,
        ),
    }
}

/// The whole relative rotation as a rotation vector θ, three rows: θ̇ = J_l⁻¹(θ) ω.
#[inline]
pub fn rotation(rel: &Relative) -> [Row; 3] {
    let theta = log(&rel.rotation);
    let j = left_jacobian_inverse(&theta);
    [0, 1, 2].map(|i| Row {
        value: theta[i],
        linear: Vec3::zeros(),
        angular: j.row(i).transpose(),
    })
}
