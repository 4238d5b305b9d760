//! Adds up a run step by step.

use super::balance::{Energy, Momentum, energy_floor};
use super::clock::Elapsed;
use super::summary::{RunSummary, StatusCounts, UNACCOUNTED};
use super::{Moment, Run, at_poses};
use crate::control::Control;
use crate::metrics::kinetic_energy;
use crate::report::{Escalations, Outcome, StepError, StepReport, Timings, Work};
use crate::simulator::Simulator;
use linkwork_solve::{larger, raise};

/// Accumulates statistics during a run.
pub(super) struct Tally {
    summary: RunSummary,
    start_time: f64,
    start: Energy,
    now: Energy,
    energy_error: f64,
    momentum: Momentum,
    contacts: u64,
    iterations: u64,
    passes: u64,
    /// Counts of the simulator before the step.
    escalations: Escalations,
}

impl Tally {
    pub fn start(simulator: &Simulator, control: &Control) -> Self {
        let (model, state) = (&**simulator.model(), simulator.state());
        let start = Energy::of(simulator);
        let (now, energy) = at_poses(simulator, control);
        let summary = RunSummary {
            steps: 0,
            sim_time: 0.0,
            wall_s: 0.0,
            cpu_s: 0.0,
            steps_per_s: 0.0,
            steps_per_cpu_s: 0.0,
            bodies: model.bodies().len(),
            joints: model.joints().len(),
            rows: 0,
            contacts_mean: 0.0,
            contacts_max: 0,
            iterations_mean: 0.0,
            iterations_max: 0,
            factorizations: 0,
            closure_passes_mean: 0.0,
            solves_failed: 0,
            status: StatusCounts::default(),
            blocked_max: 0,
            blocked_speed_max: 0.0,
            residual_max: 0.0,
            residual_velocity_max: 0.0,
            residual_unit_max: 0.0,
            local_error_max: 0.0,
            closure_max_m: 0.0,
            closure_max_rad: 0.0,
            penetration_max_m: 0.0,
            penetration_end_m: 0.0,
            limit_violation_max: 0.0,
            energy_start: energy,
            energy_end: energy,
            energy_drift: 0.0,
            energy_drift_max: 0.0,
            energy_scale: larger(energy_floor(model), start.kinetic),
            energy_accounted: true,
            kinetic_end: kinetic_energy(model, &now),
            work: Work::default(),
            momentum_drift: None,
            angular_momentum_drift: None,
            timings: Timings::default(),
            state_hash: String::new(),
            arithmetic: linkwork_solve::arithmetic(),
            error: None,
        };
        Self {
            summary,
            start_time: state.time,
            start,
            now: start,
            energy_error: 0.0,
            momentum: Momentum::start(simulator),
            contacts: 0,
            iterations: 0,
            passes: 0,
            escalations: simulator.escalations(),
        }
    }

    /// What the observer gets to see now.
    pub fn moment<'a>(&self, run: &'a Run, report: Option<&'a StepReport>) -> Moment<'a> {
        Moment {
            step: self.summary.steps,
            simulator: &run.simulator,
            control: &run.control,
            report,
            energy: self.now.total(),
        }
    }

