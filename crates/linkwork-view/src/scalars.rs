//! The numbers every frame carries, in order: their names, units and where they come from.

use linkwork::metrics::kinetic_energy;
use linkwork::model::Model;
use linkwork::{Outcome, StepReport};
use linkwork_record::StepRecord;
use linkwork_solve::Status;

/// A number of a frame.
pub struct Scalar {
    /// Name in messages.
    pub name: &'static str,
    /// Name for people.
    pub label: &'static str,
    /// Unit; empty for counts.
    pub unit: &'static str,
    of: Source,
}

enum Source {
    Record(fn(&Model, &StepRecord) -> f64),
    /// NaN where there was no step yet.
    Report(fn(&StepReport) -> f64),
}

impl Scalar {
    /// Its value. What only steps have is NaN at the start of a run.
    pub fn of(&self, model: &Model, record: &StepRecord) -> f64 {
        match self.of {
            Source::Record(value) => value(model, record),
            Source::Report(value) => record.report.as_ref().map_or(f64::NAN, value),
        }
    }

    const fn record(
        name: &'static str,
        label: &'static str,
        unit: &'static str,
        of: fn(&Model, &StepRecord) -> f64,
    ) -> Self {
        let of = Source::Record(of);
        Self {
            name,
            label,
            unit,
            of,
        }
    }

    const fn report(
        name: &'static str,
        label: &'static str,
        unit: &'static str,
        of: fn(&StepReport) -> f64,
    ) -> Self {
        let of = Source::Report(of);
        Self {
            name,
            label,
            unit,
            of,
        }
    }
}

/// Every scalar, in the order of the frame.
pub static SCALARS: [Scalar; 19] = [
    Scalar::record("time", "time", "s", |_, r| r.state.time),
    Scalar::record("step", "step", "", |_, r| r.step as f64),
    Scalar::record("energy", "total energy", "J", |_, r| r.energy),
    Scalar::record("kinetic", "kinetic energy", "J", |m, r| {
        kinetic_energy(m, &r.state)
    }),
    Scalar::report("residual", "residual", "N s", |r| {
        r.residuals.natural_scaled
    }),
    Scalar::report("residual_velocity", "residual velocity", "m/s", |r| {
        r.residuals.natural_velocity
    }),
    Scalar::report("closure_linear", "closure error", "m", |r| r.closure_linear),
    Scalar::report("closure_angular", "angular closure error", "rad", |r| {
        r.closure_angular
    }),
    Scalar::report("limit_violation", "limit violation", "m, rad", |r| {
        r.limit_violation
    }),
    Scalar::report("penetration", "penetration", "m", |r| r.penetration),
    Scalar::report("iterations", "iterations", "", |r| r.iterations as f64),
    Scalar::report("factorizations", "factorisations", "", |r| {
        r.factorizations as f64
    }),
    Scalar::report("closure_passes", "closure passes", "", |r| {
        r.closure_passes as f64
    }),
    Scalar::report("rows", "constraint rows", "", |r| r.rows as f64),
    Scalar::report("contacts", "contact points", "", |r| r.contacts as f64),
    Scalar::record("status", "solver status", "", |_, r| {
        r.report.map_or(-1.0, |r| status(r.status))
    }),
    Scalar::record("outcome", "outcome", "", |_, r| {
        r.report.map_or(0.0, |r| outcome(r.outcome))
    }),
    Scalar::report("step_time", "time to compute a step", "s", step_time),
    Scalar::report("applied_work", "applied work of the step", "J", |r| {
        r.work.applied
    }),
];

fn status(status: Status) -> f64 {
    match status {
        Status::Converged => 0.0,
        Status::IterationLimit => 1.0,
        Status::Stalled => 2.0,
        Status::NumericalFailure => 3.0,
        Status::Interrupted => 4.0,
        Status::RayTermination => 5.0,
    }
}

fn outcome(outcome: Outcome) -> f64 {
    match outcome {
        Outcome::Applied => 0.0,
        Outcome::Held => 1.0,
        Outcome::Substepped(parts) => f64::from(parts),
    }
}

fn step_time(report: &StepReport) -> f64 {
    let t = &report.timings;
    t.collision + t.rows + t.solve + t.closure + t.integrate
}
