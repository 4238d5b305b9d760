//! Joints of a model: a joint type between two frames, with the elements that act on its coordinates.

use super::{Axis, BodyId, Drive, JointSoftness, Limits, Spring};
use crate::joints::{self, JointType};
use crate::math::{Pose, Vec3};
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::sync::Arc;

/// A joint of a [`Model`](super::Model).
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Joint {
    /// Unique name.
    pub name: String,
    /// Its type.
    #[serde(with = "joints::named")]
    pub kind: Arc<dyn JointType>,
    /// Base body; `None` is the world.
    pub base: Option<BodyId>,
    /// Follower body.
    pub follower: BodyId,
    /// Joint frame relative to the base's centre of mass (world base: in the world).
    pub frame_base: Pose,
    /// Joint frame relative to the follower's centre of mass.
    pub frame_follower: Pose,
    /// Index of its first coordinate in [`State::coordinates`](crate::State::coordinates).
    pub first_coordinate: usize,
    /// What acts on each coordinate.
    pub axes: Vec<Axis>,
    /// Limit of the total rotation angle of the follower from the reference configuration about any axis, rad, for
    /// joints with a [rotation vector](JointType::rotation_vector); only `max` applies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn_limits: Option<Limits>,
    /// Softness of the locked rows; `None`: hard.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub softness: Option<JointSoftness>,
    /// Names of its coordinates, if they differ from the [default names](super::Model::labels).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub labels: Option<Vec<String>>,
}

impl Joint {
    /// Indices of its coordinates among those of all joints.
    pub(crate) fn range(&self) -> Range<usize> {
        self.first_coordinate..self.first_coordinate + self.axes.len()
    }

    /// Whether it is a free joint to the world with rigid drives on all coordinates: its follower is moved from
    /// outside.
    pub fn is_moved(&self) -> bool {
        let rigid = |axis: &Axis| axis.drive.is_some_and(|d| d.is_rigid());
        self.base.is_none() && self.kind.locked().is_empty() && self.axes.iter().all(rigid)
    }

    /// The total rotation angle of the follower from the reference configuration, rad, for the coordinates `values`;
    /// `None` if they have no rotation vector.
    pub fn turn(&self, values: &[f64]) -> Option<f64> {
        let first = self.kind.rotation_vector()?;
        Some(Vec3::from_column_slice(&values[first..first + 3]).norm())
    }
}

/// Where a joint's frames are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Frames {
    /// One frame in the world, at the bodies' initial poses.
    World(Pose),
    /// A frame in each body frame (or in the world for the base).
    Each(Pose, Pose),
}

/// What [`ModelBuilder::add_joint`](super::ModelBuilder::add_joint) takes.
#[derive(Clone, Debug)]
pub struct JointDef {
    pub(super) name: String,
    pub(super) kind: Arc<dyn JointType>,
    pub(super) base: Option<BodyId>,
    pub(super) follower: BodyId,
    pub(super) frames: Frames,
    /// `anchor` was given although `frames` already places the joint.
    pub(super) overruled: bool,
    pub(super) axis: Option<Vec3>,
    pub(super) axes: Vec<Axis>,
    pub(super) turn_limits: Option<Limits>,
    pub(super) coordinates: Option<Vec<f64>>,
    pub(super) collide: bool,
    pub(super) softness: Option<JointSoftness>,
    pub(super) labels: Option<Vec<String>>,
}

impl JointDef {
    /// A joint of any type between `base` (`None`: the world) and `follower`; its frames are the
    /// world's axes at the origin until placed.
    pub fn new(
        name: impl Into<String>,
        kind: impl JointType + 'static,
        base: impl Into<Option<BodyId>>,
        follower: BodyId,
    ) -> Self {
        Self::of(name, Arc::new(kind), base, follower)
    }

    /// The same for a shared type, e.g. from [`joints::by_name`].
    pub fn of(
        name: impl Into<String>,
        kind: Arc<dyn JointType>,
        base: impl Into<Option<BodyId>>,
        follower: BodyId,
    ) -> Self {
        let axes = vec![Axis::default(); kind.coordinates().len()];
        Self {
            name: name.into(),
            kind,
            base: base.into(),
            follower,
            frames: Frames::World(Pose::identity()),
            overruled: false,
            axis: None,
            axes,
            turn_limits: None,
            coordinates: None,
            collide: false,
            softness: None,
            labels: None,
        }
    }

    /// A hinge.
    pub fn revolute(
        name: impl Into<String>,
        base: impl Into<Option<BodyId>>,
        follower: BodyId,
    ) -> Self {
        Self::new(name, joints::Revolute, base, follower)
    }

    /// A slide.
    pub fn prismatic(
        name: impl Into<String>,
        base: impl Into<Option<BodyId>>,
        follower: BodyId,
    ) -> Self {
        Self::new(name, joints::Prismatic, base, follower)
    }

    /// A ball joint.
    pub fn spherical(
        name: impl Into<String>,
        base: impl Into<Option<BodyId>>,
        follower: BodyId,
    ) -> Self {
        Self::new(name, joints::Spherical, base, follower)
    }

    /// A weld.
    pub fn fixed(
        name: impl Into<String>,
        base: impl Into<Option<BodyId>>,
        follower: BodyId,
    ) -> Self {
        Self::new(name, joints::Fixed, base, follower)
    }

