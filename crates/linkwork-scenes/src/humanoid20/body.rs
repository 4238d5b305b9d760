//! The humanoid's bodies and hinges, drawn with straight limbs and the hips' roll axes at height 0.

use super::{LEAN, LEG, STAND};
use crate::robot::{Hinge, Part, Servo, Skeleton};
use linkwork::math::{Pose, Vec3};
use linkwork::model::{BodyId, JointId, Material, Model, ModelBuilder, ModelError};
use std::sync::Arc;

/// The humanoid with what its script drives.
pub(super) struct Body {
    /// All of it.
    pub model: Arc<Model>,
    /// The heaviest body, which is pushed.
    pub torso: BodyId,
    /// Waist and neck.
    pub spine: [JointId; 2],
    /// Shoulder pitch, shoulder roll and elbow of the left and of the right arm.
    pub arms: [[JointId; 3]; 2],
    /// Yaw, roll, pitch, knee, ankle pitch and ankle roll of the left and of the right leg.
    pub legs: [[JointId; 6]; 2],
}

/// Distance of a leg from the middle, m.
const HIP: f64 = 0.095;
/// Height of the axes about which the thighs swing, m.
const PITCH: f64 = -0.04;
/// Height of the ankle above the sole, m.
const ANKLE: f64 = 0.06;
/// Height of a shoulder, and its distance from the middle, m.
const SHOULDER: (f64, f64) = (0.46, 0.19);
/// Lengths of upper arm and forearm, m.
const UPPER_ARM: f64 = 0.24;
const FOREARM: f64 = 0.22;

/// Motors: of a leg that carries all the rest, and of what is lighter.
const STRONG: Servo = Servo {
    stiffness: 2000.0,
    damping: 100.0,
    effort: 200.0,
};
const WEAK: Servo = Servo {
    stiffness: 80.0,
    damping: 4.0,
    effort: 40.0,
};

/// Add the humanoid with its soles at `drop` (m) above the floor.
pub(super) fn add_body(
    builder: ModelBuilder,
    material: Material,
    drop: f64,
) -> Result<Body, ModelError> {
    let mut skeleton = Skeleton::new(builder, material);
    let height = drop + ANKLE + STAND - PITCH;
    let pelvis = skeleton.root(pelvis_part(), Pose::at(0.0, 0.0, height));
    let sides = [("left", 1.0), ("right", -1.0)];
    let legs = sides.map(|(name, side)| add_leg(&mut skeleton, pelvis, name, side));
    let (torso, spine) = add_spine(&mut skeleton, pelvis);
    let arms = sides.map(|(name, side)| add_arm(&mut skeleton, torso, name, side));
    Ok(Body {
        model: skeleton.build()?,
        torso,
        spine,
        arms,
        legs,
    })
}

fn pelvis_part() -> Part {
    Part::new("pelvis", 5.0)
        .capsule(0.065, [0.0, -0.06, 0.1], [0.0, 0.06, 0.1])
        .cylinder(0.06, [0.0, 0.0, 0.1], [0.0, 0.0, 0.18])
}

/// Add torso and head; returns the torso and the hinges of waist and neck.
fn add_spine(skeleton: &mut Skeleton, pelvis: BodyId) -> (BodyId, [JointId; 2]) {
    let hinge = |name: &str, height, limit: f64, servo| Hinge {
        name: name.to_owned(),
        at: [0.0, 0.0, height],
        axis: Vec3::z(),
        limits: (-limit, limit),
        start: 0.0,
        servo,
    };
    let torso = skeleton.hang(
        pelvis,
        hinge("waist", 0.19, 1.0, STRONG),
        Part::new("torso", 16.0695)
            .cylinder(0.075, [0.0, 0.0, 0.19], [0.0, 0.0, 0.26])
            .block([0.08, 0.13, 0.11], [0.0, 0.0, 0.37])
            .capsule(0.06, [0.0, -0.1, 0.45], [0.0, 0.1, 0.45])
            .block([0.03, 0.1, 0.1], [-0.1, 0.0, 0.37]),
    );
    let neck = skeleton.hang(
        torso.body,
        hinge("neck", 0.53, 1.2, WEAK),
        Part::new("head", 2.0)
            .cylinder(0.035, [0.0, 0.0, 0.52], [0.0, 0.0, 0.57])
            .capsule(0.075, [0.0, 0.0, 0.63], [0.0, 0.0, 0.67])
            .block([0.02, 0.06, 0.025], [0.065, 0.0, 0.65]),
    );
    (torso.body, [torso.joint, neck.joint])
}

