//! What the hidden velocities of the next step will be, from those of the last ones.

/// Steps remembered: one more than the highest order takes, to try the orders on.
const REMEMBERED: usize = 5;

/// Weights of the last values, newest first, in the extrapolation by a polynomial through them.
const ORDERS: [&[f64]; REMEMBERED - 1] = [
    &[1.0],
    &[2.0, -1.0],
    &[3.0, -3.0, 1.0],
    &[4.0, -6.0, 4.0, -1.0],
];

/// Hidden velocities of the last steps of one step size.
#[derive(Clone, Debug, Default)]
pub(crate) struct History {
    /// Newest first; those from `held` on are spare memory.
    values: [Vec<f64>; REMEMBERED],
    held: usize,
    /// Step size they belong to, s.
    dt: f64,
}

impl History {
    /// Forget all steps.
    pub fn clear(&mut self) {
        self.held = 0;
    }

    /// What is remembered, newest first, and the step size it belongs to, s.
    pub fn values(&self) -> (&[Vec<f64>], f64) {
        (&self.values[..self.held], self.dt)
    }

    /// Remember what [`History::values`] told, as far as there is room.
    pub fn set(&mut self, values: &[Vec<f64>], dt: f64) {
        self.held = values.len().min(REMEMBERED);
        for (own, value) in self.values.iter_mut().zip(values) {
            own.clone_from(value);
        }
        self.dt = dt;
    }

    /// Make room for another step of size `dt` with `rows` rows, and forget what does not fit it. The
    /// values to fill are returned.
    pub fn push(&mut self, rows: usize, dt: f64) -> &mut [f64] {
        if self.dt != dt || self.values[0].len() != rows {
            self.held = 0;
        }
        self.dt = dt;
        self.values.rotate_right(1);
        self.held = (self.held + 1).min(REMEMBERED);
        let newest = &mut self.values[0];
        newest.clear();
        newest.resize(rows, 0.0);
        newest
    }

    /// The weights to extrapolate with over a step of size `dt` with `rows` rows, and what they apply to.
    ///
    /// Smooth motion is predicted best by a high order, motion with impacts by a low one: the order taken is
    /// the one that would have predicted the last step best.
    pub fn predictor(&self, rows: usize, dt: f64) -> (&'static [f64], &[Vec<f64>]) {
        let held = &self.values[..self.held];
        if self.dt != dt || held.first().is_none_or(|v| v.len() != rows) {
            return (&[], held);
        }
        let mut best = (ORDERS[0], f64::INFINITY);
        for (weights, error) in ORDERS[..self.held - 1].iter().zip(errors(held)) {
            if error < best.1 {
                best = (weights, error);
            }
        }
        (best.0, held)
    }
}

/// How far off each order would have been at the newest values: what polynomial extrapolation from the older ones
/// misses is the backward difference of that order.
fn errors(held: &[Vec<f64>]) -> [f64; REMEMBERED - 1] {
    let rows = held.first().map_or(0, Vec::len);
    // Values that are not held count for orders that are not asked for.
    let [a, b, c, d, e]: [&[f64]; REMEMBERED] =
        std::array::from_fn(|n| &held.get(n).unwrap_or(&held[0])[..rows]);
    let mut worst = [0.0_f64; REMEMBERED - 1];
    for i in 0..rows {
        let first = [a[i] - b[i], b[i] - c[i], c[i] - d[i], d[i] - e[i]];
        let second = [
            first[0] - first[1],
            first[1] - first[2],
            first[2] - first[3],
        ];
        let third = [second[0] - second[1], second[1] - second[2]];
        let differences = [first[0], second[0], third[0], third[0] - third[1]];
        for (worst, difference) in worst.iter_mut().zip(differences) {
            let size = difference.abs();
            *worst = if size > *worst { size } else { *worst };
        }
    }
    worst
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cubic_is_predicted_exactly_and_a_step_by_the_last_value() {
        let predict = |f: &dyn Fn(i32) -> f64| {
            let mut history = History::default();
            for k in 0..7 {
                history.push(1, 0.5)[0] = f(k);
            }
            let (weights, values) = history.predictor(1, 0.5);
            weights
                .iter()
                .zip(values)
                .map(|(w, v)| w * v[0])
                .sum::<f64>()
        };
        let cubic = |k: i32| f64::from(k * k * k - 4 * k * k + 2);
        assert_eq!(predict(&cubic), cubic(7));
        assert_eq!(predict(&|k| if k < 5 { 1.0 } else { 3.0 }), 3.0);
    }

    #[test]
    fn another_step_size_or_number_of_rows_has_no_history() {
        let mut history = History::default();
        history.push(2, 0.5);
        assert!(history.predictor(2, 0.25).0.is_empty());
        assert!(history.predictor(3, 0.5).0.is_empty());
        assert_eq!(history.predictor(2, 0.5).0.len(), 1);
        history.push(2, 0.25);
        assert_eq!(history.values().0.len(), 1);
    }
}
