//! Joints of four worlds at once: the formulas of [`crate::joints`], one world per lane. Types that are not written out here are evaluated
//! lane by lane.

use super::math::{
    M3, Pose, Quat, Six, V3, ZERO, add, atan2, cross, dot, get_quat, get3, inverse, matrix,
    multiply, scale, sub, three, transform, transform_back,
};
use super::program::Kind;
use crate::joints::{JointType, MAX_COORDINATES, MAX_ROWS, Relative, Row, unwrap_angle};
use linkwork_solve::{Arithmetic, Lanes, WIDTH};
use std::array::from_fn;

/// Square of the sine of half the angle up to which the rotation vector of locked rotations is a short series, and beyond which the scalar step is asked.
const SMALL: f64 = 1e-10;

/// [`crate::joints::Placement`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub d: V3,
    pub rotation: Quat,
    /// Base joint axes in the world, as columns.
    pub axes: M3,
    pub anchor: V3,
    pub arm_base: V3,
    pub arm_follower: V3,
}

impl Place {
    /// Nowhere yet.
    pub const EMPTY: Self = Self {
        d: ZERO,
        rotation: Pose::IDENTITY.rotation,
        axes: [ZERO; 3],
        anchor: ZERO,
        arm_base: ZERO,
        arm_follower: ZERO,
    };

    /// Place a joint by the poses of its bodies and its frames in them.
    #[inline(always)]
    pub fn new<A: Arithmetic>(bodies: [&Pose; 2], frames: &[Pose; 2]) -> Self {
        let [base, follower] = bodies;
        let b = base.compose::<A>(&frames[0]);
        let f = follower.compose::<A>(&frames[1]);
        let axes = matrix(&b.rotation);
        Self {
            d: transform_back::<A>(&axes, &sub(&f.position, &b.position)),
            rotation: multiply::<A>(&inverse(&b.rotation), &f.rotation),
            axes,
            anchor: f.position,
            arm_base: sub(&f.position, &base.position),
            arm_follower: sub(&f.position, &follower.position),
        }
    }

    /// Size of what a translational residual is a difference of, m.
    #[inline(always)]
    pub fn reach<A: Arithmetic>(&self) -> Lanes {
        norm::<A>(&self.anchor) + norm::<A>(&self.arm_base) + norm::<A>(&self.arm_follower)
    }

    fn relative(&self, lane: usize) -> Relative {
        Relative {
            d: get3(&self.d, lane),
            rotation: get_quat(&self.rotation, lane),
        }
    }

    /// Column `i` of the axes.
    #[inline(always)]
    fn axis(&self, i: usize) -> V3 {
        three!(k => self.axes[k][i])
    }

    /// J of a translation along the direction `a` (world) on base and follower.
    #[inline(always)]
    fn linear<A: Arithmetic>(&self, a: &V3) -> [Six; 2] {
        let f = cross::<A>(&self.arm_follower, a);
        let b = cross::<A>(&self.arm_base, a);
        [
            [-a[0], -a[1], -a[2], -b[0], -b[1], -b[2]],
            [a[0], a[1], a[2], f[0], f[1], f[2]],
        ]
    }

    /// J of a rotation about `t` (base frame).
    #[inline(always)]
    fn angular<A: Arithmetic>(&self, t: &V3) -> [Six; 2] {
        let t = transform::<A>(&self.axes, t);
        let z = Lanes::ZERO;
        [[z, z, z, -t[0], -t[1], -t[2]], [z, z, z, t[0], t[1], t[2]]]
    }

    /// J of a row that is found lane by lane.
    #[inline(always)]
    fn any<A: Arithmetic>(&self, linear: &V3, angular: &V3) -> [Six; 2] {
        let [b, f] = self.linear::<A>(&transform::<A>(&self.axes, linear));
        let [p, q] = self.angular::<A>(angular);
        let (mut b, mut f) = (b, f);
        for i in 3..6 {
            b[i] += p[i];
            f[i] += q[i];
        }
        [b, f]
    }
}

#[inline(always)]
fn norm<A: Arithmetic>(v: &V3) -> Lanes {
    dot::<A>(v, v).sqrt()
}

/// The follower's z axis in the base frame.
#[inline(always)]
fn z_axis([w, x, y, z]: &Quat) -> V3 {
    let (a, b) = (*x * *z + *w * *y, *y * *z - *w * *x);
    let c = *x * *x + *y * *y;
    [a + a, b + b, Lanes::ONE - (c + c)]
}

/// 2/(1 + z_z) of the alignment of two axes.
#[inline(always)]
fn alignment(z: &V3) -> Lanes {
    Lanes::all(2.0) / (Lanes::ONE + z[2]).max(Lanes::all(1e-9))
}

