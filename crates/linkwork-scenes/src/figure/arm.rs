//! Arms: shoulder, upper arm, forearm and hand, moved by servos at the joints or through rods.

use super::groups::HAND;
use super::hand::Hand;
use super::loft::Ring;
use super::piece::Piece;
use super::rig::{Rig, Side};
use super::rods::{Ends, Push, Servo};
use linkwork::math::Vec3;
use linkwork::model::{BodyId, JointId};
use std::f64::consts::FRAC_1_SQRT_2;

/// Lengths of upper arm and forearm, m.
const UPPER: f64 = 0.27;
const FOREARM: f64 = 0.22;
/// From the swinging hinge of the shoulder outward to the line of the arm, m.
const OUT: f64 = 0.06;

/// How a joint is moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Drive {
    /// By a servo at its hinge.
    Direct,
    /// By a crank beside it and a rod.
    Rod(Ends),
}

/// Masses of the parts of an arm, kg.
#[derive(Clone, Copy)]
pub(crate) struct ArmMasses {
    pub shoulder: f64,
    pub upper: f64,
    pub forearm: f64,
    pub hand: f64,
    pub crank: f64,
    pub rod: f64,
}

/// Servos of an arm.
#[derive(Clone, Copy)]
pub(crate) struct ArmServos {
    pub shoulder: Servo,
    pub elbow: Servo,
    pub wrist: Servo,
}

/// An arm to be hung on a torso.
pub(crate) struct Arm {
    pub side: Side,
    pub torso: BodyId,
    /// Distance of the shoulder from the middle, and its height, m.
    pub shoulder: [f64; 2],
    pub masses: ArmMasses,
    pub servos: ArmServos,
    /// How the raising hinge of the shoulder, the elbow and the wrist are moved.
    pub drives: [Drive; 3],
    /// Girth of its shells, 1 for a slender arm.
    pub girth: f64,
}

/// The moved hinges of an arm. Positive angles swing it back, raise it sideways, and stretch the elbow
/// and the wrist backwards.
pub(crate) struct ArmJoints {
    pub swing: JointId,
    pub raise: JointId,
    pub elbow: JointId,
    pub wrist: JointId,
    pub hand: Hand,
}

impl Arm {
    /// Add the arm: 4 bodies and 4 joints; each rod adds 2 bodies, 3 joints and a loop.
    pub(crate) fn add(&self, rig: &mut Rig) -> ArmJoints {
        let [root, elbow, wrist] = self.line();
        let shoulder = rig.body(
            self.side.name("shoulder"),
            self.masses.shoulder,
            &self.shoulder_pieces(root),
        );
        let swing = rig.servo(
            self.side.name("shoulder swing"),
            [self.torso, shoulder],
            root - self.side.point(0.0, OUT, 0.0),
            Vec3::y(),
            &self.servos.shoulder,
        );
        let upper = rig.body(
            self.side.name("upper arm"),
            self.masses.upper,
            &self.upper_pieces(root),
        );
        let raise = self.joint(rig, "shoulder raise", [shoulder, upper], root, 0);
        let forearm = rig.body(
            self.side.name("forearm"),
            self.masses.forearm,
            &self.forearm_pieces(elbow),
        );
        let elbow = self.joint(rig, "elbow", [upper, forearm], elbow, 1);
        let hand = Hand::add(rig, self.side, self.masses.hand, wrist);
        let wrist = self.joint(rig, "wrist", [forearm, hand.body], wrist, 2);
        ArmJoints {
            swing,
            raise,
            elbow,
            wrist,
            hand,
        }
    }

    /// Shoulder, elbow and wrist.
    fn line(&self) -> [Vec3; 3] {
        let [y, z] = self.shoulder;
        [0.0, UPPER, UPPER + FOREARM].map(|down| self.side.point(0.0, y + OUT, z - down))
    }

