//! Problems on which solvers fail, as files for `linkwork solve`.

use super::subject::Subject;
use crate::error::BenchError;
use crate::folder::Folder;
use crate::results::Score;
use crate::trial::UNSUPPORTED;
use linkwork_solve::DEFAULT_SOLVER;
use std::collections::BTreeMap;

/// How many failures of each solver are kept.
const FIRST: usize = 3;

/// Saves problems for inspection: every one on which the default solver fails or that a solver falsely claims to have
/// solved, and the first few failures of each solver.
pub(super) struct Failures<'a> {
    folder: &'a Folder,
    seen: BTreeMap<String, usize>,
}

impl<'a> Failures<'a> {
    /// Going on after these scores.
    pub fn after(folder: &'a Folder, earlier: &[Score]) -> Self {
        let mut seen = BTreeMap::new();
        for score in earlier.iter().filter(|s| is_failure(s)) {
            *seen.entry(score.solver.clone()).or_insert(0) += 1;
        }
        Self { folder, seen }
    }

    /// Look at a score. FCLIB problems are files already.
    pub fn see(&mut self, score: &Score, subject: &Subject) -> Result<(), BenchError> {
        if !is_failure(score) {
            return Ok(());
        }
        let seen = self.seen.entry(score.solver.clone()).or_insert(0);
        *seen += 1;
        if *seen <= FIRST || score.false_convergence || score.solver == DEFAULT_SOLVER {
            subject.problem.save(&self.folder.problem(&score.problem))?;
        }
        Ok(())
    }
}

fn is_failure(score: &Score) -> bool {
    score.class.is_some() && !score.solved && score.claimed != UNSUPPORTED
}
