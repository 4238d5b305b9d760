//! Skull and linked jaw.

use super::groups::{BODY, LOWER_TEETH, UPPER_TEETH};
use super::loft::Ring;
use super::piece::Piece;
use super::rig::Rig;
use super::rods::{Ends, Linked, Push, Servo, Servos, with_servo};
use linkwork::math::{Vec3, exp};
use linkwork::model::{BodyId, JointId};
use std::f64::consts::FRAC_PI_2;

/// A head in place: its body and the point it nods about, to which its parts are laid out.
#[derive(Clone, Copy)]
pub(crate) struct Head {
    pub body: BodyId,
    pub at: Vec3,
}

impl Head {
    /// A point given from the point it nods about, m.
    pub(super) fn point(&self, x: f64, y: f64, z: f64) -> Vec3 {
        self.at + Vec3::new(x, y, z)
    }
}

const SKULL: [Ring; 6] = [
    Ring::new(0.066, 0.085, 0.082).shifted(0.01),
    Ring::new(0.12, 0.12, 0.105),
    Ring::new(0.18, 0.13, 0.115),
    Ring::new(0.24, 0.115, 0.10),
    Ring::new(0.28, 0.07, 0.06),
    Ring::new(0.295, 0.03, 0.025),
];

/// Radius of the lower tooth, m.
const TOOTH: f64 = 0.008;
/// How far the jaw is open in the neutral pose, rad.
const OPEN: f64 = 0.08;
/// Hinge of the jaw, from the point the head nods about.
const JAW: [f64; 3] = [0.0, 0.0, 0.075];
/// Crank of the jaw and the jaw's own lever beside it: a parallelogram, far from flat.
const LEVER: Vec3 = Vec3::new(0.05, 0.0, -0.005);
const CRANK: [f64; 3] = [-0.02, 0.124, 0.17];

/// A skull that nods about `at`, with upper teeth.
pub(crate) fn skull(at: Vec3) -> Vec<Piece> {
    let teeth = at + Vec3::new(0.095, 0.0, 0.060);
    let [seen, felt] = Piece::skin(at, &SKULL, BODY);
    vec![
        seen,
        felt,
        Piece::slab(teeth, 0.022, 0.036, 0.006).touching(UPPER_TEETH),
        Piece::cylinder(at, at + 0.07 * Vec3::z(), 0.045),
    ]
}

impl Head {
    /// Jaw, crank and rod on the left cheek: a four-bar. The jaw opens by a positive angle, 1:1 with the
    /// crank; it closes onto the upper teeth and opens to a stop. The crank is driven.
    pub(crate) fn add_jaw(
        &self,
        rig: &mut Rig,
        mass: f64,
        link_masses: [f64; 2],
        servo: Servo,
        servos: Servos,
    ) -> Linked {
        let [x, y, z] = JAW;
        let hinge = self.point(x, y, z);
        let [cx, cy, cz] = CRANK;
        let pivot = self.point(cx, cy, cz);
        let pin = hinge + LEVER + cy * Vec3::y();
        let opened = exp(&(OPEN * Vec3::y()));
        // One rubber bumper for a tooth: a second would carry the same load and leave its share undetermined.
        let closed = self.point(0.095, 0.0, 0.046);
        let tooth = hinge + opened * (closed - hinge);
        let cheek = |side: f64| {
            let [from, to] = [(0.0, 0.088, 0.075), (0.08, 0.05, 0.024)];
            Piece::capsule(
                self.point(from.0, side * from.1, from.2),
                self.point(to.0, side * to.1, to.2),
                0.012,
            )
        };
        let chin = [
            Ring::new(0.05, 0.010, 0.060),
            Ring::new(0.09, 0.017, 0.056),
            Ring::new(0.12, 0.015, 0.044),
            Ring::new(0.135, 0.008, 0.024),
        ];
        let jaw = rig.body(
            "jaw",
            mass,
            &[
                Piece::shell(self.point(0.0, 0.0, 0.020), &chin).turned(0.0, FRAC_PI_2, 0.0),
                Piece::ball(tooth, TOOTH).rubber().touching(LOWER_TEETH),
                cheek(1.0),
                cheek(-1.0),
                Piece::capsule(self.point(x, 0.09, z), pin, 0.008),
            ],
        );
        let joint = rig
            .hinge("jaw", self.body, jaw, hinge, Vec3::y())
            .limits(-0.3, 0.42)
            .collide();
        let second = (servos == Servos::All).then(|| servo.second());
        let joint = rig.builder.add_joint(with_servo(joint, second));
        let push = Push {
            name: "jaw",
            ground: self.body,
            driven: jaw,
            axis: Vec3::y(),
            pivot,
            crank_end: pivot + LEVER,
            pin,
            ends: Ends::Hinges,
            masses: link_masses,
            radius: 0.006,
            servo,
        };
        let [driver, foot, head] = push.add_with(rig, second);
        // The rod keeps its direction.
        let followers = [(joint, 1.0), (foot, -1.0), (head, 1.0)];
        Linked {
            driver,
            followers: second.map_or(Vec::new(), |_| followers.to_vec()),
        }
    }

    /// Two ears that swing about x, outward for positive angles. `pieces` makes the left one, mirrored by
    /// the sign it is given, from the point it is rooted in.
    pub(crate) fn add_ears(
        &self,
        rig: &mut Rig,
        mass: f64,
        root: [f64; 3],
        pieces: impl Fn(Vec3, f64) -> Vec<Piece>,
        servo: &Servo,
    ) -> [JointId; 2] {
        super::rig::Side::BOTH.map(|side| {
            let sign = side.sign();
            let at = self.point(root[0], sign * root[1], root[2]);
            let ear = rig.body(side.name("ear"), mass, &pieces(at, sign));
            let axis = -sign * Vec3::x();
            rig.servo(side.name("ear"), [self.body, ear], at, axis, servo)
        })
    }
}
