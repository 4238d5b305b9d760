//! Steps repeated in two halves, and their reports.
//!
//! A kick reaches back to the middle of the last step, so halves after a whole step would be kicked over half of that,
//! however short they are: by joints with its hidden velocities, and by stiff drives explicitly, which adds more energy
//! than ½ k e² where dt² k > 4 I. Velocities are therefore synchronised with the poses first
//! (`Simulator::synchronise`). The work of joints in a half then vanishes with its size.

use crate::control::Control;
use crate::report::{Outcome, StepError, StepReport};
use crate::simulator::Simulator;
use linkwork_solve::raise;

impl Simulator {
    /// Takes the step in two halves instead; `failed` is the report of the whole step.
    pub(super) fn substep(
        &mut self,
        control: &Control,
        dt: f64,
        depth: u32,
        failed: &StepReport,
    ) -> Result<StepReport, StepError> {
        let work = self.synchronise(control);
        let first = self.advance(control, 0.5 * dt, depth, Some(failed))?;
        let mut report = self.advance(control, 0.5 * dt, depth, Some(failed))?;
        report.outcome = Outcome::Substepped(first.parts() + report.parts());
        report.merge(&first);
        report.add_cost(failed);
        report.work.add(&work);
        Ok(report)
    }
}

impl StepReport {
    /// Number of steps it covers.
    pub(super) fn parts(&self) -> u32 {
        match self.outcome {
            Outcome::Substepped(n) => n,
            _ => 1,
        }
    }

    /// Adds the report of the half before: sums of work and cost, and the worst of all other values.
    pub(super) fn merge(&mut self, first: &StepReport) {
        self.status = self.status.worse(first.status);
        let (worst, other) = (&mut self.residuals, &first.residuals);
        raise(&mut worst.natural_unit, other.natural_unit);
        raise(&mut worst.natural_scaled, other.natural_scaled);
        raise(&mut worst.natural_velocity, other.natural_velocity);
        raise(&mut worst.dual, other.dual);
        raise(&mut worst.complementarity, other.complementarity);
        raise(&mut worst.momentum, other.momentum);
        raise(&mut self.closure_linear, first.closure_linear);
        raise(&mut self.closure_angular, first.closure_angular);
        raise(&mut self.limit_violation, first.limit_violation);
        raise(&mut self.penetration, first.penetration);
        raise(&mut self.local_error, first.local_error);
        self.rows = self.rows.max(first.rows);
        self.contacts = self.contacts.max(first.contacts);
        self.work.add(&first.work);
        self.add_cost(first);
    }

    pub(super) fn add_cost(&mut self, other: &StepReport) {
        self.iterations += other.iterations;
        self.factorizations += other.factorizations;
        self.closure_passes += other.closure_passes;
        self.timings.add(&other.timings);
    }
}
