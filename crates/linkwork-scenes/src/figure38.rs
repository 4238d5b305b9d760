//! A standing figure with horns: the neck is tilted and the arms are raised by push rods with a cross and
//! a ball, jaw, eyes and brows are planar linkages.

use super::figure::*;
use super::figure22::{blink, speak};
use super::parts::add_floor;
use super::{Params, Scene, SceneEntry, SceneError};
use linkwork::math::{Pose, Vec3};
use linkwork::model::{BodyId, Material};
use std::f64::consts::FRAC_PI_2;

pub(super) const ENTRY: SceneEntry = SceneEntry {
    name: "figure38",
    summary: "a standing animatronic figure: 38 bodies, four push rods (cross and ball), 7 loops",
    params: &[],
    build,
};

/// Height of the waist over the floor, m.
const WAIST: f64 = 0.86;
/// Heaviest and lightest body, kg.
const TORSO_MASS: f64 = 20.2508;
const LEAST_MASS: f64 = 0.02;
/// The point the head tilts about, from the waist, m.
const NECK: f64 = 0.60;

const CHEST: [Ring; 6] = [
    Ring::new(0.01, 0.085, 0.11),
    Ring::new(0.10, 0.085, 0.115),
    Ring::new(0.22, 0.105, 0.145),
    Ring::new(0.33, 0.115, 0.165),
    Ring::new(0.42, 0.09, 0.15),
    Ring::new(0.46, 0.045, 0.07),
];

fn build(_: &Params) -> Result<Scene, SceneError> {
    let mut rig = Rig::new(Pose::at(0.0, 0.0, WAIST).rotated(Vec3::z() * (0.25 - FRAC_PI_2)));
    add_floor(&mut rig.builder, Material::default());
    let base = rig.body("base", 18.0, &base_pieces());
    rig.bolt(base);
    let [seen, felt] = Piece::skin(Vec3::zeros(), &CHEST, BODY);
    let torso = rig.body("torso", TORSO_MASS, &[seen, felt]);
    // The torso sways on a spring, as head and arms move.
    let spring = Servo::new(300.0, 12.0).passive();
    rig.servo("waist", [base, torso], Vec3::zeros(), Vec3::z(), &spring);
    let mut motion = Motion::new();
    animate_head(&mut rig, &mut motion, torso);
    for side in Side::BOTH {
        animate_arm(&mut rig, &mut motion, torso, side);
    }
    let scene = Scene::new(rig.builder.build()?);
    Ok(scene.scripted(move |model, state, control| motion.apply(model, state.time, control)))
}

/// Hips, a long skirt and a plinth.
fn base_pieces() -> Vec<Piece> {
    let hips = [
        Ring::new(-0.26, 0.13, 0.165),
        Ring::new(-0.16, 0.125, 0.16),
        Ring::new(-0.06, 0.10, 0.13),
        Ring::new(-0.005, 0.085, 0.11),
    ];
    let skirt = [
        Ring::new(-0.80, 0.30, 0.30),
        Ring::new(-0.60, 0.21, 0.22),
        Ring::new(-0.40, 0.15, 0.18),
        Ring::new(-0.26, 0.13, 0.165),
    ];
    let [seen, felt] = Piece::skin(Vec3::zeros(), &hips, BODY);
    vec![
        seen,
        felt,
        Piece::shell(Vec3::zeros(), &skirt),
        Piece::cylinder(
            Vec3::new(0.0, 0.0, -WAIST),
            Vec3::new(0.0, 0.0, -0.80),
            0.34,
        ),
    ]
}

