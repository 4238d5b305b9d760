//! Order, fill and operations of the factorisation of a model's joints. They do not change from step to step, are built
//! once, and are shared by all worlds of the model.

use super::order::elimination_order;
use super::structure::{Nodes, Structure};
use std::sync::{Arc, Mutex};

/// The factorisation of one [`Structure`], symbolically.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    structure: Structure,
    /// Elimination position of each body.
    pub(super) body: Vec<u32>,
    /// Of each position: whether it is a body.
    pub(super) is_body: Vec<bool>,
    /// Position and first row of each block of the structure.
    pub(super) places: Vec<(u32, u8)>,
    /// Position of J of each block and body in K, in the order of blocks and their bodies.
    pub(super) slots: Vec<Slot>,
    /// L below the diagonal: column c has the rows `rows[starts[c]..starts[c + 1]]`, ascending.
    pub(super) starts: Vec<u32>,
    pub(super) rows: Vec<u32>,
    /// Targets of the updates of the factorisation, in the order of the updates: for each row i of a column the
    /// diagonal block i, then the blocks (j, i) below it.
    pub(super) targets: Vec<u32>,
    /// Place of each position in a postorder of the elimination tree: the nodes of a branch follow each other.
    pub(super) postorder: Vec<u32>,
}

/// Where a block of J goes in K.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slot {
    /// Index of the block below the diagonal.
    pub block: u32,
    /// Whether the constraint rows are the rows of that block: its body is eliminated first.
    pub body_first: bool,
}

impl Plan {
    /// Find order and fill.
    pub fn new(structure: &Structure) -> Self {
        let bodies = structure.bodies();
        let nodes = Nodes::new(structure);
        let order = elimination_order(bodies, &nodes);
        let mut position = vec![0u32; order.len()];
        for (at, &node) in order.iter().enumerate() {
            position[node as usize] = at as u32;
        }
        let (starts, rows) = fill(bodies, &nodes, &order, &position);
        let mut plan = Self {
            structure: structure.clone(),
            body: position[..bodies].to_vec(),
            is_body: order.iter().map(|&node| (node as usize) < bodies).collect(),
            places: Vec::new(),
            slots: Vec::new(),
            targets: Vec::new(),
            postorder: Vec::new(),
            starts,
            rows,
        };
        for (part, &(node, row)) in structure.parts().zip(&nodes.places) {
            let at = position[bodies + node as usize];
            plan.places.push((at, row));
            for &b in part.bodies {
                let body = plan.body[b as usize];
                plan.slots.push(Slot {
                    block: plan.index(body.max(at), body.min(at)),
                    body_first: body < at,
                });
            }
        }
        plan.locate();
        plan.postorder = plan.postorder();
        plan
    }

    /// The structure it is for.
    pub fn structure(&self) -> &Structure {
        &self.structure
    }

    /// Number of nodes.
    pub(super) fn nodes(&self) -> usize {
        self.is_body.len()
    }

    /// Sign of node `c` in S.
    #[inline]
    pub(super) fn sign(&self, c: usize) -> f64 {
        if self.is_body[c] { 1.0 } else { -1.0 }
    }

    /// Blocks below the diagonal in column `c`.
    pub(super) fn column(&self, c: usize) -> std::ops::Range<usize> {
        self.starts[c] as usize..self.starts[c + 1] as usize
    }

    /// The node that follows `c` on its way through the elimination: the first row of its column.
    pub(super) fn parent(&self, c: u32) -> Option<u32> {
        self.rows[self.column(c as usize)].first().copied()
    }

    /// Index of the block (row, column), which is there.
    fn index(&self, row: u32, column: u32) -> u32 {
        let range = self.column(column as usize);
        let at = self.rows[range.clone()].partition_point(|&r| r < row);
        (range.start + at) as u32
    }

    /// Each node takes the last place of its branch, and its children's branches the places before it.
    fn postorder(&self) -> Vec<u32> {
        let n = self.nodes();
        let mut size = vec![1u32; n];
        for c in 0..n {
            if let Some(parent) = self.parent(c as u32) {
                size[parent as usize] += size[c];
            }
        }
        // Where the next branch below a node ends, and the next below none.
        let mut free = vec![0u32; n];
        let mut roots = n as u32;
        let mut place = vec![0u32; n];
        for c in (0..n).rev() {
            let end = match self.parent(c as u32) {
                Some(parent) => &mut free[parent as usize],
                None => &mut roots,
            };
            place[c] = *end - 1;
            *end -= size[c];
            free[c] = place[c];
        }
        place
    }

