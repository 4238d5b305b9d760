//! Joints in series of which one only repeats the motion of those before it: play in a gear, written as a second hinge
//! on the axis of the first (backlash).
//!
//! How the two joints share a motion depends on the part that moves with the first alone: the gear. Files do not
//! contain it, and MuJoCo uses the armature of the joint. Here the body is split: a part of it, with the same shape at
//! the same position, is placed between the joints. Total masses and inertias are those of the file as long as the play
//! is small.

use super::{Attachment, Draft, DraftJoint, Link, LinkId};
use linkwork::actuators::Transmission;
use linkwork::joints::{Chain, ChainLink};
use linkwork::math::MassProperties;
use linkwork::model::{BodyId, JointId};
use linkwork::sensors::{LimitOf, Reading};
use nalgebra::Vector6;
use std::sync::Arc;

/// Share of the body that is placed between the joints: light compared with the body, but not so light that the mass
/// ratio costs iterations.
const SHARE: f64 = 0.01;
/// Component of a unit twist outside those before it below which it repeats them.
const REPEATS: f64 = 1e-9;

/// A coordinate of a joint.
type At = (JointId, usize);

impl Draft {
    /// Splits joints in series where one repeats those before it. Links are added at the end.
    pub(super) fn cut_repeats(&mut self) {
        let mut next = 0;
        // Joints that are added are looked at too: several may repeat.
        while next < self.joints.len() {
            if let Some(at) = self.repeat(next) {
                self.cut(next, at);
            }
            next += 1;
        }
    }

    /// Where joint number `j` is to be cut.
    fn repeat(&self, j: usize) -> Option<usize> {
        let joint = &self.joints[j];
        let links = joint.kind.links()?;
        let carried =
            self.links[joint.follower.0].attachment == Attachment::Joint(JointId(j as u32));
        let heavy = self.links[joint.follower.0].mass.mass > 0.0;
        repeated(&links).filter(|_| carried && heavy)
    }

    /// Cut joint `j` before its link `at`.
    fn cut(&mut self, j: usize, at: usize) {
        let (head, tail) = (JointId(j as u32), JointId(self.joints.len() as u32));
        let joint = &mut self.joints[j];
        let follower = joint.follower;
        let between = LinkId(self.links.len());
        let names = joint.labels.split_off(at);
        let Some(mut links) = joint.kind.links() else {
            return;
        };
        let others = links.split_off(at);
        joint.kind = Arc::new(Chain { links });
        let rest = DraftJoint {
            name: format!("{}+", joint.name),
            kind: Arc::new(Chain { links: others }),
            base: Some(between),
            frame_base: joint.frame_follower,
            axes: joint.axes.split_off(at),
            labels: names,
            coordinates: joint.coordinates.split_off(at.min(joint.coordinates.len())),
            collide: false,
            ..joint.clone()
        };
        joint.follower = between;
        let (base, collide) = (joint.base, joint.collide);
        joint.collide = false;
        self.joints.push(rest);
        if !collide {
            self.excluded.push((base, Some(follower)));
        }
        self.insert(follower, between, (head, tail));
        self.remap(head, tail, at);
    }

    /// A part of `follower` as a link of its own above it.
    fn insert(&mut self, follower: LinkId, between: LinkId, (head, tail): (JointId, JointId)) {
        let own = &mut self.links[follower.0];
        let part = |share: f64| MassProperties {
            mass: share * own.mass.mass,
            inertia: share * own.mass.inertia,
            ..own.mass
        };
        let (light, heavy) = (part(SHARE), part(1.0 - SHARE));
        let link = Link {
            name: format!("{}:play {}", own.name, between.0),
            attachment: Attachment::Joint(head),
            mass: light,
            ..own.clone()
        };
        own.mass = heavy;
        own.parent = Some(between);
        own.attachment = Attachment::Joint(tail);
        self.links.push(link);
        self.inserted += 1;
        // Bodies are numbered as their links.
        let fixed = |l: &Link| l.attachment == Attachment::Fixed;
        let number = |l: usize| self.links[..l].iter().filter(|l| !fixed(l)).count() as u32;
        let (whole, added) = (BodyId(number(follower.0)), BodyId(number(between.0)));
        for sensor in &mut self.sensors {
            if let Reading::CentreOfMass { bodies }
            | Reading::CentreVelocity { bodies }
            | Reading::AngularMomentum { bodies } = &mut sensor.sensor.reading
                && bodies.contains(&whole)
            {
                bodies.push(added);
            }
        }
    }

    /// Coordinates of `head` from `at` on are now those of `tail`.
    fn remap(&mut self, head: JointId, tail: JointId, at: usize) {
        let moved = |(joint, coordinate): At| match coordinate.checked_sub(at) {
            Some(rest) if joint == head => (tail, rest),
            _ => (joint, coordinate),
        };
        let couplings = self.couplings.iter_mut().flat_map(|c| &mut c.terms);
        let tendons = self.tendons.iter_mut().flat_map(|t| &mut t.terms);
        for t in couplings.chain(tendons) {
            (t.joint, t.coordinate) = moved((t.joint, t.coordinate));
        }
        for actuator in &mut self.actuators {
            if let Transmission::Coordinate {
                joint, coordinate, ..
            } = &mut actuator.transmission
            {
                (*joint, *coordinate) = moved((*joint, *coordinate));
            }
        }
        for sensor in &mut self.sensors {
            if let Reading::Position { joint, coordinate }
            | Reading::Velocity { joint, coordinate }
            | Reading::Effort { joint, coordinate }
            | Reading::LimitGap {
                limit: LimitOf::Coordinate { joint, coordinate },
            }
            | Reading::LimitRate {
                limit: LimitOf::Coordinate { joint, coordinate },
            }
            | Reading::LimitForce {
                limit: LimitOf::Coordinate { joint, coordinate },
            } = &mut sensor.sensor.reading
            {
                (*joint, *coordinate) = moved((*joint, *coordinate));
            }
        }
        for key in &mut self.keyframes {
            for list in [&mut key.state.joints, &mut key.state.rates] {
                let found = list.iter_mut().find(|(joint, _)| *joint == head);
                let rest = found.map(|(_, values)| values.split_off(at.min(values.len())));
                list.extend(rest.filter(|r| !r.is_empty()).map(|rest| (tail, rest)));
            }
        }
    }
}

/// The first link whose motion in the home pose is a combination of those before it.
fn repeated(links: &[ChainLink]) -> Option<usize> {
    let mut units: Vec<Vector6<f64>> = Vec::new();
    for (i, link) in links.iter().enumerate() {
        let (shift, turn) = if link.slide {
            (link.axis, Default::default())
        } else {
            (link.anchor.cross(&link.axis), link.axis)
        };
        let twist = Vector6::new(shift.x, shift.y, shift.z, turn.x, turn.y, turn.z).normalize();
        let mut left = twist;
        for unit in &units {
            left -= unit.dot(&left) * unit;
        }
        if left.norm() < REPEATS {
            return Some(i);
        }
        units.push(left.normalize());
    }
    None
}
