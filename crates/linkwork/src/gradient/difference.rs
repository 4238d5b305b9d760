//! Derivatives of evaluations by central differences of sixth order.

use super::GradientError;
use super::equations::Evaluated;
use crate::math::log;

/// Weights of f(h) − f(−h), f(2h) − f(−2h), f(3h) − f(−3h) over h.
const WEIGHTS: [f64; 3] = [3.0 / 4.0, -3.0 / 20.0, 1.0 / 60.0];

/// Derivative of an evaluation.
pub(super) struct Outcome {
    pub momentum: Vec<f64>,
    pub sigma: Vec<f64>,
    pub size: Vec<f64>,
    /// Derivatives of the next state: poses, then twists, 6 values per body each.
    pub next: Vec<f64>,
}

/// The derivative of `evaluate` at 0, where it is `at`.
pub(super) fn along(
    stride: f64,
    at: &Evaluated,
    mut evaluate: impl FnMut(f64) -> Result<Evaluated, GradientError>,
) -> Result<Outcome, GradientError> {
    let bodies = at.poses.len();
    let mut sum = Outcome {
        momentum: vec![0.0; at.momentum.len()],
        sigma: vec![0.0; at.sigma.len()],
        size: vec![0.0; at.size.len()],
        next: vec![0.0; 12 * bodies],
    };
    for (i, weight) in (1..).zip(WEIGHTS) {
        for sign in [1.0, -1.0] {
            let there = evaluate(sign * f64::from(i) * stride)?;
            let share = sign * weight / stride;
            let add = |sum: &mut [f64], values: &[f64]| {
                sum.iter_mut()
                    .zip(values)
                    .for_each(|(s, v)| *s += share * v);
            };
            add(&mut sum.momentum, &there.momentum);
            add(&mut sum.sigma, &there.sigma);
            add(&mut sum.size, &there.size);
            for (b, (pose, twist)) in there.poses.iter().zip(&there.twists).enumerate() {
                let turn = log(&(pose.rotation * at.poses[b].rotation.inverse()));
                let moved = [pose.position - at.poses[b].position, turn];
                let flown = [twist.linear, twist.angular];
                for (half, pair) in [moved, flown].iter().enumerate() {
                    let first = 6 * (half * bodies + b);
                    add(&mut sum.next[first..first + 3], pair[0].as_slice());
                    add(&mut sum.next[first + 3..first + 6], pair[1].as_slice());
                }
            }
        }
    }
    Ok(sum)
}
