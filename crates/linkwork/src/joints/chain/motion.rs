//! A chain at given coordinates: where it puts the follower and how each link moves it.

use super::{ChainLink, MAX_COORDINATES};
use crate::math::{Pose, Quat, Vec3, exp};

/// Placement and twists of a chain, along the base joint axes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Motion {
    /// Number of links.
    pub count: usize,
    /// T(q), the follower's joint frame.
    pub pose: Pose,
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
    /// The chain at `coordinates`, with the twists at the follower's point `reference` (m).
    pub fn at(links: &[ChainLink], reference: &Vec3, coordinates: &[f64]) -> Self {
        let zero = [Vec3::zeros(); MAX_COORDINATES];
        let (mut shift, mut turn, mut origin) = (zero, zero, zero);
        let mut pose = Pose::identity();
        let mut middle = pose.rotation;
        for (i, (link, q)) in links.iter().zip(coordinates).enumerate() {
            if i == links.len() / 2 {
                middle = pose.rotation;
            }
            let x = q - link.offset;
            let axis = pose.rotation * link.axis;
            if link.slide {
                shift[i] = axis;
                pose.position += x * axis;
            } else {
                turn[i] = axis;
                origin[i] = pose.transform_point(&link.anchor);
                pose.rotation *= exp(&(x * link.axis));
                pose.position = origin[i] - pose.rotation * link.anchor;
            }
        }
        let point = pose.transform_point(reference);
        for (i, _) in links.iter().enumerate().filter(|(_, link)| !link.slide) {
            shift[i] = turn[i].cross(&(point - origin[i]));
        }
        Self {
            count: links.len(),
            pose,
            middle,
            point,
            shift,
            turn,
        }
    }

    /// Each link's twist as (shift, turn).
    pub fn twists(&self) -> impl Iterator<Item = (&Vec3, &Vec3)> {
        self.shift.iter().zip(&self.turn).take(self.count)
    }

    /// Change of the twist of link `i` by unit motion of link `j` ≤ `i`, as (shift, turn): all of
    /// it turns with j; a link's own motion turns the arm of its shift.
    pub fn twist_change(&self, i: usize, j: usize) -> (Vec3, Vec3) {
        let by = self.turn[j];
        (by.cross(&self.shift[i]), by.cross(&self.turn[i]))
    }
}
