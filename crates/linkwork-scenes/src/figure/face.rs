//! Eyes tied to look together, eyelids, and brows tied to frown together.

use super::head::Head;
use super::loft::Ring;
use super::piece::Piece;
use super::rig::{Rig, Side};
use super::rods::{Linked, Servo, Servos, Tie};
use linkwork::math::Vec3;
use linkwork::model::{BodyId, JointId};

/// Where the left eye is, from the point the head nods about, and its radius, m.
const EYE: [f64; 3] = [0.108, 0.046, 0.17];
const EYEBALL: f64 = 0.03;
/// Lever behind each eye, m.
const BEHIND: f64 = 0.04;

fn eye(head: &Head, side: Side) -> Vec3 {
    head.point(EYE[0], side.sign() * EYE[1], EYE[2])
}

/// Two eyes that turn about z, their levers tied by a bar: a parallelogram, flat only when they look
/// square to the side. The left one is driven.
pub(crate) fn add_eyes(
    rig: &mut Rig,
    head: &Head,
    mass: f64,
    bar_mass: f64,
    servo: &Servo,
    servos: Servos,
) -> Linked {
    let lever = -BEHIND * Vec3::x();
    let [left, right] = Side::BOTH.map(|side| {
        let at = eye(head, side);
        let pieces = [
            Piece::ball(at, EYEBALL),
            Piece::cylinder(at, at + 1.12 * EYEBALL * Vec3::x(), 0.012),
            Piece::capsule(at, at + lever, 0.004),
        ];
        (rig.body(side.name("eye"), mass, &pieces), at)
    });
    let driven = rig.servo("left eye", [head.body, left.0], left.1, Vec3::z(), servo);
    let second = (servos == Servos::All).then(|| servo.second());
    let bodies = [head.body, right.0];
    let right_eye = rig.turning("right eye", bodies, right.1, Vec3::z(), second);
    let pins = [left.1 + lever, right.1 + lever];
    let bar = Tie {
        name: "eye bar",
        mass: bar_mass,
        parts: [left.0, right.0],
        pins,
        axis: Vec3::z(),
        radius: 0.004,
        servo: second,
    };
    let [bar_left, bar_right] = bar.add(rig);
    // The bar keeps its direction.
    let followers = [(right_eye, 1.0), (bar_left, -1.0), (bar_right, 1.0)];
    Linked {
        driver: driven,
        followers: second.map_or(Vec::new(), |_| followers.to_vec()),
    }
}

/// Two eyelids over the eyes; a positive angle closes them.
pub(crate) fn add_lids(rig: &mut Rig, head: &Head, mass: f64, servo: &Servo) -> [JointId; 2] {
    // A cap of a sphere around the eye.
    let rings = [
        Ring::new(0.012, 0.0325, 0.0325),
        Ring::new(0.022, 0.0267, 0.0267),
        Ring::new(0.030, 0.0173, 0.0173),
        Ring::new(0.034, 0.006, 0.006),
    ];
    Side::BOTH.map(|side| {
        let at = eye(head, side);
        let lid = rig.body(side.name("lid"), mass, &[Piece::shell(at, &rings)]);
        rig.servo(side.name("lid"), [head.body, lid], at, Vec3::y(), servo)
    })
}

/// Two brows that turn about x. A bar from a lever up on the left to a lever down on the right makes them
/// mirror each other: an antiparallelogram, flat only when the brows stand upright. The left one is
/// driven, its outer end up for positive angles; returns its hinge.
pub(crate) fn add_brows(
    rig: &mut Rig,
    head: &Head,
    mass: f64,
    bar_mass: f64,
    servo: &Servo,
) -> JointId {
    let x = 0.126;
    let place = |rig: &mut Rig, side: Side| -> (BodyId, Vec3, Vec3) {
        let sign = side.sign();
        let at = head.point(x, 0.05 * sign, 0.222);
        let pin = at + Vec3::new(0.012, 0.0, 0.018 * sign);
        let pieces = [
            Piece::capsule(
                at + Vec3::new(0.004, -0.028 * sign, -0.004),
                at + Vec3::new(-0.012, 0.03 * sign, 0.004),
                0.0075,
            ),
            Piece::capsule(at, pin, 0.004),
        ];
        (rig.body(side.name("brow"), mass, &pieces), at, pin)
    };
    let left = place(rig, Side::Left);
    let right = place(rig, Side::Right);
    let driven = rig.servo("left brow", [head.body, left.0], left.1, Vec3::x(), servo);
    rig.pin("right brow", head.body, right.0, right.1, Vec3::x());
    let pins = [left.2, right.2];
    let bar = Tie {
        name: "brow bar",
        mass: bar_mass,
        parts: [left.0, right.0],
        pins,
        axis: Vec3::x(),
        radius: 0.003,
        servo: None,
    };
    bar.add(rig);
    driven
}
