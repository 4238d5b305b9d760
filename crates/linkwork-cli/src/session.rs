//! A run from its start or a checkpoint to its report.

use crate::args::OutputArgs;
use crate::failure::{Failure, usage};
use crate::interrupt;
use crate::outputs::Outputs;
use crate::recorder;
use crate::replay::Keeper;
use crate::report::Report;
use linkwork::plain_time;
use linkwork::{Run, StepError};
use linkwork_record::{RecordError, Source};
use linkwork_solve::solver_entry;
use std::io::Write;
use std::ops::ControlFlow;

/// More steps than this are considered a typing error.
const MAX_STEPS: f64 = 1e10;

/// What is run.
pub struct Session<'a> {
    /// Where the model came from.
    pub source: Source,
    /// Text after the name of the source.
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

    let mut keeper = Keeper::new(session.output.replay.as_deref(), source, first_step);
    interrupt::listen();
    let (mut failure, mut refusal) = (None, None);
    let mut summary = run.steps(steps, |moment| {
        failure = outputs.step(moment).err();
        keep(keeper.step(moment), &keeper);
        // A solver that does not support the problem is a wrong choice, not a failed run.
        if moment.report.is_some_and(|r| !r.status.is_solved()) {
            refusal = solver.supports(moment.simulator.problem()).err();
        }
        if failure.is_some() || refusal.is_some() || interrupt::asked() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    // Existing outputs are closed properly in any case.
    let (closed, dump) = outputs.finish(&run, summary.steps);
    let taken = first_step + summary.steps;
    let saved = recorder::save(&session.output.recording, &run, source, taken);
    // A refused step is not observed, but its start and its problem are still available.
    let failed = matches!(
        summary.error,
        Some(StepError::NotConverged { .. } | StepError::NotFinite { .. })
    );
    if failed {
        keep(keeper.refused(&run, summary.steps), &keeper);
    }
    if matches!(summary.error, Some(StepError::Unsupported(_))) {
        refusal = refusal.or_else(|| solver.supports(run.simulator().problem()).err());
    }
    if let Some(refusal) = refusal {
        return Err(usage(refusal));
    }
    // A sum of steps has meaningless last digits.
    summary.sim_time = plain_time(summary.sim_time);
    let settings = run.simulator().settings();
    let (recorded, unclosed) = match closed {
        Ok(recorded) => (recorded, None),
        Err(failure) => (None, Some(failure)),
    };
    let replay = keeper.kept.map(|step| (keeper.path(), step));
    let report = Report::new(
        session,
        settings,
        &summary,
        plain_time(start_time),
        recorded,
        replay,
    );
    if session.output.json {
        serde_json::to_writer(&mut *out, &report)?;
        writeln!(out)?;
    } else {
        report.print(out)?;
    }
    // The first error is reported.
    let wrong = failure.or(unclosed).or(saved.err());
    match (wrong, summary.error) {
        (Some(failure), _) => Err(failure),
        (None, Some(error)) => Err(Failure::Run(error.to_string())),
        (None, None) => {
            dump.map_or(Ok(()), |dump| dump.finish())?;
            if interrupt::asked() {
                return Err(Failure::Interrupted(summary.steps));
            }
            Ok(())
        }
    }
}

/// A failed step that cannot be stored does not end the run: report it on standard error.
fn keep(kept: Result<(), RecordError>, keeper: &Keeper) {
    if let Err(error) = kept {
        let path = keeper.path().display();
        let _ = writeln!(
            std::io::stderr(),
            "the failed step could not be saved in '{path}': {error}"
        );
    }
}

/// Refuses invalid times for steps of `dt` (s).
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
    let files = [
        &output.out,
        &output.replay,
        &recording.record,
        &recording.checkpoint,
    ];
    for (i, file) in files.iter().enumerate() {
        if let Some(path) = file
            && files[i + 1..].contains(file)
        {
            let path = path.display();
            return Err(usage(format!(
                "'{path}' would be written twice; give --out, --replay, --record and --checkpoint different names"
            )));
        }
    }
    Ok(())
}
