//! The figure under construction.

use super::piece::{Piece, composed};
use super::rods::{Servo, with_servo};
use linkwork::math::{Pose, Vec3, rotation_between};
use linkwork::model::{BodyDef, BodyId, JointDef, JointId, ModelBuilder};

/// Left or right half of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Left,
    Right,
}

impl Side {
    pub(crate) const BOTH: [Side; 2] = [Side::Left, Side::Right];

    /// 1 on the left, −1 on the right: the sign of y, and of turns about x and z that mirror.
    pub(crate) fn sign(self) -> f64 {
        match self {
            Side::Left => 1.0,
            Side::Right => -1.0,
        }
    }

    /// `part` with the side before it.
    pub(crate) fn name(self, part: &str) -> String {
        match self {
            Side::Left => format!("left {part}"),
            Side::Right => format!("right {part}"),
        }
    }

    /// A point given for the left half.
    pub(crate) fn point(self, x: f64, y: f64, z: f64) -> Vec3 {
        Vec3::new(x, self.sign() * y, z)
    }
}

/// Bodies and joints of a figure, all given in the figure's frame at its neutral pose.
pub(crate) struct Rig {
    /// The model.
    pub(crate) builder: ModelBuilder,
    frame: Pose,
}

impl Rig {
    /// An empty figure whose frame is at `frame` in the world.
    pub(crate) fn new(frame: Pose) -> Self {
        Self {
            builder: ModelBuilder::new(),
            frame,
        }
    }

    /// A body of `mass` kg made of the pieces.
    pub(crate) fn body(&mut self, name: impl Into<String>, mass: f64, pieces: &[Piece]) -> BodyId {
        let name = name.into();
        let def = BodyDef::new(name.clone(), composed(mass, pieces)).pose(self.frame);
        let body = self.builder.add_body(def);
        for (k, piece) in pieces.iter().enumerate() {
            let shape = piece.shape(format!("{name}/{k}"));
            self.builder.add_shape(body, shape);
        }
        body
    }

    /// A hinge at a point about an axis, to be completed and added to `builder`.
    pub(crate) fn hinge(
        &self,
        name: impl Into<String>,
        base: BodyId,
        follower: BodyId,
        at: Vec3,
        axis: Vec3,
    ) -> JointDef {
        JointDef::revolute(name, base, follower).frame(self.placed(at, axis))
    }

    /// A passive hinge.
    pub(crate) fn pin(
        &mut self,
        name: impl Into<String>,
        base: BodyId,
        follower: BodyId,
        at: Vec3,
        axis: Vec3,
    ) -> JointId {
        let joint = self.hinge(name, base, follower, at, axis);
        self.builder.add_joint(joint)
    }

    /// A hinge with a servo, or a passive one.
    pub(super) fn turning(
        &mut self,
        name: impl Into<String>,
        bodies: [BodyId; 2],
        at: Vec3,
        axis: Vec3,
        servo: Option<Servo>,
    ) -> JointId {
        let joint = self.hinge(name, bodies[0], bodies[1], at, axis);
        self.builder.add_joint(with_servo(joint, servo))
    }

    /// A hinge turned by a servo.
    pub(crate) fn servo(
        &mut self,
        name: impl Into<String>,
        [base, follower]: [BodyId; 2],
        at: Vec3,
        axis: Vec3,
        servo: &Servo,
    ) -> JointId {
        let joint = servo.on(self.hinge(name, base, follower, at, axis));
        self.builder.add_joint(joint)
    }

    /// Bolt a body to the world.
    pub(crate) fn bolt(&mut self, body: BodyId) -> JointId {
        let joint = JointDef::fixed("base", None, body).frame(self.frame);
        self.builder.add_joint(joint)
    }

    /// A frame at a point with its z axis along `axis`, in the world.
    pub(super) fn placed(&self, at: Vec3, axis: Vec3) -> Pose {
        self.frame
            .compose(&Pose::new(at, rotation_between(&Vec3::z(), &axis)))
    }
}
