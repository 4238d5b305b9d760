//! Power iteration on the scaled Delassus operator.

use crate::problem::Problem;

/// Largest eigenvalue of W^(−1/2) (D + R) W^(−1/2) by power iteration; ten steps are within a few
/// per cent, which is all a penalty needs. The three buffers of nd values are overwritten.
pub(super) fn largest_eigenvalue(
    problem: &Problem,
    weight: &[f64],
    [image, vector, zero]: [&mut Vec<f64>; 3],
    scratch: &mut Vec<f64>,
) -> f64 {
    let n = weight.len();
    vector.resize(n, 0.0);
    // σ is affine in λ: its value at 0 has to be taken off.
    vector.fill(0.0);
    problem.sigma(vector, zero, scratch);
    // A fixed start without symmetry, so that it is not orthogonal to the leading eigenvector.
    for (i, v) in vector.iter_mut().enumerate() {
        *v = 1.0 + 0.3 * ((i * i + 1) as f64).sin();
    }
    let mut value = 1.0;
    for _ in 0..10 {
        let norm = vector.iter().map(|v| v * v).sum::<f64>().sqrt();
        if norm == 0.0 || !norm.is_finite() {
            break;
        }
        for i in 0..n {
            vector[i] /= norm * weight[i].sqrt();
        }
        problem.sigma(vector, image, scratch);
        value = 0.0;
        for i in 0..n {
            let root = weight[i].sqrt();
            let next = (image[i] - zero[i]) / root;
            value += next * vector[i] * root;
            vector[i] = next;
        }
    }
    value.max(1e-6)
}
