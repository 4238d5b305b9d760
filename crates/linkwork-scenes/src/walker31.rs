//! A walking biped with legs of parallel links: dropped onto its feet it walks, is pushed aside, walks on
//! and is pushed over in the end.
//!
//! It shifts its weight over one foot by rolling hips and ankles together, steps with the other, and so
//! on, slowly enough for the feet to hold the body back. Targets follow from time; to that it adds a lean
//! against the tilt of its pelvis, without which it rocks from edge to edge of its soles until it falls.

use super::figure::*;
use super::parts::add_floor;
use super::{Param, Params, Scene, SceneEntry, SceneError};
use linkwork::Control;
use linkwork::math::{Pose, Vec3, Wrench};
use linkwork::model::{BodyId, JointId, Material, Model};
use std::f64::consts::TAU;

pub(super) const ENTRY: SceneEntry = SceneEntry {
    name: "walker31",
    summary: "a walking biped with parallel-link legs: 31 bodies, 36 hinges, 6 loops, free",
    params: &[
        Param::new("stride", 0.12, (0.0, 0.16), "length of a step, m"),
        Param::new("push", 1.0, (0.0, 3.0), "strength of the pushes; 0: none"),
    ],
    build,
};

/// Heaviest and lightest body, kg.
const CHEST_MASS: f64 = 19.91;
const LEAST_MASS: f64 = 0.2;
/// Height it is dropped from, m.
const DROP: f64 = 0.03;
/// When it begins to lean over its right foot, when it takes the first step, and the time of two steps, s.
const LEAN: f64 = 0.3;
const START: f64 = 1.4;
const PERIOD: f64 = 4.2;
/// How far it leans over the standing foot, rad, and how high it lifts the other, m.
const SWAY: f64 = 0.125;
const LIFT: f64 = 0.05;
/// Shares of the period in which the left foot swings, and in which the weight goes from foot to foot:
/// long enough for the feet to hold the body back.
const SWING: (f64, f64) = (0.16, 0.34);
const SHIFT: f64 = 0.31;
/// How much further it leans against a tilt (rad/rad) and against the rate of a tilt (s).
const BALANCE: (f64, f64) = (0.8, 0.02);
/// How far the feet are set back, m: their middle comes under the body.
const BACK: f64 = 0.03;
/// When it is pushed, for how long (s), and how hard (N).
const PUSHES: [(f64, f64, Vec3); 2] = [
    (4.6, 0.15, Vec3::new(0.0, 40.0, 0.0)),
    (8.2, 0.35, Vec3::new(120.0, -160.0, 0.0)),
];

const CHEST: [Ring; 5] = [
    Ring::new(0.0, 0.08, 0.11),
    Ring::new(0.10, 0.11, 0.15),
    Ring::new(0.24, 0.12, 0.17),
    Ring::new(0.33, 0.085, 0.13),
    Ring::new(0.36, 0.04, 0.06),
];

