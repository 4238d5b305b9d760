//! A seated bear that talks: linked jaw, linked eyes, and arms. Every hinge has a servo, those of the linkages too: 23 servos
//! on 17 degrees of freedom.

use super::figure::*;
use super::parts::add_floor;
use super::{Params, Scene, SceneEntry, SceneError};
use linkwork::math::{Pose, Vec3};
use linkwork::model::{BodyId, JointId, Material};
use std::f64::consts::FRAC_PI_2;

pub(super) const ENTRY: SceneEntry = SceneEntry {
    name: "figure22",
    summary: "a seated animatronic bear: 22 bodies, 23 hinges, jaw and eyes in closed linkages",
    params: &[],
    build,
};

/// Height of the waist over the floor, m.
const WAIST: f64 = 0.56;
/// The point the head nods about, from the waist, m.
const NECK: f64 = 0.50;
/// Heaviest and lightest body, kg.
const TORSO_MASS: f64 = 9.067;
const LEAST_MASS: f64 = 0.1;

const BELLY: [Ring; 6] = [
    Ring::new(0.01, 0.13, 0.15),
    Ring::new(0.10, 0.18, 0.19),
    Ring::new(0.20, 0.185, 0.20),
    Ring::new(0.31, 0.15, 0.18),
    Ring::new(0.40, 0.10, 0.14),
    Ring::new(0.43, 0.05, 0.06),
];

fn build(_: &Params) -> Result<Scene, SceneError> {
    let mut rig = Rig::new(Pose::at(0.0, 0.0, WAIST).rotated(Vec3::z() * (0.25 - FRAC_PI_2)));
    add_floor(&mut rig.builder, Material::default());
    let seat = rig.body("seat", 8.0, &seat_pieces());
    rig.bolt(seat);
    let [seen, felt] = Piece::skin(Vec3::zeros(), &BELLY, BODY);
    let torso = rig.body("torso", TORSO_MASS, &[seen, felt]);
    let strong = Servo::new(800.0, 40.0);
    let waist = rig.servo("waist", [seat, torso], Vec3::zeros(), Vec3::z(), &strong);
    let mut motion = Motion::new();
    motion.track(
        waist,
        &[
            (1.0, 0.25),
            (3.0, -0.25),
            (5.0, 0.2),
            (7.5, -0.2),
            (9.5, 0.0),
        ],
    );
    animate_head(&mut rig, &mut motion, torso);
    for side in Side::BOTH {
        animate_arm(&mut rig, &mut motion, torso, side);
    }
    let scene = Scene::new(rig.builder.build()?);
    Ok(scene.scripted(move |model, state, control| motion.apply(model, state.time, control)))
}

/// A stool, and on it hips and legs that do not move.
fn seat_pieces() -> Vec<Piece> {
    let hips = [
        Ring::new(-0.16, 0.13, 0.16),
        Ring::new(-0.08, 0.17, 0.19),
        Ring::new(-0.005, 0.14, 0.16),
    ];
    let thigh = [
        Ring::new(0.02, 0.085, 0.085),
        Ring::new(0.12, 0.085, 0.085),
        Ring::new(0.26, 0.07, 0.07),
        Ring::new(0.29, 0.05, 0.05),
    ];
    let foot = [
        Ring::new(0.0, 0.095, 0.07),
        Ring::new(0.03, 0.11, 0.08),
        Ring::new(0.06, 0.07, 0.055),
    ];
    let [seen, felt] = Piece::skin(Vec3::zeros(), &hips, BODY);
    let mut pieces = vec![
        seen,
        felt,
        Piece::cylinder(Vec3::new(0.0, 0.0, -WAIST), Vec3::new(0.0, 0.0, -0.17), 0.2),
    ];
    for side in Side::BOTH {
        let hip = side.point(0.06, 0.11, -0.10);
        let spread = 0.3 * side.sign();
        pieces.push(
            Piece::shell(hip, &thigh)
                .turned(0.0, FRAC_PI_2, 0.0)
                .turned(0.0, 0.0, spread),
        );
        let heel = side.point(0.335, 0.20, -0.11);
        pieces.push(
            Piece::shell(heel, &foot)
                .turned(0.0, FRAC_PI_2, 0.0)
                .turned(0.0, 0.0, spread),
        );
    }
    pieces
}

