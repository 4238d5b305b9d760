//! The report of `linkwork run`: one JSON object, or a summary.

use crate::interrupt;
use crate::recorder::Recorded;
use crate::session::Session;
use crate::table::{
    alarm, alarm_line, bytes, count, duration, has_colour, heading, line, number, thousands,
    with_unit,
};
use linkwork::{RunSummary, Settings, UNACCOUNTED};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{Result, Write};
use std::path::Path;

/// The run and how it went. Fields are the keys of the JSON object.
#[derive(Serialize)]
pub struct Report<'a> {
    scene: &'a str,
    parameters: &'a BTreeMap<String, f64>,
    solver: &'a str,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    reduced: bool,
    integrator: String,
    adaptive: Option<f64>,
    dt: f64,
    tolerance: f64,
    max_iterations: usize,
    threads: usize,
    policy: &'static str,
    start_time: f64,
    #[serde(flatten)]
    summary: &'a RunSummary,
    record: Option<Recorded>,
    /// The file from which `linkwork replay` repeats the first failed step, and the step.
    replay: Option<(&'a Path, u64)>,
    /// Whether the run was ended by Ctrl-C.
    interrupted: bool,
    warnings: Vec<String>,
    error: Option<String>,
    #[serde(skip)]
    remark: &'a str,
    /// Whether what should not be missed is printed in red.
    #[serde(skip)]
    colour: bool,
}

