//! Spanning tree of a mechanism for which the source file defines none.

use super::{Joint, JointId};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The first joint that leads to each body, unless it closes a loop; each after those above it.
pub(super) fn spanning_tree(bodies: usize, joints: &[Joint]) -> Vec<JointId> {
    let world = bodies;
    let mut carrier = vec![None; world];
    let mut group: Vec<usize> = (0..=world).collect();
    for (i, joint) in joints.iter().enumerate() {
        let follower = joint.follower.index();
        let base = joint.base.map_or(world, |b| b.index());
        let (a, b) = (find(&mut group, base), find(&mut group, follower));
        if carrier[follower].is_none() && a != b {
            group[b] = a;
            carrier[follower] = Some(JointId(i as u32));
        }
    }
    ordered(joints, &carrier)
}

/// The group an element belongs to.
fn find(group: &mut [usize], mut at: usize) -> usize {
    while group[at] != at {
        group[at] = group[group[at]];
        at = group[at];
    }
    at
}

/// Joints in their own order, as far as this puts no joint before one on which it depends.
fn ordered(joints: &[Joint], carrier: &[Option<JointId>]) -> Vec<JointId> {
    let mut above: Vec<Vec<JointId>> = vec![Vec::new(); carrier.len()];
    let mut ready = BinaryHeap::new();
    for &id in carrier.iter().flatten() {
        match joints[id.index()].base {
            Some(base) if carrier[base.index()].is_some() => above[base.index()].push(id),
            _ => ready.push(Reverse(id)),
        }
    }
    let mut tree = Vec::new();
    while let Some(Reverse(id)) = ready.pop() {
        tree.push(id);
        let next = &above[joints[id.index()].follower.index()];
        ready.extend(next.iter().copied().map(Reverse));
    }
    tree
}

/// Whether joints form a tree: each body is reached once, and after the one below it.
pub(super) fn is_tree(bodies: usize, joints: &[Joint], tree: &[JointId]) -> bool {
    let mut carried = vec![false; bodies];
    for &id in tree {
        carried[joints[id.index()].follower.index()] = true;
    }
    let mut placed: Vec<bool> = carried.iter().map(|c| !c).collect();
    tree.iter().all(|&id| {
        let joint = &joints[id.index()];
        let below = joint.base.is_none_or(|b| placed[b.index()]);
        let fresh = !std::mem::replace(&mut placed[joint.follower.index()], true);
        below && fresh
    })
}
