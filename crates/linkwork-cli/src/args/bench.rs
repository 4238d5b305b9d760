//! Arguments of `linkwork bench`.

use super::{SceneArgs, positive, solver, solvers};
use clap::{Args as ClapArgs, Subcommand};
use linkwork::Integrator;
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
    /// Run the suite in closed loop with every solver
    Simulate(SimulateArgs),
    /// Time scenes with their default solver: steps per CPU second, where the time goes, cost against size
    Speed(SpeedArgs),
    /// Take steps from a checkpoint: what `speed --instructions` runs under valgrind
    #[command(hide = true)]
    Steps(StepsArgs),
    /// Measure integrators: orders over four step sizes, and the energy of passive four-bars over a long run
    Order(OrderArgs),
    /// Repeat experiments of the papers and compare
    Paper(PaperArgs),
    /// Write the page and the CSV files of the present results
    Report(OutArgs),
}

/// Where results are.
#[derive(Debug, ClapArgs)]
pub struct OutArgs {
    /// Folder of samples, results and report; existing results are continued
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
    /// Solvers, separated by commas, or `own`, `printed` (exactly as in a paper) and `all`; `linkwork solvers` lists them
    /// [default: all; closed loop: own]
    #[arg(long, alias = "solver", value_name = "NAMES", value_delimiter = ',', value_parser = solvers)]
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

/// `linkwork bench speed`.
#[derive(Debug, ClapArgs)]
pub struct SpeedArgs {
    /// Scenes, separated by commas: those of the table at its sizes, others as they are for 2 s [default: the table,
    /// unless there is --model or --sizes]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub scenes: Vec<String>,
    /// A model file, or FILE@KEY to start in its stored state KEY; may be repeated
    #[arg(long, value_name = "FILE[@KEY]")]
    pub model: Vec<String>,
    /// A scene at several sizes (its parameter n), with fitted exponents of the cost; may be repeated
    #[arg(long, value_name = "SCENE=N,N,...", value_parser = sizes)]
    pub sizes: Vec<(String, Vec<f64>)>,
    /// Timed runs of each; the median counts
    #[arg(long, value_name = "K", default_value = "5", value_parser = clap::value_parser!(u32).range(1..))]
    pub repeats: u32,
    /// Time to simulate, s [default: the table's; 2 for others]
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = positive)]
    pub time: Option<f64>,
    /// Step size, s [default: the scene's or file's]
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = positive)]
    pub dt: Option<f64>,
    /// Solver; `linkwork solvers` lists them [default: the scene's]
    #[arg(long, value_name = "NAME", value_parser = solver)]
    pub solver: Option<String>,
    /// Residual at which a solve ends, N s and m/s [default: the scene's]
    #[arg(long, value_name = "R", allow_negative_numbers = true, value_parser = positive)]
    pub tolerance: Option<f64>,
    /// Also count instructions per step with callgrind, over this many steps in the middle of each part (moving, at rest)
    #[arg(long, value_name = "STEPS", num_args = 0..=1, default_missing_value = "20", value_parser = clap::value_parser!(u32).range(1..))]
    pub instructions: Option<u32>,
    #[command(flatten)]
    pub out: OutArgs,
}

/// `linkwork bench order`.
#[derive(Debug, ClapArgs)]
pub struct OrderArgs {
    /// Integrators, separated by spaces; see `linkwork run --help` [default: all that have a name]
    #[arg(long, value_name = "NAMES", num_args = 1..)]
    pub integrators: Vec<Integrator>,
    /// Time over which the energy of `fourbar_fixed` and `coupled_fourbars` is followed, s [default: not followed]
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = positive)]
    pub drift: Option<f64>,
    /// Step size of that run, s [default: the scene's]
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = positive)]
    pub dt: Option<f64>,
    /// Four-bars that are coupled
    #[arg(long, value_name = "N", default_value = "16", value_parser = clap::value_parser!(u32).range(1..=512))]
    pub coupled: u32,
}

/// `linkwork bench steps`.
#[derive(Debug, ClapArgs)]
pub struct StepsArgs {
    #[command(flatten)]
    pub scene: SceneArgs,
    /// The checkpoint
    #[arg(long, value_name = "FILE")]
    pub from: PathBuf,
    /// Steps to take
    #[arg(long, value_name = "N")]
    pub steps: u64,
}

/// A scene and its sizes.
fn sizes(text: &str) -> Result<(String, Vec<f64>), String> {
    let usage = || "write it as SCENE=N,N,...".to_owned();
    let (scene, list) = text.split_once('=').ok_or_else(usage)?;
    let sizes: Result<Vec<f64>, _> = list.split(',').map(positive).collect();
    match sizes {
        Ok(sizes) if !scene.is_empty() => Ok((scene.to_owned(), sizes)),
        _ => Err(usage()),
    }
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
    /// List the experiments and their criteria
    #[arg(long, conflicts_with_all = ["names", "all", "quick"])]
    pub list: bool,
    #[command(flatten)]
    pub out: OutArgs,
}
