//! Which joints carry a mechanism's tree, where no file tells.

use linkwork::model::{JointId, Model};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The first joint that leads to each body, unless it closes a loop; each after those above it.
pub fn spanning_tree(model: &Model) -> Vec<JointId> {
    let world = model.bodies().len();
    let mut carrier = vec![None; world];
    let mut group: Vec<usize> = (0..=world).collect();
    for (i, joint) in model.joints().iter().enumerate() {
        let follower = joint.follower.index();
        let base = joint.base.map_or(world, |b| b.index());
        let (a, b) = (find(&mut group, base), find(&mut group, follower));
        if carrier[follower].is_none() && a != b {
            group[b] = a;
            carrier[follower] = Some(JointId(i as u32));
        }
    }
    ordered(model, &carrier)
}

/// The group an element belongs to.
fn find(group: &mut [usize], mut at: usize) -> usize {
    while group[at] != at {
        group[at] = group[group[at]];
        at = group[at];
    }
    at
}

/// Joints in their own order as far as that puts none before one it stands on.
fn ordered(model: &Model, carrier: &[Option<JointId>]) -> Vec<JointId> {
    let mut above: Vec<Vec<JointId>> = vec![Vec::new(); carrier.len()];
    let mut ready = BinaryHeap::new();
    for &id in carrier.iter().flatten() {
        match model.joint(id).base {
            Some(base) if carrier[base.index()].is_some() => above[base.index()].push(id),
            _ => ready.push(Reverse(id)),
        }
    }
    let mut tree = Vec::new();
    while let Some(Reverse(id)) = ready.pop() {
        tree.push(id);
        let next = &above[model.joint(id).follower.index()];
        ready.extend(next.iter().copied().map(Reverse));
    }
    tree
}

/// Whether joints form a tree: each body is reached once, and after the one below it.
pub fn is_tree(model: &Model, tree: &[JointId]) -> bool {
    let mut carried = vec![false; model.bodies().len()];
    for &id in tree {
        carried[model.joint(id).follower.index()] = true;
    }
    let mut placed: Vec<bool> = carried.iter().map(|c| !c).collect();
    tree.iter().all(|&id| {
        let joint = model.joint(id);
        let below = joint.base.is_none_or(|b| placed[b.index()]);
        let fresh = !std::mem::replace(&mut placed[joint.follower.index()], true);
        below && fresh
    })
}