    fn locate(&mut self) {
        let mut place = vec![0u32; self.nodes()];
        for c in 0..self.nodes() {
            let column = self.column(c);
            for i in column.clone() {
                let row = self.rows[i] as usize;
                for b in self.column(row) {
                    place[self.rows[b] as usize] = b as u32;
                }
                self.targets.push(row as u32);
                for j in i + 1..column.end {
                    self.targets.push(place[self.rows[j] as usize]);
                }
            }
        }
    }
}

/// Rows of each column of L by elimination position: the neighbours of its node, and the fill from the columns whose
/// path leads to it.
fn fill(bodies: usize, nodes: &Nodes, order: &[u32], position: &[u32]) -> (Vec<u32>, Vec<u32>) {
    let n = order.len();
    let mut near: Vec<Vec<u32>> = vec![Vec::new(); n];
    for (i, of) in nodes.bodies.iter().enumerate() {
        let at = position[bodies + i];
        for &b in of {
            let body = position[b as usize];
            near[body.min(at) as usize].push(body.max(at));
        }
    }
    let mut starts = vec![0u32];
    let mut rows = Vec::new();
    for c in 0..n {
        let mut column = std::mem::take(&mut near[c]);
        column.sort_unstable();
        column.dedup();
        if let Some((&parent, rest)) = column.split_first() {
            near[parent as usize].extend_from_slice(rest);
        }
        rows.extend_from_slice(&column);
        starts.push(rows.len() as u32);
    }
    (starts, rows)
}

/// Plans found so far, shared by the simulators of a model.
#[derive(Debug, Default)]
pub struct Plans(Mutex<Vec<Arc<Plan>>>);

impl Plans {
    /// Number of plans.
    pub fn len(&self) -> usize {
        self.0.lock().unwrap_or_else(|e| e.into_inner()).len()
    }

    /// Whether none has been made yet.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The plan of `structure`, found once.
    pub fn plan(&self, structure: &Structure) -> Arc<Plan> {
        // A panic elsewhere leaves the list as it was: complete plans only.
        let mut plans = self.0.lock().unwrap_or_else(|e| e.into_inner());
        if let Some(plan) = plans.iter().find(|p| p.structure() == structure) {
            return plan.clone();
        }
        let plan = Arc::new(Plan::new(structure));
        plans.push(plan.clone());
        plan
    }
}

#[cfg(test)]
mod tests {
    use super::super::structure::tests::hinges;
    use super::*;

    fn blocks_below(edges: &[(u32, u32)], bodies: usize) -> usize {
        Plan::new(&hinges(bodies, edges)).rows.len()
    }

    #[test]
    fn the_nodes_of_a_branch_follow_each_other_in_the_postorder() {
        // Three limbs of four links on a trunk, and a loop.
        let limb =
            |l: u32| (0..4).map(move |i| (if i == 0 { 0 } else { 4 * l + i }, 4 * l + i + 1));
        let edges: Vec<(u32, u32)> = (0..3).flat_map(limb).chain([(4, 8)]).collect();
        let plan = Plan::new(&hinges(13, &edges));
        let n = plan.nodes();
        let mut below = vec![Vec::new(); n];
        for c in 0..n {
            let mut next = Some(c as u32);
            while let Some(node) = next {
                below[node as usize].push(plan.postorder[c]);
                next = plan.parent(node);
            }
        }
        for (c, places) in below.iter_mut().enumerate() {
            places.sort_unstable();
            assert_eq!(places.last(), Some(&plan.postorder[c]));
            assert!(places.windows(2).all(|pair| pair[0] + 1 == pair[1]));
        }
    }

    #[test]
    fn trees_have_no_fill_and_loops_little() {
        let chain: Vec<(u32, u32)> = (1..100).map(|i| (i - 1, i)).collect();
        assert_eq!(blocks_below(&chain, 100), 2 * 99);
        let mut ring = chain.clone();
        ring.push((99, 0));
        assert!(blocks_below(&ring, 100) <= 5 * 100);
        // A ladder: rails a_i = i and b_i = n + i, and rungs.
        let n = 100;
        let rails = (1..n).flat_map(|i| [(i - 1, i), (n + i - 1, n + i)]);
        let ladder: Vec<(u32, u32)> = rails.chain((0..n).map(|i| (i, n + i))).collect();
        assert!(blocks_below(&ladder, 2 * n as usize) <= 20 * n as usize);
    }
}
