//! A tree of boxes, for finding those that overlap a given one.

use super::broad::Bounds;
use crate::math::{Mat3, Vec3};

/// Marks a node that is no leaf.
const INNER: u32 = u32::MAX;

/// A binary tree of boxes. Nodes are in depth-first order, the first child directly after its parent, so that a search
/// is a loop: continue with the next node, or skip all children.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    nodes: Vec<Node>,
    /// Place of each box along the curve, and its index; in order.
    order: Vec<(u64, u32)>,
}

#[derive(Clone, Debug)]
struct Node {
    bounds: Bounds,
    /// The node after this one and all below it.
    after: u32,
    /// Index of the box, or [`INNER`].
    item: u32,
}

impl Tree {
    /// Over these boxes.
    pub fn new(boxes: &[Bounds]) -> Self {
        let mut tree = Self::default();
        tree.build(boxes);
        tree
    }

    /// Number of boxes.
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// Rebuilds it over these boxes: in the order of their centres along a space-filling curve (Morton's), split where
    /// the curve changes from one half of space to the other.
    pub fn build(&mut self, boxes: &[Bounds]) {
        let twice_centre = |b: &Bounds| b.lo + b.hi;
        let mut spread = Bounds::nowhere();
        for c in boxes.iter().map(twice_centre) {
            spread = spread.union(&Bounds { lo: c, hi: c });
        }
        let size = (spread.hi - spread.lo).amax();
        let scale = f64::from(1_u32 << 21) / size;
        self.order.clear();
        self.order.extend((0..).zip(boxes).map(|(i, b)| {
            // The cast turns NaN into zero.
            let cell = ((twice_centre(b) - spread.lo) * scale).map(|x| x as u64);
            (
                spaced(cell.x) | spaced(cell.y) << 1 | spaced(cell.z) << 2,
                i,
            )
        }));
        self.order.sort_unstable();
        self.nodes.clear();
        if !boxes.is_empty() {
            self.nodes.reserve(2 * boxes.len() - 1);
            self.split(0, boxes.len());
        }
        self.refit(boxes);
    }

    /// Add the node over a part of the order, and all below it.
    fn split(&mut self, from: usize, to: usize) {
        let at = self.nodes.len();
        let part = &self.order[from..to];
        let (first, last) = (part[0], part[part.len() - 1]);
        self.nodes.push(Node {
            bounds: Bounds::nowhere(),
            after: 0,
            item: if part.len() == 1 { first.1 } else { INNER },
        });
        if part.len() > 1 {
            let apart = first.0 ^ last.0;
            let middle = if apart == 0 {
                part.len() / 2
            } else {
                let half = 1 << apart.ilog2();
                part.partition_point(|(code, _)| code & half == 0)
            };
            self.split(from, from + middle);
            self.split(from + middle, to);
        }
        self.nodes[at].after = self.nodes.len() as u32;
    }

    /// Follow boxes that have changed; as many as before.
    pub fn refit(&mut self, boxes: &[Bounds]) {
        for at in (0..self.nodes.len()).rev() {
            let node = &self.nodes[at];
            self.nodes[at].bounds = if node.item == INNER {
                let first = &self.nodes[at + 1];
                first.bounds.union(&self.nodes[first.after as usize].bounds)
            } else {
                boxes[node.item as usize]
            };
        }
    }

    /// Call `visit` with the index of every box that overlaps `query`, in no particular order.
    #[inline]
    pub fn overlapping(&self, query: &Bounds, mut visit: impl FnMut(u32)) {
        let mut at = 0;
        while let Some(node) = self.nodes.get(at) {
            if !node.bounds.overlaps(query) {
                at = node.after as usize;
                continue;
            }
            if node.item != INNER {
                visit(node.item);
            }
            at += 1;
        }
    }

