//! What sensors read.

use super::{ContactQuery, Section};
use crate::math::Vec3;
use crate::model::{ActuatorId, BodyId, FrameId, Geometry, JointId, ShapeId, TendonId};
use serde::{Deserialize, Serialize};

/// The quantity that a sensor reads.
///
/// Readings of the state are at its time. Those of accelerations and forces are means over the kick of the last step,
/// at the time and the poses of the step's start, as in MuJoCo after a step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Reading {
    /// A joint coordinate, m or rad.
    Position {
        /// The joint.
        joint: JointId,
        /// Which of its coordinates.
        coordinate: usize,
    },
    /// Its rate, m/s or rad/s.
    Velocity {
        /// The joint.
        joint: JointId,
        /// Which of its coordinates.
        coordinate: usize,
    },
    /// Force of drives and motors on a joint coordinate, N or N m.
    Effort {
        /// The joint.
        joint: JointId,
        /// Which of its coordinates.
        coordinate: usize,
    },
    /// Rotation of a ball joint from the reference configuration as a quaternion w, x, y, z.
    BallOrientation {
        /// The joint.
        joint: JointId,
        /// The first of the three coordinates that are its rotation vector.
        coordinate: usize,
    },
    /// Angular velocity across a ball joint, rad/s, along the axes of its follower.
    BallVelocity {
        /// The joint.
        joint: JointId,
    },
    /// Distance from a frame along its z axis to the first shape of another body, m; −1 if there is none.
    Range {
        /// The frame.
        frame: FrameId,
    },
    /// Length of a tendon, in its unit.
    TendonPosition {
        /// The tendon.
        tendon: TendonId,
    },
    /// Rate of its length.
    TendonVelocity {
        /// The tendon.
        tendon: TendonId,
    },
    /// Force of drives and motors along it.
    TendonEffort {
        /// The tendon.
        tendon: TendonId,
    },
    /// Length of an actuator's transmission, gear · q or gear · L; 0 for other actuators.
    ActuatorPosition {
        /// The actuator.
        actuator: ActuatorId,
    },
    /// Rate of that length.
    ActuatorVelocity {
        /// The actuator.
        actuator: ActuatorId,
    },
    /// Force of an actuator before its gear, N or N m. It must be the only one on its coordinate or tendon, because
    /// steps report the sum of all.
    ActuatorEffort {
        /// The actuator.
        actuator: ActuatorId,
    },
    /// Activation of an actuator with dynamics at the start of the last step, in the unit of its control.
    ActuatorActivation {
        /// The actuator.
        actuator: ActuatorId,
    },
    /// Position of a frame, m, in the world or in a reference frame.
    FramePosition {
        /// The frame.
        frame: FrameId,
        /// The frame it is seen from; `None` is the world.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reference: Option<FrameId>,
    },
    /// Orientation of a frame as a quaternion w, x, y, z.
    FrameOrientation {
        /// The frame.
        frame: FrameId,
        /// The frame it is seen from; `None` is the world.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reference: Option<FrameId>,
    },
    /// An axis of a frame.
    FrameAxis {
        /// The frame.
        frame: FrameId,
        /// 0, 1 or 2 for x, y, z.
        axis: usize,
        /// The frame it is seen from; `None` is the world.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reference: Option<FrameId>,
    },
    /// Velocity of a frame's origin, m/s, along the axes of the world, of the frame itself or of a reference frame; in
    /// the last case relative to it.
    LinearVelocity {
        /// The frame.
        frame: FrameId,
        /// Along the frame's own axes.
        local: bool,
        /// The frame it is seen from; `None` is the world.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reference: Option<FrameId>,
    },
    /// Angular velocity of a frame, rad/s, in the same way.
    AngularVelocity {
        /// The frame.
        frame: FrameId,
        /// Along the frame's own axes.
        local: bool,
        /// The frame it is seen from; `None` is the world.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reference: Option<FrameId>,
    },
    /// Acceleration of a frame's origin minus gravity, m/s²: g upwards at rest, 0 in free fall.
    Acceleration {
        /// The frame.
        frame: FrameId,
        /// Along the frame's own axes (an accelerometer), otherwise in the world.
        local: bool,
    },
    /// Angular acceleration of a frame in the world, rad/s².
    AngularAcceleration {
        /// The frame.
        frame: FrameId,
    },
    /// Internal force at a cut, acting on the side beyond it, N, along the axes of a frame.
    Force {
        /// The frame.
        frame: FrameId,
        /// What is beyond the cut.
        section: Section,
    },
    /// Internal torque at a cut, acting on the side beyond it, N m, about a frame and along its axes.
    Torque {
        /// The frame.
        frame: FrameId,
        /// What is beyond the cut.
        section: Section,
    },
    /// Sum of the normal forces of contacts in a volume, N. A contact is included if the ray from it along the normal,
    /// away from the body, intersects the volume.
    Touch {
        /// The frame of the volume.
        frame: FrameId,
        /// Its form: sphere, ellipsoid, box, cylinder or capsule.
        volume: Geometry,
        /// The shapes whose contacts count.
        shapes: Vec<ShapeId>,
    },
    /// A uniform field, along the axes of a frame.
    Field {
        /// The frame.
        frame: FrameId,
        /// The field in the world.
        field: Vec3,
    },
    /// Centre of mass of some bodies, m.
    CentreOfMass {
        /// The bodies.
        bodies: Vec<BodyId>,
    },
    /// Its velocity, m/s.
    CentreVelocity {
        /// The bodies.
        bodies: Vec<BodyId>,
    },
    /// Angular momentum of some bodies about their centre of mass, kg m²/s.
    AngularMomentum {
        /// The bodies.
        bodies: Vec<BodyId>,
    },
    /// Violation of a limit, m or rad, as a negative gap; 0 within its limits.
    LimitGap {
        /// What is limited.
        limit: LimitOf,
    },
    /// Rate of that gap during a violation, m/s or rad/s; otherwise 0.
    LimitRate {
        /// What is limited.
        limit: LimitOf,
    },
    /// Force of its limits, N or N m; not negative.
    LimitForce {
        /// What is limited.
        limit: LimitOf,
    },
    /// Potential energy in gravity and springs, J.
    PotentialEnergy {
        /// That of parts of the world, which are no bodies, J.
        #[serde(default)]
        fixed: f64,
    },
    /// Kinetic energy of bodies and armatures, J.
    KineticEnergy,
    /// 1 if the origin of a frame is in a volume, otherwise 0.
    Inside {
        /// The frame that the volume is at.
        frame: FrameId,
        /// The volume.
        volume: Geometry,
        /// The frame whose origin is looked for.
        object: FrameId,
    },
    /// Position of a frame's origin in a camera image, pixels from the left and from the top.
    Projection {
        /// The frame.
        frame: FrameId,
        /// The frame of the camera, which looks along −z, with y upwards.
        camera: FrameId,
        /// Focal lengths along x and y, pixels.
        focal: [f64; 2],
        /// Width and height of its image, pixels.
        size: [f64; 2],
    },
    /// The nearest points of two groups of shapes.
    Nearest {
        /// The first group.
        from: Vec<ShapeId>,
        /// The second group.
        to: Vec<ShapeId>,
        /// How far apart they may be, m.
        within: f64,
        /// What of them.
        value: Nearest,
    },
    /// Contacts: their number, distances, points, directions and forces.
    Contacts {
        /// Which of them, and what of each.
        query: Box<ContactQuery>,
    },
    /// Time, s.
    Clock,
}

/// What a limit bounds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "of", rename_all = "snake_case")]
pub enum LimitOf {
    /// A joint coordinate.
    Coordinate {
        /// The joint.
        joint: JointId,
        /// Which of its coordinates.
        coordinate: usize,
    },
    /// The whole angle of a ball joint.
    Turn {
        /// The joint.
        joint: JointId,
    },
    /// A tendon.
    Tendon {
        /// The tendon.
        tendon: TendonId,
    },
}

/// Value of the nearest points of two groups of shapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Nearest {
    /// Their distance, m, negative for overlap; the maximum search distance if they are farther apart.
    Distance,
    /// Unit vector from the first to the second, world; 0 if they are farther apart.
    Direction,
    /// Both points, world, m; 0 if they are farther apart.
    Points,
}
