//! The folder of a benchmark: what is where.

use crate::error::BenchError;
use std::path::{Path, PathBuf};

/// Where samples, results and report are kept.
#[derive(Clone, Debug)]
pub struct Folder {
    root: PathBuf,
}

impl Folder {
    /// The folder at `root`, made where it is missing.
    pub fn create(root: &Path) -> Result<Self, BenchError> {
        let folder = Self {
            root: root.to_owned(),
        };
        for path in [folder.samples(), folder.problems(), folder.papers()] {
            std::fs::create_dir_all(&path).map_err(BenchError::io("make", &path))?;
        }
        Ok(folder)
    }

    /// The folder itself.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Samples: one file per system, and `index.jsonl` with one [`SampleInfo`](crate::SampleInfo) per line.
    pub fn samples(&self) -> PathBuf {
        self.root.join("samples")
    }

    /// One [`Score`](crate::Score) per line, appended as results arrive.
    pub fn scores(&self) -> PathBuf {
        self.root.join("scores.jsonl")
    }

    /// One [`Simulation`](crate::Simulation) per line, appended as results arrive.
    pub fn simulations(&self) -> PathBuf {
        self.root.join("simulations.jsonl")
    }

    /// A [`Speed`](crate::speed::Speed) a line.
    pub fn speed(&self) -> PathBuf {
        self.root.join("speed.jsonl")
    }

    /// Problems that a solver failed on, as files for `linkwork solve`.
    pub fn problems(&self) -> PathBuf {
        self.root.join("problems")
    }

    /// The file of the problem called `name` among [`Folder::problems`].
    pub fn problem(&self, name: &str) -> PathBuf {
        self.problems()
            .join(format!("{}.json", name.replace('/', "-")))
    }

    /// The [`Machine`](crate::Machine) of the last scores and simulations.
    pub fn machine(&self) -> PathBuf {
        self.root.join("machine.json")
    }

    /// A [`Finding`](crate::papers::Finding) of each experiment, `NAME.json`.
    pub fn papers(&self) -> PathBuf {
        self.root.join("papers")
    }

    /// The page.
    pub fn report(&self) -> PathBuf {
        self.root.join("report.html")
    }
}