    /// Both joint frames at this frame of the world, with the bodies at their initial poses.
    pub fn frame(mut self, world: Pose) -> Self {
        self.overruled |= matches!(self.frames, Frames::Each(..));
        self.frames = Frames::World(world);
        self
    }

    /// Both anchors at this point of the world (m), with the bodies at their initial poses. `build` refuses it together
    /// with [`frames`](Self::frames), which also places the anchors.
    pub fn anchor(mut self, x: f64, y: f64, z: f64) -> Self {
        match &mut self.frames {
            Frames::World(frame) => frame.position = Vec3::new(x, y, z),
            Frames::Each(..) => self.overruled = true,
        }
        self
    }

    /// The principal axis (hinge, slide, plane normal) along this world direction; must be a unit
    /// vector.
    pub fn axis(mut self, x: f64, y: f64, z: f64) -> Self {
        self.axis = Some(Vec3::new(x, y, z));
        self
    }

    /// Joint frames given in the base's frame (or the world) and in the follower's body frame; they
    /// need not coincide at the initial poses (see `assemble`).
    pub fn frames(mut self, in_base: Pose, in_follower: Pose) -> Self {
        self.overruled |= self.frames != Frames::World(Pose::identity());
        self.frames = Frames::Each(in_base, in_follower);
        self
    }

    /// Initial coordinates, which distinguish whole turns; measured from the poses unless given.
    pub fn coordinates(mut self, values: &[f64]) -> Self {
        self.coordinates = Some(values.to_vec());
        self
    }

    /// Lets the two connected bodies collide; by default they do not.
    pub fn collide(mut self) -> Self {
        self.collide = true;
        self
    }

    /// Names of its coordinates, instead of those [by default](super::Model::labels).
    pub fn labels(mut self, labels: Vec<String>) -> Self {
        self.labels = Some(labels);
        self
    }

    /// Let the rows it locks yield.
    pub fn softness(mut self, softness: JointSoftness) -> Self {
        self.softness = Some(softness);
        self
    }

    /// Range of the first coordinate, m or rad.
    pub fn limits(self, min: f64, max: f64) -> Self {
        self.limits_of(0, Limits::new(min, max))
    }

    /// Range of a coordinate.
    pub fn limits_of(self, coordinate: usize, limits: Limits) -> Self {
        self.with(coordinate, |a| a.limits = Some(limits))
    }

    /// Bound, rad, of the total rotation angle of a ball joint from the reference configuration about any axis.
    pub fn turn_limit(self, max: f64) -> Self {
        self.turn_limits(Limits::new(f64::NEG_INFINITY, max))
    }

    /// The same with restitution or softness; only `max` applies.
    pub fn turn_limits(mut self, limits: Limits) -> Self {
        self.turn_limits = Some(limits);
        self
    }

    /// Servo on the first coordinate: gains k_p and k_d.
    pub fn drive(self, stiffness: f64, damping: f64) -> Self {
        self.drive_of(
            0,
            Drive {
                stiffness,
                damping,
                effort_limit: None,
            },
        )
    }

    /// Servo on a coordinate.
    pub fn drive_of(self, coordinate: usize, drive: Drive) -> Self {
        self.with(coordinate, |a| a.drive = Some(drive))
    }

    /// Rigid drives on all coordinates: the joint follows its targets. On a free joint to the world this makes a body
    /// that is moved from outside (a mocap body): see [`Control::place`](crate::Control::place).
    pub fn moved(mut self) -> Self {
        let axes = self.axes.iter_mut();
        axes.for_each(|axis| axis.drive = Some(Drive::RIGID));
        self
    }

    /// Effort limit (N or N m) of the servo on the first coordinate, which must be set before.
    pub fn effort_limit(self, limit: f64) -> Self {
        self.with(0, |a| {
            let drive = a.drive.get_or_insert(Drive {
                stiffness: 0.0,
                damping: 0.0,
                effort_limit: None,
            });
            drive.effort_limit = Some(limit);
        })
    }

    /// Spring and damper on the first coordinate.
    pub fn spring(self, stiffness: f64, rest: f64, damping: f64) -> Self {
        self.spring_of(
            0,
            Spring {
                stiffness,
                rest,
                damping,
                band: 0.0,
            },
        )
    }

    /// Spring and damper on a coordinate.
    pub fn spring_of(self, coordinate: usize, spring: Spring) -> Self {
        self.with(coordinate, |a| a.spring = spring)
    }

    /// Viscous damping (N s/m or N m s/rad) of the first coordinate.
    pub fn damping(self, damping: f64) -> Self {
        self.with(0, |a| a.spring.damping = damping)
    }

    /// Dry friction (N or N m) of the first coordinate.
    pub fn friction(self, friction: f64) -> Self {
        self.with(0, |a| a.friction = friction)
    }

    /// Armature (kg or kg m²) of the first coordinate.
    pub fn armature(self, armature: f64) -> Self {
        self.with(0, |a| a.armature = armature)
    }

    /// Changes the elements that act on a coordinate. `build` reports a coordinate that the type does not have.
    pub fn with(mut self, coordinate: usize, change: impl FnOnce(&mut Axis)) -> Self {
        if coordinate >= self.axes.len() {
            self.axes.resize(coordinate + 1, Axis::default());
        }
        change(&mut self.axes[coordinate]);
        self
    }
}
