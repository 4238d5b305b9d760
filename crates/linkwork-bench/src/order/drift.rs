//! Energy of passive mechanisms over long runs.

use crate::error::BenchError;
use linkwork::{Integrator, Run};
use linkwork_scenes::scene;
use std::ops::ControlFlow;

/// Parts of a run whose means are compared.
const PARTS: usize = 10;

/// What became of the energy.
#[derive(Clone, Debug)]
pub struct Drift {
    /// Largest error at the end of a step, relative to the largest energy exchanged.
    pub most: f64,
    /// Mean error of each tenth of the run, likewise.
    pub means: Vec<f64>,
    /// Slope of the means by least squares, over the whole run.
    pub trend: f64,
    /// Steps whose solve failed.
    pub failed: u64,
    /// Wall time, s.
    pub wall_s: f64,
}

/// Runs a scene for a time (s) with its own settings, except for the integrator and, if given, the step size (s).
pub fn drift(
    name: &str,
    set: &[(&str, f64)],
    (integrator, dt): (Integrator, Option<f64>),
    time: f64,
) -> Result<Drift, BenchError> {
    let mut scene = scene(name, set)?;
    scene.settings.integrator = integrator;
    scene.settings.dt = dt.unwrap_or(scene.settings.dt);
    let mut run = Run::of(scene)?;
    let steps = run.steps_in(time);
    let part = (steps / PARTS as u64).max(1);
    let (mut sums, mut counts) = (vec![0.0; PARTS], vec![0.0; PARTS]);
    let (mut start, mut most) = (None, 0.0f64);
    let summary = run.steps(steps, |moment| {
        let first = *start.get_or_insert(moment.energy);
        let error = moment.energy - first;
        most = if error.abs() <= most {
            most
        } else {
            error.abs()
        };
        let i = (moment.step / part).min(PARTS as u64 - 1) as usize;
        sums[i] += error;
        counts[i] += 1.0;
        ControlFlow::Continue(())
    });
    if let Some(error) = summary.error {
        return Err(error.into());
    }
    let scale = summary.energy_scale;
    let means: Vec<f64> = sums
        .iter()
        .zip(&counts)
        .map(|(s, n)| s / n / scale)
        .collect();
    let middle = 0.5 * (PARTS as f64 - 1.0);
    let weights = (0..PARTS).map(|i| i as f64 - middle);
    let square: f64 = weights.clone().map(|w| w * w).sum();
    let slope = weights.zip(&means).map(|(w, m)| w * m).sum::<f64>() / square;
    Ok(Drift {
        most: most / scale,
        means,
        trend: slope * PARTS as f64,
        failed: summary.solves_failed,
        wall_s: summary.wall_s,
    })
}
