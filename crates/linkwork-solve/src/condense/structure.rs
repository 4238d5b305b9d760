//! The part of a problem on which a [`Plan`](super::Plan) depends: which rows can be eliminated, and on which bodies
//! they act.

use crate::problem::{Operator, Problem};
use crate::sets::ImpulseSet;

/// Rows that a node of the factorisation can take: the size of its blocks.
pub(super) const NODE_ROWS: usize = 6;

/// The blocks that may be eliminated and the bodies they act on, as one list of numbers that two problems share exactly
/// if one plan fits both.
///
/// Free blocks may always be eliminated. An Interval block with compliance (a drive) may be eliminated while its
/// impulse is inside the interval, where it is an equation. Whether it is inside changes numbers of the factorisation
/// but not its structure. Dry friction, which has no compliance, is kept: joints held by friction would make a robot
/// one rigid body, against which contacts have no solution (`booster_t1` falling).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Structure {
    bodies: usize,
    /// A block: rows, whether it has a hard row, number of bodies, the bodies.
    words: Vec<u32>,
}

/// A block of a [`Structure`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Part<'a> {
    pub rows: usize,
    /// An equality without compliance: it may be redundant.
    pub hard: bool,
    pub bodies: &'a [u32],
}

impl Structure {
    /// Read the structure of `problem`, which has bodies.
    pub fn read(&mut self, problem: &Problem) {
        let Operator::Bodies { jacobian, .. } = &problem.operator else {
            unreachable!("problems without bodies are not condensed");
        };
        self.bodies = problem.bodies();
        self.words.clear();
        for (k, (set, rows)) in problem.sets.iter().enumerate() {
            if !may_be_eliminated(&set, &problem.compliance[rows.clone()]) {
                continue;
            }
            let hard = set.is_free() && problem.compliance[rows.clone()].contains(&0.0);
            let entries = jacobian.entries_of(k);
            let head = [rows.len() as u32, u32::from(hard), entries.len() as u32];
            self.words.extend_from_slice(&head);
            self.words.extend(entries.iter().map(|e| e.body as u32));
        }
    }

    /// Number of bodies.
    pub(super) fn bodies(&self) -> usize {
        self.bodies
    }

    /// The blocks in order.
    pub(super) fn parts(&self) -> impl Iterator<Item = Part<'_>> {
        let mut rest = &self.words[..];
        std::iter::from_fn(move || {
            let (&[rows, hard, count], tail) = rest.split_first_chunk::<3>()?;
            let (bodies, tail) = tail.split_at(count as usize);
            rest = tail;
            Some(Part {
                rows: rows as usize,
                hard: hard == 1,
                bodies,
            })
        })
    }
}

/// Whether a block can be rows of the factorisation.
pub(super) fn may_be_eliminated(set: &ImpulseSet, compliance: &[f64]) -> bool {
    match set {
        ImpulseSet::Free { .. } => true,
        ImpulseSet::Interval { .. } => compliance[0] > 0.0,
        _ => false,
    }
}

/// The nodes that constraint rows make: which block is in which node, at which of its rows.
#[derive(Clone, Debug, Default)]
pub(super) struct Nodes {
    /// Node and first row in it, by block of the structure.
    pub places: Vec<(u32, u8)>,
    /// Bodies of each node, ascending.
    pub bodies: Vec<Vec<u32>>,
    /// Whether the node has hard rows.
    pub hard: Vec<bool>,
}

impl Nodes {
    /// A hard block has its own node, because two hard blocks may be redundant. A compliant block joins the node of a
    /// block on the same bodies, for example a drive that of its joint.
    pub fn new(structure: &Structure) -> Self {
        let mut nodes = Self::default();
        let mut filled: Vec<usize> = Vec::new();
        let mut of_bodies: std::collections::BTreeMap<Vec<u32>, Vec<usize>> = Default::default();
        for part in structure.parts() {
            let mut bodies = part.bodies.to_vec();
            bodies.sort_unstable();
            let same = of_bodies.entry(bodies.clone()).or_default();
            let fits = |n: &&usize| filled[**n] + part.rows <= NODE_ROWS;
            let node = match same.iter().find(fits) {
                Some(&node) if !part.hard => node,
                _ => {
                    filled.push(0);
                    nodes.bodies.push(bodies);
                    nodes.hard.push(false);
                    same.push(filled.len() - 1);
                    filled.len() - 1
                }
            };
            nodes.places.push((node as u32, filled[node] as u8));
            nodes.hard[node] |= part.hard;
            filled[node] += part.rows;
        }
        nodes
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Hinges, each with a drive, between pairs of bodies.
    pub fn hinges(bodies: usize, edges: &[(u32, u32)]) -> Structure {
        let hinges = edges.iter().flat_map(|&(a, b)| [5, 1, 2, a, b]);
        let drives = edges.iter().flat_map(|&(a, b)| [1, 0, 2, a, b]);
        Structure {
            bodies,
            words: hinges.chain(drives).collect(),
        }
    }

    #[test]
    fn a_drive_is_in_the_node_of_its_joint() {
        let nodes = Nodes::new(&hinges(3, &[(0, 1), (1, 2)]));
        assert_eq!(nodes.places, [(0, 0), (1, 0), (0, 5), (1, 5)]);
    }
}
