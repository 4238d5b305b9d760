//! The droid's bodies and hinges, drawn with straight legs and the hips' roll axes at height 0.

use super::{LEG, STAND};
use crate::robot::{Hinge, Part, Servo, Skeleton};
use linkwork::math::{Pose, Vec3};
use linkwork::model::{BodyId, JointId, Material, Model, ModelBuilder, ModelError};
use std::sync::Arc;

/// The droid with what its script drives.
pub(super) struct Body {
    /// All of it.
    pub model: Arc<Model>,
    /// The root body.
    pub trunk: BodyId,
    /// Neck, nod, turn and tilt.
    pub head: [JointId; 4],
    /// Yaw, roll, pitch, knee and ankle of the left and of the right leg.
    pub legs: [[JointId; 5]; 2],
}

/// Distance of a leg from the middle, m.
const HIP: f64 = 0.075;
/// Height of the axes about which the thighs swing, m.
const PITCH: f64 = -0.03;
/// Height of the ankle above the sole, m.
const ANKLE: f64 = 0.04;

/// Add the droid with its soles at `drop` (m) above the floor.
pub(super) fn add_body(
    builder: ModelBuilder,
    material: Material,
    drop: f64,
) -> Result<Body, ModelError> {
    let mut droid = Skeleton::new(builder, material);
    let height = drop + ANKLE + STAND - PITCH;
    let trunk = droid.root(trunk_part(), Pose::at(0.0, 0.0, height));
    let legs =
        [("left", 1.0), ("right", -1.0)].map(|(name, side)| add_leg(&mut droid, trunk, name, side));
    let head = add_head(&mut droid, trunk);
    Ok(Body {
        model: droid.build()?,
        trunk,
        head,
        legs,
    })
}

fn trunk_part() -> Part {
    Part::new("trunk", 8.498)
        .block([0.085, 0.075, 0.05], [0.0, 0.0, 0.11])
        .capsule(0.045, [0.02, -0.045, 0.1], [0.02, 0.045, 0.1])
        .block([0.03, 0.05, 0.035], [-0.105, 0.0, 0.12])
        .capsule(0.004, [-0.12, 0.04, 0.155], [-0.14, 0.04, 0.24])
}

/// Add the hip's yaw and roll pieces, thigh, shin and foot; returns their hinges.
fn add_leg(droid: &mut Skeleton, trunk: BodyId, name: &str, side: f64) -> [JointId; 5] {
    let y = side * HIP;
    let (knee, ankle) = (PITCH - LEG.thigh, PITCH - LEG.thigh - LEG.shin);
    let hinge = |joint: &str, height, axis, limits, start| Hinge {
        name: format!("{name}_{joint}"),
        at: [0.0, y, height],
        axis,
        limits,
        start,
        servo: Servo {
            stiffness: 150.0,
            damping: 5.0,
            effort: 60.0,
        },
    };
    let part = |body: &str, mass| Part::new(format!("{name}_{body}"), mass);
    let (bent_hip, bent_knee) = LEG.reach(0.0, -STAND);
    let out = y + side * 0.035;

    let yaw = droid.hang(
        trunk,
        hinge("hip_yaw", 0.05, Vec3::z(), (-0.6, 0.6), 0.0),
        part("hip", 0.5).cylinder(0.032, [0.0, y, 0.02], [0.0, y, 0.055]),
    );
    let roll = droid.hang(
        yaw.body,
        hinge("hip_roll", 0.0, Vec3::x(), (-0.5, 0.5), 0.0),
        part("hip_cross", 0.45).cylinder(0.03, [-0.035, y, 0.0], [0.035, y, 0.0]),
    );
    let pitch = droid.hang(
        roll.body,
        hinge("hip_pitch", PITCH, Vec3::y(), (-1.2, 1.4), bent_hip),
        part("thigh", 0.9)
            .cylinder(0.035, [0.0, y - side * 0.02, PITCH], [0.0, out, PITCH])
            .capsule(0.024, [0.0, y, PITCH - 0.03], [0.0, y, knee]),
    );
    let shin = droid.hang(
        pitch.body,
        hinge("knee", knee, Vec3::y(), (-2.3, -0.2), bent_knee),
        part("shin", 0.6)
            .cylinder(0.03, [0.0, y - side * 0.03, knee], [0.0, out, knee])
            .capsule(0.02, [0.0, y, knee], [0.0, y, ankle]),
    );
    let foot = droid.hang(
        shin.body,
        hinge(
            "ankle",
            ankle,
            Vec3::y(),
            (-1.0, 1.0),
            -bent_hip - bent_knee,
        ),
        part("foot", 0.35)
            .block([0.075, 0.042, 0.012], [0.01, y, ankle - ANKLE + 0.012])
            .cylinder(0.022, [0.0, y - side * 0.03, ankle], [0.0, out, ankle]),
    );
    [yaw.joint, roll.joint, pitch.joint, shin.joint, foot.joint]
}

/// Add neck, the two pieces the head turns on, and the head; returns their hinges.
fn add_head(droid: &mut Skeleton, trunk: BodyId) -> [JointId; 4] {
    let hinge = |name: &str, at, axis, limit: f64| Hinge {
        name: name.to_owned(),
        at,
        axis,
        limits: (-limit, limit),
        start: 0.0,
        servo: Servo {
            stiffness: 60.0,
            damping: 2.0,
            effort: 20.0,
        },
    };
    let x = 0.07;
    let neck = droid.hang(
        trunk,
        hinge("neck", [0.03, 0.0, 0.17], Vec3::y(), 0.8),
        Part::new("neck", 0.4).capsule(0.02, [0.03, 0.0, 0.17], [x, 0.0, 0.26]),
    );
    let nod = droid.hang(
        neck.body,
        hinge("head_pitch", [x, 0.0, 0.26], Vec3::y(), 0.8),
        Part::new("nod", 0.2).cylinder(0.025, [x, -0.03, 0.26], [x, 0.03, 0.26]),
    );
    let turn = droid.hang(
        nod.body,
        hinge("head_yaw", [x, 0.0, 0.285], Vec3::z(), 1.4),
        Part::new("turn", 0.25).cylinder(0.03, [x, 0.0, 0.287], [x, 0.0, 0.305]),
    );
    let head = droid.hang(
        turn.body,
        hinge("head_roll", [x, 0.0, 0.33], Vec3::x(), 0.6),
        Part::new("head", 1.2)
            .block([0.07, 0.06, 0.035], [x + 0.02, 0.0, 0.355])
            .capsule(0.02, [x - 0.04, 0.0, 0.385], [x + 0.06, 0.0, 0.385])
            .cylinder(0.02, [x + 0.09, 0.03, 0.36], [x + 0.1, 0.03, 0.36])
            .cylinder(0.02, [x + 0.09, -0.03, 0.36], [x + 0.1, -0.03, 0.36])
            .capsule(0.004, [x - 0.03, 0.062, 0.37], [x - 0.07, 0.068, 0.45])
            .capsule(0.004, [x - 0.03, -0.062, 0.37], [x - 0.07, -0.068, 0.45]),
    );
    [neck.joint, nod.joint, turn.joint, head.joint]
}
