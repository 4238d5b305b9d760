//! Where the frames of a joint are, and the rows of J that follow from it.

use super::math::{
    M3, Pose, Quat, Six, V3, ZERO, cross, dot, get_quat, get3, inverse, matrix, multiply, sub,
    three, transform, transform_back,
};
use crate::joints::Relative;
use linkwork_solve::{Arithmetic, Wide};

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
    pub fn reach<A: Arithmetic>(&self) -> Wide {
        norm::<A>(&self.anchor) + norm::<A>(&self.arm_base) + norm::<A>(&self.arm_follower)
    }

    /// The placement of one world.
    pub fn relative(&self, lane: usize) -> Relative {
        Relative {
            d: get3(&self.d, lane),
            rotation: get_quat(&self.rotation, lane),
        }
    }

    /// Column `i` of the axes.
    #[inline(always)]
    pub fn axis(&self, i: usize) -> V3 {
        three!(k => self.axes[k][i])
    }

    /// J of a translation along the direction `a` (world) on base and follower.
    #[inline(always)]
    pub fn linear<A: Arithmetic>(&self, a: &V3) -> [Six; 2] {
        let f = cross::<A>(&self.arm_follower, a);
        let b = cross::<A>(&self.arm_base, a);
        [
            [-a[0], -a[1], -a[2], -b[0], -b[1], -b[2]],
            [a[0], a[1], a[2], f[0], f[1], f[2]],
        ]
    }

    /// J of a rotation about `t` (base frame).
    #[inline(always)]
    pub fn angular<A: Arithmetic>(&self, t: &V3) -> [Six; 2] {
        let t = transform::<A>(&self.axes, t);
        let z = Wide::ZERO;
        [[z, z, z, -t[0], -t[1], -t[2]], [z, z, z, t[0], t[1], t[2]]]
    }

    /// J of a row that is found lane by lane.
    #[inline(always)]
    pub fn any<A: Arithmetic>(&self, linear: &V3, angular: &V3) -> [Six; 2] {
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
fn norm<A: Arithmetic>(v: &V3) -> Wide {
    dot::<A>(v, v).sqrt()
}
