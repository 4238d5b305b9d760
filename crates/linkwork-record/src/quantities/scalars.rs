//! Quantities of a step as a whole.

use crate::step::StepRecord;
use linkwork::StepReport;
use linkwork::metrics::kinetic_energy;
use linkwork::model::Model;
use linkwork_solve::larger;

/// A number of a step.
#[derive(Debug)]
pub(super) struct Scalar {
    pub name: &'static str,
    pub label: &'static str,
    pub unit: &'static str,
    pub value: fn(&Model, &StepRecord) -> f64,
}

/// Values of the report; NaN at the start, where there is none.
fn report(step: &StepRecord, value: impl FnOnce(&StepReport) -> f64) -> f64 {
    step.report.as_ref().map_or(f64::NAN, value)
}

fn wall(r: &StepReport) -> f64 {
    let t = &r.timings;
    t.collision + t.rows + t.solve + t.closure + t.integrate
}

macro_rules! scalars {
    ($($name:literal, $label:literal, $unit:literal, $value:expr;)*) => {
        &[$(Scalar { name: $name, label: $label, unit: $unit, value: $value }),*]
    };
}

/// All of them; the viewer's frames hold the ones before the last in this order.
pub(super) const SCALARS: &[Scalar] = scalars! {
    "time", "time", "s", |_, s| s.state.time;
    "step", "step", "", |_, s| s.step as f64;
    "energy", "total energy", "J", |_, s| s.energy;
    "kinetic", "kinetic energy", "J", |m, s| kinetic_energy(m, &s.state);
    "residual", "residual", "N s", |_, s| report(s, |r| r.residuals.natural_scaled);
    "residual_velocity", "residual as velocity", "m/s",
        |_, s| report(s, |r| r.residuals.natural_velocity);
    "closure_linear", "closure error, linear", "m", |_, s| report(s, |r| r.closure_linear);
    "closure_angular", "closure error, angular", "rad", |_, s| report(s, |r| r.closure_angular);
    "limit_violation", "limit violation", "m or rad", |_, s| report(s, |r| r.limit_violation);
    "penetration", "penetration at step start", "m", |_, s| report(s, |r| r.penetration);
    "iterations", "solver iterations", "", |_, s| report(s, |r| r.iterations as f64);
    "factorizations", "factorisations", "", |_, s| report(s, |r| r.factorizations as f64);
    "closure_passes", "closure passes", "", |_, s| report(s, |r| r.closure_passes as f64);
    "rows", "constraint rows", "", |_, s| report(s, |r| r.rows as f64);
    "contacts", "contact points", "", |_, s| report(s, |r| r.contacts as f64);
    "status", "status of the solve", "",
        |_, s| s.report.as_ref().map_or(-1.0, |r| f64::from(r.status.number()));
    "outcome", "outcome of the step", "",
        |_, s| s.report.as_ref().map_or(0.0, |r| f64::from(r.outcome.number()));
    "step_time", "wall time of the step", "s", |_, s| report(s, wall);
    "applied_work", "work of applied forces", "J", |_, s| report(s, |r| r.work.applied);
    "closure_error", "closure error", "m or rad",
        |_, s| report(s, |r| larger(r.closure_linear, r.closure_angular));
};