    /// Count a step that was taken.
    pub fn add(&mut self, simulator: &Simulator, control: &Control, report: &StepReport) {
        let s = &mut self.summary;
        s.steps += 1;
        s.rows = s.rows.max(report.rows);
        s.contacts_max = s.contacts_max.max(report.contacts);
        s.iterations_max = s.iterations_max.max(report.iterations);
        s.factorizations += report.factorizations as u64;
        s.status.add(report.status);
        match report.outcome {
            Outcome::Applied => {}
            Outcome::Substepped(parts) => {
                s.status.substepped += 1;
                s.status.parts += u64::from(parts);
            }
            Outcome::Held => s.status.held += 1,
        }
        let (before, now) = (self.escalations, simulator.escalations());
        s.status.escalated += u64::from(now.solver > before.solver);
        s.status.restrained += u64::from(now.restrained > before.restrained);
        self.escalations = now;
        s.blocked_max = s.blocked_max.max(simulator.blocked.list.len());
        raise(&mut s.blocked_speed_max, simulator.blocked.speed());
        raise(&mut s.residual_max, report.residuals.natural_scaled);
        raise(
            &mut s.residual_velocity_max,
            report.residuals.natural_velocity,
        );
        raise(&mut s.residual_unit_max, report.residuals.natural_unit);
        raise(&mut s.local_error_max, report.local_error);
        raise(&mut s.closure_max_m, report.closure_linear);
        raise(&mut s.closure_max_rad, report.closure_angular);
        raise(&mut s.limit_violation_max, report.limit_violation);
        raise(&mut s.penetration_max_m, report.penetration);
        s.work.add(&report.work);
        s.timings.add(&report.timings);
        self.contacts += report.contacts as u64;
        self.iterations += report.iterations as u64;
        self.passes += report.closure_passes as u64;
        self.momentum.add(simulator, control, report.outcome);
        self.energy(simulator, report.outcome);
    }

    fn energy(&mut self, simulator: &Simulator, outcome: Outcome) {
        // A held step does not change poses, velocities and energy.
        if outcome != Outcome::Held {
            self.now = Energy::of(simulator);
        }
        let (start, now, s) = (&self.start, &self.now, &mut self.summary);
        let potential = (now.gravity + now.springs) - (start.gravity + start.springs);
        raise(&mut s.energy_scale, larger(now.kinetic, potential.abs()));
        if matches!(outcome, Outcome::Substepped(_)) {
            raise(&mut s.energy_scale, simulator.kinetic_peak);
        }
        // The work of rows on springs is in `work.drives`, so the energy of springs is not counted here.
        self.energy_error = (now.kinetic - start.kinetic) + (now.gravity - start.gravity)
            - s.work.non_conservative();
        raise(&mut s.energy_drift_max, self.energy_error.abs());
    }

    /// The summary of the run.
    pub fn finish(
        self,
        simulator: &mut Simulator,
        control: &Control,
        elapsed: Elapsed,
        error: Option<StepError>,
    ) -> RunSummary {
        let mut s = self.summary;
        if let Some(StepError::NotConverged {
            status, residual, ..
        }) = &error
        {
            // The refused step is not counted as taken, but its solve failed.
            s.status.add(*status);
            raise(&mut s.residual_max, *residual);
        }
        s.error = error;
        s.solves_failed = s.status.failed();
        s.sim_time = simulator.state().time - self.start_time;
        // A run shorter than the clock's resolution is taken to have lasted that long.
        let rate = |seconds: f64| s.steps as f64 / seconds.max(1e-9);
        s.steps_per_s = rate(elapsed.wall);
        s.steps_per_cpu_s = rate(elapsed.cpu);
        (s.wall_s, s.cpu_s) = (elapsed.wall, elapsed.cpu);
        let per_step = 1.0 / s.steps.max(1) as f64;
        s.contacts_mean = self.contacts as f64 * per_step;
        s.iterations_mean = self.iterations as f64 * per_step;
        s.closure_passes_mean = self.passes as f64 * per_step;
        let (now, energy) = at_poses(simulator, control);
        s.energy_end = energy;
        s.kinetic_end = kinetic_energy(simulator.model(), &now);
        s.energy_drift = self.energy_error / s.energy_scale;
        s.energy_accounted = s.energy_drift.abs() <= UNACCOUNTED;
        s.energy_drift_max /= s.energy_scale;
        s.work.drives += self.now.springs - self.start.springs;
        if let Some([linear, angular]) = self.momentum.drift() {
            s.momentum_drift = Some(linear);
            s.angular_momentum_drift = Some(angular);
        }
        let contacts = simulator.detect_contacts();
        s.penetration_end_m = contacts.iter().fold(0.0, |p, c| larger(p, -c.gap));
        raise(&mut s.penetration_max_m, s.penetration_end_m);
        s.state_hash = format!("{:016x}", simulator.state().hash());
        s
    }
}