fn animate_head(rig: &mut Rig, motion: &mut Motion, torso: BodyId) {
    let at = NECK * Vec3::z();
    let turn = rig.body(
        "neck",
        0.6,
        &[
            Piece::cylinder(at - 0.08 * Vec3::z(), at, 0.05),
            Piece::ball(at, 0.055),
        ],
    );
    let servo = Servo::new(150.0, 8.0);
    let yaw = rig.servo(
        "neck turn",
        [torso, turn],
        at - 0.08 * Vec3::z(),
        Vec3::z(),
        &servo,
    );
    let mut pieces = skull(at);
    let muzzle = at + Vec3::new(0.115, 0.0, 0.105);
    pieces.push(Piece::ellipsoid(muzzle, Vec3::new(0.06, 0.055, 0.036)));
    pieces.push(Piece::ball(muzzle + Vec3::new(0.055, 0.0, 0.018), 0.016));
    let body = rig.body("head", 2.4, &pieces);
    let nod = rig.servo("nod", [turn, body], at, Vec3::y(), &servo.stops(-0.25, 0.3));
    let head = Head { body, at };
    let light = Servo::new(4.0, 0.05);
    let jaw = head.add_jaw(
        rig,
        0.35,
        [LEAST_MASS, LEAST_MASS],
        Servo::new(12.0, 0.15),
        Servos::All,
    );
    let eyes = add_eyes(
        rig,
        &head,
        0.12,
        LEAST_MASS,
        &light.stops(-0.5, 0.5),
        Servos::All,
    );
    let lids = add_lids(rig, &head, LEAST_MASS, &light.stops(-0.05, 1.0));
    let round = |root: Vec3, sign: f64| {
        let centre = root + Vec3::new(0.0, 0.028 * sign, 0.036);
        vec![Piece::cylinder(
            centre - 0.012 * Vec3::x(),
            centre + 0.012 * Vec3::x(),
            0.045,
        )]
    };
    let ears = head.add_ears(
        rig,
        0.15,
        [-0.01, 0.072, 0.245],
        round,
        &light.stops(-0.3, 0.3),
    );

    motion.track(
        yaw,
        &[
            (0.8, 0.0),
            (1.6, 0.4),
            (3.2, -0.4),
            (4.4, 0.3),
            (6.0, -0.3),
            (8.0, 0.0),
        ],
    );
    motion.track(
        nod,
        &[
            (0.5, 0.1),
            (1.5, -0.1),
            (2.5, 0.36),
            (3.5, -0.3),
            (5.0, 0.15),
            (9.0, 0.0),
        ],
    );
    speak(motion, &jaw);
    motion.linked(
        &eyes,
        &[
            (0.4, 0.35),
            (1.2, -0.35),
            (2.0, 0.55),
            (3.0, 0.0),
            (5.0, -0.55),
            (6.0, 0.0),
        ],
    );
    for lid in lids {
        blink(motion, lid, 1.15);
    }
    for ear in ears {
        motion.track(ear, &wave(3.0, 0.6, 6, 0.0, 0.35));
    }
}

/// Syllables: the mouth opens to its stop, and closes onto the teeth in between.
pub(super) fn speak(motion: &mut Motion, jaw: &Linked) {
    let mut keys = wave(0.3, 0.5, 4, -0.11, 0.3);
    keys.extend(wave(2.6, 0.7, 2, -0.11, 0.5));
    keys.extend(wave(4.4, 0.45, 6, -0.11, 0.22));
    keys.extend(wave(7.4, 0.9, 2, -0.11, 0.52));
    motion.linked(jaw, &keys);
}

/// Lids that close to `angle` (rad) now and then.
pub(super) fn blink(motion: &mut Motion, lid: JointId, angle: f64) {
    let mut keys = Vec::new();
    for start in [1.0, 2.9, 5.2, 5.6, 8.3] {
        keys.extend([(start, 0.0), (start + 0.1, angle), (start + 0.25, 0.0)]);
    }
    motion.track(lid, &keys);
}

fn animate_arm(rig: &mut Rig, motion: &mut Motion, torso: BodyId, side: Side) {
    let shoulder = Servo::new(250.0, 12.0);
    let arm = Arm {
        side,
        torso,
        shoulder: [0.166, 0.33],
        masses: ArmMasses {
            shoulder: 0.7,
            upper: 1.1,
            forearm: 0.8,
            hand: 0.5,
            crank: LEAST_MASS,
            rod: LEAST_MASS,
        },
        servos: ArmServos {
            shoulder,
            elbow: Servo::new(120.0, 5.0),
            wrist: Servo::new(30.0, 0.6),
        },
        drives: [Drive::Direct; 3],
        girth: 1.35,
    };
    let joints = arm.add(rig);
    match side {
        // Waves, then drops the arm against the body.
        Side::Left => {
            motion.track(
                joints.raise,
                &[
                    (0.6, 1.1),
                    (2.6, 1.2),
                    (3.2, -0.35),
                    (5.5, -0.35),
                    (6.2, 0.3),
                    (9.0, -0.3),
                ],
            );
            motion.track(joints.elbow, &wave(0.6, 0.7, 3, -1.2, -1.9));
            motion.track(joints.swing, &[(0.6, -0.6), (2.6, -0.6), (3.2, 0.0)]);
        }
        // Pats its belly.
        Side::Right => {
            motion.track(joints.swing, &[(0.8, 0.55), (9.0, 0.55), (9.8, 0.0)]);
            motion.track(joints.elbow, &[(0.8, -1.7), (9.0, -1.7), (9.8, 0.0)]);
            let mut pats = wave(1.0, 0.9, 8, 0.15, -0.35);
            pats.push((9.5, 0.0));
            motion.track(joints.raise, &pats);
        }
    }
    motion.track(joints.wrist, &wave(0.6, 0.7, 12, 0.4, -0.4));
}
