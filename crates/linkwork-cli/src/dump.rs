//! `linkwork run --dump`: the problems of a run as files.

use crate::args::{DumpFormat, OutputArgs};
use crate::failure::{Failure, usage};
use linkwork::Moment;
use linkwork_solve::fclib::{self, FclibError};
use std::io::Write;
use std::path::PathBuf;

/// Writes problems to a folder.
pub struct Dump {
    folder: PathBuf,
    scene: String,
    every: u64,
    format: DumpFormat,
    written: u64,
    /// Number of problems that the format cannot express, and the reason for the first.
    refused: u64,
    reason: String,
}

impl Dump {
    /// Make the folder of `args` for problems of `scene`.
    pub fn create(args: &OutputArgs, scene: &str) -> Result<Self, Failure> {
        let folder = args.dump.clone().unwrap_or_default();
        std::fs::create_dir_all(&folder)
            .map_err(|e| usage(format!("cannot make folder '{}': {e}", folder.display())))?;
        Ok(Self {
            folder,
            scene: scene.to_owned(),
            every: u64::from(args.dump_every),
            format: args.dump_format,
            written: 0,
            refused: 0,
            reason: String::new(),
        })
    }

    /// Write the problem of the step, if it is its turn and has rows.
    pub fn step(&mut self, moment: &Moment) -> Result<(), Failure> {
        let problem = moment.simulator.problem();
        let due = moment.step.is_multiple_of(self.every) && moment.report.is_some();
        if !due || problem.rows() == 0 {
            return Ok(());
        }
        let name = format!("{}-step{:05}", self.scene, moment.step);
        let written = match self.format {
            DumpFormat::Json => {
                let path = self.folder.join(format!("{name}.json"));
                problem.save(&path).map_err(|e| e.to_string())
            }
            DumpFormat::Fclib => {
                let path = self.folder.join(format!("{name}.hdf5"));
                match fclib::write_local(&path, problem, &name) {
                    Err(FclibError::NotExpressible { what, .. }) => {
                        if self.refused == 0 {
                            self.reason = format!("step {} has {what}", moment.step);
                        }
                        self.refused += 1;
                        return Ok(());
                    }
                    result => result.map_err(|e| e.to_string()),
                }
            }
        };
        self.written += 1;
        written.map_err(|e| Failure::Run(format!("writing a problem failed: {e}")))
    }

    /// Reports on standard error what was written, and fails if there were problems but none could be written.
    pub fn finish(self) -> Result<(), Failure> {
        let (written, refused) = (self.written, self.refused);
        let refusal = format!(
            "{refused} problems are not expressible in FCLIB ({}); --dump-format json holds them",
            self.reason
        );
        if refused > 0 && written == 0 {
            return Err(Failure::Run(format!("nothing dumped: {refusal}")));
        }
        // Nothing is lost if standard error is closed.
        let folder = self.folder.display();
        let _ = writeln!(std::io::stderr(), "{written} problems written to {folder}");
        if refused > 0 {
            let _ = writeln!(std::io::stderr(), "{refusal}");
        }
        Ok(())
    }
}