/// Rotation vector of a small rotation; no number where it is not small.
#[inline(always)]
fn rotation_vector<A: Arithmetic>(q: &Quat) -> V3 {
    let v = [q[1], q[2], q[3]];
    let s2 = dot::<A>(&v, &v);
    let w2 = q[0] * q[0];
    // q and −q are the same rotation: v/w has the sign of the shorter one.
    let factor = (Lanes::all(2.0) / q[0]) * (Lanes::ONE - s2 / (Lanes::all(3.0) * w2));
    let factor = s2.where_less(Lanes::all(SMALL), factor, Lanes::all(f64::NAN));
    scale(factor, &v)
}

/// Rows of J_l⁻¹ of a small rotation vector.
#[inline(always)]
fn left_jacobian_inverse<A: Arithmetic>(t: &V3) -> M3 {
    let a2 = dot::<A>(t, t);
    let k = Lanes::all(1.0 / 12.0);
    let h = scale(Lanes::all(0.5), t);
    let cross = [
        [Lanes::ONE, h[2], -h[1]],
        [-h[2], Lanes::ONE, h[0]],
        [h[1], -h[0], Lanes::ONE],
    ];
    let mut out = cross;
    for i in 0..3 {
        for j in 0..3 {
            let square = t[i] * t[j] - if i == j { a2 } else { Lanes::ZERO };
            out[i][j] = cross[i][j].madd::<A>(k, square);
        }
    }
    out
}

/// C of the locked rows at a place; `turns` are the coordinates last known.
#[inline(always)]
pub(super) fn residual<A: Arithmetic>(
    kind: &Kind,
    place: &Place,
    turns: &[Lanes],
    out: &mut [Lanes],
) {
    match kind {
        Kind::Revolute => {
            let z = z_axis(&place.rotation);
            let k = alignment(&z);
            out[..3].copy_from_slice(&place.d);
            out[3] = -(k * z[1]);
            out[4] = k * z[0];
        }
        Kind::Fixed => {
            out[..3].copy_from_slice(&place.d);
            out[3..6].copy_from_slice(&rotation_vector::<A>(&place.rotation));
        }
        Kind::Prismatic => {
            out[..2].copy_from_slice(&place.d[..2]);
            out[2..5].copy_from_slice(&rotation_vector::<A>(&place.rotation));
        }
        Kind::Spherical(_) => out.copy_from_slice(&place.d),
        Kind::Other(kind) => {
            for lane in 0..WIDTH {
                residual_of(kind.as_ref(), place, turns, lane, out);
            }
        }
    }
}

#[cold]
#[inline(never)]
fn residual_of(
    kind: &dyn JointType,
    place: &Place,
    turns: &[Lanes],
    lane: usize,
    out: &mut [Lanes],
) {
    let known: [f64; MAX_COORDINATES] = from_fn(|c| turns.get(c).map_or(0.0, |q| q.0[lane]));
    let mut values = [0.0; MAX_ROWS];
    let values = &mut values[..out.len()];
    let mut guess = known;
    let n = turns.len();
    kind.residual(&place.relative(lane), &known[..n], &mut guess[..n], values);
    for (out, value) in out.iter_mut().zip(values) {
        out.0[lane] = *value;
    }
}

/// J of the locked rows on base and follower.
#[inline(always)]
pub(super) fn locked<A: Arithmetic>(
    kind: &Kind,
    place: &Place,
    turns: &[Lanes],
    base: &mut [Six],
    follower: &mut [Six],
) {
    let n = base.len();
    let points = match kind {
        Kind::Prismatic => 2,
        Kind::Other(_) => 0,
        _ => 3,
    };
    for i in 0..points {
        [base[i], follower[i]] = place.linear::<A>(&place.axis(i));
    }
    match kind {
        Kind::Revolute => {
            let z = z_axis(&place.rotation);
            let k = alignment(&z);
            let half = 0.5 * (k * k);
            // d = k ds − ½ k² s dz_z, dz_z = (z_y, −z_x, 0), s = −z_y and z_x.
            let (f, g) = (half * z[1], half * z[0]);
            let x = [(k * z[2]).madd::<A>(f, z[1]), -(f * z[0]), -(k * z[0])];
            let y = [-(g * z[1]), (k * z[2]).madd::<A>(g, z[0]), -(k * z[1])];
            [base[3], follower[3]] = place.angular::<A>(&x);
            [base[4], follower[4]] = place.angular::<A>(&y);
        }
        Kind::Fixed | Kind::Prismatic => {
            let theta = rotation_vector::<A>(&place.rotation);
            let j = left_jacobian_inverse::<A>(&theta);
            for (i, row) in j.iter().enumerate() {
                [base[points + i], follower[points + i]] = place.angular::<A>(row);
            }
        }
        Kind::Spherical(_) => {}
        Kind::Other(kind) => {
            let rows = derivatives(kind.as_ref(), place, turns, n, true);
            for (i, [linear, angular]) in rows[..n].iter().enumerate() {
                [base[i], follower[i]] = place.any::<A>(linear, angular);
            }
        }
    }
}

