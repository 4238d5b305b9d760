//! Cranks and rods: how a servo moves a part from afar.

use super::piece::Piece;
use super::rig::Rig;
use linkwork::joints::Universal;
use linkwork::math::Vec3;
use linkwork::model::{BodyId, JointDef, JointId};

/// A position servo with its end stops.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Servo {
    stiffness: f64,
    damping: f64,
    range: Option<(f64, f64)>,
}

impl Servo {
    /// Gains k_p (N m/rad) and k_d (N m s/rad).
    pub(crate) const fn new(stiffness: f64, damping: f64) -> Self {
        Self {
            stiffness,
            damping,
            range: None,
        }
    }

    /// End stops, rad.
    pub(crate) const fn stops(self, min: f64, max: f64) -> Self {
        Self {
            range: Some((min, max)),
            ..self
        }
    }

    /// Put it on a hinge.
    pub(crate) fn on(&self, hinge: JointDef) -> JointDef {
        let hinge = hinge.drive(self.stiffness, self.damping);
        match self.range {
            Some((min, max)) => hinge.limits(min, max),
            None => hinge,
        }
    }
}

/// What a push rod ends in, at its crank and at what it pushes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ends {
    /// Two hinges: a planar loop, three rows too many.
    Hinges,
    /// A cross and a ball: just held.
    CrossBall,
    /// Two balls: free to turn about itself.
    Balls,
}

/// A crank on `ground` and a rod from it to a pin of `driven`.
pub(super) struct Push<'a> {
    pub name: &'a str,
    pub ground: BodyId,
    pub driven: BodyId,
    /// Axis of the crank, and of the hinges if the ends are hinges.
    pub axis: Vec3,
    pub pivot: Vec3,
    pub crank_end: Vec3,
    pub pin: Vec3,
    pub ends: Ends,
    /// Masses of crank and rod, kg.
    pub masses: [f64; 2],
    /// Radius of the rod, m.
    pub radius: f64,
    pub servo: Servo,
}

impl Push<'_> {
    /// Add crank, rod and their three joints; returns the crank's hinge.
    pub(super) fn add(&self, rig: &mut Rig) -> JointId {
        let name = self.name;
        let shaft = self.axis * (2.0 * self.radius);
        let (pivot, end, pin) = (self.pivot, self.crank_end, self.pin);
        let crank_pieces = [
            Piece::capsule(pivot, end, 1.4 * self.radius),
            Piece::cylinder(pivot - shaft, pivot + shaft, 2.2 * self.radius),
        ];
        let rod_pieces = [
            Piece::capsule(end, pin, self.radius),
            Piece::ball(end, 2.0 * self.radius),
            Piece::ball(pin, 2.0 * self.radius),
        ];
        let crank = rig.body(format!("{name} crank"), self.masses[0], &crank_pieces);
        let rod = rig.body(format!("{name} rod"), self.masses[1], &rod_pieces);
        let hinge = rig.servo(
            format!("{name} crank"),
            [self.ground, crank],
            pivot,
            self.axis,
            &self.servo,
        );
        let names = [format!("{name} rod foot"), format!("{name} rod head")];
        let [at_crank, at_pin] = self.joints(rig, names, crank, rod);
        rig.builder.add_joint(at_crank);
        rig.builder.add_joint(at_pin);
        hinge
    }

    fn joints(&self, rig: &Rig, names: [String; 2], crank: BodyId, rod: BodyId) -> [JointDef; 2] {
        let [foot, head] = names;
        // The cross does not let the rod turn about itself: its z axis is along the rod.
        let along = (self.pin - self.crank_end).normalize();
        let ball = |name, base, follower, at| {
            JointDef::spherical(name, base, follower).frame(rig.placed(at, along))
        };
        let (end, pin) = (self.crank_end, self.pin);
        match self.ends {
            Ends::Hinges => [
                rig.hinge(foot, crank, rod, end, self.axis),
                rig.hinge(head, rod, self.driven, pin, self.axis),
            ],
            Ends::CrossBall => [
                JointDef::new(foot, Universal, crank, rod).frame(rig.placed(end, along)),
                ball(head, rod, self.driven, pin),
            ],
            Ends::Balls => [
                ball(foot, crank, rod, end),
                ball(head, rod, self.driven, pin),
            ],
        }
    }
}

/// A bar hinged to two parts, which turn with it about parallel axes.
pub(super) fn tie(
    rig: &mut Rig,
    name: &str,
    mass: f64,
    parts: [BodyId; 2],
    pins: [Vec3; 2],
    axis: Vec3,
    radius: f64,
) {
    let eye = |pin: Vec3| Piece::cylinder(pin - radius * axis, pin + radius * axis, 2.5 * radius);
    let pieces = [
        Piece::capsule(pins[0], pins[1], radius),
        eye(pins[0]),
        eye(pins[1]),
    ];
    let bar = rig.body(name, mass, &pieces);
    rig.pin(format!("{name} left"), parts[0], bar, pins[0], axis);
    rig.pin(format!("{name} right"), bar, parts[1], pins[1], axis);
}
