//! Cranks and rods: how a servo moves a part from afar.

use super::piece::Piece;
use super::rig::Rig;
use linkwork::joints::Universal;
use linkwork::math::Vec3;
use linkwork::model::{BodyId, JointDef, JointId};

/// A position servo or a return spring, with end stops.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Servo {
    stiffness: f64,
    damping: f64,
    range: Option<(f64, f64)>,
    passive: bool,
}

/// Gains of a second servo of a linkage, as a share of those of the first.
const SECOND: f64 = 0.05;

impl Servo {
    /// Gains k_p (N m/rad) and k_d (N m s/rad).
    pub(crate) const fn new(stiffness: f64, damping: f64) -> Self {
        Self {
            stiffness,
            damping,
            range: None,
            passive: false,
        }
    }

    /// A second servo on a linkage that this one moves, without stops.
    pub(crate) const fn second(self) -> Self {
        Self::new(SECOND * self.stiffness, SECOND * self.damping)
    }

    /// A spring and a damper in place of the servo: they return the hinge to 0.
    pub(crate) const fn passive(self) -> Self {
        Self {
            passive: true,
            ..self
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
        let hinge = match self.passive {
            true => hinge.spring(self.stiffness, 0.0, self.damping),
            false => hinge.drive(self.stiffness, self.damping),
        };
        match self.range {
            Some((min, max)) => hinge.limits(min, max),
            None => hinge,
        }
    }
}

/// Which hinges of a planar linkage have servos.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Servos {
    /// The first one.
    One,
    /// All of them: more servos than degrees of freedom.
    All,
}

/// A driven hinge of a linkage, and other driven hinges whose angles it decides.
#[derive(Clone, Debug)]
pub(crate) struct Linked {
    pub driver: JointId,
    /// With their angles over that of the driver.
    pub followers: Vec<(JointId, f64)>,
}

impl Linked {
    /// All driven hinges, with their angles over that of the driver.
    pub(crate) fn hinges(&self) -> impl Iterator<Item = (JointId, f64)> + '_ {
        std::iter::once((self.driver, 1.0)).chain(self.followers.iter().copied())
    }
}

/// The hinge, driven if there is a servo for it.
pub(super) fn with_servo(hinge: JointDef, servo: Option<Servo>) -> JointDef {
    match servo {
        Some(servo) => servo.on(hinge),
        None => hinge,
    }
}

/// The end joints of a push rod, at its crank and at the driven part.
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
        self.add_with(rig, None)[0]
    }

    /// The same with a servo on the rod's hinges; returns the hinges of crank, rod foot and rod head.
    pub(super) fn add_with(&self, rig: &mut Rig, second: Option<Servo>) -> [JointId; 3] {
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
        let [foot, head] =
            [at_crank, at_pin].map(|end| rig.builder.add_joint(with_servo(end, second)));
        [hinge, foot, head]
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
pub(super) struct Tie<'a> {
    pub name: &'a str,
    pub mass: f64,
    pub parts: [BodyId; 2],
    pub pins: [Vec3; 2],
    pub axis: Vec3,
    /// Of the bar, m.
    pub radius: f64,
    /// Of its hinges, if they are driven.
    pub servo: Option<Servo>,
}

impl Tie<'_> {
    /// Add the bar; returns its hinges.
    pub(super) fn add(&self, rig: &mut Rig) -> [JointId; 2] {
        let Self {
            name,
            parts,
            pins,
            axis,
            radius,
            ..
        } = *self;
        let eye =
            |pin: Vec3| Piece::cylinder(pin - radius * axis, pin + radius * axis, 2.5 * radius);
        let pieces = [
            Piece::capsule(pins[0], pins[1], radius),
            eye(pins[0]),
            eye(pins[1]),
        ];
        let bar = rig.body(name, self.mass, &pieces);
        let ends = [
            ("left", [parts[0], bar], pins[0]),
            ("right", [bar, parts[1]], pins[1]),
        ];
        ends.map(|(end, bodies, at)| {
            rig.turning(format!("{name} {end}"), bodies, at, axis, self.servo)
        })
    }
}
