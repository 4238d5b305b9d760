//! Vectors, quaternions and matrices of eight worlds at once: the formulas of [`crate::math`], one world per lane.

use crate::math;
use linkwork_solve::{Arithmetic, WIDE, Wide};

/// An expression for each of three components; see `each` of [`Wide`] for why it is no closure.
macro_rules! three {
    ($i:ident => $value:expr) => {
        [
            {
                let $i = 0;
                $value
            },
            {
                let $i = 1;
                $value
            },
            {
                let $i = 2;
                $value
            },
        ]
    };
}
pub(super) use three;

/// A vector.
pub(super) type V3 = [Wide; 3];
/// A matrix by rows.
pub(super) type M3 = [V3; 3];
/// A unit quaternion w, x, y, z.
pub(super) type Quat = [Wide; 4];
/// Linear and angular velocity, or force and torque, of a body.
pub(super) type Six = [Wide; 6];

pub(super) const ZERO: V3 = [Wide::ZERO; 3];

/// A rigid placement.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pose {
    pub position: V3,
    pub rotation: Quat,
}

impl Pose {
    /// The world's frame.
    pub const IDENTITY: Self = Self {
        position: ZERO,
        rotation: [Wide::ONE, Wide::ZERO, Wide::ZERO, Wide::ZERO],
    };

    /// Put the pose of a world into its lane.
    pub fn set(&mut self, lane: usize, pose: &math::Pose) {
        set3(&mut self.position, lane, &pose.position);
        for (own, x) in self.rotation.iter_mut().zip(pose.quaternion()) {
            own.0[lane] = x;
        }
    }

    /// The pose of the world in a lane.
    pub fn get(&self, lane: usize) -> math::Pose {
        math::Pose::new(get3(&self.position, lane), get_quat(&self.rotation, lane))
    }

    /// The placement of a frame given in local coordinates.
    #[inline(always)]
    pub fn compose<A: Arithmetic>(&self, local: &Self) -> Self {
        Self {
            position: add(
                &self.position,
                &rotate::<A>(&self.rotation, &local.position),
            ),
            rotation: multiply::<A>(&self.rotation, &local.rotation),
        }
    }
}

/// The rotation of the world in a lane.
pub(super) fn get_quat(q: &Quat, lane: usize) -> math::Quat {
    let (w, x, y, z) = (q[0].0[lane], q[1].0[lane], q[2].0[lane], q[3].0[lane]);
    nalgebra::Unit::new_unchecked(nalgebra::Quaternion::new(w, x, y, z))
}

/// Put the vector of a world into its lane.
pub(super) fn set3(own: &mut V3, lane: usize, v: &math::Vec3) {
    (0..3).for_each(|i| own[i].0[lane] = v[i]);
}

/// The vector of the world in a lane.
pub(super) fn get3(own: &V3, lane: usize) -> math::Vec3 {
    math::Vec3::new(own[0].0[lane], own[1].0[lane], own[2].0[lane])
}

/// Put the matrix of a world into its lane.
pub(super) fn set9(own: &mut M3, lane: usize, m: &math::Mat3) {
    for (i, row) in own.iter_mut().enumerate() {
        (0..3).for_each(|j| row[j].0[lane] = m[(i, j)]);
    }
}

#[inline(always)]
pub(super) fn add(a: &V3, b: &V3) -> V3 {
    three!(i => a[i] + b[i])
}

#[inline(always)]
pub(super) fn sub(a: &V3, b: &V3) -> V3 {
    three!(i => a[i] - b[i])
}

#[inline(always)]
pub(super) fn scale(s: Wide, a: &V3) -> V3 {
    three!(i => s * a[i])
}

/// a + s b.
#[inline(always)]
pub(super) fn add_scaled<A: Arithmetic>(a: &V3, s: Wide, b: &V3) -> V3 {
    three!(i => a[i].madd::<A>(s, b[i]))
}

#[inline(always)]
pub(super) fn dot<A: Arithmetic>(a: &V3, b: &V3) -> Wide {
    (a[0] * b[0]).madd::<A>(a[1], b[1]).madd::<A>(a[2], b[2])
}

