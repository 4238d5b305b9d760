//! Elimination order and fill of a block Cholesky on a graph of bodies.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Undirected graph on n nodes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Graph {
    n: usize,
    /// Pairs of nodes, the lower one first.
    edges: Vec<(u32, u32)>,
}

impl Graph {
    /// Remove all edges and set the number of nodes.
    pub fn clear(&mut self, n: usize) {
        self.n = n;
        self.edges.clear();
    }

    /// Join two different nodes.
    #[inline]
    pub fn join(&mut self, a: usize, b: usize) {
        self.edges.push((a.min(b) as u32, a.max(b) as u32));
    }

    /// Put the edges in order, each once.
    pub fn finish(&mut self) {
        self.edges.sort_unstable();
        self.edges.dedup();
    }
}

/// Buffers of [`minimum_degree`].
#[derive(Clone, Debug, Default)]
pub(crate) struct Queue {
    /// Nodes still to be eliminated, by degree; those that have changed since are there again.
    nodes: BinaryHeap<Reverse<(usize, u32)>>,
    merged: Vec<u32>,
}

/// Eliminates nodes by minimum degree, ties broken by the lower index. `near` has the neighbours of each node,
/// ascending, and is consumed; `more` is added to the degree of each node. Each node is reported with its neighbours
/// when it is eliminated.
pub(crate) fn minimum_degree(
    near: &mut [Vec<u32>],
    queue: &mut Queue,
    more: impl Fn(u32) -> usize,
    mut eliminate: impl FnMut(u32, &[u32]),
) {
    let Queue { nodes, merged } = queue;
    nodes.clear();
    nodes.extend((0..near.len() as u32).map(|a| Reverse((near[a as usize].len() + more(a), a))));
    while let Some(Reverse((degree, a))) = nodes.pop() {
        if near[a as usize].len() + more(a) != degree {
            continue;
        }
        let around = std::mem::take(&mut near[a as usize]);
        eliminate(a, &around);
        for &b in &around {
            let own = &mut near[b as usize];
            merged.clear();
            merged.extend(own.iter().chain(&around).copied());
            merged.retain(|&c| c != a && c != b);
            merged.sort_unstable();
            merged.dedup();
            own.clone_from(merged);
            nodes.push(Reverse((own.len() + more(b), b)));
        }
        near[a as usize] = around;
        near[a as usize].clear();
    }
}

/// Structure of L: columns in elimination order with their rows below the diagonal.
///
/// A function of the graph alone (minimum degree, ties to the lower node), so that results do not
/// depend on what was solved before.
#[derive(Clone, Debug, Default)]
pub struct Symbolic {
    graph: Graph,
    near: Vec<Vec<u32>>,
    queue: Queue,
    /// Position of each node in the elimination order.
    pub position: Vec<u32>,
    /// Start of each column in `rows`; one more than columns.
    pub starts: Vec<usize>,
    /// Positions of the rows of each column, ascending.
    pub rows: Vec<u32>,
    /// Where the update of each pair of rows of a column goes, column by column: for rows i ≤ j of
    /// the column, in order of i then j ≥ i, the diagonal (i = j) or the index of block (j, i).
    pub targets: Vec<u32>,
    place: Vec<u32>,
}

impl Symbolic {
    /// Make the structure that of `graph`; does nothing if it already is.
    pub fn update(&mut self, graph: &Graph) {
        if self.graph == *graph {
            return;
        }
        self.graph.clone_from(graph);
        self.order();
        self.locate();
    }

    /// Minimum-degree elimination, which also yields the column structures.
    fn order(&mut self) {
        let n = self.graph.n;
        for near in &mut self.near {
            near.clear();
        }
        self.near.resize_with(n.max(self.near.len()), Vec::new);
        for &(a, b) in &self.graph.edges {
            self.near[a as usize].push(b);
            self.near[b as usize].push(a);
        }
        let near = &mut self.near[..n];
        near.iter_mut().for_each(|near| near.sort_unstable());
        self.position.clear();
        self.position.resize(n, u32::MAX);
        self.starts.clear();
        self.starts.push(0);
        self.rows.clear();
        let (position, starts, rows) = (&mut self.position, &mut self.starts, &mut self.rows);
        minimum_degree(
            near,
            &mut self.queue,
            |_| 0,
            |a, neighbours| {
                position[a as usize] = starts.len() as u32 - 1;
                rows.extend_from_slice(neighbours);
                starts.push(rows.len());
            },
        );
        for r in &mut self.rows {
            *r = self.position[*r as usize];
        }
        for c in 0..n {
            self.rows[self.starts[c]..self.starts[c + 1]].sort_unstable();
        }
    }

    /// Precompute where each update of the factorisation lands.
    fn locate(&mut self) {
        let n = self.graph.n;
        self.targets.clear();
        self.place.clear();
        self.place.resize(n, 0);
        for c in 0..n {
            let column = self.starts[c]..self.starts[c + 1];
            for i in column.clone() {
                let row = self.rows[i] as usize;
                for b in self.starts[row]..self.starts[row + 1] {
                    self.place[self.rows[b] as usize] = b as u32;
                }
                self.targets.push(row as u32);
                for j in i + 1..column.end {
                    self.targets.push(self.place[self.rows[j] as usize]);
                }
            }
        }
    }

    /// Number of columns.
    pub fn columns(&self) -> usize {
        self.position.len()
    }

    /// Index of the block below the diagonal that joins nodes `a` and `b`, and whether `a` is its
    /// row (else `b` is).
    pub fn block(&self, a: usize, b: usize) -> (usize, bool) {
        let (pa, pb) = (self.position[a], self.position[b]);
        let (column, row) = (pa.min(pb) as usize, pa.max(pb));
        let start = self.starts[column];
        let rows = &self.rows[start..self.starts[column + 1]];
        let at = rows.partition_point(|&r| r < row);
        (start + at, pa > pb)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_has_no_fill_and_a_ring_one_extra_block_a_node() {
        let mut graph = Graph::default();
        let n = 100;
        graph.clear(n);
        for i in 1..n {
            graph.join(i - 1, i);
        }
        let mut s = Symbolic::default();
        s.update(&graph);
        assert_eq!(s.rows.len(), n - 1);
        graph.join(0, n - 1);
        s.update(&graph);
        assert_eq!(s.rows.len(), 2 * (n - 2) + 1);
    }
}