fn build(p: &Params) -> Result<Scene, SceneError> {
    let mut rig = Rig::new(Pose::at(0.0, 0.0, DROP));
    add_floor(&mut rig.builder, Material::with_friction(1.0));
    let pelvis = rig.body("pelvis", 6.0, &pelvis_pieces());
    let chest_at = Vec3::new(0.0, 0.0, 0.93);
    let chest = rig.body("chest", CHEST_MASS, &Piece::skin(chest_at, &CHEST, BODY));
    let waist = rig.servo(
        "waist",
        [pelvis, chest],
        chest_at,
        Vec3::z(),
        &Servo::new(800.0, 30.0).stops(-0.5, 0.5),
    );
    let legs = Side::BOTH.map(|side| {
        let leg = Leg {
            side,
            pelvis,
            masses: LegMasses {
                hip: 1.0,
                thigh: 1.8,
                shank: 1.2,
                plate: 0.5,
                rod: LEAST_MASS,
                foot: 1.2,
            },
            bend: Servo::new(10000.0, 200.0),
            roll: Servo::new(20000.0, 400.0),
        };
        leg.add(&mut rig)
    });
    let mut motion = Motion::new();
    motion.track(waist, &wave(START, PERIOD, 3, 0.0, 0.12));
    animate_head(&mut rig, &mut motion, chest);
    for side in Side::BOTH {
        animate_arm(&mut rig, &mut motion, chest, side);
    }
    let scene = Scene::new(rig.builder.build()?);
    let (stride, push) = (p.get("stride"), p.get("push"));
    Ok(scene.scripted(move |model, state, control| {
        let time = state.time;
        motion.apply(model, time, control);
        let pelvis = pelvis.index();
        let tilt = state.poses[pelvis].rotation * Vec3::z();
        let balance = BALANCE.0 * tilt.y - BALANCE.1 * state.twists[pelvis].angular.x;
        step(
            model,
            &legs,
            (stride, balance.clamp(-0.1, 0.1)),
            time,
            control,
        );
        let now = |&&(from, span, _): &&(f64, f64, Vec3)| (from..from + span).contains(&time);
        let force = PUSHES
            .iter()
            .find(now)
            .map_or(Vec3::zeros(), |p| push * p.2);
        control.wrench(chest, Wrench::new(force, Vec3::zeros()));
    }))
}

/// Targets of the legs at a time.
fn step(
    model: &Model,
    legs: &[LegJoints; 2],
    (stride, balance): (f64, f64),
    time: f64,
    control: &mut Control,
) {
    // It begins where the weight has gone to the right, and the first step is shorter.
    let walked = 0.5 * SHIFT + ((time - START) / PERIOD).max(0.0);
    let share = smooth((time - START) / PERIOD);
    let sway = SWAY * smooth((time - LEAN) / (START - LEAN)) * lean(walked.fract()) + balance;
    for (leg, side) in legs.iter().zip(Side::BOTH) {
        // The left leg swings while the weight is on the right, in the first half of the period.
        let phase = match side {
            Side::Left => walked.fract(),
            Side::Right => (walked + 0.5).fract(),
        };
        let (ahead, lift) = swing(phase);
        let [thigh, knee] = bend(share * stride * ahead - BACK, 0.01 + LIFT * lift);
        for (linked, angle) in [(&leg.thigh, thigh), (&leg.knee, knee)] {
            for (hinge, ratio) in linked.hinges() {
                control.target(model, hinge, ratio * angle);
            }
        }
        control.target(model, leg.hip_roll, sway);
        control.target(model, leg.ankle_roll, -sway);
    }
}

/// Which foot carries the weight: 1 the right one, −1 the left one.
fn lean(phase: f64) -> f64 {
    // From the start of the shift to the right.
    let p = (phase + 0.5 * SHIFT).fract();
    if p < 0.5 {
        2.0 * smooth(p / SHIFT) - 1.0
    } else {
        1.0 - 2.0 * smooth((p - 0.5) / SHIFT)
    }
}

/// From 0 to 1 on [0, 1], at rest at both ends.
fn smooth(s: f64) -> f64 {
    let s = s.clamp(0.0, 1.0);
    s * s * (3.0 - 2.0 * s)
}

/// Where a foot is in a step, in strides ahead of the hip, and how far it is lifted, as a share.
fn swing(phase: f64) -> (f64, f64) {
    let (from, to) = SWING;
    if (from..to).contains(&phase) {
        let s = (phase - from) / (to - from);
        let lift = (0.5 * TAU * s).sin().powi(2);
        (smooth(s) - 0.5, lift)
    } else {
        // On the ground it goes back evenly, from the end of one swing to the start of the next.
        let s = (phase - to).rem_euclid(1.0) / (1.0 - to + from);
        (0.5 - s, 0.0)
    }
}

fn pelvis_pieces() -> Vec<Piece> {
    let rings = [
        Ring::new(-0.06, 0.07, 0.13),
        Ring::new(0.0, 0.09, 0.15),
        Ring::new(0.07, 0.08, 0.12),
        Ring::new(0.11, 0.05, 0.08),
    ];
    let at = Vec3::new(0.0, 0.0, 0.82);
    Piece::skin(at, &rings, BODY).into()
}

