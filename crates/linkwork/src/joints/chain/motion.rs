//! A chain at given coordinates: the placement of the follower and the twist of each link.

use super::{ChainLink, MAX_COORDINATES};
use crate::math::{Pose, Quat, Vec3};
use nalgebra::{Quaternion, Unit};

/// The links and what follows from them alone.
#[derive(Clone, Copy, Debug)]
pub(super) struct Links<'a> {
    /// From the base to the follower.
    pub all: &'a [ChainLink],
    /// The point of the follower at which errors are measured, in its joint frame, m.
    pub reference: Vec3,
    /// Whether all links are hinges through the reference point, which then never moves.
    pub meet: bool,
}

impl<'a> Links<'a> {
    /// The reference point is at the last hinge, so that a single hinge, or several through one point, lock
    /// translations and rotations separately.
    pub fn new(all: &'a [ChainLink]) -> Self {
        let last = all.iter().rfind(|link| !link.slide);
        let reference = last.map_or(Vec3::zeros(), |link| link.anchor);
        let through = |link: &ChainLink| !link.slide && link.anchor == reference;
        Self {
            all,
            reference,
            meet: all.iter().all(through),
        }
    }
}

/// Placement and twists of a chain, along the base joint axes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Motion {
    /// Number of links.
    pub count: usize,
    /// Orientation of T(q), the follower's joint frame.
    pub rotation: Quat,
    /// Orientation after half of the links.
    pub middle: Quat,
    /// Where the reference point is, m.
    pub point: Vec3,
    /// Velocity of the reference point for unit rate of each link.
    pub shift: [Vec3; MAX_COORDINATES],
    /// Angular velocity for unit rate of each link; zero for slides.
    pub turn: [Vec3; MAX_COORDINATES],
}

impl Motion {
    /// The chain at `coordinates`, with the twists at the reference point.
    pub fn at(links: &Links, coordinates: &[f64]) -> Self {
        let mut motion = Self::home(links);
        motion.go_to(links, coordinates);
        motion
    }

    /// The chain to be moved.
    #[inline]
    pub fn home(links: &Links) -> Self {
        Self {
            count: links.all.len(),
            rotation: Quat::identity(),
            middle: Quat::identity(),
            point: links.reference,
            shift: [Vec3::zeros(); MAX_COORDINATES],
            turn: [Vec3::zeros(); MAX_COORDINATES],
        }
    }

    /// Move the chain to `coordinates`.
    pub fn go_to(&mut self, links: &Links, coordinates: &[f64]) {
        if links.meet {
            self.turn_to(links, coordinates);
            return;
        }
        let mut origin = [Vec3::zeros(); MAX_COORDINATES];
        let mut pose = Pose::identity();
        for (i, (link, q)) in links.all.iter().zip(coordinates).enumerate() {
            if i == self.count / 2 {
                self.middle = pose.rotation;
            }
            let x = q - link.offset;
            let axis = pose.rotation * link.axis;
            if link.slide {
                self.shift[i] = axis;
                pose.position += x * axis;
            } else {
                self.turn[i] = axis;
                origin[i] = pose.transform_point(&link.anchor);
                pose.rotation *= turned(&link.axis, x);
                pose.position = origin[i] - pose.rotation * link.anchor;
            }
        }
        self.rotation = pose.rotation;
        self.point = pose.transform_point(&links.reference);
        for (i, _) in links.all.iter().enumerate().filter(|(_, l)| !l.slide) {
            self.shift[i] = self.turn[i].cross(&(self.point - origin[i]));
        }
    }

    /// Hinges that intersect in the reference point do not move it.
    fn turn_to(&mut self, links: &Links, coordinates: &[f64]) {
        let mut rotation = Quat::identity();
        for (i, (link, q)) in links.all.iter().zip(coordinates).enumerate() {
            if i == self.count / 2 {
                self.middle = rotation;
            }
            self.turn[i] = rotation * link.axis;
            rotation *= turned(&link.axis, q - link.offset);
        }
        self.rotation = rotation;
    }

    /// The chain at generic coordinates, where links are dependent or parallel only if they always are.
    pub fn generic(links: &[ChainLink]) -> Self {
        let coordinates: [f64; MAX_COORDINATES] = std::array::from_fn(|i| 0.5 + 0.3 * i as f64);
        Self::at(&Links::new(links), &coordinates)
    }

    /// T(q), the follower's joint frame.
    pub fn pose(&self, links: &Links) -> Pose {
        let position = self.point - self.rotation * links.reference;
        Pose::new(position, self.rotation)
    }

    /// Each link's twist as (shift, turn).
    pub fn twists(&self) -> impl Iterator<Item = (&Vec3, &Vec3)> {
        self.shift.iter().zip(&self.turn).take(self.count)
    }
}

/// Rotation by `angle` (rad) about the unit vector `axis`.
#[inline]
fn turned(axis: &Vec3, angle: f64) -> Quat {
    let (sin, cos) = (0.5 * angle).sin_cos();
    let v = sin * axis;
    Unit::new_unchecked(Quaternion::new(cos, v.x, v.y, v.z))
}
