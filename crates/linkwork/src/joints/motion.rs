//! Motion of the follower's joint frame in the base's, and its rate of change at constant twists.
//!
//! With A the base's joint axes, r the arms from the centres of mass to the follower's anchor and V the velocity of the
//! anchor relative to the base,
//!
//! v = Aᵀ V,  v̇ = Aᵀ(ω_F × (ω_F × r_F) − ω_B × (ω_B × r_B) − 2 ω_B × V),
//! w = Aᵀ(ω_F − ω_B),  ẇ = −Aᵀ(ω_B × ω_F).

use super::Placement;
use crate::math::{Twist, Vec3};

/// The motion of a placed joint whose bodies have these twists.
#[derive(Clone, Copy, Debug)]
pub struct RelativeMotion<'a> {
    /// The joint.
    pub place: &'a Placement,
    /// Velocity of the base; zero for the world.
    pub base: &'a Twist,
    /// Velocity of the follower.
    pub follower: &'a Twist,
}

impl RelativeMotion<'_> {
    /// V in the world, m/s.
    fn slip(&self) -> Vec3 {
        self.follower.at(&self.place.arm_follower) - self.base.at(&self.place.arm_base)
    }

    /// v along the base's joint axes, m/s.
    pub fn linear(&self) -> Vec3 {
        self.place.axes.tr_mul(&self.slip())
    }

    /// w along the base's joint axes, rad/s.
    pub fn angular(&self) -> Vec3 {
        let spin = self.follower.angular - self.base.angular;
        self.place.axes.tr_mul(&spin)
    }

    /// v̇ at constant twists, m/s².
    pub fn linear_rate(&self) -> Vec3 {
        let (w_b, w_f) = (&self.base.angular, &self.follower.angular);
        let centripetal = |w: &Vec3, arm: &Vec3| w.cross(&w.cross(arm));
        let pull = centripetal(w_f, &self.place.arm_follower)
            - centripetal(w_b, &self.place.arm_base)
            - 2.0 * w_b.cross(&self.slip());
        self.place.axes.tr_mul(&pull)
    }

    /// ẇ at constant twists, rad/s².
    pub fn angular_rate(&self) -> Vec3 {
        let turn = self.base.angular.cross(&self.follower.angular);
        -self.place.axes.tr_mul(&turn)
    }
}