fn animate_head(rig: &mut Rig, motion: &mut Motion, torso: BodyId) {
    let at = NECK * Vec3::z();
    let collar = at - 0.13 * Vec3::z();
    let post = rig.body(
        "neck",
        1.2,
        &[
            Piece::cylinder(collar, collar + 0.02 * Vec3::z(), 0.075),
            Piece::cylinder(collar, at, 0.028),
        ],
    );
    let turn = rig.servo(
        "neck turn",
        [torso, post],
        collar,
        Vec3::z(),
        &Servo::new(300.0, 12.0),
    );
    let mut pieces = skull(at);
    pieces.extend(muzzle_and_horns(at));
    let body = rig.body("head", 3.2, &pieces);
    let neck = Tilt {
        name: "neck",
        bodies: [post, body],
        at,
        behind: 0.075,
        beside: 0.055,
        heights: [-0.09, 0.075],
        crank: 0.05,
        ends: Ends::CrossBall,
        masses: [0.25, 0.12, 0.10],
        radius: 0.007,
        servo: Servo::new(250.0, 8.0).stops(-0.7, 0.7),
    };
    let neck = neck.add(rig);
    let head = Head { body, at };
    let light = Servo::new(2.0, 0.03);
    let jaw = head.add_jaw(rig, 0.30, [0.06, 0.05], Servo::new(12.0, 0.15), Servos::One);
    let eyes = add_eyes(rig, &head, 0.05, 0.03, &light.stops(-0.5, 0.5), Servos::One);
    let brows = add_brows(rig, &head, 0.03, LEAST_MASS, &light.stops(-0.5, 0.5));
    let lids = add_lids(rig, &head, LEAST_MASS, &light.stops(-0.05, 1.0));
    let leaf = |root: Vec3, sign: f64| {
        let rings = [
            Ring::new(0.0, 0.010, 0.012),
            Ring::new(0.05, 0.010, 0.030),
            Ring::new(0.10, 0.008, 0.026),
            Ring::new(0.14, 0.004, 0.006),
        ];
        vec![Piece::shell(root, &rings).turned(-1.1 * sign, 0.0, 0.0)]
    };
    let ears = head.add_ears(
        rig,
        0.06,
        [-0.03, 0.098, 0.215],
        leaf,
        &light.stops(-0.4, 0.4),
    );

    motion.track(turn, &wave(0.5, 2.6, 3, 0.35, -0.35));
    neck.pitch(motion, &wave(0.2, 1.1, 8, -0.12, 0.25));
    neck.roll(motion, &wave(0.0, 2.2, 4, 0.25, -0.25));
    speak(motion, &jaw);
    motion.linked(&eyes, &wave(0.4, 1.7, 5, 0.55, -0.55));
    motion.track(brows, &wave(0.5, 1.3, 7, 0.35, -0.55));
    for lid in lids {
        blink(motion, lid, 1.15);
    }
    for ear in ears {
        motion.track(ear, &wave(2.0, 0.5, 12, -0.2, 0.45));
    }
}

fn muzzle_and_horns(at: Vec3) -> Vec<Piece> {
    let muzzle = [
        Ring::new(0.06, 0.045, 0.060),
        Ring::new(0.12, 0.034, 0.046),
        Ring::new(0.165, 0.024, 0.034),
        Ring::new(0.18, 0.012, 0.018),
    ];
    let horn = [
        Ring::new(0.0, 0.018, 0.018),
        Ring::new(0.08, 0.015, 0.015).shifted(-0.015),
        Ring::new(0.16, 0.011, 0.011).shifted(-0.05),
        Ring::new(0.23, 0.004, 0.004).shifted(-0.07),
    ];
    let nose = at + Vec3::new(0.0, 0.0, 0.105);
    let mut pieces = vec![Piece::shell(nose, &muzzle).turned(0.0, FRAC_PI_2, 0.0)];
    for side in Side::BOTH {
        let root = at + side.point(-0.01, 0.045, 0.265);
        pieces.push(Piece::shell(root, &horn).turned(-0.25 * side.sign(), 0.0, 0.0));
    }
    pieces
}

fn animate_arm(rig: &mut Rig, motion: &mut Motion, torso: BodyId, side: Side) {
    let arm = Arm {
        side,
        torso,
        shoulder: [0.158, 0.38],
        masses: ArmMasses {
            shoulder: 0.8,
            upper: 1.4,
            forearm: 0.9,
            hand: 0.35,
            crank: 0.15,
            rod: 0.10,
        },
        servos: ArmServos {
            shoulder: Servo::new(300.0, 14.0),
            elbow: Servo::new(150.0, 6.0),
            wrist: Servo::new(30.0, 0.6),
        },
        drives: [Drive::Rod(Ends::CrossBall), Drive::Direct, Drive::Direct],
        girth: 1.0,
    };
    let joints = arm.add(rig);
    let light = Servo::new(1.5, 0.02);
    let hand = joints.hand;
    let finger = hand.add_finger(rig, "fingers", 0.03, (0.0, 2.6), &light.stops(-0.1, 1.7));
    let thumb = hand.add_thumb(rig, LEAST_MASS, &light.stops(-0.5, 0.5));
    motion.track(finger, &wave(0.8, 1.4, 6, 0.0, 1.5));
    motion.track(thumb, &wave(0.8, 1.4, 6, 0.0, 0.2));
    motion.track(joints.wrist, &wave(0.5, 1.0, 9, 0.4, -0.4));
    let keys = |up, rest| in_turn(side, up, rest);
    motion.track(joints.raise, &keys(1.2, -0.3));
    motion.track(joints.swing, &keys(-0.9, 0.0));
    motion.track(joints.elbow, &keys(-1.6, 0.0));
}