impl<'a> Report<'a> {
    /// A report on a run made with `settings` from `start_time` (s) on.
    pub fn new(
        session: &'a Session,
        settings: &'a Settings,
        summary: &'a RunSummary,
        start_time: f64,
        record: Option<Recorded>,
        replay: Option<(&'a Path, u64)>,
    ) -> Self {
        Self {
            scene: &session.source.scene,
            parameters: &session.source.parameters,
            solver: &settings.solver,
            reduced: settings.reduced,
            dt: settings.dt,
            integrator: settings.integrator.to_string(),
            adaptive: settings.adaptive.map(|a| a.tolerance),
            tolerance: settings.solve.tolerance,
            max_iterations: settings.solve.max_iterations,
            threads: settings.threads,
            policy: settings.failure.name(),
            start_time,
            summary,
            record,
            replay,
            interrupted: interrupt::asked(),
            warnings: warnings(summary, replay),
            error: summary.error.as_ref().map(ToString::to_string),
            remark: &session.remark,
            colour: has_colour(),
        }
    }

    /// Write the summary.
    pub fn print(&self, out: &mut dyn Write) -> Result<()> {
        let s = self.summary;
        writeln!(out, "{}{}", self.scene, self.remark)?;
        let time = with_unit(s.sim_time, "s");
        let steps = count(s.steps, "step");
        let dt = duration(self.dt);
        line(
            out,
            "simulated",
            &format!("{time} in {steps} of {dt}, {}", self.integrator),
        )?;
        let bodies = count(s.bodies as u64, "body");
        let joints = count(s.joints as u64, "joint");
        let rows = count(s.rows as u64, "row");
        line(out, "model", &format!("{bodies}, {joints}, up to {rows}"))?;
        let threads = count(self.threads as u64, "thread");
        let (solver, tolerance) = (self.solver, number(self.tolerance));
        let reduced = if self.reduced { " reduced" } else { "" };
        let solver = format!("{solver}{reduced}, tolerance {tolerance} N s and m/s, {threads}");
        line(out, "solver", &solver)?;
        self.print_solves(out)?;
        self.print_violations(out)?;
        self.print_balance(out)?;
        self.print_speed(out)?;
        self.print_recording(out)?;
        let hash = format!("{} ({} arithmetic)", s.state_hash, s.arithmetic);
        line(out, "state hash", &hash)?;
        for warning in &self.warnings {
            writeln!(out)?;
            alarm(out, &format!("warning: {warning}"), self.colour)?;
        }
        Ok(())
    }

    fn print_solves(&self, out: &mut dyn Write) -> Result<()> {
        let s = self.summary;
        heading(out, "Solves")?;
        let c = &s.status;
        let status = if s.steps == 0 {
            "no step was taken".to_owned()
        } else if c.failed() + c.blocked == 0 {
            format!("all {} converged", thousands(c.converged))
        } else {
            let kinds = [
                (c.converged, "converged"),
                (c.blocked, "blocked"),
                (c.iteration_limit, "at the iteration limit"),
                (c.stalled, "stalled"),
                (c.numerical_failure, "failed numerically"),
                (c.interrupted, "interrupted"),
                (c.ray_termination, "ended on a ray"),
            ];
            let some = kinds.iter().filter(|(n, _)| *n > 0);
            let texts: Vec<_> = some
                .map(|(n, t)| format!("{} {t}", thousands(*n)))
                .collect();
            let policy = self.policy;
            format!("{} (policy: {policy})", texts.join(", "))
        };
        line(out, "status", &status)?;
        if c.substepped > 0 {
            let (steps, parts) = (count(c.substepped, "step"), thousands(c.parts));
            match self.adaptive {
                None => line(out, "substepped", &format!("{steps}, as {parts} parts"))?,
                Some(tolerance) => {
                    let error = with_unit(s.local_error_max, "m/s");
                    let asked = with_unit(tolerance, "m/s");
                    let text = format!(
                        "{parts} in {steps}; they add errors of up to {error}, {asked} requested"
                    );
                    line(out, "substeps", &text)?;
                }
            }
        }
        if c.escalated > 0 {
            let text = format!("{}, by a more robust method", count(c.escalated, "step"));
            line(out, "escalated", &text)?;
        }
        if c.restrained > 0 {
            let text = format!(
                "{} that would have added energy",
                count(c.restrained, "step")
            );
            line(out, "restrained", &text)?;
        }
        let residual = format!(
            "{}, {} scaled; {} unit step (worst)",
            with_unit(s.residual_max, "N s"),
            with_unit(s.residual_velocity_max, "m/s"),
            number(s.residual_unit_max)
        );
        line(out, "residual", &residual)?;
        let (mean, max) = (number(s.iterations_mean), s.iterations_max);
        let factored = number(s.factorizations as f64 / s.steps.max(1) as f64);
        let passes = number(s.closure_passes_mean);
        let text = format!(
            "{mean} mean, {max} max; {factored} factorisations, {passes} closure passes per step"
        );
        line(out, "iterations", &text)?;
        let (mean, max) = (number(s.contacts_mean), s.contacts_max);
        line(out, "contacts", &format!("{mean} mean, {max} max"))
    }

    fn print_violations(&self, out: &mut dyn Write) -> Result<()> {
        let s = self.summary;
        heading(out, "Constraint violation (worst)")?;
        let joints = format!(
            "{}, {}",
            with_unit(s.closure_max_m, "m"),
            with_unit(s.closure_max_rad, "rad")
        );
        line(out, "joints", &joints)?;
        let limits = with_unit(s.limit_violation_max, "m or rad");
        line(out, "joint limits", &limits)?;
        let end = with_unit(s.penetration_end_m, "m");
        let worst = with_unit(s.penetration_max_m, "m");
        line(out, "penetration", &format!("{worst}, {end} at the end"))
    }

    fn print_balance(&self, out: &mut dyn Write) -> Result<()> {
        let s = self.summary;
        heading(out, "Energy and momentum")?;
        let kinetic = with_unit(s.kinetic_end, "J");
        let (start, end) = (number(s.energy_start), with_unit(s.energy_end, "J"));
        let text = format!("{start} → {end}, of it kinetic {kinetic}");
        line(out, "energy", &text)?;
        let w = &s.work;
        let kinds = [
            (w.contacts, "contacts"),
            (w.limits, "limits"),
            (w.friction, "joint friction"),
            (w.drives, "drives and dampers"),
            (w.applied, "applied forces"),
        ];
        for (work, by) in kinds.iter().filter(|(work, _)| *work != 0.0) {
            line(out, "work", &format!("{} by {by}", with_unit(*work, "J")))?;
        }
        let error = with_unit(s.energy_drift * s.energy_scale, "J");
        let (drift, scale) = (number(s.energy_drift), with_unit(s.energy_scale, "J"));
        let text = format!("{error}, {drift} of the largest exchange {scale}");
        if s.energy_accounted {
            line(out, "unaccounted", &text)?;
        } else {
            let text = format!("{text}: do not trust the motion");
            alarm_line(out, "unaccounted", &text, self.colour)?;
        }
        let momentum = match (s.momentum_drift, s.angular_momentum_drift) {
            (Some(linear), Some(angular)) => {
                let (linear, angular) = (number(linear), number(angular));
                format!("off by {linear} linear, {angular} angular (relative, worst)")
            }
            _ => "exchanged with the world through joints or contacts".to_owned(),
        };
        line(out, "momentum", &momentum)
    }

    fn print_speed(&self, out: &mut dyn Write) -> Result<()> {
        let s = self.summary;
        heading(out, "Speed")?;
        let speed = format!(
            "{} per second, {} per CPU second, {} × real time",
            count(s.steps_per_s as u64, "step"),
            thousands(s.steps_per_cpu_s as u64),
            number(s.sim_time / s.wall_s.max(1e-9))
        );
        line(out, "speed", &speed)?;
        let (wall, cpu) = (duration(s.wall_s), duration(s.cpu_s));
        line(out, "time", &format!("{wall} wall, {cpu} CPU"))?;
        let t = &s.timings;
        let phases = [
            ("collision", t.collision),
            ("rows", t.rows),
            ("solve", t.solve),
            ("closure", t.closure),
            ("integrate", t.integrate),
        ];
        let inside: f64 = phases.iter().map(|p| p.1).sum();
        let rest = ("bookkeeping", (s.wall_s - inside).max(0.0));
        for (phase, seconds) in phases.into_iter().chain([rest]) {
            let share = 100.0 * seconds / s.wall_s.max(1e-9);
            let each = duration(seconds / s.steps.max(1) as f64);
            line(out, phase, &format!("{each:>8} per step {share:5.1} %"))?;
        }
        Ok(())
    }

    fn print_recording(&self, out: &mut dyn Write) -> Result<()> {
        let Some(record) = &self.record else {
            return Ok(());
        };
        heading(out, "Recording")?;
        line(out, "file", &record.file.display().to_string())?;
        let each = bytes(record.bytes as f64 / record.steps.max(1) as f64);
        let (size, steps) = (bytes(record.bytes as f64), count(record.steps, "step"));
        let checkpoints = count(record.checkpoints, "checkpoint");
        let text = format!("{size}, {each} per step, {steps}, {checkpoints}");
        line(out, "size", &text)?;
        let (wall, share) = (duration(record.wall_s), number(100.0 * record.share));
        let text = format!("{wall} of the simulation thread, {share} %");
        line(out, "cost", &text)
    }
}

/// What the user should not miss, with remedies.
fn warnings(s: &RunSummary, replay: Option<(&Path, u64)>) -> Vec<String> {
    let mut warnings = Vec::new();
    // Written so that a NaN warns too.
    let mut warn = |fine: bool, text: String| {
        if !fine {
            warnings.push(text);
        }
    };
    let failed = s.solves_failed;
    let again = replay.map_or(String::new(), |(file, step)| {
        let file = file.display();
        format!("; step {step} was the first, repeat it with `linkwork replay '{file}'`")
    });
    warn(
        failed == 0,
        format!(
            "{} did not converge; raise --max-iterations, loosen --tolerance, shorten --dt, or stop at the first with --policy error{again}",
            count(failed, "solve")
        ),
    );

    let blocked = s.status.blocked;
    warn(
        blocked == 0,
        format!(
            "in {} bodies penetrate and cannot separate (up to {}, violated by {}): these contacts were relaxed; exclude such pairs, give them smaller collision shapes, or use --soft",
            count(blocked, "step"),
            count(s.blocked_max as u64, "contact"),
            with_unit(s.blocked_speed_max, "m/s")
        ),
    );

    let held = s.status.held;
    warn(
        held == 0,
        format!(
            "{} held: the time advanced, the bodies did not move",
            count(held, "step")
        ),
    );
    warn(
        s.energy_accounted,
        format!(
            "{} % of the energy exchanged is unaccounted for, more than {} %; shorten --dt",
            number(100.0 * s.energy_drift.abs()),
            number(100.0 * UNACCOUNTED)
        ),
    );
    warn(
        s.closure_max_m <= 1e-6 && s.closure_max_rad <= 1e-6,
        "joints came apart by more than 1e-6 m or rad; run `linkwork check`, shorten --dt or tighten --tolerance".to_owned(),
    );
    warn(
        s.penetration_max_m <= 1e-3,
        "bodies overlap by more than 1 mm; shorten --dt, tighten --tolerance, or check that they start apart".to_owned(),
    );
    warn(
        s.limit_violation_max <= 1e-4,
        "joint limits were exceeded by more than 1e-4 m or rad; shorten --dt or tighten --tolerance".to_owned(),
    );
    warnings
}
