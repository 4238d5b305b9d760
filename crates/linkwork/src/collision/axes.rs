//! Axes along which pairs were last found separated; they are tried first.

use crate::math::Vec3;

/// One axis per pair of shapes, kept from call to call. It affects only the speed: a pair is skipped along a stored
/// axis only if a search would not find a contact either.
#[derive(Clone, Debug, Default)]
pub struct Axes {
    /// A unit vector from A to B for each pair of this call, or zero.
    pub of_pairs: Vec<Vec3>,
    /// Pairs of the last call, and their axes.
    last: Vec<(u32, u32)>,
    last_axes: Vec<Vec3>,
}

impl Axes {
    /// Go on with these pairs, which are in order.
    pub fn follow(&mut self, pairs: &[(u32, u32)]) {
        if self.last == pairs {
            return;
        }
        std::mem::swap(&mut self.of_pairs, &mut self.last_axes);
        self.of_pairs.clear();
        let mut last = self.last.iter().zip(&self.last_axes).peekable();
        for pair in pairs {
            while last.next_if(|(l, _)| *l < pair).is_some() {}
            let known = last.next_if(|(l, _)| *l == pair);
            self.of_pairs
                .push(known.map_or(Vec3::zeros(), |(_, axis)| *axis));
        }
        self.last.clear();
        self.last.extend_from_slice(pairs);
    }
}
