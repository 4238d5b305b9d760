//! Joints whose formulas are not written out for lanes: their types are asked lane by lane.

use super::math::{V3, ZERO, set3};
use super::place::Place;
use crate::joints::{JointType, MAX_COORDINATES, MAX_ROWS, Row};
use linkwork_solve::{WIDE, Wide};
use std::array::from_fn;

/// The coordinates last known in a lane.
fn known(turns: &[Wide], lane: usize) -> [f64; MAX_COORDINATES] {
    from_fn(|c| turns.get(c).map_or(0.0, |q| q.0[lane]))
}

/// C of the locked rows.
#[cold]
#[inline(never)]
pub(super) fn residual(kind: &dyn JointType, place: &Place, turns: &[Wide], out: &mut [Wide]) {
    let n = turns.len();
    for lane in 0..WIDE {
        let known = known(turns, lane);
        let mut values = [0.0; MAX_ROWS];
        let values = &mut values[..out.len()];
        let mut guess = known;
        kind.residual(&place.relative(lane), &known[..n], &mut guess[..n], values);
        for (out, value) in out.iter_mut().zip(values) {
            out.0[lane] = *value;
        }
    }
}

/// Derivatives of the first `n` rows, linear and angular: of the locked ones, or of the coordinates.
#[cold]
#[inline(never)]
pub(super) fn derivatives(
    kind: &dyn JointType,
    place: &Place,
    turns: &[Wide],
    n: usize,
    locked: bool,
) -> [[V3; 2]; 6] {
    let mut out = [[ZERO; 2]; 6];
    for lane in 0..WIDE {
        let known = known(turns, lane);
        let known = &known[..turns.len()];
        let mut rows = [Row::ZERO; 6];
        let relative = place.relative(lane);
        if locked {
            kind.constrain(&relative, known, &mut rows[..n]);
        } else {
            kind.measure(&relative, known, &mut rows[..n]);
        }
        for ([linear, angular], row) in out.iter_mut().zip(&rows) {
            set3(linear, lane, &row.linear);
            set3(angular, lane, &row.angular);
        }
    }
    out
}

/// The coordinates; no numbers in lanes where one jumps, so that the scalar step is asked.
#[cold]
#[inline(never)]
pub(super) fn coordinates(kind: &dyn JointType, place: &Place, turns: &[Wide], out: &mut [Wide]) {
    let n = out.len();
    for lane in 0..WIDE {
        let known = known(turns, lane);
        let mut rows = [Row::ZERO; MAX_COORDINATES];
        kind.measure(&place.relative(lane), &known[..n], &mut rows[..n]);
        let to: [f64; MAX_COORDINATES] = rows.map(|row| row.value);
        let jumps = kind.jumps(&known[..n], &to[..n]);
        for (out, value) in out.iter_mut().zip(to) {
            out.0[lane] = if jumps { f64::NAN } else { value };
        }
    }
}
