//! A tree of parts on driven hinges.
//!
//! The robot is drawn with every hinge at zero. Bodies are then moved to the initial angles, down the
//! tree; since all body frames coincide in the drawing, a hinge has the same frame in both its bodies.

use super::part::{Part, Point};
use linkwork::math::{Pose, Quat, Vec3, exp, rotation_between};
use linkwork::model::{
    BodyId, Drive, JointDef, JointId, Material, Model, ModelBuilder, ModelError,
};
use std::sync::Arc;

/// Gains and strength of a hinge's motor.
#[derive(Clone, Copy)]
pub(crate) struct Servo {
    /// Position gain, N m/rad.
    pub stiffness: f64,
    /// Velocity gain, N m s/rad.
    pub damping: f64,
    /// Greatest torque, N m.
    pub effort: f64,
}

/// A driven hinge in the drawing.
pub(crate) struct Hinge {
    /// Name.
    pub name: String,
    /// A point of its axis, m.
    pub at: Point,
    /// Direction of its axis.
    pub axis: Vec3,
    /// Least and greatest angle, rad.
    pub limits: (f64, f64),
    /// Initial angle, rad.
    pub start: f64,
    /// Its motor.
    pub servo: Servo,
}

/// A body of the tree with the hinge to its parent.
#[derive(Clone, Copy)]
pub(crate) struct Link {
    /// The body.
    pub body: BodyId,
    /// The hinge to its base.
    pub joint: JointId,
}

/// Bodies and hinges so far.
pub(crate) struct Skeleton {
    builder: ModelBuilder,
    material: Material,
    /// Where each body's drawing has been moved to, and its base.
    placed: Vec<(Pose, Option<BodyId>)>,
}

impl Skeleton {
    /// Nothing yet; `builder` may have the surroundings. All surfaces are of `material`.
    pub(crate) fn new(builder: ModelBuilder, material: Material) -> Self {
        Self {
            builder,
            material,
            placed: Vec::new(),
        }
    }

    /// The root body, with the drawing moved to `placed`.
    pub(crate) fn root(&mut self, part: Part, placed: Pose) -> BodyId {
        self.add(part, placed, None)
    }

    /// Weld a body to the world where it is.
    pub(crate) fn anchor(&mut self, body: BodyId) {
        self.weld("base", body);
    }

    /// The same by a joint called `name`, where there are several.
    pub(crate) fn weld(&mut self, name: &str, body: BodyId) {
        let frame = self.placed[body.index()].0;
        self.builder
            .add_joint(JointDef::fixed(name, None, body).frame(frame));
    }

    /// Hang a part on `base`. It meets neither its base nor the base of that: hinges that follow each
    /// other closely have housings that reach into each other.
    pub(crate) fn hang(&mut self, base: BodyId, hinge: Hinge, part: Part) -> Link {
        let (base_placed, before) = self.placed[base.index()];
        let frame = Pose::new(
            Vec3::from(hinge.at),
            rotation_between(&Vec3::z(), &hinge.axis),
        );
        let turned = Pose::new(frame.position, exp(&(hinge.start * hinge.axis)));
        let moved = turned.compose(&Pose::new(-frame.position, Quat::identity()));
        let body = self.add(part, base_placed.compose(&moved), Some(base));
        if let Some(before) = before {
            self.builder.exclude(before, body);
        }
        let (min, max) = hinge.limits;
        let joint = JointDef::revolute(hinge.name, base, body)
            .frames(frame, frame)
            .limits(min, max)
            .drive_of(
                0,
                Drive {
                    stiffness: hinge.servo.stiffness,
                    damping: hinge.servo.damping,
                    effort_limit: Some(hinge.servo.effort),
                },
            );
        let joint = self.builder.add_joint(joint);
        Link { body, joint }
    }

    /// The model.
    pub(crate) fn build(self) -> Result<Arc<Model>, ModelError> {
        self.builder.build()
    }

    fn add(&mut self, part: Part, placed: Pose, base: Option<BodyId>) -> BodyId {
        self.placed.push((placed, base));
        part.add(&mut self.builder, placed, self.material)
    }
}
