//! Failed steps as files, and `linkwork replay`, which repeats them.
//!
//! The file is a recording of one step: the checkpoint before it, and its result if it was taken.

use crate::args::ReplayArgs;
use crate::failure::{Failure, usage};
use linkwork::{Checkpoint, Moment, Run, StepReport};
use linkwork_record::{RecordError, RecordOptions, Recorder, Recording, Source, StepRecord};
use linkwork_view::live;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Keeps the first failed step of a run.
pub struct Keeper {
    path: PathBuf,
    source: Source,
    first_step: u64,
    /// The step that was kept.
    pub kept: Option<u64>,
}

impl Keeper {
    /// For a run that took `first_step` steps before; without a path the file is a new temporary file of the system.
    pub fn new(path: Option<&Path>, source: &Source, first_step: u64) -> Self {
        let own = || {
            let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
            let scene: String = source.scene.chars().map(plain).collect();
            let name = format!("linkwork-{scene}-{}.failed.lwrec", std::process::id());
            std::env::temp_dir().join(name)
        };
        Self {
            path: path.map_or_else(own, Path::to_owned),
            source: source.clone(),
            first_step,
            kept: None,
        }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Examines the end of a step, and stores it if it is the first that failed.
    pub fn step(&mut self, moment: &Moment) -> Result<(), RecordError> {
        let failed = moment.report.is_some_and(|r| !r.status.is_solved());
        if !failed || self.kept.is_some() {
            return Ok(());
        }
        let before = moment.simulator.before_last_step(moment.control);
        self.write(moment.step - 1, &before, Some(moment), moment.simulator)
    }

    /// Keep a step that was refused after `steps` were taken.
    pub fn refused(&mut self, run: &Run, steps: u64) -> Result<(), RecordError> {
        if self.kept.is_some() {
            return Ok(());
        }
        let before = run.simulator().before_last_step(run.control());
        self.write(steps, &before, None, run.simulator())
    }

    fn write(
        &mut self,
        step: u64,
        before: &Checkpoint,
        moment: Option<&Moment>,
        simulator: &linkwork::Simulator,
    ) -> Result<(), RecordError> {
        let options = RecordOptions::with(|s| s.first_step = self.first_step);
        let (model, settings) = (simulator.model(), simulator.settings());
        let mut recorder = Recorder::create(&self.path, options, model, settings, &self.source)?;
        recorder.checkpoint(step, before)?;
        if let Some(moment) = moment {
            recorder.step(moment)?;
        }
        recorder.finish()?;
        self.kept = Some(self.first_step + step + 1);
        Ok(())
    }
}

impl live::Keeper for Keeper {
    fn failed(&mut self, moment: &Moment) -> Option<String> {
        let before = self.kept;
        let kept = self.step(moment);
        self.tell(before, kept)
    }

    fn refused(&mut self, run: &Run, steps: u64) -> Option<String> {
        let before = self.kept;
        let kept = Keeper::refused(self, run, steps);
        self.tell(before, kept)
    }
}

impl Keeper {
    /// The message for viewers and the terminal, sent once.
    fn tell(&self, before: Option<u64>, kept: Result<(), RecordError>) -> Option<String> {
        let file = self.path.display();
        let text = match (kept, self.kept) {
            (Err(error), _) => format!("the failed step could not be saved in '{file}': {error}"),
            (Ok(()), Some(step)) if before.is_none() => {
                format!("step {step} failed; repeat it with `linkwork replay '{file}'`")
            }
            _ => return None,
        };
        let _ = writeln!(std::io::stderr(), "{text}");
        Some(text)
    }
}

/// Take the step of a file again and compare.
pub fn replay(out: &mut dyn Write, args: &ReplayArgs) -> Result<(), Failure> {
    let path = args.file.display();
    let recording = Recording::open(&args.file).map_err(usage)?;
    let saved = recording.checkpoint(None).map_err(usage)?;
    let then = match recording.len() {
        0 => None,
        1 => Some(recording.step(0).map_err(usage)?),
        n => {
            return Err(usage(format!(
                "'{path}' has {n} steps and is no replay file; go on from it with `linkwork resume`"
            )));
        }
    };
    let model = recording.model().clone();
    let mut run = Run::resume(model, &saved.checkpoint, None).map_err(usage)?;
    writeln!(
        out,
        "{} at {} s, step {}",
        recording.header().source.scene,
        saved.time,
        saved.step + 1
    )?;
    let result = run.step();
    let now = match &result {
        Ok(report) => {
            tell(out, report)?;
            Some(StepRecord::of(&run.moment(saved.step + 1, Some(report))))
        }
        Err(error) => {
            writeln!(out, "  refused     {error}")?;
            None
        }
    };
    if same(now.as_ref(), then.as_ref()) {
        writeln!(out, "  the same as recorded, to the bit")?;
        return Ok(());
    }
    Err(Failure::Run(format!(
        "the step in '{path}' went otherwise when it was recorded, with linkwork {}",
        recording.header().version
    )))
}

fn tell(out: &mut dyn Write, report: &StepReport) -> Result<(), Failure> {
    let r = &report.residuals;
    writeln!(
        out,
        "  status      {} ({:?})",
        report.status, report.outcome
    )?;
    writeln!(
        out,
        "  residual    {:e} N s, {:e} m/s",
        r.natural_scaled, r.natural_velocity
    )?;
    writeln!(
        out,
        "  joints      open by {:e} m, {:e} rad",
        report.closure_linear, report.closure_angular
    )?;
    writeln!(
        out,
        "  effort      {} iterations, {} factorisations, {} rows, {} contacts",
        report.iterations, report.factorizations, report.rows, report.contacts
    )?;
    Ok(())
}

/// Whether both are the same step: state, status and residuals, bit for bit.
fn same(now: Option<&StepRecord>, then: Option<&StepRecord>) -> bool {
    let (Some(now), Some(then)) = (now, then) else {
        return now.is_none() && then.is_none();
    };
    let reports = match (&now.report, &then.report) {
        // As text, in which NaNs are equal and other values are compared by their bits.
        (Some(a), Some(b)) => {
            let told = |r: &StepReport| format!("{:?} {:?}", r.status, r.residuals);
            told(a) == told(b)
        }
        (a, b) => a.is_none() && b.is_none(),
    };
    reports && now.state.hash() == then.state.hash()
}