    /// Pairs of a box of this tree and one of `other`, which is rotated and translated by `rotation` and `position`
    /// (m), that may be closer than `reach` (m); `below`: boxes of this tree extend downwards without end. `stack` is
    /// working memory.
    pub fn near_pairs(
        &self,
        other: &Tree,
        (rotation, position): (&Mat3, &Vec3),
        reach: f64,
        below: bool,
        stack: &mut Vec<(u32, u32)>,
        mut visit: impl FnMut(u32, u32),
    ) {
        let widths = rotation.abs();
        let near = |a: &Bounds, b: &Bounds| {
            let mut a = a.grown(reach);
            if below {
                a.lo.z = f64::NEG_INFINITY;
            }
            let (centre, half) = (
                rotation * (b.lo + b.hi) * 0.5 + position,
                widths * (b.hi - b.lo) * 0.5,
            );
            let turned = Bounds {
                lo: centre - half,
                hi: centre + half,
            };
            if !a.overlaps(&turned) {
                return false;
            }
            if below {
                return true;
            }
            // The same seen from the other.
            let (centre, half) = (
                rotation.tr_mul(&((a.lo + a.hi) * 0.5 - position)),
                widths.tr_mul(&((a.hi - a.lo) * 0.5)),
            );
            b.overlaps(&Bounds {
                lo: centre - half,
                hi: centre + half,
            })
        };
        stack.clear();
        if !(self.nodes.is_empty() || other.nodes.is_empty()) {
            stack.push((0, 0));
        }
        while let Some((i, j)) = stack.pop() {
            let (a, b) = (&self.nodes[i as usize], &other.nodes[j as usize]);
            if !near(&a.bounds, &b.bounds) {
                continue;
            }
            let size = |n: &Node| match n.item {
                INNER => (n.bounds.hi - n.bounds.lo).norm_squared(),
                _ => -1.0,
            };
            if a.item != INNER && b.item != INNER {
                visit(a.item, b.item);
            } else if size(a) >= size(b) {
                stack.push((self.nodes[i as usize + 1].after, j));
                stack.push((i + 1, j));
            } else {
                stack.push((i, other.nodes[j as usize + 1].after));
                stack.push((i, j + 1));
            }
        }
    }
}

/// The lower 21 bits of a number, two zeros before each.
fn spaced(x: u64) -> u64 {
    let mut x = x.min((1 << 21) - 1);
    for (shift, mask) in [
        (32, 0x001f_0000_0000_ffff),
        (16, 0x001f_0000_ff00_00ff),
        (8, 0x100f_00f0_0f00_f00f),
        (4, 0x10c3_0c30_c30c_30c3),
        (2, 0x1249_2492_4924_9249),
    ] {
        x = (x | x << shift) & mask;
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    fn boxes(n: usize, seed: f64) -> Vec<Bounds> {
        let hash = |i: usize, k: f64| ((i as f64 + seed) * k).sin() * 43758.5453 % 1.0;
        (0..n)
            .map(|i| {
                let lo = Vec3::new(hash(i, 12.9), hash(i, 78.2), hash(i, 37.7));
                let size = Vec3::new(hash(i, 3.1), hash(i, 5.3), hash(i, 7.9)).abs() * 0.1;
                Bounds { lo, hi: lo + size }
            })
            .collect()
    }

    #[test]
    fn what_overlaps_is_what_a_search_among_all_finds() {
        for n in [0, 1, 2, 3, 300] {
            let (first, second) = (boxes(n, 0.0), boxes(n, 0.5));
            let mut tree = Tree::new(&first);
            for all in [&first, &second] {
                tree.refit(all);
                for query in boxes(50, 0.25) {
                    let mut found = Vec::new();
                    tree.overlapping(&query, |i| found.push(i as usize));
                    found.sort_unstable();
                    let expected: Vec<usize> =
                        (0..n).filter(|&i| all[i].overlaps(&query)).collect();
                    assert_eq!(found, expected);
                }
            }
        }
    }

    #[test]
    fn near_pairs_are_all_that_may_come_close() {
        let (first, second) = (boxes(80, 0.0), boxes(60, 0.5));
        let (a, b) = (Tree::new(&first), Tree::new(&second));
        let rotation = crate::math::exp(&Vec3::new(0.7, -0.4, 1.1)).to_rotation_matrix();
        let (rotation, position) = (rotation.into_inner(), Vec3::new(0.1, 0.0, -0.2));
        let reach = 0.05;
        let mut found = std::collections::BTreeSet::new();
        a.near_pairs(
            &b,
            (&rotation, &position),
            reach,
            false,
            &mut Vec::new(),
            |i, j| {
                assert!(found.insert((i, j)), "twice");
            },
        );
        assert!(found.len() < 80 * 60 / 4);
        // The nearest corners and centres of two boxes, seen from the first.
        for (i, x) in (0..).zip(&first) {
            for (j, y) in (0..).zip(&second) {
                let near = (0..27).any(|k| {
                    let part = |n: u32| 0.5 * f64::from(n % 3);
                    let part = Vec3::new(part(k), part(k / 3), part(k / 9));
                    let point = y.lo + (y.hi - y.lo).component_mul(&part);
                    let p = rotation * point + position;
                    let nearest = p.sup(&x.lo).inf(&x.hi);
                    (p - nearest).norm() <= reach
                });
                assert!(!near || found.contains(&(i, j)));
            }
        }
    }
}
