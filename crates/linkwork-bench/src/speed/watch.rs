//! A run for statistics: counts and errors, which are the same in every run, and the time at which it comes to rest.

use super::case::SpeedCase;
use crate::error::BenchError;
use linkwork::metrics::kinetic_energy;
use linkwork::{Settings, StepReport};
use linkwork_solve::larger;

/// A scene moves while its kinetic energy is above this fraction of the largest of the run.
pub(super) const MOVING: f64 = 1e-3;
/// It is at rest at this speed of its total mass, m/s, for any maximum energy.
pub(super) const STILL: f64 = 1e-3;

/// Sums over the steps of a part.
#[derive(Clone, Debug, Default)]
pub(super) struct Counts {
    pub steps: u64,
    pub iterations: usize,
    pub factorizations: usize,
    pub closure_passes: usize,
    pub contacts: usize,
}

impl Counts {
    fn add(&mut self, report: &StepReport) {
        self.steps += 1;
        self.iterations += report.iterations;
        self.factorizations += report.factorizations;
        self.closure_passes += report.closure_passes;
        self.contacts += report.contacts;
    }

    /// `sum` over the steps.
    pub fn mean(&self, sum: usize) -> f64 {
        sum as f64 / self.steps.max(1) as f64
    }
}

/// What was seen.
pub(super) struct Watched {
    /// While it moves, and at rest.
    pub parts: [Counts; 2],
    pub bodies: usize,
    pub joint_rows: usize,
    pub settings: Settings,
    pub failed: u64,
    pub residual: f64,
    pub closure: f64,
    pub penetration_rest: f64,
    pub ended: String,
}

impl Watched {
    /// All steps.
    pub fn steps(&self) -> u64 {
        self.parts.iter().map(|p| p.steps).sum()
    }
}

/// Run the case once. A step that is refused ends it.
pub(super) fn watch(case: &SpeedCase) -> Result<Watched, BenchError> {
    let mut run = case.run()?;
    let model = run.simulator().model().clone();
    let mass: f64 = model.bodies().iter().map(|b| b.mass).sum();
    let mut watched = Watched {
        parts: Default::default(),
        bodies: model.bodies().len(),
        joint_rows: model.locked_rows(),
        settings: run.simulator().settings().clone(),
        failed: 0,
        residual: 0.0,
        closure: 0.0,
        penetration_rest: f64::NAN,
        ended: String::new(),
    };
    let (mut reports, mut energies) = (Vec::new(), Vec::new());
    for _ in 0..run.steps_in(case.time_s) {
        match run.step() {
            Ok(report) => {
                watched.failed += u64::from(!report.status.is_solved());
                watched.residual = larger(watched.residual, report.residuals.scaled());
                let closure = larger(report.closure_linear, report.closure_angular);
                watched.closure = larger(watched.closure, closure);
                energies.push(kinetic_energy(&model, run.simulator().state()));
                reports.push(report);
            }
            Err(error) => {
                watched.ended = error.to_string();
                break;
            }
        }
    }
    let largest = energies.iter().copied().fold(0.0, f64::max);
    let moves = (MOVING * largest).max(0.5 * mass * STILL * STILL);
    let moving = energies
        .iter()
        .rposition(|e| *e > moves)
        .map_or(0, |last| last + 1);
    for (i, report) in reports.iter().enumerate() {
        watched.parts[usize::from(i >= moving)].add(report);
    }
    // A step reports the overlap left by the previous one.
    let rest = reports.iter().skip(moving + 1);
    let touching = rest.filter(|r| r.contacts > 0).map(|r| r.penetration);
    watched.penetration_rest = touching.fold(f64::NAN, f64::max);
    Ok(watched)
}