/// Add shoulder, upper arm and forearm with hand; returns their hinges.
fn add_arm(skeleton: &mut Skeleton, torso: BodyId, name: &str, side: f64) -> [JointId; 3] {
    let (z, y) = (SHOULDER.0, side * SHOULDER.1);
    let out = y + side * 0.035;
    let (elbow, wrist) = (z - UPPER_ARM, z - UPPER_ARM - FOREARM);
    // Roll is away from the body where positive on the left and negative on the right.
    let away = |least: f64, most: f64| {
        if side > 0.0 {
            (least, most)
        } else {
            (-most, -least)
        }
    };
    let hinge = |joint: &str, at, axis, limits, start| Hinge {
        name: format!("{name}_{joint}"),
        at,
        axis,
        limits,
        start,
        servo: WEAK,
    };
    let part = |body: &str, mass| Part::new(format!("{name}_{body}"), mass);

    let shoulder = skeleton.hang(
        torso,
        hinge("shoulder_pitch", [0.0, y, z], Vec3::y(), (-2.8, 1.0), 0.0),
        part("shoulder", 0.8).cylinder(0.05, [0.0, y - side * 0.02, z], [0.0, y + side * 0.06, z]),
    );
    let upper = skeleton.hang(
        shoulder.body,
        hinge(
            "shoulder_roll",
            [0.0, out, z],
            Vec3::x(),
            away(-0.5, 1.8),
            side * 0.25,
        ),
        part("upper_arm", 1.5).capsule(0.04, [0.0, out, z - 0.03], [0.0, out, elbow]),
    );
    let fore = skeleton.hang(
        upper.body,
        hinge("elbow", [0.0, out, elbow], Vec3::y(), (-2.2, 0.0), -0.4),
        part("forearm", 1.1)
            .capsule(0.034, [0.0, out, elbow], [0.0, out, wrist + 0.03])
            .ball(0.045, [0.0, out, wrist]),
    );
    [shoulder.joint, upper.joint, fore.joint]
}

/// Add the hip's two pieces, thigh, shin, the ankle's cross and the foot; returns their hinges.
fn add_leg(skeleton: &mut Skeleton, pelvis: BodyId, name: &str, side: f64) -> [JointId; 6] {
    let y = side * HIP;
    let (knee, ankle) = (PITCH - LEG.thigh, PITCH - LEG.thigh - LEG.shin);
    let sole = ankle - ANKLE;
    let hinge = |joint: &str, height, axis, limits, start| Hinge {
        name: format!("{name}_{joint}"),
        at: [0.0, y, height],
        axis,
        limits,
        start,
        servo: STRONG,
    };
    let part = |body: &str, mass| Part::new(format!("{name}_{body}"), mass);
    let (bent_hip, bent_knee) = LEG.reach(-LEAN, -STAND);
    let across = |width: f64, z| ([0.0, y - width, z], [0.0, y + width, z]);

    let yaw = skeleton.hang(
        pelvis,
        hinge("hip_yaw", 0.05, Vec3::z(), (-0.6, 0.6), 0.0),
        part("hip", 0.8).cylinder(0.045, [0.0, y, 0.02], [0.0, y, 0.06]),
    );
    let roll = skeleton.hang(
        yaw.body,
        hinge("hip_roll", 0.0, Vec3::x(), (-0.5, 0.5), 0.0),
        part("hip_cross", 0.5).cylinder(0.04, [-0.05, y, 0.0], [0.05, y, 0.0]),
    );
    let (from, to) = across(0.05, PITCH);
    let thigh = skeleton.hang(
        roll.body,
        hinge("hip_pitch", PITCH, Vec3::y(), (-2.0, 0.8), bent_hip),
        part("thigh", 3.0).cylinder(0.05, from, to).capsule(
            0.052,
            [0.0, y, PITCH - 0.06],
            [0.0, y, knee + 0.02],
        ),
    );
    let (from, to) = across(0.048, knee);
    let shin = skeleton.hang(
        thigh.body,
        hinge("knee", knee, Vec3::y(), (0.05, 2.3), bent_knee),
        part("shin", 2.0).cylinder(0.048, from, to).capsule(
            0.04,
            [0.0, y, knee - 0.03],
            [0.0, y, ankle + 0.05],
        ),
    );
    let cross = skeleton.hang(
        shin.body,
        hinge(
            "ankle_pitch",
            ankle,
            Vec3::y(),
            (-0.9, 0.9),
            -bent_hip - bent_knee,
        ),
        part("ankle", 0.05).ball(0.022, [0.0, y, ankle]),
    );
    let foot = skeleton.hang(
        cross.body,
        hinge("ankle_roll", ankle, Vec3::x(), (-0.4, 0.4), 0.0),
        part("foot", 0.8)
            .block([0.115, 0.05, 0.014], [0.03, y, sole + 0.014])
            .capsule(0.024, [-0.03, y, sole + 0.035], [0.04, y, sole + 0.028]),
    );
    [
        yaw.joint,
        roll.joint,
        thigh.joint,
        shin.joint,
        cross.joint,
        foot.joint,
    ]
}
