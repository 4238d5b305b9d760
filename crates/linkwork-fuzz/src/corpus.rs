//! What inputs are made from: the seeds, and where the program is built with coverage
//! (`scripts/fuzz --coverage`), inputs that reached code that no input before them had reached.

use crate::coverage::Coverage;
use crate::mutate::Random;
use std::io::Result;
use std::path::{Path, PathBuf};

/// Seeds and inputs that were kept.
pub struct Corpus {
    seeds: usize,
    inputs: Vec<Vec<u8>>,
    coverage: Option<Coverage>,
    folder: PathBuf,
}

impl Corpus {
    /// The seeds, and what earlier workers left in the folder.
    pub fn open(seeds: Vec<Vec<u8>>, folder: &Path) -> Result<Self> {
        let folder = folder.join("corpus");
        std::fs::create_dir_all(&folder)?;
        let mut corpus = Self {
            seeds: seeds.len(),
            inputs: seeds,
            coverage: Coverage::of_this_program(&folder)?,
            folder,
        };
        let mut number = corpus.seeds;
        while let Ok(input) = std::fs::read(corpus.file(number)) {
            corpus.inputs.push(input);
            number += 1;
        }
        Ok(corpus)
    }

    fn file(&self, number: usize) -> PathBuf {
        self.folder.join(format!("{number}"))
    }

    /// The seed of this number.
    pub fn seed(&self, number: u64) -> Option<&[u8]> {
        let seeds = &self.inputs[..self.seeds];
        seeds.get(usize::try_from(number).ok()?).map(Vec::as_slice)
    }

    /// One to damage, and one to take pieces from.
    pub fn pair(&self, random: &mut Random) -> (&[u8], &[u8]) {
        let (one, other) = (random.pick(&self.inputs), random.pick(&self.inputs));
        (one, other)
    }

    /// An input is about to be read.
    pub fn before(&mut self) {
        if let Some(coverage) = &mut self.coverage {
            coverage.clear();
        }
    }

    /// The input was read; whether it is kept.
    pub fn after(&mut self, input: &[u8]) -> Result<bool> {
        let new = match &mut self.coverage {
            Some(coverage) => coverage.is_new()?,
            None => false,
        };
        if new {
            std::fs::write(self.file(self.inputs.len()), input)?;
            self.inputs.push(input.to_vec());
        }
        Ok(new)
    }
}
