//! A run from its start or a checkpoint to its report.

use crate::args::OutputArgs;
use crate::failure::{Failure, usage};
use crate::outputs::Outputs;
use crate::recorder;
use crate::report::Report;
use linkwork::{Run, StepError};
use linkwork_record::Source;
use linkwork_solve::{Status, solver_entry};
use std::io::Write;
use std::ops::ControlFlow;

/// More steps than this are taken for a slip of the keyboard.
const MAX_STEPS: f64 = 1e10;

/// What is run.
pub struct Session<'a> {
    /// Where the model came from.
    pub source: Source,
    /// What is said of the source next to its name.
    pub remark: String,
    /// Time to simulate, s.
    pub time: f64,
    /// Steps taken before.
    pub first_step: u64,
    /// What to write.
    pub output: &'a OutputArgs,
}

/// Simulate and report.
pub fn simulate(out: &mut dyn Write, mut run: Run, session: &Session) -> Result<(), Failure> {
    let settings = run.simulator().settings();
    check_time(session.time, settings.dt)?;
    check_files(session.output)?;
    let entry = solver_entry(&settings.solver).map_err(usage)?;
    let solver = entry.make(settings.solve, settings.reduced);
    let steps = run.steps_in(session.time);
    let start_time = run.simulator().state().time;
    let (source, first_step) = (&session.source, session.first_step);
    let mut outputs = Outputs::create(session.output, &run, source, steps, first_step)?;

    let (mut failure, mut refusal) = (None, None);
    let summary = run.steps(steps, |moment| {
        failure = outputs.step(moment).err();
        // A solver that cannot take the problem at all was the wrong choice, not a bad run.
        if moment.report.is_some_and(|r| r.status != Status::Converged) {
            refusal = solver.supports(moment.simulator.problem()).err();
        }
        if failure.is_some() || refusal.is_some() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    // What is there is closed properly, whatever happened.
    let closed = outputs.finish(&run, summary.steps);
    if let Some(failure) = failure {
        return Err(failure);
    }
    let (recorded, dump) = closed?;
    recorder::save(
        &session.output.recording,
        &run,
        source,
        first_step + summary.steps,
    )?;

    // A refused step is not observed, but its problem is still there.
    if matches!(summary.error, Some(StepError::Unsupported(_))) {
        refusal = refusal.or_else(|| solver.supports(run.simulator().problem()).err());
    }
    if let Some(refusal) = refusal {
        return Err(usage(refusal));
    }
    let settings = run.simulator().settings();
    let report = Report::new(session, settings, &summary, start_time, recorded);
    if session.output.json {
        serde_json::to_writer(&mut *out, &report)?;
        writeln!(out)?;
    } else {
        report.print(out)?;
    }
    match summary.error {
        Some(error) => Err(Failure::Run(error.to_string())),
        None => dump.map_or(Ok(()), |dump| dump.finish()),
    }
}

/// Refuse times that make no sense with steps of `dt` (s).
pub fn check_time(time: f64, dt: f64) -> Result<(), Failure> {
    if dt > time {
        return Err(usage(format!(
            "a step of {dt} s is longer than the run of {time} s; shorten --dt or lengthen --time"
        )));
    }
    let steps = time / dt;
    if steps > MAX_STEPS {
        return Err(usage(format!(
            "{time} s in steps of {dt} s are {steps:.1e} steps, more than {MAX_STEPS:e}; shorten --time or lengthen --dt"
        )));
    }
    Ok(())
}

/// Two outputs to one file would leave neither.
fn check_files(output: &OutputArgs) -> Result<(), Failure> {
    let recording = &output.recording;
    let files = [&output.out, &recording.record, &recording.checkpoint];
    for (i, file) in files.iter().enumerate() {
        if let Some(path) = file
            && files[i + 1..].contains(file)
        {
            let path = path.display();
            return Err(usage(format!(
                "'{path}' is to be written twice; give --out, --record and --checkpoint names of their own"
            )));
        }
    }
    Ok(())
}
