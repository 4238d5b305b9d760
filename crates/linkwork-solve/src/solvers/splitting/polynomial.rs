//! Positive roots of a polynomial of degree at most four.

/// Value at `x` of Σ cᵢ xⁱ.
fn value(c: &[f64], x: f64) -> f64 {
    c.iter().rev().fold(0.0, |sum, c| sum * x + c)
}

/// At most four numbers, ascending.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Roots {
    values: [f64; 4],
    count: usize,
}

impl Roots {
    pub fn as_slice(&self) -> &[f64] {
        &self.values[..self.count]
    }

    fn push(&mut self, x: f64) {
        // A degree-four polynomial has four roots; a fifth sign change is round-off.
        if self.count < 4 {
            self.values[self.count] = x;
            self.count += 1;
        }
    }
}

/// Roots in (0, ∞) of Σ cᵢ xⁱ, ascending, at most five coefficients. A root of even multiplicity, where the
/// sign does not change, is not counted.
///
/// Between two neighbouring roots of the derivative the polynomial is monotone, so the roots of the
/// derivative (found the same way) separate its own, and each is found by bisection with Newton steps. No
/// formula of Ferrari's or Cardano's: those lose half the digits where roots are close.
pub(super) fn positive_roots(c: &[f64]) -> Roots {
    let mut roots = Roots::default();
    let degree = c.len().saturating_sub(1);
    if degree == 0 {
        return roots;
    }
    let mut slope = [0.0; 4];
    for i in 1..=degree {
        slope[i - 1] = i as f64 * c[i];
    }
    let slope = &slope[..degree];
    let turning = positive_roots(slope);
    // Cauchy's bound on |x|; unlimited where the leading coefficient vanishes, then as far as needed.
    let leading = c[degree].abs();
    let largest = c[..degree].iter().fold(0.0f64, |a, c| a.max(c.abs()));
    let bound = (1.0 + largest / leading.max(f64::MIN_POSITIVE)).min(1e100);
    let mut low = 0.0;
    for &high in turning.as_slice().iter().chain([&bound]) {
        let (at_low, at_high) = (value(c, low), value(c, high));
        if high > low && (at_low < 0.0) != (at_high < 0.0) {
            roots.push(bracketed_root(c, slope, (low, high), at_low < 0.0));
        }
        low = high;
    }
    roots
}

/// The root between `low` and `high`; `rising` if the value is negative at `low`.
fn bracketed_root(c: &[f64], slope: &[f64], (mut low, mut high): (f64, f64), rising: bool) -> f64 {
    // Wide brackets are halved in the exponent.
    let middle = |low: f64, high: f64| {
        if low > 0.0 && high > 4.0 * low {
            (low * high).sqrt()
        } else {
            0.5 * (low + high)
        }
    };
    let mut x = middle(low, high);
    for _ in 0..200 {
        let y = value(c, x);
        if (y < 0.0) == rising {
            low = x;
        } else {
            high = x;
        }
        let newton = x - y / value(slope, x);
        let next = if newton > low && newton < high {
            newton
        } else {
            middle(low, high)
        };
        if (next - x).abs() <= f64::EPSILON * x {
            return next;
        }
        x = next;
    }
    x
}

#[cfg(test)]
mod tests {
    use super::positive_roots;

    #[test]
    fn the_positive_roots_are_found_and_no_others() {
        // (x − 1)(x − 2)(x − 3)(x + 4)
        let roots = positive_roots(&[-24.0, 38.0, -13.0, -2.0, 1.0]);
        for (root, wanted) in roots.as_slice().iter().zip([1.0, 2.0, 3.0]) {
            assert!((root - wanted).abs() < 1e-14);
        }
        assert_eq!(roots.as_slice().len(), 3);
        // (x² + 1)(x + 1)(x + 2), and constants.
        assert!(
            positive_roots(&[2.0, 3.0, 3.0, 3.0, 1.0])
                .as_slice()
                .is_empty()
        );
        assert!(positive_roots(&[1.0]).as_slice().is_empty());
        // x⁴ = 1e-40: far from the bound.
        let tiny = positive_roots(&[-1e-40, 0.0, 0.0, 0.0, 1.0]);
        assert!((tiny.as_slice()[0] / 1e-10 - 1.0).abs() < 1e-14);
    }
}
