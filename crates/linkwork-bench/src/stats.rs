//! Quantiles, means, deviations and slopes.

/// The `q`-quantile of the finite values, interpolated between neighbours; `None` without values.
pub(crate) fn quantile(values: &[f64], q: f64) -> Option<f64> {
    let mut sorted: Vec<f64> = values.iter().copied().filter(|v| v.is_finite()).collect();
    sorted.sort_by(f64::total_cmp);
    let last = sorted.len().checked_sub(1)?;
    let at = q.clamp(0.0, 1.0) * last as f64;
    let low = at.floor() as usize;
    let high = (low + 1).min(last);
    Some(sorted[low] + (at - low as f64) * (sorted[high] - sorted[low]))
}

/// The median of the finite values.
pub fn median(values: &[f64]) -> Option<f64> {
    quantile(values, 0.5)
}

/// The mean; NaN of an empty list.
pub(crate) fn mean(x: &[f64]) -> f64 {
    x.iter().sum::<f64>() / x.len() as f64
}

/// The standard deviation of a sample; 0 of fewer than two values.
pub(crate) fn deviation(x: &[f64]) -> f64 {
    if x.len() < 2 {
        return 0.0;
    }
    let m = mean(x);
    let squares: f64 = x.iter().map(|x| (x - m) * (x - m)).sum();
    (squares / (x.len() - 1) as f64).sqrt()
}

/// The slope of the straight line of least squares through points (x, y), and the correlation of x and y.
pub(crate) fn slope(points: &[(f64, f64)]) -> (f64, f64) {
    let x: Vec<f64> = points.iter().map(|p| p.0).collect();
    let y: Vec<f64> = points.iter().map(|p| p.1).collect();
    let (mx, my) = (mean(&x), mean(&y));
    let product: f64 = points.iter().map(|(x, y)| (x - mx) * (y - my)).sum();
    let covariance = product / (points.len() - 1) as f64;
    let (sx, sy) = (deviation(&x), deviation(&y));
    (covariance / (sx * sx), covariance / (sx * sy))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_leave_out_what_is_no_number() {
        let values = [3.0, f64::NAN, 1.0, 2.0, 4.0, f64::INFINITY];
        assert_eq!(median(&values), Some(2.5));
        assert_eq!(quantile(&values, 1.0), Some(4.0));
        assert_eq!(median(&[f64::NAN]), None);
    }
}
