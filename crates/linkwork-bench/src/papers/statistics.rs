//! Means, deviations and slopes.

/// The mean; NaN of an empty list.
pub(super) fn mean(x: &[f64]) -> f64 {
    x.iter().sum::<f64>() / x.len() as f64
}

/// The standard deviation of a sample; 0 of fewer than two values.
pub(super) fn deviation(x: &[f64]) -> f64 {
    if x.len() < 2 {
        return 0.0;
    }
    let m = mean(x);
    let squares: f64 = x.iter().map(|x| (x - m) * (x - m)).sum();
    (squares / (x.len() - 1) as f64).sqrt()
}

/// The slope of the straight line of least squares through points (x, y), and the correlation of x and y.
pub(super) fn slope(points: &[(f64, f64)]) -> (f64, f64) {
    let x: Vec<f64> = points.iter().map(|p| p.0).collect();
    let y: Vec<f64> = points.iter().map(|p| p.1).collect();
    let (mx, my) = (mean(&x), mean(&y));
    let product: f64 = points.iter().map(|(x, y)| (x - mx) * (y - my)).sum();
    let covariance = product / (points.len() - 1) as f64;
    let (sx, sy) = (deviation(&x), deviation(&y));
    (covariance / (sx * sx), covariance / (sx * sy))
}
