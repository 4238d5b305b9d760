//! The root of an increasing function by Newton's method, kept inside a bracket by bisection
//! [Castro §IV-B, `rtsafe`].

/// α in [low, high] with |f(α)| ≤ `goal`, or as near as round-off or `evaluations` allow.
///
/// `f` gives value and derivative and increases from f(low) < 0 to f(high) ≥ 0; `start` is tried first.
pub(super) fn increasing_root(
    mut f: impl FnMut(f64) -> (f64, f64),
    (mut low, mut high): (f64, f64),
    start: f64,
    goal: f64,
    evaluations: usize,
) -> f64 {
    let mut alpha = start;
    let mut before = f64::INFINITY;
    for _ in 0..evaluations {
        let (value, derivative) = f(alpha);
        // A NaN ends here as well: the caller sees it in the point it gets.
        if value.abs() <= goal || value.is_nan() {
            break;
        }
        if value < 0.0 {
            low = alpha;
        } else {
            high = alpha;
        }
        // f is piecewise smooth: at a kink Newton may go to and fro without gain. It has to leave
        // half of |f|, or bisection takes over.
        let newton = alpha - value / derivative;
        let gains = value.abs() <= 0.5 * before;
        before = value.abs();
        let next = if gains && newton > low && newton < high {
            newton
        } else {
            0.5 * (low + high)
        };
        if next == alpha || high - low <= f64::EPSILON * high {
            break;
        }
        alpha = next;
    }
    alpha
}
