//! Substeps chosen by an estimate of the local error.
//!
//! If the motion is smooth, a step of h and its two halves differ by (2^p − 1) times the error of the halves, where p
//! is the order of the integrator [Hairer, Nørsett and Wanner, Solving Ordinary Differential Equations I, §II.4]. The
//! halves are kept. If their error exceeds tolerance · h, each of them is divided in the same way, so that errors add
//! up to at most the tolerance per second. How a step is divided depends only on its initial state: a resumed run has
//! the same parts.
//!
//! With contacts p counts as 1. Where they open or close, the estimate falls no faster than the step size, and parts
//! reach their minimum size.

use super::saved::Saved;
use crate::control::Control;
use crate::math::{Pose, Vec3};
use crate::report::{Outcome, StepError, StepReport};
use crate::settings::Adaptive;
use crate::simulator::Simulator;

/// Buffers for trial steps, one for every level of halving.
#[derive(Clone, Debug, Default)]
pub(crate) struct Trials(Vec<Trial>);

/// Start of a trial, and its end if it is taken as a whole.
#[derive(Clone, Debug, Default)]
struct Trial {
    start: Saved,
    external: [Vec3; 2],
    kinetic_peak: f64,
    end: Vec<Pose>,
}

impl Simulator {
    /// Advances by `dt` in parts. `depth` is the number of times a part whose solve fails may be halved.
    pub(super) fn adapt(
        &mut self,
        control: &Control,
        dt: f64,
        depth: u32,
        adaptive: Adaptive,
    ) -> Result<StepReport, StepError> {
        // Mid-step velocities belong to a step of one size. Where the size changes, a kick is not centred, by more than
        // the estimate shows.
        let work = self.synchronise(control);
        let mut trial = self.trials.0.pop().unwrap_or_default();
        self.save_in(&mut trial.start);
        (trial.external, trial.kinetic_peak) = (self.external, self.kinetic_peak);
        // Not halved if its solve fails; otherwise it would be compared with itself.
        let whole = match self.advance(control, dt, 0, None) {
            Ok(report) if report.status.is_solved() => Some(report),
            Ok(_) | Err(StepError::NotConverged { .. }) => None,
            Err(error) => return Err(error),
        };
        if whole.is_some() {
            trial.end.clone_from(&self.state.poses);
        }
        self.go_back(&trial);
        if whole.is_none() {
            // All of the motion counts as error.
            trial.end.clone_from(&self.state.poses);
        }
        let first = self.advance(control, 0.5 * dt, depth, None)?;
        let mut report = self.advance(control, 0.5 * dt, depth, None)?;
        // Contacts are linearised at the start of a part, which is first order: over many equal parts the error
        // averages out, over unequal ones it may not.
        let smooth = first.contacts == 0 && report.contacts == 0;
        let gain = match smooth {
            true => self.settings.integrator.gain(),
            false => 1.0,
        };
        report.local_error = self.apart_from(&trial.end) / (gain * dt);
        report = joined(first, report);
        if let Some(whole) = &whole {
            report.add_cost(whole);
        }
        // A NaN is not within the tolerance either.
        let within = whole.is_some() && report.local_error <= adaptive.tolerance;
        if adaptive.depth > 1 && !within {
            self.go_back(&trial);
            let finer = Adaptive {
                depth: adaptive.depth - 1,
                ..adaptive
            };
            let first = self.adapt(control, 0.5 * dt, depth, finer)?;
            let second = self.adapt(control, 0.5 * dt, depth, finer)?;
            let tried = report;
            report = joined(first, second);
            report.add_cost(&tried);
        }
        self.trials.0.push(trial);
        report.work.add(&work);
        Ok(report)
    }

    fn go_back(&mut self, trial: &Trial) {
        self.restore_from(&trial.start);
        (self.external, self.kinetic_peak) = (trial.external, trial.kinetic_peak);
    }

    /// Largest distance of a body from its position in `poses`, m; rotations are weighted by its radius of gyration.
    fn apart_from(&self, poses: &[Pose]) -> f64 {
        let bodies = self.model.bodies().iter().zip(&self.state.poses).zip(poses);
        let apart = bodies.map(|((body, p), q)| {
            let gyration = (0.5 * body.inertia.trace() / body.mass).sqrt();
            let turn = gyration * p.rotation.angle_to(&q.rotation);
            (p.position - q.position).norm().max(turn)
        });
        apart.fold(0.0, linkwork_solve::larger)
    }
}

/// Two parts as one.
fn joined(first: StepReport, mut second: StepReport) -> StepReport {
    second.outcome = Outcome::Substepped(first.parts() + second.parts());
    second.merge(&first);
    second
}
