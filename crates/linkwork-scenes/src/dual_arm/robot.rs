//! A seven-axis arm with a hand of four fingers, four joints each.

use super::super::parts::LINKS;
use super::super::robot::{Hinge, Part, Servo, Skeleton};
use super::reach::{Angles, Chain};
use linkwork::math::{Pose, Quat, Vec3, exp};
use linkwork::model::{BodyId, JointId, Material};
use std::f64::consts::FRAC_PI_2;

/// Height of shoulder, elbow, wrist and of the palm's face in the drawing of the stretched arm, m.
const SHOULDER: f64 = 0.34;
const ELBOW: f64 = SHOULDER + 0.40;
const WRIST: f64 = ELBOW + 0.40;
const PALM: f64 = WRIST + 0.10;
/// What is held lies about as far from the palm, m.
const REACH: f64 = 0.06;

/// An axis: height (m), whether it bends the arm (about y) or turns it (about z), limit either way (rad), gain
/// (N m/rad) and torque (N m) of its motor.
struct AxisDef(&'static str, f64, bool, f64, f64, f64);

const AXES: [AxisDef; 7] = [
    AxisDef("shoulder_turn", 0.15, false, 2.9, 2500.0, 320.0),
    AxisDef("shoulder_bend", SHOULDER, true, 2.1, 2500.0, 320.0),
    AxisDef("upper_turn", 0.54, false, 2.9, 1500.0, 176.0),
    AxisDef("elbow", ELBOW, true, 2.6, 1500.0, 176.0),
    AxisDef("fore_turn", 0.94, false, 2.9, 800.0, 110.0),
    AxisDef("wrist_bend", WRIST, true, 2.1, 500.0, 40.0),
    AxisDef("flange_turn", WRIST + 0.05, false, 3.0, 400.0, 40.0),
];

/// Where fingers are on the palm: side of the palm, place across it (m); and how strong they are.
const FINGERS: [(&str, f64, f64, f64); 4] = [
    ("index", 1.0, -0.025, 1.0),
    ("middle", 1.0, 0.0, 1.0),
    ("ring", 1.0, 0.025, 1.0),
    ("thumb", -1.0, 0.0, 3.0),
];
/// Distance of the fingers from the middle of the palm, m.
const APART: f64 = 0.058;
/// Lengths of the knuckle and the three phalanges, and radius of a finger, m.
const KNUCKLE: f64 = 0.015;
const PHALANGES: [f64; 3] = [0.045, 0.03, 0.03];
const FINGER: f64 = 0.009;
/// Gain (N m/rad) and torque (N m) of a finger's motors; the thumb is as strong as the three others together.
pub(super) const FINGER_GAIN: f64 = 6.0;
pub(super) const FINGER_TORQUE: f64 = 1.2;

/// Angles of a finger: sideways, and of the three that bend it.
pub(super) type Bend = [f64; 4];

/// An arm with its hand, in the model.
#[derive(Clone)]
pub(super) struct Robot {
    /// The seven axes of the arm, and those of each finger.
    pub arm: [JointId; 7],
    pub fingers: [[JointId; 4]; 4],
    /// Links of the arm, and of the hand with them, from the base on.
    pub links: Vec<BodyId>,
    pub chain: Chain,
}

/// The axes of an arm whose drawing is placed at `base`.
pub(super) fn chain(base: Pose) -> Chain {
    let axes = AXES.map(|AxisDef(_, height, bends, ..)| {
        let axis = if bends { Vec3::y() } else { Vec3::z() };
        (Vec3::new(0.0, 0.0, height), axis)
    });
    let tool = Pose::new(Vec3::new(0.0, 0.0, PALM + REACH), mount());
    Chain { base, axes, tool }
}

/// The hand is mounted a quarter turn round: its fingers close along y of the drawing.
fn mount() -> Quat {
    exp(&Vec3::new(0.0, 0.0, FRAC_PI_2))
}

/// A point of the hand, m: from the palm's centre along the way fingers close, across it, and away from the palm.
fn on_hand(close: f64, across: f64, away: f64) -> [f64; 3] {
    let p = mount() * Vec3::new(close, across, 0.0);
    [p.x, p.y, PALM + away]
}

/// Add an arm on the table at `base`, with the given angles, its fingers bent by `bend`.
pub(super) fn add(
    skeleton: &mut Skeleton,
    name: &str,
    base: Pose,
    start: &Angles,
    bend: &Bend,
    skin: Material,
) -> Robot {
    let named = |part: &str| format!("{name}_{part}");
    let stand = Part::new(named("base"), 5.0)
        .cylinder(0.085, [0.0, 0.0, 0.002], [0.0, 0.0, 0.15])
        .group(LINKS);
    let mut body = skeleton.root(stand, base);
    skeleton.weld(&named("stand"), body);
    let mut links = vec![];
    let mut arm = Vec::with_capacity(7);
    for ((part, def), start) in link_parts(name).into_iter().zip(AXES).zip(start) {
        let AxisDef(joint, height, bends, limit, gain, torque) = def;
        let link = skeleton.hang(
            body,
            Hinge {
                name: named(joint),
                at: [0.0, 0.0, height],
                axis: if bends { Vec3::y() } else { Vec3::z() },
                limits: (-limit, limit),
                start: *start,
                servo: Servo {
                    stiffness: gain,
                    damping: 0.1 * gain,
                    effort: torque,
                },
            },
            part,
        );
        body = link.body;
        links.push(body);
        arm.push(link.joint);
    }
    let fingers =
        FINGERS.map(|finger| add_finger(skeleton, name, body, finger, bend, skin, &mut links));
    Robot {
        arm: std::array::from_fn(|i| arm[i]),
        fingers,
        links,
        chain: chain(base),
    }
}

fn add_finger(
    skeleton: &mut Skeleton,
    name: &str,
    palm: BodyId,
    (finger, side, across, strength): (&str, f64, f64, f64),
    bend: &Bend,
    skin: Material,
    links: &mut Vec<BodyId>,
) -> [JointId; 4] {
    let at = |away: f64| on_hand(side * APART, across, away);
    // Bending brings the tip to the middle of the palm.
    let (aside, inwards) = (
        mount() * Vec3::new(1.0, 0.0, 0.0),
        mount() * Vec3::new(0.0, -side, 0.0),
    );
    let mut base = palm;
    let mut from = 0.0;
    let lengths = [KNUCKLE, PHALANGES[0], PHALANGES[1], PHALANGES[2]];
    std::array::from_fn(|i| {
        let to = from + lengths[i];
        let part = Part::new(format!("{name}_{finger}{i}"), 0.03 + lengths[i])
            .capsule(FINGER, at(from), at(to))
            .surface(skin)
            .group(LINKS);
        let link = skeleton.hang(
            base,
            Hinge {
                name: format!("{name}_{finger}{i}"),
                at: at(from),
                axis: if i == 0 { aside } else { inwards },
                limits: if i == 0 { (-0.4, 0.4) } else { (-0.4, 1.6) },
                start: bend[i],
                servo: Servo {
                    stiffness: strength * FINGER_GAIN,
                    damping: 0.1 * strength * FINGER_GAIN,
                    effort: strength * FINGER_TORQUE,
                },
            },
            part,
        );
        links.push(link.body);
        (base, from) = (link.body, to);
        link.joint
    })
}

/// The seven links: upright housings that end in a cross housing at each bend; the last carries the palm.
fn link_parts(name: &str) -> [Part; 7] {
    let upright = |part: &str, mass, radius, from: f64, to: f64| {
        Part::new(format!("{name}_{part}"), mass)
            .capsule(radius, [0.0, 0.0, from], [0.0, 0.0, to])
            .group(LINKS)
    };
    let across = |part: Part, radius, half: f64, height| {
        part.cylinder(radius, [0.0, -half, height], [0.0, half, height])
    };
    [
        across(
            upright("shoulder", 4.0, 0.075, 0.22, 0.27),
            0.07,
            0.1,
            SHOULDER,
        ),
        upright("upper_arm", 3.6, 0.065, SHOULDER + 0.03, 0.5),
        across(
            upright("elbow_yoke", 2.8, 0.06, 0.58, 0.67),
            0.055,
            0.08,
            ELBOW,
        ),
        upright("forearm", 2.4, 0.05, ELBOW + 0.02, 0.9),
        across(
            upright("wrist_yoke", 1.7, 0.045, 0.98, 1.08),
            0.04,
            0.055,
            WRIST,
        ),
        upright("wrist", 0.9, 0.035, WRIST + 0.005, WRIST + 0.03),
        Part::new(format!("{name}_palm"), 0.8)
            .cylinder(0.035, [0.0, 0.0, WRIST + 0.05], [0.0, 0.0, PALM - 0.02])
            .block([0.04, 0.065, 0.01], [0.0, 0.0, PALM - 0.01])
            .group(LINKS),
    ]
}
