//! Broad phase: groups of shapes that are near each other.
//!
//! Every moving group has an enlarged box, and the pairs whose enlarged boxes overlap are kept from call to call. Only
//! groups that have left their enlarged box are looked up again, in a tree over the enlarged boxes and in one over what
//! never moves. The stored data affects the speed, never the result: the pairs passed on are those whose present boxes
//! overlap, in a fixed order.

use super::tree::Tree;
use crate::math::Vec3;

/// Margin of an enlarged box, as a fraction of the size of the present box.
const WIDER: f64 = 0.07;

/// A box along the world axes.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Lowest corner, m.
    pub lo: Vec3,
    /// Highest corner, m.
    pub hi: Vec3,
}

impl Bounds {
    /// The empty box, which overlaps no other.
    pub fn nowhere() -> Self {
        Self {
            lo: Vec3::repeat(f64::INFINITY),
            hi: Vec3::repeat(f64::NEG_INFINITY),
        }
    }

    /// Whether the two have a point in common.
    #[inline]
    pub fn overlaps(&self, other: &Bounds) -> bool {
        let (a, b) = (self, other);
        (a.lo.x <= b.hi.x && b.lo.x <= a.hi.x)
            && (a.lo.y <= b.hi.y && b.lo.y <= a.hi.y)
            && (a.lo.z <= b.hi.z && b.lo.z <= a.hi.z)
    }

    /// The box around both.
    #[inline]
    pub fn union(&self, other: &Bounds) -> Self {
        Self {
            lo: self.lo.inf(&other.lo),
            hi: self.hi.sup(&other.hi),
        }
    }

    /// Grown by `by` (m) on all sides.
    #[inline]
    pub fn grown(&self, by: f64) -> Self {
        Self {
            lo: self.lo.add_scalar(-by),
            hi: self.hi.add_scalar(by),
        }
    }

    fn holds(&self, other: &Bounds) -> bool {
        let (a, b) = (self, other);
        (a.lo.x <= b.lo.x && a.lo.y <= b.lo.y && a.lo.z <= b.lo.z)
            && (a.hi.x >= b.hi.x && a.hi.y >= b.hi.y && a.hi.z >= b.hi.z)
    }

    fn wide(&self) -> Self {
        let size = (self.hi - self.lo).amax();
        // A box that is nowhere stays there.
        if size.is_finite() {
            self.grown(WIDER * size)
        } else {
            Self::nowhere()
        }
    }
}

/// Pairs of groups that are near each other.
#[derive(Clone, Debug, Default)]
pub struct Broad {
    /// Wide boxes of the moving groups, and the tree over them.
    wide: Vec<Bounds>,
    tree: Tree,
    /// How many wide boxes have changed since the tree was built.
    changed: usize,
    /// What the boxes at rest are grown by, m.
    still_grow: f64,
    /// Whether each moving group has just left its wide box.
    left: Vec<bool>,
    /// Pairs whose enlarged boxes overlap, lower first, in order; and newly found pairs.
    pairs: Vec<(u32, u32)>,
    found: Vec<(u32, u32)>,
}

impl Broad {
    /// All pairs whose boxes may overlap, lower first, in order. Static groups come first, with the boxes in the tree
    /// `still` enlarged by `still_grow` (m), then moving groups with these `boxes`. Only pairs for which `meet` holds,
    /// which must return the same at every call.
    pub fn near(
        &mut self,
        boxes: &[Bounds],
        still: &Tree,
        still_grow: f64,
        meet: impl Fn(u32, u32) -> bool,
    ) -> &[(u32, u32)] {
        if self.wide.len() != boxes.len() || self.still_grow != still_grow {
            self.wide.clear();
            self.wide.resize(boxes.len(), Bounds::nowhere());
            self.still_grow = still_grow;
            self.pairs.clear();
            self.changed = usize::MAX;
        }
        self.left.clear();
        let mut count = 0;
        for (wide, bounds) in self.wide.iter_mut().zip(boxes) {
            let left = !wide.holds(bounds);
            if left {
                *wide = bounds.wide();
                count += 1;
            }
            self.left.push(left);
        }
        if count == 0 {
            return &self.pairs;
        }
        // After all boxes have moved, a tree no longer keeps neighbours together.
        self.changed = self.changed.saturating_add(count);
        if self.changed > boxes.len() {
            self.tree.build(&self.wide);
            self.changed = 0;
        } else {
            self.tree.refit(&self.wide);
        }
        self.look_up(still, meet);
        &self.pairs
    }

    /// Updates the pairs of the groups that have left their enlarged boxes.
    fn look_up(&mut self, still: &Tree, meet: impl Fn(u32, u32) -> bool) {
        let Self {
            wide,
            tree,
            left,
            pairs,
            found,
            still_grow,
            ..
        } = self;
        let first = still.len() as u32;
        let has_left = |g: u32| g >= first && left[(g - first) as usize];
        pairs.retain(|&(g, h)| !has_left(g) && !has_left(h));
        found.clear();
        for (g, bounds) in (first..).zip(wide.iter()).filter(|(g, _)| has_left(*g)) {
            let mut add = |h: u32| {
                // Of two that have left, the lower finds the other.
                if (h > g || h < g && !has_left(h)) && meet(g.min(h), g.max(h)) {
                    found.push((g.min(h), g.max(h)));
                }
            };
            still.overlapping(&bounds.grown(*still_grow), &mut add);
            tree.overlapping(bounds, |h| add(first + h));
        }
        found.sort_unstable();
        merge(pairs, found);
    }
}

/// Merges sorted `more` into sorted `pairs`, from the end, where there is space.
fn merge(pairs: &mut Vec<(u32, u32)>, more: &[(u32, u32)]) {
    let (mut old, mut new) = (pairs.len(), more.len());
    pairs.resize(old + new, (0, 0));
    for at in (0..pairs.len()).rev() {
        if new == 0 {
            break;
        }
        if old > 0 && pairs[old - 1] > more[new - 1] {
            old -= 1;
            pairs[at] = pairs[old];
        } else {
            new -= 1;
            pairs[at] = more[new];
        }
    }
}
