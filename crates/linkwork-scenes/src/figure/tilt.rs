//! A neck or a waist: a cross that pitches and rolls, held by two push rods behind it.

use super::motion::{Key, Motion};
use super::piece::Piece;
use super::rig::{Rig, Side};
use super::rods::{Ends, Push, Servo};
use linkwork::math::Vec3;
use linkwork::model::{BodyId, JointId};

/// Two hinges in a row and two cranks with rods, which decide both angles.
pub(crate) struct Tilt {
    pub name: &'static str,
    /// What carries cranks and cross, and what tilts.
    pub bodies: [BodyId; 2],
    /// Where the two hinges cross, m.
    pub at: Vec3,
    /// How far the pins of the rods are behind and beside it, m.
    pub behind: f64,
    pub beside: f64,
    /// Heights of the cranks' axes and of the pins, from the crossing, m.
    pub heights: [f64; 2],
    /// Length of the cranks, m.
    pub crank: f64,
    pub ends: Ends,
    /// Masses of cross, crank and rod, kg.
    pub masses: [f64; 3],
    /// Radius of the rods, m.
    pub radius: f64,
    pub servo: Servo,
}

/// The cranks of a [`Tilt`].
pub(crate) struct Tilting {
    cranks: [JointId; 2],
    /// Crank angles, left, for a small angle of pitch and of roll.
    ratios: [f64; 2],
}

impl Tilt {
    /// Add cross, cranks and rods: 5 bodies, 8 joints, 2 loops.
    pub(crate) fn add(&self, rig: &mut Rig) -> Tilting {
        let (at, r) = (self.at, self.radius);
        let [base, top] = self.bodies;
        let arm = |axis: Vec3| Piece::capsule(at - 5.0 * r * axis, at + 5.0 * r * axis, 1.5 * r);
        let pieces = [arm(Vec3::x()), arm(Vec3::y())];
        let cross = rig.body(format!("{} cross", self.name), self.masses[0], &pieces);
        rig.pin(format!("{} pitch", self.name), base, cross, at, Vec3::y());
        rig.pin(format!("{} roll", self.name), cross, top, at, Vec3::x());
        let cranks = Side::BOTH.map(|side| {
            let end = at + side.point(-self.behind, self.beside, self.heights[0]);
            let push = Push {
                name: &side.name(self.name),
                ground: base,
                driven: top,
                axis: Vec3::y(),
                pivot: end + self.crank * Vec3::x(),
                crank_end: end,
                pin: at + side.point(-self.behind, self.beside, self.heights[1]),
                ends: self.ends,
                masses: [self.masses[1], self.masses[2]],
                radius: r,
                servo: self.servo,
            };
            push.add(rig)
        });
        Tilting {
            cranks,
            ratios: [self.behind / self.crank, self.beside / self.crank],
        }
    }
}

impl Tilting {
    /// Nod: positive angles bow forward.
    pub(crate) fn pitch(&self, motion: &mut Motion, keys: &[Key]) {
        for crank in self.cranks {
            motion.scaled(crank, self.ratios[0], keys);
        }
    }

    /// Tilt: positive angles lower the right side.
    pub(crate) fn roll(&self, motion: &mut Motion, keys: &[Key]) {
        motion.scaled(self.cranks[0], self.ratios[1], keys);
        motion.scaled(self.cranks[1], -self.ratios[1], keys);
    }
}
