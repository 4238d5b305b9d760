//! What an experiment found.

use crate::plot::Plot;
use crate::table::Table;
use serde::{Deserialize, Serialize};

/// Comparison with the paper by the experiment's criterion.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Verdict {
    /// The criterion is met.
    Agree,
    /// A quick run meets it, with fewer cases or shorter runs than the criterion requires.
    NotContradicted,
    /// It is not; why, with evidence.
    Disagree(String),
    /// It could not be tried; why.
    Skipped(String),
}

impl Verdict {
    /// In a word.
    pub fn name(&self) -> &'static str {
        match self {
            Verdict::Agree => "agree",
            Verdict::NotContradicted => "not contradicted",
            Verdict::Disagree(_) => "disagree",
            Verdict::Skipped(_) => "skipped",
        }
    }

    /// Agrees if every check holds; otherwise the messages of those that do not.
    pub(super) fn of(checks: &[(bool, String)]) -> Self {
        let failed = checks.iter().filter(|(holds, _)| !holds);
        let failed: Vec<&str> = failed.map(|(_, what)| what.as_str()).collect();
        if failed.is_empty() {
            Verdict::Agree
        } else {
            Verdict::Disagree(failed.join("; "))
        }
    }
}

/// Tables and plots of an experiment, with the paper's numbers beside Linkwork's, and the verdict.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// Tables with columns for the paper's numbers and ours.
    pub tables: Vec<Table>,
    /// Plots.
    pub plots: Vec<Plot>,
    /// Differences from the paper's setup, and observations.
    pub notes: Vec<String>,
    /// The verdict.
    pub verdict: Verdict,
}

impl Finding {
    /// Nothing but why it could not be tried.
    pub(super) fn skipped(why: impl Into<String>) -> Self {
        Self {
            tables: Vec::new(),
            plots: Vec::new(),
            notes: Vec::new(),
            verdict: Verdict::Skipped(why.into()),
        }
    }
}
