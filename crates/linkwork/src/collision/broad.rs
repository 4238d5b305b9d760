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

    fn overlaps(&self, other: &Bounds) -> bool {
        (0..3).all(|k| self.lo[k] <= other.hi[k] && other.lo[k] <= self.hi[k])
    }
}

/// Sorted order of the boxes along one axis, kept from call to call because it changes little.
/// It affects the speed only, never the result.
#[derive(Clone, Debug, Default)]
pub struct Sweep {
    order: Vec<u32>,
}

impl Sweep {
    /// Append all overlapping pairs (lower index first) among `members` that `accept` lets pass.
    pub fn pairs(
        &mut self,
        boxes: &[Bounds],
        members: &[u32],
        accept: impl Fn(u32, u32) -> bool,
        pairs: &mut Vec<(u32, u32)>,
    ) {
        if self.order.len() != members.len() {
            self.order.clear();
            self.order.extend_from_slice(members);
        }
        let k = widest(boxes, &self.order);
        self.order
            .sort_unstable_by(|&i, &j| boxes[i as usize].lo[k].total_cmp(&boxes[j as usize].lo[k]));
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
}

/// The axis along which the boxes are spread most.
fn widest(boxes: &[Bounds], members: &[u32]) -> usize {
    let (mut sum, mut squares, mut count) = (Vec3::zeros(), Vec3::zeros(), 0.0);
    for &i in members {
        let c = (boxes[i as usize].lo + boxes[i as usize].hi) * 0.5;
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
