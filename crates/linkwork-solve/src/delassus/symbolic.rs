//! Elimination order and fill of a block Cholesky on a graph of bodies.

/// Undirected graph on n nodes as a bit matrix, one row of words a node.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Graph {
    n: usize,
    words: usize,
    bits: Vec<u64>,
}

impl Graph {
    /// Remove all edges and set the number of nodes.
    pub fn clear(&mut self, n: usize) {
        self.n = n;
        self.words = n.div_ceil(64);
        self.bits.clear();
        self.bits.resize(n * self.words, 0);
    }

    /// Join two different nodes.
    #[inline]
    pub fn join(&mut self, a: usize, b: usize) {
        self.bits[a * self.words + b / 64] |= 1 << (b % 64);
        self.bits[b * self.words + a / 64] |= 1 << (a % 64);
    }

    fn row(&self, a: usize) -> &[u64] {
        &self.bits[a * self.words..(a + 1) * self.words]
    }

    fn degree(&self, a: usize) -> u32 {
        self.row(a).iter().map(|w| w.count_ones()).sum()
    }

    fn neighbours(&self, a: usize, out: &mut Vec<u32>) {
        out.clear();
        for (i, &word) in self.row(a).iter().enumerate() {
            let mut word = word;
            while word != 0 {
                out.push((64 * i) as u32 + word.trailing_zeros());
                word &= word - 1;
            }
        }
    }

    /// Remove node `a` and join its neighbours to each other.
    fn eliminate(&mut self, a: usize, neighbours: &[u32]) {
        let words = self.words;
        for &b in neighbours {
            let b = b as usize;
            for i in 0..words {
                let add = self.bits[a * words + i];
                self.bits[b * words + i] |= add;
            }
            self.bits[b * words + a / 64] &= !(1 << (a % 64));
            self.bits[b * words + b / 64] &= !(1 << (b % 64));
        }
    }
}

/// Structure of L: columns in elimination order with their rows below the diagonal.
///
/// A function of the graph alone (minimum degree, ties to the lower node), so that results do not
/// depend on what was solved before.
#[derive(Clone, Debug, Default)]
pub struct Symbolic {
    graph: Graph,
    work: Graph,
    /// Position of each node in the elimination order.
    pub position: Vec<u32>,
    /// Start of each column in `rows`; one more than columns.
    pub starts: Vec<usize>,
    /// Positions of the rows of each column, ascending.
    pub rows: Vec<u32>,
    /// Where the update of each pair of rows of a column goes, column by column: for rows i ≤ j of
    /// the column, in order of i then j ≥ i, the diagonal (i = j) or the index of block (j, i).
    pub targets: Vec<u32>,
    neighbours: Vec<u32>,
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

    /// Minimum-degree elimination; column structures fall out of it.
    fn order(&mut self) {
        let n = self.graph.n;
        self.work.clone_from(&self.graph);
        self.position.clear();
        self.position.resize(n, u32::MAX);
        self.starts.clear();
        self.starts.push(0);
        self.rows.clear();
        for step in 0..n {
            let mut best = (u32::MAX, 0);
            for a in 0..n {
                if self.position[a] == u32::MAX {
                    let degree = self.work.degree(a);
                    if degree < best.0 {
                        best = (degree, a);
                    }
                }
            }
            let a = best.1;
            self.position[a] = step as u32;
            self.work.neighbours(a, &mut self.neighbours);
            self.work.eliminate(a, &self.neighbours);
            self.rows.extend_from_slice(&self.neighbours);
            self.starts.push(self.rows.len());
        }
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
