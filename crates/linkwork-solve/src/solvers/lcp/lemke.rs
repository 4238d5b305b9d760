//! Lemke's method for the linear complementarity problem w = M z + q, 0 ≤ w ⟂ z ≥ 0 [Cottle, Pang, Stone
//! 1992, §4.4], on a dense dictionary.

use super::dictionary::Dictionary;
use faer::Mat;
use std::ops::ControlFlow;

/// An entry smaller than this, relative to the largest of its column, is no pivot: where rows are
/// redundant it is round-off of a zero.
const LEAST_PIVOT: f64 = 1e-9;
/// Ratios this close, relative to the step, count as tied and are ordered lexicographically.
const TIE: f64 = 1e-12;
/// Pivots between two looks at the round-off of the dictionary, and how much of it is too much.
const CHECK_INTERVAL: usize = 20;
const DRIFT: f64 = 1e-10;

/// How a run of Lemke's method ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// The basis is complementary: a solution.
    Solved,
    /// The entering variable can grow without bound.
    Ray,
    /// The pivots allowed were not enough.
    Limit,
    /// The observer asked to stop.
    Stopped,
    /// A number was not finite, or a basis was singular.
    Broken,
}

/// The method and its workspace.
#[derive(Clone, Debug, Default)]
pub(super) struct Lemke {
    dictionary: Dictionary,
    ties: Vec<usize>,
    /// Number of recomputed dictionaries.
    pub refactorings: usize,
}

impl Lemke {
    /// Run at most `limit` pivots; `watch` sees z₀, by which all of w ≥ 0 is still violated, before each.
    pub fn run(
        &mut self,
        m: &Mat<f64>,
        q: &[f64],
        limit: usize,
        mut watch: impl FnMut(f64) -> ControlFlow<()>,
    ) -> Ending {
        self.refactorings = 0;
        if q.iter().any(|q| !q.is_finite()) {
            return Ending::Broken;
        }
        let dictionary = &mut self.dictionary;
        dictionary.start(m, q);
        // The most negative w leaves; of several the last, which is the lexicographically least.
        let worst = (0..q.len()).rev().min_by(|&a, &b| q[a].total_cmp(&q[b]));
        let Some(mut row) = worst.filter(|&i| q[i] < 0.0) else {
            return Ending::Solved;
        };
        let mut column = q.len();
        for pivots in 1..=limit {
            if watch(dictionary.artificial()).is_break() {
                return Ending::Stopped;
            }
            let left = dictionary.exchange(row, column);
            if dictionary.is_artificial(left) {
                return Ending::Solved;
            }
            if pivots % CHECK_INTERVAL == 0 && dictionary.drift(m, q) > DRIFT {
                self.refactorings += 1;
                if !dictionary.rebuild(m, q) {
                    return Ending::Broken;
                }
            }
            column = dictionary.column_of(dictionary.complement(left));
            row = match leaving_row(dictionary, column, &mut self.ties) {
                Some(row) => row,
                None if dictionary.is_finite(column) => return Ending::Ray,
                None => return Ending::Broken,
            };
        }
        Ending::Limit
    }

    /// Whether z_j is basic, and so may be positive, in the solution.
    pub fn is_active(&self, j: usize) -> bool {
        self.dictionary.is_basic(j)
    }
}

/// The row that first limits the growth of the variable of `column`: smallest ratio, ties resolved by the lexicographic
/// rule, so that no basis returns. `None` if there is no limit.
fn leaving_row(d: &Dictionary, column: usize, ties: &mut Vec<usize>) -> Option<usize> {
    let largest = (0..d.rows()).fold(1.0f64, |a, i| a.max(d.entry(i, column).abs()));
    let blocks = |i: usize| d.entry(i, column) < -LEAST_PIVOT * largest;
    let ratio = |i: usize| d.value(i).max(0.0) / -d.entry(i, column);
    let least = (0..d.rows())
        .filter(|&i| blocks(i))
        .map(ratio)
        .fold(f64::INFINITY, f64::min);
    let bound = least + TIE * (1.0 + least);
    ties.clear();
    ties.extend((0..d.rows()).filter(|&i| blocks(i) && ratio(i) <= bound));
    // z₀ leaves whenever it may: that is the end.
    if let Some(&end) = ties.iter().find(|&&i| d.is_artificial(d.basic(i))) {
        return Some(end);
    }
    // The rows of B⁻¹ over the pivots, entry by entry until one row is left.
    for k in 0..d.rows() {
        if ties.len() < 2 {
            break;
        }
        let entry = |i: usize| d.inverse_entry(i, k) / -d.entry(i, column);
        let least = ties.iter().map(|&i| entry(i)).fold(f64::INFINITY, f64::min);
        ties.retain(|&i| entry(i) <= least + TIE * (1.0 + least.abs()));
    }
    ties.first().copied()
}