fn animate_head(rig: &mut Rig, motion: &mut Motion, chest: BodyId) {
    let at = Vec3::new(0.0, 0.0, 1.36);
    let root = at - 0.08 * Vec3::z();
    let neck = rig.body("neck", 0.5, &[Piece::cylinder(root, at, 0.035)]);
    let servo = Servo::new(150.0, 6.0);
    let turn = rig.servo("neck turn", [chest, neck], root, Vec3::z(), &servo);
    let mut pieces = skull(at);
    for side in Side::BOTH {
        pieces.push(Piece::ball(at + side.point(0.105, 0.046, 0.18), 0.03));
    }
    let head = rig.body("head", 2.2, &pieces);
    let nod = rig.servo("nod", [neck, head], at, Vec3::y(), &servo.stops(-0.4, 0.4));
    let jaw = add_jaw(rig, head, at);
    motion.track(turn, &wave(0.5, 3.0, 3, 0.3, -0.3));
    motion.track(nod, &wave(0.3, 1.8, 5, 0.0, 0.2));
    motion.track(jaw, &wave(0.4, 0.9, 10, -0.12, 0.45));
}

/// A plain jaw with a stop either way.
fn add_jaw(rig: &mut Rig, head: BodyId, at: Vec3) -> JointId {
    let hinge = at + Vec3::new(0.0, 0.0, 0.07);
    let chin = [
        Ring::new(0.03, 0.012, 0.065),
        Ring::new(0.09, 0.018, 0.056),
        Ring::new(0.13, 0.010, 0.03),
    ];
    let chin = Piece::shell(at + Vec3::new(0.0, 0.0, 0.03), &chin);
    let pieces = [chin.turned(0.0, 0.25 * TAU, 0.0)];
    let jaw = rig.body("jaw", LEAST_MASS, &pieces);
    let servo = Servo::new(8.0, 0.1).stops(-0.05, 0.4);
    rig.servo("jaw", [head, jaw], hinge, Vec3::y(), &servo)
}

fn animate_arm(rig: &mut Rig, motion: &mut Motion, chest: BodyId, side: Side) {
    let root = side.point(0.0, 0.215, 1.20);
    let [elbow, wrist] = [0.25, 0.45].map(|down| root - down * Vec3::z());
    let upper = [Piece::ball(root, 0.05), Piece::capsule(root, elbow, 0.033)];
    let upper = rig.body(side.name("upper arm"), 1.2, &upper);
    let forearm = [Piece::capsule(elbow, wrist, 0.027).rubber().touching(HAND)];
    let forearm = rig.body(side.name("forearm"), 0.8, &forearm);
    let hand = [Piece::ball(wrist - 0.05 * Vec3::z(), 0.04)
        .rubber()
        .touching(HAND)];
    let hand = rig.body(side.name("hand"), 0.4, &hand);
    let strong = Servo::new(120.0, 5.0);
    // The arm hangs on a slanted hinge: swinging forward it comes in, and swinging back it goes out.
    let slant = Vec3::new(0.0, 1.0, 0.25 * side.sign()).normalize();
    let swing = rig.servo(side.name("shoulder"), [chest, upper], root, slant, &strong);
    let bend = strong.stops(-1.5, 0.05);
    let elbow = rig.servo(
        side.name("elbow"),
        [upper, forearm],
        elbow,
        Vec3::y(),
        &bend,
    );
    let turn = Servo::new(20.0, 0.5).stops(-0.6, 0.6);
    let wrist = rig.servo(side.name("wrist"), [forearm, hand], wrist, Vec3::x(), &turn);
    let swings = wave(START, PERIOD, 3, 0.4 * side.sign(), -0.4 * side.sign());
    motion.track(swing, &swings);
    motion.track(elbow, &wave(START, PERIOD, 3, -0.3, -0.9));
    motion.track(wrist, &wave(0.6, 1.5, 6, 0.0, 0.7));
}