#[inline(always)]
pub(super) fn cross<A: Arithmetic>(a: &V3, b: &V3) -> V3 {
    [
        (a[1] * b[2]).msub::<A>(a[2], b[1]),
        (a[2] * b[0]).msub::<A>(a[0], b[2]),
        (a[0] * b[1]).msub::<A>(a[1], b[0]),
    ]
}

/// M v.
#[inline(always)]
pub(super) fn transform<A: Arithmetic>(m: &M3, v: &V3) -> V3 {
    three!(i => dot::<A>(&m[i], v))
}

/// Mᵀ v.
#[inline(always)]
pub(super) fn transform_back<A: Arithmetic>(m: &M3, v: &V3) -> V3 {
    three!(i => (m[0][i] * v[0])
        .madd::<A>(m[1][i], v[1])
        .madd::<A>(m[2][i], v[2]))
}

/// A B.
#[inline(always)]
pub(super) fn product<A: Arithmetic>(a: &M3, b: &M3) -> M3 {
    three!(i => three!(j => (a[i][0] * b[0][j])
        .madd::<A>(a[i][1], b[1][j])
        .madd::<A>(a[i][2], b[2][j])))
}

/// R S Rᵀ of a symmetric S.
#[inline(always)]
pub(super) fn congruent<A: Arithmetic>(r: &M3, s: &M3) -> M3 {
    let rs = product::<A>(r, s);
    let mut out = [ZERO; 3];
    for i in 0..3 {
        for j in i..3 {
            out[i][j] = dot::<A>(&rs[i], &r[j]);
            out[j][i] = out[i][j];
        }
    }
    out
}

/// The rotation matrix of a unit quaternion.
#[inline(always)]
pub(super) fn matrix(q: &Quat) -> M3 {
    let [w, x, y, z] = *q;
    let (ww, xx, yy, zz) = (w * w, x * x, y * y, z * z);
    let (dx, dy, dw) = (x + x, y + y, w + w);
    let (xy, xz, yz) = (dx * y, dx * z, dy * z);
    let (wx, wy, wz) = (dw * x, dw * y, dw * z);
    [
        [ww + xx - yy - zz, xy - wz, wy + xz],
        [wz + xy, ww - xx + yy - zz, yz - wx],
        [xz - wy, wx + yz, ww - xx - yy + zz],
    ]
}

/// The vector turned by a unit quaternion.
#[inline(always)]
pub(super) fn rotate<A: Arithmetic>(q: &Quat, v: &V3) -> V3 {
    let axis = [q[1], q[2], q[3]];
    let t = cross::<A>(&axis, v);
    let t = add(&t, &t);
    add(&add_scaled::<A>(v, q[0], &t), &cross::<A>(&axis, &t))
}

/// a ∘ b.
#[inline(always)]
pub(super) fn multiply<A: Arithmetic>(a: &Quat, b: &Quat) -> Quat {
    let [aw, ax, ay, az] = *a;
    let [bw, bx, by, bz] = *b;
    [
        (aw * bw)
            .msub::<A>(ax, bx)
            .msub::<A>(ay, by)
            .msub::<A>(az, bz),
        (aw * bx)
            .madd::<A>(ax, bw)
            .madd::<A>(ay, bz)
            .msub::<A>(az, by),
        (aw * by)
            .msub::<A>(ax, bz)
            .madd::<A>(ay, bw)
            .madd::<A>(az, bx),
        (aw * bz)
            .madd::<A>(ax, by)
            .msub::<A>(ay, bx)
            .madd::<A>(az, bw),
    ]
}

/// The inverse of a unit quaternion.
#[inline(always)]
pub(super) fn inverse(q: &Quat) -> Quat {
    [q[0], -q[1], -q[2], -q[3]]
}

/// The quaternion at length 1.
#[inline(always)]
pub(super) fn normalise<A: Arithmetic>(q: &Quat) -> Quat {
    let square = (q[0] * q[0])
        .madd::<A>(q[1], q[1])
        .madd::<A>(q[2], q[2])
        .madd::<A>(q[3], q[3]);
    let length = square.sqrt();
    let inverse = Wide::ONE / length;
    [
        q[0] * inverse,
        q[1] * inverse,
        q[2] * inverse,
        q[3] * inverse,
    ]
}

