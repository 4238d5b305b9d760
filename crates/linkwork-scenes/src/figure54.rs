//! A tall armoured figure on a plinth: waist, neck, shoulders and wrists are moved by push rods with two
//! balls, elbows, jaw, eyes and brows by planar linkages. Eyelids of 1.8 g hang on a base of 46 kg.

use super::figure::*;
use super::figure22::{blink, speak};
use super::parts::add_floor;
use super::{Params, Scene, SceneEntry, SceneError};
use linkwork::math::{Pose, Vec3};
use linkwork::model::{BodyId, Material};
use std::f64::consts::FRAC_PI_2;

pub(super) const ENTRY: SceneEntry = SceneEntry {
    name: "figure54",
    summary: "an armoured animatronic figure: 54 bodies, 8 rods on balls, 13 loops, mass ratio 25544",
    params: &[],
    build,
};

/// Height of the waist over the floor, m.
const WAIST: f64 = 1.02;
/// The point the head tilts about, from the waist, m.
const NECK: f64 = 0.64;
/// Heaviest and lightest body, kg.
const BASE_MASS: f64 = 45.98;
const LEAST_MASS: f64 = 0.0018;

const CHEST: [Ring; 6] = [
    Ring::new(0.04, 0.085, 0.115),
    Ring::new(0.12, 0.09, 0.12),
    Ring::new(0.24, 0.125, 0.165),
    Ring::new(0.36, 0.135, 0.19),
    Ring::new(0.45, 0.10, 0.16),
    Ring::new(0.50, 0.05, 0.08),
];

fn build(_: &Params) -> Result<Scene, SceneError> {
    let mut rig = Rig::new(Pose::at(0.0, 0.0, WAIST).rotated(Vec3::z() * (0.25 - FRAC_PI_2)));
    add_floor(&mut rig.builder, Material::default());
    let base = rig.body("base", BASE_MASS, &base_pieces());
    rig.bolt(base);
    let [seen, felt] = Piece::skin(Vec3::zeros(), &CHEST, BODY);
    let torso = rig.body(
        "torso",
        22.0,
        &[
            seen,
            felt,
            Piece::cylinder(
                Vec3::new(0.12, 0.0, 0.36),
                Vec3::new(0.145, 0.0, 0.36),
                0.04,
            ),
            Piece::capsule(Vec3::zeros(), Vec3::new(0.0, 0.0, 0.06), 0.03),
        ],
    );
    let mut motion = Motion::new();
    let waist = Tilt {
        name: "waist",
        bodies: [base, torso],
        at: Vec3::zeros(),
        behind: 0.12,
        beside: 0.08,
        heights: [-0.14, 0.12],
        crank: 0.07,
        ends: Ends::Balls,
        masses: [0.9, 0.4, 0.3],
        radius: 0.009,
        servo: Servo::new(4000.0, 150.0).stops(-0.5, 0.5),
    };
    let waist = waist.add(&mut rig);
    waist.pitch(&mut motion, &wave(0.4, 2.8, 3, 0.0, 0.16));
    waist.roll(&mut motion, &wave(0.2, 3.4, 2, 0.12, -0.12));
    animate_head(&mut rig, &mut motion, torso);
    for side in Side::BOTH {
        animate_arm(&mut rig, &mut motion, torso, side);
    }
    let scene = Scene::new(rig.builder.build()?);
    Ok(scene.scripted(move |model, state, control| motion.apply(model, state.time, control)))
}

/// Hips, legs in a wide stance and a plinth.
fn base_pieces() -> Vec<Piece> {
    let hips = [
        Ring::new(-0.26, 0.11, 0.165),
        Ring::new(-0.18, 0.13, 0.18),
        Ring::new(-0.09, 0.11, 0.15),
        Ring::new(-0.04, 0.07, 0.10),
    ];
    let leg = [
        Ring::new(-0.78, 0.075, 0.065).shifted(0.01),
        Ring::new(-0.68, 0.06, 0.055),
        Ring::new(-0.52, 0.07, 0.065),
        Ring::new(-0.38, 0.06, 0.058),
        Ring::new(-0.18, 0.085, 0.08),
        Ring::new(0.0, 0.075, 0.07),
    ];
    let floor = -WAIST;
    let [seen, felt] = Piece::skin(Vec3::zeros(), &hips, BODY);
    let mut pieces = vec![
        seen,
        felt,
        Piece::capsule(Vec3::new(0.0, 0.0, -0.06), Vec3::zeros(), 0.03),
        Piece::cylinder(
            Vec3::new(0.0, 0.0, floor),
            Vec3::new(0.0, 0.0, floor + 0.06),
            0.36,
        ),
    ];
    for side in Side::BOTH {
        let hip = side.point(0.0, 0.10, -0.18);
        pieces.push(Piece::shell(hip, &leg).turned(0.10 * side.sign(), 0.0, 0.0));
        pieces.push(Piece::slab(
            side.point(0.05, 0.18, floor + 0.085),
            0.13,
            0.06,
            0.025,
        ));
    }
    pieces
}

