//! The experiments of the papers, by name: one file each, one line in [`EXPERIMENTS`].

mod anitescu;
mod anitescu_disks;
mod anitescu_ellipse;
mod anitescu_pendulum;
mod anitescu_theorem;
mod balls;
mod carpentier_engines;
mod carpentier_fclib;
mod carpentier_inverse;
mod carpentier_robots;
mod carpentier_wall;
mod castro_clutter;
mod castro_dual_arm;
mod castro_grasp;
mod castro_slip;
mod castro_spring_cylinder;
mod context;
mod finding;
mod history;
mod pile;
mod primal;
mod printed_admm;
mod robots;
mod rules;
mod todorov_balls;
mod todorov_drop;
mod todorov_table1;
mod tsounis_splitting;

pub use context::Context;
pub use finding::{Finding, Verdict};

use crate::error::BenchError;

/// Runs an experiment.
pub type RunExperiment = fn(&Context) -> Result<Finding, BenchError>;

/// An experiment of a paper.
pub struct Experiment {
    /// Name on the command line.
    pub name: &'static str,
    /// Paper, figures and tables.
    pub source: &'static str,
    /// What the paper finds, in a sentence or two.
    pub claim: &'static str,
    /// When ours agrees: the criterion, with numbers.
    pub criterion: &'static str,
    /// Runs it; `None` if it depends on a later part of Linkwork, named in `criterion`.
    pub run: Option<RunExperiment>,
}

impl Experiment {
    /// Runs it; `None` if it is pending. A quick run never agrees: it can only show that nothing contradicts the
    /// criterion.
    pub fn perform(&self, context: &Context) -> Option<Result<Finding, BenchError>> {
        let run = self.run?;
        let judged = |finding: Finding| match finding.verdict {
            Verdict::Agree if context.quick => Finding {
                verdict: Verdict::NotContradicted,
                ..finding
            },
            _ => finding,
        };
        Some(run(context).map(judged))
    }
}

/// Every experiment, those that wait included.
pub const EXPERIMENTS: &[Experiment] = &[
    anitescu_disks::EXPERIMENT,
    anitescu_ellipse::EXPERIMENT,
    anitescu_pendulum::EXPERIMENT,
    anitescu_theorem::EXPERIMENT,
    carpentier_engines::EXPERIMENT,
    carpentier_fclib::EXPERIMENT,
    carpentier_inverse::EXPERIMENT,
    carpentier_robots::EXPERIMENT,
    carpentier_wall::EXPERIMENT,
    castro_clutter::EXPERIMENT,
    castro_dual_arm::EXPERIMENT,
    castro_grasp::EXPERIMENT,
    castro_slip::EXPERIMENT,
    castro_spring_cylinder::EXPERIMENT,
    todorov_drop::EXPERIMENT,
    todorov_table1::EXPERIMENT,
    tsounis_splitting::EXPERIMENT,
];

/// The experiment called `name`.
pub fn experiment(name: &str) -> Result<&'static Experiment, BenchError> {
    let found = EXPERIMENTS.iter().find(|e| e.name == name);
    let names: Vec<&str> = EXPERIMENTS.iter().map(|e| e.name).collect();
    found.ok_or_else(|| BenchError::unknown("experiment", name, &names))
}
