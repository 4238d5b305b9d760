//! A robot dog: drops on its feet, trots, is pushed, leaps, and lies down kicking.

use super::parts::add_floor;
use super::robot::{Gait, Heading, Hinge, Leg, Part, Push, Servo, Skeleton, pass, ramp, track};
use super::{Param, Params, Scene, SceneEntry, SceneError};
use linkwork::math::{Pose, Vec3};
use linkwork::model::{BodyId, JointId, Material, ModelBuilder};

pub(super) const ENTRY: SceneEntry = SceneEntry {
    name: "quadruped",
    summary: "a robot dog that drops, trots, is pushed, leaps and lies down: 60 rows on 13 bodies",
    params: &[
        Param::new("friction", 0.8, (0.0, 10.0), "friction coefficient"),
        Param::new("drop", 0.25, (0.0, 5.0), "initial height of the feet, m"),
        Param::new("speed", 0.4, (-1.0, 1.0), "speed of the trot, m/s"),
        Param::new("push", 120.0, (-1e4, 1e4), "push to the left, N for 0.15 s"),
    ],
    build,
};

const LEG: Leg = Leg {
    thigh: 0.21,
    shin: 0.21,
    bend: -1.0,
};
const TROT: Gait = Gait {
    frequency: 2.5,
    duty: 0.55,
    lift: 0.06,
};
/// Hips ahead of and beside the middle of the trunk, m.
const HIP: (f64, f64) = (0.2, 0.06);
const FOOT_RADIUS: f64 = 0.024;
/// Height of the hips above the feet when standing, m.
const STAND: f64 = 0.29;
/// Height of the hips above the feet (m) at times (s): stand, crouch, leap, land, lie.
const HEIGHT: [(f64, [f64; 1]); 9] = [
    (5.2, [STAND]),
    (5.7, [0.13]),
    (5.9, [0.13]),
    (6.1, [0.41]),
    (6.3, [0.25]),
    (6.6, [0.25]),
    (7.0, [STAND]),
    (7.3, [STAND]),
    (7.9, [0.08]),
];
/// How far the feet go towards those of the other end (m) at times (s), when it lies: they meet.
const SCISSORS: [(f64, [f64; 1]); 5] = [
    (7.8, [0.0]),
    (8.3, [0.22]),
    (8.8, [-0.15]),
    (9.3, [0.24]),
    (10.0, [0.0]),
];

/// The legs: name, end (+1 front), side (+1 left), and share of a period it steps ahead.
const LEGS: [(&str, f64, f64, f64); 4] = [
    ("front_left", 1.0, 1.0, 0.0),
    ("front_right", 1.0, -1.0, 0.5),
    ("hind_left", -1.0, 1.0, 0.5),
    ("hind_right", -1.0, -1.0, 0.0),
];

fn build(p: &Params) -> Result<Scene, SceneError> {
    let material = Material::with_friction(p.get("friction"));
    let mut b = ModelBuilder::new();
    add_floor(&mut b, material);
    let mut dog = Skeleton::new(b, material);
    let height = p.get("drop") + FOOT_RADIUS + STAND;
    let trunk = dog.root(trunk_part(), Pose::at(0.0, 0.0, height));
    let legs = LEGS.map(|(name, end, side, _)| add_leg(&mut dog, trunk, name, end, side));
    let push = Push {
        body: trunk,
        span: (3.5, 3.65),
        force: p.get("push") * Vec3::y(),
    };
    let speed = p.get("speed");
    let scene = Scene::new(dog.build()?);
    Ok(scene.scripted(move |model, state, control| {
        let time = state.time;
        let heading = Heading::of(state, trunk);
        for (joints, leg) in legs.iter().zip(LEGS) {
            track(model, control, joints, time, |t| {
                leg_angles(t, leg, speed, &heading)
            });
        }
        push.apply(control, time);
    }))
}

/// Angles of abduction, hip and knee, rad.
fn leg_angles(
    time: f64,
    (_, end, side, offset): (&str, f64, f64, f64),
    speed: f64,
    heading: &Heading,
) -> [f64; 3] {
    // Walks from 1.2 s to 5 s, and steers back to where it first looked.
    let walking = ramp(time, 1.2, 1.8) * (1.0 - ramp(time, 4.6, 5.0));
    let turn = -1.5 * heading.yaw;
    let forward = walking * (speed - turn * side * HIP.1);
    let sideways = walking * turn * end * HIP.0;
    let (ahead, lift) = TROT.foot(time, offset, forward);
    let (aside, _) = TROT.foot(time, offset, sideways);
    // A foot steps to where the trunk is drifting, which catches it (Raibert 1986, ch. 2).
    let catch = 0.5 * walking * TROT.duty / TROT.frequency;
    let ahead = ahead + catch * (heading.forward - walking * speed);
    let aside = aside + catch * heading.sideways;

    let [height] = pass(&HEIGHT, time);
    let [cross] = pass(&SCISSORS, time);
    let (hip, knee) = LEG.reach(ahead - end * cross, walking * lift - height);
    [aside / height.max(0.2), hip, knee]
}

fn trunk_part() -> Part {
    Part::new("trunk", 14.535)
        .capsule(0.07, [-0.17, 0.0, 0.0], [0.17, 0.0, 0.0])
        .block([0.15, 0.075, 0.045], [0.0, 0.0, 0.01])
        .block([0.05, 0.05, 0.04], [0.29, 0.0, 0.04])
        .cylinder(0.025, [0.34, 0.0, 0.04], [0.35, 0.0, 0.04])
        .capsule(0.012, [-0.24, 0.0, 0.03], [-0.3, 0.0, 0.09])
}

/// Add hip, thigh and calf; returns their hinges.
fn add_leg(dog: &mut Skeleton, trunk: BodyId, name: &str, end: f64, side: f64) -> [JointId; 3] {
    let (x, y) = (end * HIP.0, side * HIP.1);
    let (inner, outer) = (y + side * 0.02, y + side * 0.07);
    let foot = -LEG.thigh - LEG.shin;
    let hinge = |joint: &str, at, axis, limits, start| Hinge {
        name: format!("{name}_{joint}"),
        at,
        axis,
        limits,
        start,
        servo: Servo {
            stiffness: 250.0,
            damping: 8.0,
            effort: 70.0,
        },
    };
    let part = |body: &str, mass| Part::new(format!("{name}_{body}"), mass);
    let (bent_hip, bent_knee) = LEG.reach(0.0, -STAND);

    let hip = dog.hang(
        trunk,
        hinge("abduction", [x, y, 0.0], Vec3::x(), (-0.6, 0.6), 0.0),
        part("hip", 0.7).cylinder(0.042, [x, inner, 0.0], [x, outer, 0.0]),
    );
    let y = outer + side * 0.02;
    let thigh = dog.hang(
        hip.body,
        hinge("hip", [x, y, 0.0], Vec3::y(), (-1.5, 3.0), bent_hip),
        part("thigh", 0.9)
            .cylinder(0.045, [x, y - side * 0.02, 0.0], [x, y + side * 0.02, 0.0])
            .capsule(0.026, [x, y, -0.02], [x, y, -LEG.thigh]),
    );
    let calf = dog.hang(
        thigh.body,
        hinge(
            "knee",
            [x, y, -LEG.thigh],
            Vec3::y(),
            (-2.6, -0.3),
            bent_knee,
        ),
        part("calf", 0.5)
            .capsule(0.016, [x, y, -LEG.thigh], [x, y, foot + 0.02])
            .ball(FOOT_RADIUS, [x, y, foot]),
    );
    [hip.joint, thigh.joint, calf.joint]
}
