//! Sweep and prune: pairs of overlapping boxes.

use crate::math::Vec3;

/// A box along the world axes.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Lowest corner, m.
    pub lo: Vec3,
    /// Highest corner, m.
    pub hi: Vec3,
}

impl Bounds {
    /// The box that overlaps nothing.
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
}

/// Sorted order of the boxes along one axis, kept from call to call because it changes little.
/// It affects the speed only, never the result.
#[derive(Clone, Debug, Default)]
pub struct Sweep {
    order: Vec<u32>,
    axis: usize,
}

impl Sweep {
    /// Append all overlapping pairs of boxes (lower index first) that `accept` lets pass.
    pub fn pairs(
        &mut self,
        boxes: &[Bounds],
        accept: impl Fn(u32, u32) -> bool,
        pairs: &mut Vec<(u32, u32)>,
    ) {
        let k = widest(boxes);
        if self.order.len() != boxes.len() || self.axis != k {
            self.order.clear();
            self.order.extend(0..boxes.len() as u32);
            self.axis = k;
            let lo = |i: u32| boxes[i as usize].lo[k];
            self.order
                .sort_unstable_by(|&i, &j| lo(i).total_cmp(&lo(j)));
        } else {
            self.sort_again(boxes);
        }
        for (position, &i) in self.order.iter().enumerate() {
            let a = &boxes[i as usize];
            for &j in &self.order[position + 1..] {
                let b = &boxes[j as usize];
                if b.lo[k] > a.hi[k] {
                    break;
                }
                if a.overlaps(b) && accept(i.min(j), i.max(j)) {
                    pairs.push((i.min(j), i.max(j)));
                }
            }
        }
    }

    /// Insertion sort of an order that was right at the last call: linear while little changes.
    fn sort_again(&mut self, boxes: &[Bounds]) {
        let k = self.axis;
        for n in 1..self.order.len() {
            let moved = self.order[n];
            let lo = boxes[moved as usize].lo[k];
            let mut at = n;
            while at > 0 && boxes[self.order[at - 1] as usize].lo[k] > lo {
                self.order[at] = self.order[at - 1];
                at -= 1;
            }
            self.order[at] = moved;
        }
    }
}

/// The axis along which the boxes are spread most.
fn widest(boxes: &[Bounds]) -> usize {
    let (mut sum, mut squares, mut count) = (Vec3::zeros(), Vec3::zeros(), 0.0);
    for bounds in boxes {
        let c = (bounds.lo + bounds.hi) * 0.5;
        if c.iter().all(|x| x.is_finite()) {
            sum += c;
            squares += c.component_mul(&c);
            count += 1.0;
        }
    }
    if count == 0.0 {
        // Nothing to spread.
        return 0;
    }
    (squares / count - sum.component_mul(&sum) / (count * count)).imax()
}
