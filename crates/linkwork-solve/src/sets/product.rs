//! K, the product of the sets of all constraint blocks.

use super::ImpulseSet;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// The product of the sets of all constraint blocks, in row order.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ImpulseSets {
    sets: Vec<ImpulseSet>,
    starts: Vec<usize>,
    rows: usize,
}

impl ImpulseSets {
    /// No sets.
    pub fn new() -> Self {
        Self::default()
    }

    /// Remove all sets, keeping the memory.
    pub fn clear(&mut self) {
        self.sets.clear();
        self.starts.clear();
        self.rows = 0;
    }

    /// Remove all but the first `blocks` sets.
    pub fn truncate(&mut self, blocks: usize) {
        if let Some(start) = self.starts.get(blocks) {
            self.rows = *start;
        }
        self.sets.truncate(blocks);
        self.starts.truncate(blocks);
    }

    /// Append the set of the next constraint block.
    pub fn push(&mut self, set: ImpulseSet) {
        self.sets.push(set);
        self.starts.push(self.rows);
        self.rows += set.dim();
    }

    /// Number of rows nd.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of blocks.
    pub fn len(&self) -> usize {
        self.sets.len()
    }

    /// Whether there is no block.
    pub fn is_empty(&self) -> bool {
        self.sets.is_empty()
    }

    /// Set of block `k`.
    #[inline]
    pub fn set(&self, k: usize) -> ImpulseSet {
        self.sets[k]
    }

    /// Rows of block `k`.
    #[inline]
    pub fn range(&self, k: usize) -> Range<usize> {
        self.starts[k]..self.starts[k] + self.sets[k].dim()
    }

    /// All blocks with their rows.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = (ImpulseSet, Range<usize>)> + '_ {
        self.sets
            .iter()
            .zip(&self.starts)
            .map(|(set, &start)| (*set, start..start + set.dim()))
    }

    /// Whether every block is free: an equality-only problem.
    pub fn all_free(&self) -> bool {
        self.sets.iter().all(ImpulseSet::is_free)
    }

    /// The first set with rows out of place, or with a bound or μ that is not a number ≥ 0, if any.
    pub(crate) fn malformed(&self) -> Option<usize> {
        if self.starts.len() != self.sets.len() {
            return Some(self.starts.len().min(self.sets.len()));
        }
        let mut row = 0;
        for (k, set) in self.sets.iter().enumerate() {
            if !set.is_valid() || self.starts[k] != row {
                return Some(k);
            }
            row += set.dim();
        }
        (row != self.rows).then_some(self.sets.len())
    }

    /// Number of contacts.
    pub fn contacts(&self) -> usize {
        self.sets
            .iter()
            .filter(|s| {
                matches!(
                    s,
                    ImpulseSet::Coulomb { .. } | ImpulseSet::CoulombMoment { .. }
                )
            })
            .count()
    }
}
