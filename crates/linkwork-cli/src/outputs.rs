//! Output of a run in progress: trajectory, problems, recording, progress.

use crate::args::OutputArgs;
use crate::columns::Columns;
use crate::csv::Trajectory;
use crate::dump::Dump;
use crate::failure::{Failure, usage};
use crate::instruments::{Instruments, columns};
use crate::recorder::{Recorded, RunRecorder};
use indicatif::{ProgressBar, ProgressStyle};
use linkwork::{Moment, Run};
use linkwork_record::{Quantity, Signals, Source, StepRecord};
use std::fs::File;
use std::io::{BufWriter, IsTerminal};
use std::sync::Arc;

/// All that is written.
pub struct Outputs<'a> {
    args: &'a OutputArgs,
    csv: Option<Csv>,
    instruments: Arc<Instruments>,
    dump: Option<Dump>,
    recorder: Option<RunRecorder>,
    bar: Option<ProgressBar>,
}

/// The file of `--out`.
enum Csv {
    /// Poses, velocities, coordinates and the rest.
    Whole(Trajectory<BufWriter<File>>),
    /// What `--columns` names.
    Chosen(Columns<BufWriter<File>>),
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
            let chosen: Vec<Quantity> = args.columns.iter().map(parse).collect::<Result<_, _>>()?;
            let file = BufWriter::new(File::create(path).map_err(refused)?);
            csv = Some(if chosen.is_empty() {
                Csv::Whole(Trajectory::new(file, model, &columns(infos)).map_err(refused)?)
            } else {
                Csv::Chosen(Columns::new(file, chosen).map_err(refused)?)
            });
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
            let written = match csv {
                Csv::Whole(csv) => {
                    let (state, energy) = moment.synchronised();
                    let sensed = self.instruments.read(moment, &state);
                    csv.row(&state, energy, moment.report, &sensed)
                }
                Csv::Chosen(csv) => {
                    let step = StepRecord::with(moment, &*self.instruments);
                    csv.row(moment.simulator.model(), &step)
                }
            };
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
            let closed = match csv {
                Csv::Whole(csv) => csv.finish().map(drop),
                Csv::Chosen(csv) => csv.finish(),
            };
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
