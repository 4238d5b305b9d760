//! Prediction of the hidden velocities of the next step from those of the last ones.
//!
//! The polynomial through the last n values v has the next value Σ ∇ᵏv, k < n, in backward differences ∇ᵏv = ∇ᵏ⁻¹v −
//! ∇ᵏ⁻¹v of the step before, ∇⁰v = v. Its error for the newest value would have been ∇ⁿv.

/// Number of stored steps: one more than the highest order needs, to compare the orders.
pub(crate) const REMEMBERED: usize = 7;
/// Lanes of a sum or maximum over rows.
const LANES: usize = 4;

/// Hidden velocities of the last steps of one step size.
#[derive(Clone, Debug, Default)]
pub(crate) struct History {
    /// Newest first; those from `held` on are spare memory.
    values: [Vec<f64>; REMEMBERED],
    held: usize,
    /// Step size they belong to, s.
    dt: f64,
    /// Backward differences of the newest values; the first `held` of them are valid.
    differences: [Vec<f64>; REMEMBERED],
    /// Whether the differences are those of the values.
    current: bool,
}

impl History {
    /// Forget all steps.
    pub fn clear(&mut self) {
        self.held = 0;
    }

    /// Stored values, newest first, and their step size, s.
    pub fn values(&self) -> (&[Vec<f64>], f64) {
        (&self.values[..self.held], self.dt)
    }

    /// Stores the result of [`History::values`], as far as there is space.
    pub fn set(&mut self, values: &[Vec<f64>], dt: f64) {
        self.held = values.len().min(REMEMBERED);
        for (own, value) in self.values.iter_mut().zip(values) {
            own.clone_from(value);
        }
        self.dt = dt;
        self.current = false;
    }

    /// Stores another step of size `dt` with these values of `rows` rows, and discards incompatible ones.
    pub fn push(&mut self, rows: usize, dt: f64, value: impl Fn(usize) -> f64) {
        if self.dt != dt || self.values[0].len() != rows {
            self.held = 0;
        }
        self.make_current();
        self.dt = dt;
        self.values.rotate_right(1);
        self.held = (self.held + 1).min(REMEMBERED);
        let newest = &mut self.values[0];
        newest.clear();
        newest.extend((0..rows).map(value));
        self.differences
            .iter_mut()
            .for_each(|d| d.resize(rows, 0.0));
        update(&mut self.differences, &self.values[0]);
    }

    /// The differences whose sum is predicted for a step of size `dt` with `rows` rows.
    ///
    /// Smooth motion is predicted best by a high order, motion with impacts by a low one. The order used is the one
    /// that would have predicted the last step best.
    pub fn predictor(&mut self, rows: usize, dt: f64) -> &[Vec<f64>] {
        let fits = self.dt == dt && self.held > 0 && self.values[0].len() == rows;
        if !fits {
            return &[];
        }
        self.make_current();
        let mut best = (1, f64::INFINITY);
        for (order, missed) in self.differences[..self.held].iter().enumerate().skip(1) {
            let error = largest(missed);
            if error < best.1 {
                best = (order, error);
            }
        }
        &self.differences[..best.0]
    }

    /// Find the differences of values that were set.
    fn make_current(&mut self) {
        if self.current {
            return;
        }
        self.current = true;
        for value in self.values[..self.held].iter().rev() {
            self.differences
                .iter_mut()
                .for_each(|d| d.resize(value.len(), 0.0));
            update(&mut self.differences, value);
        }
    }
}

/// Add a newest value to the differences.
fn update(differences: &mut [Vec<f64>; REMEMBERED], newest: &[f64]) {
    let n = newest.len();
    let [a, b, c, d, e, f, g] = differences;
    let (a, b, c, d) = (&mut a[..n], &mut b[..n], &mut c[..n], &mut d[..n]);
    let (e, f, g) = (&mut e[..n], &mut f[..n], &mut g[..n]);
    for (i, &value) in newest.iter().enumerate() {
        let first = value - a[i];
        let second = first - b[i];
        let third = second - c[i];
        let fourth = third - d[i];
        let fifth = fourth - e[i];
        let sixth = fifth - f[i];
        (a[i], b[i], c[i], d[i], e[i], f[i], g[i]) =
            (value, first, second, third, fourth, fifth, sixth);
    }
}

/// Largest absolute value.
fn largest(values: &[f64]) -> f64 {
    let larger = |a: f64, b: f64| if b > a { b } else { a };
    let chunks = values.chunks_exact(LANES);
    let rest = chunks
        .remainder()
        .iter()
        .fold(0.0, |m, v| larger(m, v.abs()));
    let lanes = chunks.fold([0.0; LANES], |lanes: [f64; LANES], values| {
        std::array::from_fn(|i| larger(lanes[i], values[i].abs()))
    });
    lanes.into_iter().fold(rest, larger)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn predict(history: &mut History) -> f64 {
        history.predictor(1, 0.5).iter().map(|d| d[0]).sum()
    }

    #[test]
    fn a_cubic_is_predicted_exactly_and_a_step_by_the_last_value() {
        let predict = |f: &dyn Fn(i32) -> f64| {
            let mut history = History::default();
            for k in 0..9 {
                history.push(1, 0.5, |_| f(k));
            }
            predict(&mut history)
        };
        let cubic = |k: i32| f64::from(k * k * k - 4 * k * k + 2);
        assert_eq!(predict(&cubic), cubic(9));
        assert_eq!(predict(&|k| if k < 7 { 1.0 } else { 3.0 }), 3.0);
    }

    #[test]
    fn another_step_size_or_number_of_rows_has_no_history() {
        let mut history = History::default();
        history.push(2, 0.5, |_| 0.0);
        assert!(history.predictor(2, 0.25).is_empty());
        assert!(history.predictor(3, 0.5).is_empty());
        assert_eq!(history.predictor(2, 0.5).len(), 1);
        history.push(2, 0.25, |_| 0.0);
        assert_eq!(history.values().0.len(), 1);
    }

    #[test]
    fn what_was_set_predicts_with_the_same_bits() {
        let mut history = History::default();
        for k in 0..40 {
            let value = |row: usize| (0.3 * f64::from(k) + row as f64).sin();
            history.push(9, 0.5, value);
            let mut copy = History::default();
            let (values, dt) = history.values();
            copy.set(values, dt);
            assert_eq!(history.predictor(9, 0.5), copy.predictor(9, 0.5));
            if k == 20 {
                history.clear();
            }
        }
    }
}
