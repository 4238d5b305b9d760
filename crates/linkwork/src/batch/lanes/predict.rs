//! The hidden velocities of the next step from those of the last ones: [`crate::closure::History`], one world per lane.

use super::group::{Group, REMEMBERED, RING};
use super::program::Program;
use linkwork_solve::Wide;

/// Backward differences of the newest value of a row, ∇⁰ … ∇⁶.
pub(super) type Differences = [Wide; REMEMBERED];

/// Differences of all rows, and of which orders the expected value is the sum: 1 in lanes where it is.
#[inline(always)]
pub(super) fn expect(program: &Program, group: &mut Group) {
    let n = program.hidden();
    let Group {
        hidden,
        trace,
        differences,
        orders,
        ..
    } = group;
    let start: [usize; REMEMBERED] = std::array::from_fn(|k| (trace.newest + k) % RING * n);
    let mut missed = [Wide::ZERO; REMEMBERED];
    for (i, out) in differences.iter_mut().enumerate().take(n) {
        let mut v = [Wide::ZERO; REMEMBERED];
        for k in 0..REMEMBERED {
            v[k] = hidden[start[k] + i];
        }
        for order in 1..REMEMBERED {
            // In place: from here on v[order + k] is the difference of this order k steps ago.
            for k in (order..REMEMBERED).rev() {
                v[k] = v[k - 1] - v[k];
            }
            missed[order] = v[order].abs().max(missed[order]);
        }
        *out = v;
    }
    // The order that would have predicted the last step best, of those for which enough is remembered.
    let held = Wide(trace.held.map(|held| held as f64));
    let mut best = (Wide::ONE, Wide::all(f64::INFINITY));
    for order in 1..REMEMBERED {
        let number = Wide::all(order as f64);
        let known = number.where_less(held, missed[order], Wide::all(f64::INFINITY));
        best.0 = known.where_less(best.1, number, best.0);
        best.1 = known.where_less(best.1, known, best.1);
    }
    let best = best.0.min(held);
    for order in 0..REMEMBERED {
        let number = Wide::all(order as f64);
        orders[order] = number.where_less(best, Wide::ONE, Wide::ZERO);
    }
}

/// The expected hidden velocity of row `i`.
#[inline(always)]
pub(super) fn expected(group: &Group, i: usize) -> Wide {
    let mut sum = Wide::ZERO;
    let differences = &group.differences[i];
    for order in 0..REMEMBERED {
        // Not a product: what is not remembered may be no number.
        sum += Wide::ZERO.where_less(group.orders[order], differences[order], Wide::ZERO);
    }
    sum
}
