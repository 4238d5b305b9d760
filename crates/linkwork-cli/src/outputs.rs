//! Output of a run in progress: trajectory, problems, recording, progress.

use crate::args::OutputArgs;
use crate::csv::Columns;
use crate::dump::Dump;
use crate::failure::{Failure, usage};
use crate::instruments::Instruments;
use crate::recorder::{Recorded, RunRecorder};
use indicatif::{ProgressBar, ProgressStyle};
use linkwork::{Moment, Run};
use linkwork_record::{Quantity, Signals, Source, trajectory};
use std::fs::File;
use std::io::{BufWriter, IsTerminal};
use std::sync::Arc;

/// All that is written.
pub struct Outputs<'a> {
    args: &'a OutputArgs,
    csv: Option<Columns<BufWriter<File>>>,
    instruments: Arc<Instruments>,
    dump: Option<Dump>,
    recorder: Option<RunRecorder>,
    bar: Option<ProgressBar>,
}

impl<'a> Outputs<'a> {
    /// Starts all outputs requested by `args`, for a run of `steps` steps that took `first_step` before.
    pub fn create(
        args: &'a OutputArgs,
        run: &Run,
        source: &Source,
        steps: u64,
        first_step: u64,
    ) -> Result<Self, Failure> {
        let mut csv = None;
        let model = run.simulator().model();
        let instruments = Instruments::of(model);
        if let Some(path) = &args.out {
            let refused = |e| usage(format!("cannot write '{}': {e}", path.display()));
            let infos = instruments.infos();
            let parse = |name: &String| Quantity::parse(model, infos, name.trim()).map_err(usage);
            let columns = match args.columns.is_empty() {
                true => trajectory(model, infos),
                false => args.columns.iter().map(parse).collect::<Result<_, _>>()?,
            };
            let file = BufWriter::new(File::create(path).map_err(refused)?);
            csv = Some(Columns::new(file, columns).map_err(refused)?);
        }
        let dump = args.dump.as_ref();
        Ok(Self {
            args,
            csv,
            dump: dump
                .map(|_| Dump::create(args, &source.scene))
                .transpose()?,
            recorder: RunRecorder::create(
                &args.recording,
                run.simulator(),
                source,
                instruments.clone(),
                first_step,
            )?,
            instruments,
            bar: progress(steps),
        })
    }

    /// Write a moment.
    pub fn step(&mut self, moment: &Moment) -> Result<(), Failure> {
        if let Some(bar) = &self.bar {
            bar.set_position(moment.step);
        }
        if let Some(csv) = &mut self.csv {
            let written = csv.moment(moment, &*self.instruments);
            written.map_err(|e| csv_failure(self.args, &e))?;
        }
        if let Some(dump) = &mut self.dump {
            dump.step(moment)?;
        }
        if let Some(recorder) = &mut self.recorder {
            let recorded = recorder.step(moment);
            recorded.map_err(|e| Failure::Run(e.to_string()))?;
        }
        Ok(())
    }

    /// Closes trajectory and recording after `steps` steps. The problems are reported later.
    pub fn finish(
        self,
        run: &Run,
        steps: u64,
    ) -> (Result<Option<Recorded>, Failure>, Option<Dump>) {
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
        // Each is closed even if the other cannot be.
        let csv = self.csv.map_or(Ok(()), |csv| {
            let closed = csv.finish();
            closed.map_err(|e| csv_failure(self.args, &e))
        });
        let recorder = self.recorder;
        let recorded = recorder.map(|recorder| recorder.finish(steps, &run.checkpoint()));
        let recorded = recorded.transpose();
        let recorded = recorded.map_err(|e| Failure::Run(e.to_string()));
        (csv.and(recorded), self.dump)
    }
}

fn csv_failure(args: &OutputArgs, error: &std::io::Error) -> Failure {
    let path = args.out.as_deref().unwrap_or("".as_ref()).display();
    Failure::Run(format!("writing '{path}' failed: {error}"))
}

/// A bar on a terminal, otherwise nothing.
fn progress(steps: u64) -> Option<ProgressBar> {
    if !std::io::stderr().is_terminal() {
        return None;
    }
    let template = "{bar:40} {percent:>3} %  {human_pos} of {human_len} steps  {eta} left";
    let style = ProgressStyle::with_template(template);
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
    Some(ProgressBar::new(steps).with_style(style))
}
