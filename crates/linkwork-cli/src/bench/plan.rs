//! How much the benchmark does in the time it has.

use crate::table::duration;
use linkwork_bench::SYSTEMS;
use linkwork_solve::{all_solvers, known_solvers};
use std::io::Write;

/// Assumed share of solves and of runs that last to their limits, for solvers that stall or converge slowly. Measured:
/// a tenth and a third.
const SOLVES_TO_THE_LIMIT: f64 = 0.25;
const RUNS_TO_THE_LIMIT: f64 = 0.5;

/// Amounts and times of a benchmark. Times in s.
pub struct Plan {
    /// Fewer and shorter.
    pub quick: bool,
    /// Time each system is run for samples.
    pub sample_time: f64,
    /// Samples of a system.
    pub samples: usize,
    /// Wall time for all solves.
    pub score_budget: f64,
    /// Wall time for all solves of FCLIB problems; none where it is 0.
    pub fclib_budget: f64,
    /// Simulated time of closed-loop runs.
    pub simulate_time: f64,
    /// Wall time for all closed-loop runs.
    pub simulate_budget: f64,
}

impl Plan {
    /// Five minutes or an hour, less the stages of fixed duration: sampling (2 s or 10 s of every system), the papers'
    /// experiments (a minute or twenty) and the report.
    pub fn new(quick: bool) -> Self {
        match quick {
            true => Self {
                quick,
                sample_time: 2.0,
                samples: 8,
                score_budget: 70.0,
                fclib_budget: 0.0,
                simulate_time: 0.3,
                simulate_budget: 70.0,
            },
            false => Self {
                quick,
                sample_time: 10.0,
                samples: 24,
                score_budget: 700.0,
                fclib_budget: 240.0,
                simulate_time: 2.0,
                simulate_budget: 600.0,
            },
        }
    }

    /// Solves: every solver on every sample, cold and warm.
    pub fn solves(&self) -> usize {
        2 * known_solvers().count() * SYSTEMS.len() * self.samples
    }

    /// Closed-loop runs: every solver of Linkwork's own in every system.
    pub fn runs(&self) -> usize {
        all_solvers().len() * SYSTEMS.len()
    }

    /// Wall time for a solve. It follows from the plan alone, so that a continued session uses the same.
    pub fn solve_limit(&self) -> f64 {
        limit(
            self.score_budget,
            SOLVES_TO_THE_LIMIT * self.solves() as f64,
        )
    }

    /// Wall time for a solve of an FCLIB problem.
    pub const FCLIB_LIMIT: f64 = 0.3;

    /// Wall time for a run.
    pub fn run_limit(&self) -> f64 {
        limit(self.simulate_budget, RUNS_TO_THE_LIMIT * self.runs() as f64)
    }

    /// Write it.
    pub fn print(&self, out: &mut dyn Write) -> std::io::Result<()> {
        let (solves, runs) = (self.solves(), self.runs());
        writeln!(out, "Plan")?;
        writeln!(
            out,
            "  sample    up to {} of each system, from {} of its run",
            self.samples,
            duration(self.sample_time)
        )?;
        writeln!(
            out,
            "  score     up to {solves} solves of at most {}, {} in all",
            duration(self.solve_limit()),
            duration(self.score_budget)
        )?;
        if self.fclib_budget > 0.0 {
            let (limit, budget) = (duration(Self::FCLIB_LIMIT), duration(self.fclib_budget));
            writeln!(
                out,
                "  FCLIB     solves of at most {limit}, {budget} in all"
            )?;
        }
        writeln!(
            out,
            "  simulate  up to {runs} runs of {}, at most {} each, {} in all",
            duration(self.simulate_time),
            duration(self.run_limit()),
            duration(self.simulate_budget)
        )?;
        let papers = if self.quick { "short" } else { "in full" };
        writeln!(out, "  papers    every experiment there is, {papers}")?;
        writeln!(out, "  report    one page")
    }
}

/// Share of each of `jobs` in `budget`, to two digits.
fn limit(budget: f64, jobs: f64) -> f64 {
    let limit = budget / jobs.max(1.0);
    let digit = 10f64.powf(limit.log10().floor() - 1.0);
    // Dividing by a power of ten, not multiplying by its inverse, gives the nearest number to two digits.
    (limit / digit).round() / (1.0 / digit).round().max(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_have_two_digits_and_keep_the_budget() {
        assert_eq!(limit(100.0, 1500.0), 0.067);
        assert_eq!(limit(700.0, 140.0), 5.0);
        assert_eq!(limit(75.0, 1365.0), 0.055);
        for quick in [true, false] {
            let plan = Plan::new(quick);
            let budget = plan.score_budget + plan.fclib_budget + plan.simulate_budget;
            assert!(budget <= if quick { 150.0 } else { 2000.0 });
            assert!(plan.solve_limit() >= 0.03 && plan.run_limit() >= 0.3);
        }
    }
}
