//! Data of the report: everything in the folder, and statistics of it.

#[cfg(test)]
pub mod fixture;
mod profile;
mod read;
mod selection;
mod solvers;
mod tally;

pub(crate) use crate::stats::{median, quantile};
pub use profile::{Profile, profiles};
pub use selection::Selection;
pub use solvers::Solvers;
pub use tally::{Fastest, Tally, fastest, is_refused};

use crate::error::BenchError;
use crate::folder::Folder;
use crate::lines::read_lines;
use crate::machine::Machine;
use crate::papers::Finding;
use crate::results::{SampleInfo, Score, Simulation};
use crate::speed::Speed;
use std::collections::BTreeMap;

/// All there is in a folder.
pub struct Data {
    /// Samples, as listed.
    pub samples: Vec<SampleInfo>,
    /// Scores, as they came.
    pub scores: Vec<Score>,
    /// Closed-loop runs, as they came.
    pub simulations: Vec<Simulation>,
    /// How fast scenes run.
    pub speeds: Vec<Speed>,
    /// What experiments found, by name.
    pub findings: BTreeMap<String, Finding>,
    /// Solvers of this version, and others that have results.
    pub solvers: Solvers,
    /// Machine of scores and runs, if it was stamped.
    pub machine: Option<Machine>,
}

impl Data {
    /// Reads the folder; missing parts are empty.
    pub fn read(folder: &Folder) -> Result<Self, BenchError> {
        let scores: Vec<Score> = read_lines(&folder.scores())?;
        let simulations: Vec<Simulation> = read_lines(&folder.simulations())?;
        let scored = scores.iter().map(|s| s.solver.as_str());
        let run = simulations.iter().map(|s| s.solver.as_str());
        Ok(Self {
            samples: read_lines(&folder.samples().join("index.jsonl"))?,
            solvers: Solvers::with(scored.chain(run)),
            speeds: read_lines(&folder.speed())?,
            findings: read::findings(&folder.papers())?,
            machine: read::whole(&folder.machine())?,
            scores,
            simulations,
        })
    }

    /// Scores on the samples of the suite.
    pub fn suite(&self) -> Selection<'_> {
        Selection::of(self.scores.iter().filter(|s| s.class.is_some()))
    }

    /// Scores on FCLIB problems.
    pub fn fclib(&self) -> Selection<'_> {
        Selection::of(self.scores.iter().filter(|s| s.class.is_none()))
    }

    /// Closed-loop runs, the last of those with the same system and solver.
    pub fn runs(&self) -> BTreeMap<(&str, &str), &Simulation> {
        let runs = self.simulations.iter();
        runs.map(|r| ((r.system.as_str(), r.solver.as_str()), r))
            .collect()
    }
}