/// [`crate::math::exp`]: rotation by the rotation vector `v`, rad.
#[inline(always)]
pub(super) fn exp<A: Arithmetic>(v: &V3) -> Quat {
    let t2 = dot::<A>(v, v);
    let y = 0.25 * t2;
    let all = Wide::all;
    let s = all(1.0 / 10080.0).msub::<A>(y, all(1.0 / 725_760.0));
    let s = all(1.0 / 240.0).msub::<A>(y, s);
    let s = all(1.0 / 12.0).msub::<A>(y, s);
    let s = all(0.5).msub::<A>(y, s);
    let c = all(1.0 / 720.0).msub::<A>(y, all(1.0 / 40320.0));
    let c = all(1.0 / 24.0).msub::<A>(y, c);
    let c = all(0.5).msub::<A>(y, c);
    let c = all(1.0).msub::<A>(y, c);
    let mut q = [c, s * v[0], s * v[1], s * v[2]];
    // Beyond the series, lane by lane.
    if !t2.all_less(all(1e-2)) {
        for lane in 0..WIDE {
            if t2.0[lane] >= 1e-2 {
                let turned = math::exp(&get3(v, lane));
                let turned = [turned.w, turned.i, turned.j, turned.k];
                (0..4).for_each(|i| q[i].0[lane] = turned[i]);
            }
        }
    }
    q
}

/// Linear and angular part together.
#[inline(always)]
pub(super) fn join(a: &V3, b: &V3) -> Six {
    [a[0], a[1], a[2], b[0], b[1], b[2]]
}

/// (atan t − t)/t³ as a polynomial in t² for |t| ≤ tan π/8, by interpolation at Chebyshev's points: off by 3e-18 of atan t.
const ARC_TANGENT: [f64; 12] = [
    -0.3333333333333333,
    0.19999999999999804,
    -0.14285714285659828,
    0.11111111105155447,
    -0.09090908753500877,
    0.07692296375032143,
    -0.06666424885738255,
    0.05878928997834775,
    -0.05230454270650244,
    0.04551593220626549,
    -0.034570561981427744,
    0.016285756855221028,
];

/// The angle of the point (x, y), in −π … π; no number at the origin.
#[inline(always)]
pub(super) fn atan2<A: Arithmetic>(y: Wide, x: Wide) -> Wide {
    use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI, SQRT_2};
    let (high, low) = (y.abs().max(x.abs()), y.abs().min(x.abs()));
    // Beyond π/8 as the difference to π/4.
    let bound = Wide::all(SQRT_2 - 1.0) * high;
    let t = bound.where_less(low, low - high, low) / bound.where_less(low, low + high, high);
    let z = t * t;
    let mut sum = Wide::all(ARC_TANGENT[11]);
    for c in ARC_TANGENT[..11].iter().rev() {
        sum = Wide::all(*c).madd::<A>(sum, z);
    }
    let small = t.madd::<A>(t * z, sum);
    let angle = bound.where_less(low, Wide::all(FRAC_PI_4) + small, small);
    let angle = x
        .abs()
        .where_less(y.abs(), Wide::all(FRAC_PI_2) - angle, angle);
    x.where_less(Wide::ZERO, Wide::all(PI) - angle, angle)
        .copysign(y)
}

#[cfg(test)]
mod tests {
    use super::*;
    use linkwork_solve::{Fused, Plain};

    #[test]
    fn angles_of_points_are_those_of_the_library() {
        for i in -2000..2000 {
            // All around, and close to the axes and diagonals.
            let turn = f64::from(i) * std::f64::consts::PI / 2000.0 + 1e-9 * f64::from(i % 7);
            let (y, x) = (3.0 * turn.sin(), 3.0 * turn.cos());
            let expected = y.atan2(x);
            let (y, x) = (Wide::all(y), Wide::all(x));
            for found in [atan2::<Plain>(y, x), atan2::<Fused>(y, x)] {
                let error = (found.0[0] - expected).abs();
                assert!(
                    error <= 4.5e-16 * expected.abs().max(1e-3),
                    "{turn}: {error:e}"
                );
            }
        }
        assert!(atan2::<Plain>(Wide::ZERO, Wide::ZERO).0[0].is_nan());
    }
}
