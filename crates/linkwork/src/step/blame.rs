//! Message of a step that ends in an error.

use crate::report::{StepError, StepReport};
use crate::rows::RowSource;
use crate::simulator::Simulator;
use linkwork_solve::larger;

impl Simulator {
    pub(super) fn not_converged(&self, report: &StepReport) -> StepError {
        // The joints whose rows are violated most, if any are.
        let mut worst: Vec<(f64, &str)> = Vec::new();
        for (k, source) in self.rows.sources.iter().enumerate() {
            if let RowSource::Joint(id) = source {
                let range = self.rows.problem.sets.range(k);
                let size = self.solution.sigma[range]
                    .iter()
                    .fold(0.0, |a: f64, s| larger(a, s.abs()));
                if size > self.settings.solve.tolerance || size.is_nan() {
                    worst.push((size, &self.model.joint(*id).name));
                }
            }
        }
        worst.sort_by(|a, b| b.0.total_cmp(&a.0));
        let names: Vec<&str> = worst.iter().take(3).map(|w| w.1).collect();
        StepError::NotConverged {
            time: self.state.time,
            status: report.status,
            residual: report.residuals.scaled(),
            joints: if names.is_empty() {
                String::new()
            } else {
                format!(" (joints {})", names.join(", "))
            },
        }
    }

    pub(super) fn not_finite(&self) -> StepError {
        let found = self.state.first_infinite(&self.model);
        StepError::NotFinite {
            time: self.saved.state.time,
            what: found.unwrap_or_else(|| "its forces".to_owned()),
        }
    }
}