fn animate_head(rig: &mut Rig, motion: &mut Motion, torso: BodyId) {
    let at = NECK * Vec3::z();
    let collar = at - 0.14 * Vec3::z();
    let post = rig.body(
        "neck",
        1.2,
        &[
            Piece::cylinder(collar, collar + 0.02 * Vec3::z(), 0.08),
            Piece::cylinder(collar, at, 0.028),
        ],
    );
    let servo = Servo::new(300.0, 12.0);
    let turn = rig.servo("neck turn", [torso, post], collar, Vec3::z(), &servo);
    let body = rig.body("head", 3.4, &helmet(at));
    let neck = Tilt {
        name: "neck",
        bodies: [post, body],
        at,
        behind: 0.075,
        beside: 0.055,
        heights: [-0.10, 0.075],
        crank: 0.05,
        ends: Ends::Balls,
        masses: [0.25, 0.10, 0.06],
        radius: 0.007,
        servo: Servo::new(250.0, 8.0).stops(-0.7, 0.7),
    };
    let neck = neck.add(rig);
    let head = Head { body, at };
    let light = Servo::new(0.3, 0.004);
    let jaw = head.add_jaw(rig, 0.25, [0.03, 0.02], Servo::new(12.0, 0.15), Servos::One);
    let eyes = add_eyes(
        rig,
        &head,
        0.02,
        0.005,
        &light.stops(-0.5, 0.5),
        Servos::One,
    );
    let brows = add_brows(rig, &head, 0.005, 0.003, &light.stops(-0.5, 0.5));
    let lids = add_lids(
        rig,
        &head,
        LEAST_MASS,
        &Servo::new(0.05, 6e-4).stops(-0.05, 1.0),
    );
    add_visor(rig, &head);

    motion.track(turn, &wave(0.5, 2.6, 3, 0.35, -0.35));
    neck.pitch(motion, &wave(0.2, 1.3, 7, -0.12, 0.25));
    neck.roll(motion, &wave(0.0, 2.2, 4, 0.2, -0.2));
    speak(motion, &jaw);
    motion.linked(&eyes, &wave(0.4, 1.7, 5, 0.52, -0.52));
    motion.track(brows, &wave(0.5, 1.3, 7, 0.35, -0.52));
    for lid in lids {
        blink(motion, lid, 1.15);
    }
}

/// A skull with a crest and ear caps.
fn helmet(at: Vec3) -> Vec<Piece> {
    let mut pieces = skull(at);
    let crest = Vec3::new(-0.01, 0.0, 0.26);
    pieces.push(Piece::ellipsoid(at + crest, Vec3::new(0.12, 0.012, 0.06)));
    for side in Side::BOTH {
        let ear = |y: f64| at + side.point(0.0, y, 0.20);
        pieces.push(Piece::cylinder(ear(0.09), ear(0.118), 0.03));
    }
    pieces
}

/// A visor that hangs on springs about the ear caps, down for positive angles.
fn add_visor(rig: &mut Rig, head: &Head) {
    let at = head.at + 0.20 * Vec3::z();
    let mut pieces = vec![
        Piece::slab(at + Vec3::new(0.125, 0.0, 0.068), 0.006, 0.085, 0.022).turned(0.0, -0.35, 0.0),
    ];
    for side in Side::BOTH {
        let [from, to] = [side.point(0.0, 0.125, 0.0), side.point(0.12, 0.088, 0.065)];
        pieces.push(Piece::capsule(at + from, at + to, 0.008));
    }
    let visor = rig.body("visor", 0.08, &pieces);
    let spring = Servo::new(1.0, 0.005).stops(-0.7, 0.2).passive();
    rig.servo("visor", [head.body, visor], at, Vec3::y(), &spring);
}

fn animate_arm(rig: &mut Rig, motion: &mut Motion, torso: BodyId, side: Side) {
    let arm = Arm {
        side,
        torso,
        shoulder: [0.178, 0.41],
        masses: ArmMasses {
            shoulder: 0.9,
            upper: 1.8,
            forearm: 1.2,
            hand: 0.35,
            crank: 0.12,
            rod: 0.06,
        },
        servos: ArmServos {
            shoulder: Servo::new(400.0, 16.0),
            elbow: Servo::new(200.0, 7.0),
            wrist: Servo::new(40.0, 0.8),
        },
        drives: [
            Drive::Rod(Ends::Balls),
            Drive::Rod(Ends::Hinges),
            Drive::Rod(Ends::Balls),
        ],
        girth: 1.15,
    };
    let joints = arm.add(rig);
    let pauldron = add_pauldron(rig, torso, side);
    motion.track(pauldron, &wave(0.4, 2.4, 4, 0.0, 0.6));
    // Fingers yield on contact.
    let light = Servo::new(0.8, 0.01).passive();
    let hand = joints.hand;
    let digit = light.stops(-0.1, 1.6);
    for (name, x) in [("fore finger", 0.016), ("ring finger", -0.016)] {
        hand.add_finger(rig, name, 0.012, (x, 1.0), &digit);
    }
    hand.add_thumb(rig, 0.010, &light.stops(-0.5, 0.5));
    motion.track(joints.wrist, &wave(0.5, 1.2, 7, 0.4, -0.4));
    let keys = |up, rest| in_turn(side, up, rest);
    motion.track(joints.raise, &keys(1.22, -0.3));
    motion.track(joints.swing, &keys(-0.9, 0.0));
    motion.track(joints.elbow, &keys(-1.7, 0.0));
}

/// A shell over the shoulder, hinged to the torso; lifts outward.
fn add_pauldron(rig: &mut Rig, torso: BodyId, side: Side) -> linkwork::model::JointId {
    let dome = [
        Ring::new(0.035, 0.085, 0.08),
        Ring::new(0.06, 0.075, 0.07),
        Ring::new(0.082, 0.045, 0.04),
        Ring::new(0.088, 0.015, 0.015),
    ];
    let pieces = [Piece::shell(side.point(0.0, 0.225, 0.41), &dome)];
    let pauldron = rig.body(side.name("pauldron"), 0.3, &pieces);
    let servo = Servo::new(10.0, 0.4).stops(-0.1, 0.5);
    let at = side.point(0.0, 0.15, 0.47);
    rig.servo(
        side.name("pauldron"),
        [torso, pauldron],
        at,
        side.sign() * Vec3::x(),
        &servo,
    )
}
