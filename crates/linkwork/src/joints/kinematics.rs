//! The argument of all joint functions: the follower's joint frame as seen from the base's.

use crate::math::{Mat3, Pose, Quat, Vec3};

/// Placement of the follower's joint frame in the base's joint frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Relative {
    /// Follower anchor minus base anchor, in the base joint frame, m.
    pub d: Vec3,
    /// Orientation of the follower joint frame in the base joint frame.
    pub rotation: Quat,
}

impl Relative {
    /// Both joint frames coincide.
    pub fn identity() -> Self {
        Self::turned(Quat::identity())
    }

    /// Shifted by `d` (m), not turned.
    pub fn shifted(d: Vec3) -> Self {
        Self {
            d,
            rotation: Quat::identity(),
        }
    }

    /// Turned by `rotation`, anchors together.
    pub fn turned(rotation: Quat) -> Self {
        Self {
            d: Vec3::zeros(),
            rotation,
        }
    }

    /// The placement as a pose.
    pub fn as_pose(&self) -> Pose {
        Pose::new(self.d, self.rotation)
    }
}

/// Whether a row or coordinate is a length (m) or an angle (rad).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Metres; its impulse is in N s.
    Length,
    /// Radians; its impulse is in N m s.
    Angle,
}

/// A scalar function of [`Relative`] with its exact derivative.
///
/// d(value)/dt = linear · v + angular · w, where v is the velocity of the follower anchor relative to the **base-fixed
/// frame** and w the relative angular velocity ω_F − ω_B, both along the base joint axes. As a force it is the wrench
/// (linear, angular) **at the follower anchor**, equal and opposite on the two bodies, so momentum is conserved exactly
/// [math.md §3].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// The value, m or rad.
    pub value: f64,
    /// Derivative with respect to translation of the follower anchor.
    pub linear: Vec3,
    /// Derivative with respect to rotation (left, in the base joint frame).
    pub angular: Vec3,
}

impl Row {
    /// A row of zeros.
    pub const ZERO: Row = Row {
        value: 0.0,
        linear: Vec3::new(0.0, 0.0, 0.0),
        angular: Vec3::new(0.0, 0.0, 0.0),
    };
}

impl std::ops::Neg for Row {
    type Output = Row;

    /// The function of opposite sign.
    #[inline]
    fn neg(self) -> Row {
        Row {
            value: -self.value,
            linear: -self.linear,
            angular: -self.angular,
        }
    }
}

/// A joint's two frames placed in the world: turns a [`Row`] into body Jacobians.
#[derive(Clone, Copy, Debug)]
pub struct Placement {
    /// Relative placement of the joint frames.
    pub relative: Relative,
    /// Base joint axes in the world, as columns.
    pub axes: Mat3,
    /// Follower anchor in the world, m.
    pub anchor: Vec3,
    /// Follower anchor minus the base's centre of mass (world base: unused), m.
    pub arm_base: Vec3,
    /// Follower anchor minus the follower's centre of mass, m.
    pub arm_follower: Vec3,
}

impl Placement {
    /// Places a joint: body poses are those of the centres of mass, and frames are relative to them.
    #[inline]
    pub fn new(base: &Pose, frame_base: &Pose, follower: &Pose, frame_follower: &Pose) -> Self {
        let b = base.compose(frame_base);
        let f = follower.compose(frame_follower);
        let axes = *b.rotation.to_rotation_matrix().matrix();
        Self {
            relative: Relative {
                d: axes.tr_mul(&(f.position - b.position)),
                rotation: b.rotation.inverse() * f.rotation,
            },
            axes,
            anchor: f.position,
            arm_base: f.position - base.position,
            arm_follower: f.position - follower.position,
        }
    }

    /// Jacobian of a row: (base, follower), each (linear, angular) in the world about the CoM.
    #[inline]
    pub fn jacobian(&self, row: &Row) -> ([f64; 6], [f64; 6]) {
        let (mut base, mut follower) = ([0.0; 6], [0.0; 6]);
        self.write_jacobian(row, &mut base, &mut follower);
        (base, follower)
    }

    /// The same into `base` and `follower`.
    #[inline]
    pub(crate) fn write_jacobian(&self, row: &Row, base: &mut [f64; 6], follower: &mut [f64; 6]) {
        // Most rows are purely translational or purely rotational.
        if row.linear == Vec3::zeros() {
            let t = self.axes * row.angular;
            *base = [0.0, 0.0, 0.0, -t.x, -t.y, -t.z];
            *follower = [0.0, 0.0, 0.0, t.x, t.y, t.z];
            return;
        }
        let a = self.axes * row.linear;
        let mut f = self.arm_follower.cross(&a);
        let mut b = self.arm_base.cross(&a);
        if row.angular != Vec3::zeros() {
            let t = self.axes * row.angular;
            f += t;
            b += t;
        }
        *base = [-a.x, -a.y, -a.z, -b.x, -b.y, -b.z];
        *follower = [a.x, a.y, a.z, f.x, f.y, f.z];
    }
}

/// The angle equal to `angle` up to whole turns that is nearest to `reference` (rad).
#[inline]
pub fn unwrap_angle(angle: f64, reference: f64) -> f64 {
    use std::f64::consts::TAU;
    let turns = (reference - angle) / TAU;
    // Unchanged except in the few steps that pass half a turn.
    if turns.abs() < 0.5 {
        return angle;
    }
    angle + TAU * turns.round()
}
