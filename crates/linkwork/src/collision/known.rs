//! What is known of pairs from the last call: axes along which they were apart, and the points of pairs at rest.
//!
//! It affects the speed only. A pair is passed over along a known axis only where a search would not find a contact either, and points are
//! taken over only where all that they are made of is the same to the bit.

use super::manifold::Manifold;
use super::place::Place;
use crate::math::{Mat3, Vec3};

/// Pairs of shapes that close in more slowly than this (m/s) are at rest: their points are kept. What moves would be copied in vain.
const REST: f64 = 1e-9;
/// Points of a pair that are kept, at most.
const POINTS: usize = 8;
/// Pairs whose points are kept, at most: a heap of so many hardly ever rests to the bit.
const PAIRS: usize = 256;

/// What is known of a pair of shapes.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// A unit vector from A to B along which they were apart, or zero.
    pub axis: Vec3,
    /// What the points belong to; `None` if there are none to be taken over.
    posed: Option<Posed>,
    points: Manifold,
}

/// What the points of a pair are made of.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Posed {
    rotations: [Mat3; 2],
    positions: [Vec3; 2],
    reach: f64,
}

impl Posed {
    fn new(places: [&Place; 2], reach: f64) -> Self {
        Self {
            rotations: places.map(|p| p.rotation),
            positions: places.map(|p| p.position),
            reach,
        }
    }
}

impl Known {
    /// The points of the last call, if they are those of shapes at `places` too, looked for up to `reach` (m).
    pub fn points(&self, places: [&Place; 2], reach: f64) -> Option<&Manifold> {
        let posed = self.posed.as_ref()?;
        (*posed == Posed::new(places, reach)).then_some(&self.points)
    }

    /// Keep the points of shapes that close in at `closing` (m/s), if that is rest.
    pub fn keep(&mut self, places: [&Place; 2], reach: f64, closing: f64, points: &Manifold) {
        // Written so that a NaN is no rest.
        let rests = closing <= REST && points.len() <= self.points.capacity();
        self.posed = rests.then(|| Posed::new(places, reach));
        if rests {
            self.points.clone_from(points);
        }
    }
}

/// What is known of each pair.
#[derive(Clone, Debug, Default)]
pub struct KnownPairs {
    /// For each pair of this call.
    pub of_pairs: Vec<Known>,
    /// Pairs of the last call, and what was known of them.
    last: Vec<(u32, u32)>,
    last_known: Vec<Known>,
    /// Memory for points that no pair has.
    spare: Vec<Manifold>,
}

impl KnownPairs {
    /// Go on with these pairs, which are in order.
    pub fn follow(&mut self, pairs: &[(u32, u32)]) {
        if self.last == pairs {
            return;
        }
        std::mem::swap(&mut self.of_pairs, &mut self.last_known);
        self.of_pairs.clear();
        let mut last = self.last.iter().zip(&mut self.last_known).peekable();
        for pair in pairs {
            while last.next_if(|(l, _)| *l < pair).is_some() {}
            let known = last.next_if(|(l, _)| *l == pair);
            self.of_pairs
                .push(known.map_or(Known::default(), |(_, known)| std::mem::take(known)));
        }
        let left = self.last_known.drain(..).map(|known| known.points);
        self.spare
            .extend(left.filter(|points| points.capacity() > 0));
        if pairs.len() <= PAIRS {
            let without = self.of_pairs.iter_mut();
            for known in without.filter(|known| known.points.capacity() == 0) {
                let new = || Manifold::with_capacity(POINTS);
                known.points = self.spare.pop().unwrap_or_else(new);
            }
        }
        self.last.clear();
        self.last.extend_from_slice(pairs);
    }
}