/// J of the coordinates on base and follower.
#[inline(always)]
pub(super) fn free<A: Arithmetic>(
    kind: &Kind,
    place: &Place,
    turns: &[Lanes],
    base: &mut [Six],
    follower: &mut [Six],
) {
    match kind {
        Kind::Revolute => {
            let [w, x, y, z] = place.rotation;
            let n = (w * w + z * z).max(Lanes::all(1e-18));
            let t = [
                (w * y + z * x) / n,
                (z * y - w * x) / n,
                (w * w + z * z) / n,
            ];
            [base[0], follower[0]] = place.angular::<A>(&t);
        }
        Kind::Prismatic => [base[0], follower[0]] = place.linear::<A>(&place.axis(2)),
        Kind::Fixed => {}
        Kind::Spherical(kind) | Kind::Other(kind) => {
            let n = turns.len();
            let rows = derivatives(kind.as_ref(), place, turns, n, false);
            for (i, [linear, angular]) in rows[..n].iter().enumerate() {
                [base[i], follower[i]] = place.any::<A>(linear, angular);
            }
        }
    }
}

/// Derivatives of the locked rows or of the coordinates, lane by lane.
#[cold]
#[inline(never)]
fn derivatives(
    kind: &dyn JointType,
    place: &Place,
    turns: &[Lanes],
    n: usize,
    locked: bool,
) -> [[V3; 2]; 6] {
    let mut out = [[ZERO; 2]; 6];
    for lane in 0..WIDTH {
        let known: [f64; MAX_COORDINATES] = from_fn(|c| turns.get(c).map_or(0.0, |q| q.0[lane]));
        let known = &known[..turns.len()];
        let mut rows = [Row::ZERO; 6];
        let relative = place.relative(lane);
        if locked {
            kind.constrain(&relative, known, &mut rows[..n]);
        } else {
            kind.measure(&relative, known, &mut rows[..n]);
        }
        for ([linear, angular], row) in out.iter_mut().zip(&rows) {
            super::math::set3(linear, lane, &row.linear);
            super::math::set3(angular, lane, &row.angular);
        }
    }
    out
}

/// The coordinates at a place, which go on from those last known.
#[inline(always)]
pub(super) fn coordinates<A: Arithmetic>(
    kind: &Kind,
    place: &Place,
    turns: &[Lanes],
    out: &mut [Lanes],
) {
    match kind {
        Kind::Revolute => {
            let half = atan2::<A>(place.rotation[3], place.rotation[0]);
            for lane in 0..WIDTH {
                out[0].0[lane] = unwrap_angle(2.0 * half.0[lane], turns[0].0[lane]);
            }
        }
        Kind::Prismatic => out[0] = place.d[2],
        Kind::Fixed => {}
        Kind::Spherical(kind) | Kind::Other(kind) => {
            for lane in 0..WIDTH {
                measure_of(kind.as_ref(), place, turns, lane, out);
            }
        }
    }
}

#[cold]
#[inline(never)]
fn measure_of(
    kind: &dyn JointType,
    place: &Place,
    turns: &[Lanes],
    lane: usize,
    out: &mut [Lanes],
) {
    let known: [f64; MAX_COORDINATES] = from_fn(|c| turns.get(c).map_or(0.0, |q| q.0[lane]));
    let mut rows = [Row::ZERO; MAX_COORDINATES];
    let n = out.len();
    kind.measure(&place.relative(lane), &known[..n], &mut rows[..n]);
    for (out, row) in out.iter_mut().zip(&rows) {
        out.0[lane] = row.value;
    }
    // Where one jumps within the step the scalar step is asked.
    let to: [f64; MAX_COORDINATES] = rows.map(|row| row.value);
    if kind.jumps(&known[..n], &to[..n]) {
        out.iter_mut().for_each(|out| out.0[lane] = f64::NAN);
    }
}

/// J u of one row.
#[inline(always)]
pub(super) fn along<A: Arithmetic>(j: &Six, u: &Six) -> Lanes {
    let even = (j[0] * u[0]).madd::<A>(j[2], u[2]).madd::<A>(j[4], u[4]);
    let odd = (j[1] * u[1]).madd::<A>(j[3], u[3]).madd::<A>(j[5], u[5]);
    even + odd
}

/// jᵀ M⁻¹ j of one row.
#[inline(always)]
pub(super) fn mobility<A: Arithmetic>(j: &Six, inverse_mass: Lanes, inverse: &M3) -> Lanes {
    let (l, a) = ([j[0], j[1], j[2]], [j[3], j[4], j[5]]);
    let spin = transform::<A>(inverse, &a);
    (inverse_mass * dot::<A>(&l, &l)) + dot::<A>(&a, &spin)
}

/// u + M⁻¹ p of one body.
#[inline(always)]
pub(super) fn kicked<A: Arithmetic>(u: &Six, p: &Six, inverse_mass: Lanes, inverse: &M3) -> Six {
    let linear: V3 = three!(i => u[i].madd::<A>(inverse_mass, p[i]));
    let angular = add(
        &[u[3], u[4], u[5]],
        &transform::<A>(inverse, &[p[3], p[4], p[5]]),
    );
    [
        linear[0], linear[1], linear[2], angular[0], angular[1], angular[2],
    ]
}
