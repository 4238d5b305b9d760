//! Building blocks of joint types: `point`, `axis`, `twist`, `rotation`, `bearing`, and the labels of their rows. A
//! block with several rows fills the front of a slice.

use super::{Label, Relative, Row, Unit, unwrap_angle};
use crate::math::{Quat, Vec3, exp, left_jacobian_inverse, log};

/// Label of the translation along x.
pub const X: Label = ("x", Unit::Length);
/// Label of the translation along y.
pub const Y: Label = ("y", Unit::Length);
/// Label of the translation along z.
pub const Z: Label = ("z", Unit::Length);
/// Label of the rotation (or swing) about x.
pub const ROTATION_X: Label = ("rotation x", Unit::Angle);
/// Label of the rotation (or swing) about y.
pub const ROTATION_Y: Label = ("rotation y", Unit::Angle);
/// Label of the rotation about z.
pub const ROTATION_Z: Label = ("rotation z", Unit::Angle);
/// Label of the only angle of a joint.
pub const ANGLE: Label = ("angle", Unit::Angle);
/// Label of the angle about the x axis, the first of several.
pub const ANGLE_X: Label = ("angle x", Unit::Angle);
/// Label of the angle about the y axis, the second of several.
pub const ANGLE_Y: Label = ("angle y", Unit::Angle);
/// Label of the angle about the z axis, the third of several.
pub const ANGLE_Z: Label = ("angle z", Unit::Angle);

/// All six relative motions, [`points`] then [`rotation`] (or [`axis`]): a type that locks or frees consecutive ones
/// uses a sub-slice.
pub const POSE: &[Label] = &[X, Y, Z, ROTATION_X, ROTATION_Y, ROTATION_Z];

/// Below this squared length the direction of a two-vector counts as undefined.
const NO_DIRECTION: f64 = 1e-18;

/// Relative orientation by the angle `twist` (rad) about z.
#[inline]
pub fn about_z(twist: f64) -> Quat {
    exp(&Vec3::new(0.0, 0.0, twist))
}

/// The unit vector eᵢ.
#[inline]
fn unit(i: usize) -> Vec3 {
    Vec3::ith(i, 1.0)
}

/// Translation along base axis `i`: C = dᵢ, Ċ = eᵢ · v.
#[inline]
pub fn point(rel: &Relative, i: usize) -> Row {
    Row {
        value: rel.d[i],
        linear: unit(i),
        angular: Vec3::zeros(),
    }
}

/// All three translations: C = d, Ċ = v.
#[inline]
pub fn points(rel: &Relative, rows: &mut [Row]) {
    for (i, row) in rows.iter_mut().take(3).enumerate() {
        *row = point(rel, i);
    }
}

/// Alignment of the two z axes, two rows.
///
/// With z the follower's z axis in the base frame, C = 2 (e_z × z)_{x,y} / (1 + z_z), which is 2 tan(θ/2) about the
/// swing axis. It is monotone in the swing angle θ, so an axis that points the wrong way never counts as aligned. Ċ
/// from ż = ω × z.
#[inline]
pub fn axis(rel: &Relative, rows: &mut [Row]) {
    let z = rel.rotation * Vec3::z();
    // At θ = π the swing axis is undefined: the lower bound keeps the row finite (and huge).
    let k = 2.0 / (1.0 + z.z).max(1e-9);
    // d(z_z)/dω = z × e_z
    let dzz = Vec3::new(z.y, -z.x, 0.0);
    // value = k s with s = ∓ z_{y,x}: d = k ds − ½ k² s dz_z
    let row = |s: f64, ds: Vec3| Row {
        value: k * s,
        linear: Vec3::zeros(),
        angular: k * ds - (0.5 * k * k * s) * dzz,
    };
    // d(−z_y)/dω = −(z × e_y), d(z_x)/dω = z × e_x
    rows[0] = row(-z.y, Vec3::new(z.z, 0.0, -z.x));
    rows[1] = row(z.x, Vec3::new(0.0, z.z, -z.y));
}

/// Twist angle about z: q = 2 atan2(q_z, q_w), unwrapped to the turn nearest to `reference`.
///
/// From q̇ = ½ ω ∘ q: q̇ = (q_w q_y + q_z q_x, q_z q_y − q_w q_x, q_w² + q_z²) · ω / (q_w² + q_z²).
#[inline]
pub fn twist(rel: &Relative, reference: f64) -> Row {
    let q = rel.rotation.quaternion();
    let (x, y, z, w) = (q.i, q.j, q.k, q.w);
    // Both vanish only if the z axes are opposite: the angle is then undefined, and 0 is used.
    let n = (w * w + z * z).max(NO_DIRECTION);
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
///
/// |θ| ≤ π: at half a turn θ jumps to −θ (the same rotation).
#[inline]
pub fn rotation(rel: &Relative, rows: &mut [Row]) {
    let theta = log(&rel.rotation);
    let j = left_jacobian_inverse(&theta);
    for (i, row) in rows.iter_mut().take(3).enumerate() {
        *row = Row {
            value: theta[i],
            linear: Vec3::zeros(),
            angular: j.row(i).transpose(),
        };
    }
}

/// Whether a rotation vector jumps between two measurements of one motion: at half a turn, from θ to −θ.
pub fn rotation_jumps(from: &[f64], to: &[f64]) -> bool {
    let square: f64 = from.iter().zip(to).map(|(a, b)| (b - a) * (b - a)).sum();
    square > std::f64::consts::PI * std::f64::consts::PI
}

/// Entry (i, j) of the relative rotation matrix, one row: C = eᵢ · R e_j, Ċ = (R e_j × eᵢ) · ω.
#[inline]
pub fn entry(rel: &Relative, i: usize, j: usize) -> Row {
    let axis = rel.rotation * unit(j);
    Row {
        value: axis[i],
        linear: Vec3::zeros(),
        angular: axis.cross(&unit(i)),
    }
}

/// The angle q = atan2(s, c) of two rows, unwrapped to the turn nearest to `reference`:
/// q̇ = (c ṡ − s ċ) / (s² + c²).
#[inline]
pub fn bearing(s: &Row, c: &Row, reference: f64) -> Row {
    let n = s.value * s.value + c.value * c.value;
    // Without a direction there is no angle: keep the last one. The lower bound limits the rate.
    let value = if n < NO_DIRECTION {
        reference
    } else {
        unwrap_angle(s.value.atan2(c.value), reference)
    };
    let (ds, dc) = (c.value / n.max(NO_DIRECTION), s.value / n.max(NO_DIRECTION));
    Row {
        value,
        linear: ds * s.linear - dc * c.linear,
        angular: ds * s.angular - dc * c.angular,
    }
}