    /// The raising hinge (0), elbow (1) or wrist (2): driven itself, or passive and pushed.
    fn joint(
        &self,
        rig: &mut Rig,
        name: &str,
        [base, follower]: [BodyId; 2],
        at: Vec3,
        which: usize,
    ) -> JointId {
        let raise = self.side.sign() * Vec3::x();
        let axis = [raise, Vec3::y(), Vec3::y()][which];
        let servos = &self.servos;
        let servo = [servos.shoulder, servos.elbow, servos.wrist][which];
        let stops = [(-0.4, 1.15), (-1.9, 0.1), (-0.7, 0.7)][which];
        let name = self.side.name(name);
        let Drive::Rod(ends) = self.drives[which] else {
            let servo = servo.stops(stops.0, stops.1);
            return rig.servo(name, [base, follower], at, axis, &servo);
        };
        let hinge = rig.hinge(name.clone(), base, follower, at, axis);
        rig.builder.add_joint(hinge.limits(stops.0, stops.1));
        let [pivot, lever] = self.crank(which);
        let push = Push {
            name: &name,
            ground: base,
            driven: follower,
            axis,
            pivot: at + pivot,
            crank_end: at + pivot + lever,
            pin: at + self.beside(which) + lever,
            ends,
            masses: [self.masses.crank, self.masses.rod],
            radius: 0.007,
            servo,
        };
        push.add(rig)
    }

    /// The crank's pivot from its joint, and its lever, which the driven part has too: parallelograms.
    /// Levers are square to the line of pivots half way between the stops.
    fn crank(&self, which: usize) -> [Vec3; 2] {
        let up = [0.11, 0.19, 0.15][which] * Vec3::z();
        let lever = match which {
            0 => self.side.point(0.0, 0.05, -0.01),
            1 => 0.05 * FRAC_1_SQRT_2 * Vec3::new(-1.0, 0.0, 1.0),
            _ => -0.04 * Vec3::x(),
        };
        [up + self.beside(which), lever]
    }

    /// Where the plane of a linkage is, from its joint.
    fn beside(&self, which: usize) -> Vec3 {
        match which {
            0 => -0.06 * Vec3::x(),
            1 => self.side.point(0.0, 0.055 * self.girth, 0.0),
            _ => self.side.point(0.0, 0.045 * self.girth, 0.0),
        }
    }

    /// The lug of a driven part that its rod is pinned to, or none.
    fn lug(&self, which: usize, at: Vec3) -> Option<Piece> {
        let rod = self.drives[which] != Drive::Direct;
        let pin = at + self.beside(which) + self.crank(which)[1];
        rod.then(|| Piece::capsule(at, pin, 0.009))
    }

    fn shoulder_pieces(&self, root: Vec3) -> Vec<Piece> {
        let inner = root - self.side.point(0.0, OUT, 0.0);
        let mut pieces = vec![
            Piece::cylinder(inner, root, 0.04 * self.girth),
            Piece::ball(root, 0.052 * self.girth),
        ];
        if self.drives[0] != Drive::Direct {
            pieces.push(Piece::capsule(root, root + self.crank(0)[0], 0.010));
        }
        pieces
    }

    fn upper_pieces(&self, root: Vec3) -> Vec<Piece> {
        let g = self.girth;
        let rings = [
            Ring::new(-UPPER, 0.030 * g, 0.028 * g),
            Ring::new(-0.20, 0.037 * g, 0.034 * g),
            Ring::new(-0.10, 0.045 * g, 0.041 * g),
            Ring::new(-0.03, 0.040 * g, 0.038 * g),
        ];
        let mut pieces = vec![Piece::shell(root, &rings)];
        pieces.extend(self.lug(0, root));
        pieces
    }

    fn forearm_pieces(&self, elbow: Vec3) -> Vec<Piece> {
        let g = self.girth;
        let rings = [
            Ring::new(-FOREARM + 0.01, 0.024 * g, 0.020 * g),
            Ring::new(-0.15, 0.031 * g, 0.027 * g),
            Ring::new(-0.06, 0.039 * g, 0.036 * g),
            Ring::new(0.02, 0.026 * g, 0.026 * g),
        ];
        let bone = [-0.05, -0.18].map(|z| elbow + z * Vec3::z());
        let mut pieces = vec![
            Piece::shell(elbow, &rings),
            Piece::capsule(bone[0], bone[1], 0.024 * g)
                .rubber()
                .touching(HAND),
        ];
        pieces.extend(self.lug(1, elbow));
        pieces
    }
}
