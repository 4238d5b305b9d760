//! Joints that move together: those of a common loop, and those connected by couplings.
//!
//! Two joints are in a common loop if a closed path without repetition leads through both. Every joint outside a
//! spanning tree closes such a path with the tree's joints, and paths that share a joint form one group.

use crate::model::Model;

/// Every joint's group, by the index of one of its joints: motion of one joint of a group can move the others, and does
/// not affect the coordinates of joints outside.
pub fn groups(model: &Model) -> Vec<usize> {
    let world = model.bodies().len();
    let tree = Tree::of(model);
    let mut groups = Groups {
        parent: (0..model.joints().len()).collect(),
        top: vec![world; model.joints().len()],
    };
    for carrier in &tree.carrier {
        if let Some((joint, below)) = *carrier {
            groups.top[joint] = below;
        }
    }
    for (j, ends) in ends(model) {
        let carries = |node: usize| tree.carrier[node].is_some_and(|(joint, _)| joint == j);
        if !ends.iter().any(|&node| carries(node)) {
            groups.close(j, ends, &tree);
        }
    }
    for coupling in model.couplings() {
        for pair in coupling.terms.windows(2) {
            groups.join(pair[0].joint.index(), pair[1].joint.index(), &tree);
        }
    }
    (0..model.joints().len()).map(|j| groups.find(j)).collect()
}

/// The first body of every part that is not connected to the world.
pub(super) fn roots(model: &Model) -> Vec<usize> {
    let world = model.bodies().len();
    let tree = Tree::of(model);
    (0..world).filter(|&b| tree.carrier[b].is_none()).collect()
}

/// Joints with the bodies they connect, the world last; joints without locked rows do not connect.
fn ends(model: &Model) -> impl Iterator<Item = (usize, [usize; 2])> {
    let world = model.bodies().len();
    let joints = model.joints().iter().enumerate();
    let locking = joints.filter(|(_, joint)| !joint.kind.locked().is_empty());
    locking.map(move |(j, joint)| {
        let base = joint.base.map_or(world, |b| b.index());
        (j, [base, joint.follower.index()])
    })
}

/// A spanning tree of the bodies, from the world and from the first of every part that floats.
struct Tree {
    /// The joint that leads to each node from another.
    carrier: Vec<Option<(usize, usize)>>,
    depth: Vec<usize>,
}

impl Tree {
    fn of(model: &Model) -> Self {
        let world = model.bodies().len();
        let mut neighbours = vec![Vec::new(); world + 1];
        for (j, [a, b]) in ends(model) {
            neighbours[a].push((j, b));
            neighbours[b].push((j, a));
        }
        let mut tree = Self {
            carrier: vec![None; world + 1],
            depth: vec![0; world + 1],
        };
        let mut seen = vec![false; world + 1];
        for root in std::iter::once(world).chain(0..world) {
            let mut todo = Vec::new();
            if !std::mem::replace(&mut seen[root], true) {
                todo.push(root);
            }
            while let Some(node) = todo.pop() {
                for &(joint, next) in &neighbours[node] {
                    if !std::mem::replace(&mut seen[next], true) {
                        tree.carrier[next] = Some((joint, node));
                        tree.depth[next] = tree.depth[node] + 1;
                        todo.push(next);
                    }
                }
            }
        }
        tree
    }
}

/// Disjoint sets of joints.
struct Groups {
    parent: Vec<usize>,
    /// The node nearest to the root that each set's joints of the tree reach.
    top: Vec<usize>,
}

impl Groups {
    /// Join joint `j` with the joints of the tree between its two ends.
    fn close(&mut self, j: usize, [mut a, mut b]: [usize; 2], tree: &Tree) {
        // The joint itself reaches no higher than the path it closes.
        self.top[j] = if tree.depth[a] > tree.depth[b] { a } else { b };
        while a != b {
            if tree.depth[a] < tree.depth[b] {
                std::mem::swap(&mut a, &mut b);
            }
            let Some((carrier, _)) = tree.carrier[a] else {
                return;
            };
            // Joints that are already in the group are skipped at once, so that many loops cost no more than few.
            let group = self.find(carrier);
            a = self.top[group];
            self.join(j, carrier, tree);
        }
    }

    fn join(&mut self, a: usize, b: usize, tree: &Tree) {
        let (a, b) = (self.find(a), self.find(b));
        if tree.depth[self.top[b]] < tree.depth[self.top[a]] {
            self.top[a] = self.top[b];
        }
        self.parent[b] = a;
    }

    fn find(&mut self, mut j: usize) -> usize {
        while self.parent[j] != j {
            self.parent[j] = self.parent[self.parent[j]];
            j = self.parent[j];
        }
        j
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{MassProperties, Vec3};
    use crate::model::{BodyDef, Coupling, JointDef, JointId, ModelBuilder};

    /// Hinges between numbered bodies, 0 for the world; couplings between numbered joints.
    fn grouped(bodies: usize, hinges: &[[usize; 2]], couplings: &[[u32; 2]]) -> Vec<usize> {
        let mut b = ModelBuilder::new();
        let solid = MassProperties::solid_box(1.0, Vec3::new(0.1, 0.1, 0.1));
        let ids: Vec<_> = (0..bodies)
            .map(|i| b.add_body(BodyDef::new(format!("{i}"), solid)))
            .collect();
        for (j, &[base, follower]) in hinges.iter().enumerate() {
            let base = base.checked_sub(1).map(|i| ids[i]);
            b.add_joint(JointDef::revolute(format!("{j}"), base, ids[follower - 1]));
        }
        for (i, pair) in couplings.iter().enumerate() {
            let terms = pair.map(|j| (JointId(j), 0, 1.0));
            b.add_coupling(Coupling::new(format!("c{i}"), &terms, 0.0));
        }
        let found = groups(&b.build().expect("a valid model"));
        // Each by its first joint.
        let first = |g: &usize| found.iter().position(|other| other == g);
        found.iter().filter_map(first).collect()
    }

    #[test]
    fn joints_of_a_tree_are_each_alone() {
        assert_eq!(grouped(3, &[[0, 1], [1, 2], [1, 3]], &[]), [0, 1, 2]);
        assert_eq!(grouped(3, &[[0, 1], [1, 2], [1, 3]], &[[0, 2]]), [0, 1, 0]);
    }

    #[test]
    fn loops_that_share_a_body_are_apart_and_those_that_share_a_joint_are_one() {
        // Two triangles at body 1, which is connected to the world.
        let body = [[0, 1], [1, 2], [2, 3], [3, 1], [1, 4], [4, 5], [5, 1]];
        assert_eq!(grouped(5, &body, &[]), [0, 1, 1, 1, 4, 4, 4]);
        // Two triangles on the side between 1 and 2.
        let side = [[0, 1], [1, 2], [2, 3], [3, 1], [2, 4], [4, 1]];
        assert_eq!(grouped(4, &side, &[]), [0, 1, 1, 1, 1, 1]);
        // A ladder: loops through the world whose sides are shared one after the other.
        let ladder = [[0, 1], [0, 2], [1, 2], [1, 3], [2, 4], [3, 4]];
        assert_eq!(grouped(4, &ladder, &[]), [0; 6]);
        // Two hinges between the same bodies are a loop.
        assert_eq!(grouped(2, &[[0, 1], [1, 2], [1, 2]], &[]), [0, 1, 1]);
    }
}
