//! Arguments of `linkwork bench`.

use super::positive;
use clap::{Args as ClapArgs, Subcommand};
use std::path::PathBuf;

/// `linkwork bench`.
#[derive(Debug, ClapArgs)]
#[command(args_conflicts_with_subcommands = true)]
pub struct BenchArgs {
    /// One part only; all, one after the other, where none is named
    #[command(subcommand)]
    pub command: Option<BenchCommand>,
    #[command(flatten)]
    pub all: AllArgs,
}

/// All of the benchmark.
#[derive(Debug, ClapArgs)]
pub struct AllArgs {
    /// Fewer samples, shorter runs: within 5 minutes on two cores
    #[arg(long)]
    pub quick: bool,
    /// The whole benchmark, within an hour [default]
    #[arg(long, conflicts_with = "quick")]
    pub full: bool,
    #[command(flatten)]
    pub out: OutArgs,
}

/// The parts of the benchmark.
#[derive(Debug, Subcommand)]
pub enum BenchCommand {
    /// Run the suite and keep problems of every class
    Sample(SampleArgs),
    /// Solve the samples, and FCLIB problems, with every solver
    Score(ScoreArgs),
    /// Run the suite closed loop with every solver
    Simulate(SimulateArgs),
    /// Write the results as one HTML page, and as CSV
    Report(ReportArgs),
    /// Repeat experiments of the papers and compare
    Paper(PaperArgs),
}

/// Where results are.
#[derive(Debug, ClapArgs)]
pub struct OutArgs {
    /// Folder of samples, results and report; what is there is gone on with
    #[arg(long, value_name = "DIR", default_value = "linkwork-bench")]
    pub out: PathBuf,
}

/// Which systems.
#[derive(Debug, ClapArgs)]
pub struct SystemArgs {
    /// Systems of the suite, separated by commas [default: all]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub systems: Vec<String>,
}

/// Which solvers.
#[derive(Debug, ClapArgs)]
pub struct SolverArgs {
    /// Solvers, separated by commas, or `all`; `linkwork solvers` lists them [default: all]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub solvers: Vec<String>,
    /// Residual to reach, N s and m/s; FCLIB: relative to the free velocity
    #[arg(long, value_name = "R", default_value = "1e-6", allow_negative_numbers = true, value_parser = positive)]
    pub tolerance: f64,
}

/// `linkwork bench sample`.
#[derive(Debug, ClapArgs)]
pub struct SampleArgs {
    #[command(flatten)]
    pub systems: SystemArgs,
    /// As many as `linkwork bench --quick` takes
    #[arg(long)]
    pub quick: bool,
    #[command(flatten)]
    pub out: OutArgs,
}

/// `linkwork bench score`.
#[derive(Debug, ClapArgs)]
pub struct ScoreArgs {
    #[command(flatten)]
    pub solvers: SolverArgs,
    #[command(flatten)]
    pub systems: SystemArgs,
    /// Classes of samples, separated by commas, such as dense-joints [default: all]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub classes: Vec<String>,
    /// Wall time for a solve, s
    #[arg(long, value_name = "S", default_value = "0.2", allow_negative_numbers = true, value_parser = positive)]
    pub limit: f64,
    /// From the impulses of the step before only [default: warm and cold]
    #[arg(long, conflicts_with = "cold")]
    pub warm: bool,
    /// From zero only
    #[arg(long)]
    pub cold: bool,
    /// Also solve the problems in this file or folder; may be repeated
    #[arg(long, value_name = "DIR")]
    pub fclib: Vec<PathBuf>,
    #[command(flatten)]
    pub out: OutArgs,
}

/// `linkwork bench simulate`.
#[derive(Debug, ClapArgs)]
pub struct SimulateArgs {
    #[command(flatten)]
    pub solvers: SolverArgs,
    #[command(flatten)]
    pub systems: SystemArgs,
    /// Time to simulate, s
    #[arg(long, value_name = "S", default_value = "2", allow_negative_numbers = true, value_parser = positive)]
    pub time: f64,
    /// Wall time for a run, s
    #[arg(long, value_name = "S", default_value = "5", allow_negative_numbers = true, value_parser = positive)]
    pub limit: f64,
    #[command(flatten)]
    pub out: OutArgs,
}

/// `linkwork bench report`.
#[derive(Debug, ClapArgs)]
pub struct ReportArgs {
    #[command(flatten)]
    pub out: OutArgs,
}

/// `linkwork bench paper`.
#[derive(Debug, ClapArgs)]
pub struct PaperArgs {
    /// Names of experiments
    #[arg(value_name = "NAME", required_unless_present_any = ["all", "list"])]
    pub names: Vec<String>,
    /// Every experiment
    #[arg(long, conflicts_with = "names")]
    pub all: bool,
    /// Fewer cases and shorter runs
    #[arg(long)]
    pub quick: bool,
    /// List the experiments and what must come out
    #[arg(long, conflicts_with_all = ["names", "all", "quick"])]
    pub list: bool,
    #[command(flatten)]
    pub out: OutArgs,
}
