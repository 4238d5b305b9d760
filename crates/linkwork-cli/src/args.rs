//! The command line.

mod bench;
mod campaign;
mod import;
mod method;
mod recording;
mod viewing;

pub use bench::{
    AllArgs, BenchArgs, BenchCommand, PaperArgs, SampleArgs, ScoreArgs, SimulateArgs, SpeedArgs,
    StepsArgs,
};
pub use campaign::CampaignArgs;
pub use import::FileArgs;
pub use method::MethodArgs;
pub use recording::{CsvArgs, RecordCommand, RecordingArgs, ResumeArgs};
pub use viewing::{ExportArgs, ShotArgs, ShotView, Theme, ViewArgs, ViewingArgs};

use viewing::size;

use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
use linkwork::{FailurePolicy, Impacts};
use std::path::PathBuf;

/// Simulates rigid mechanisms with loops, redundant joints, limits, drives and frictional contact.
#[derive(Debug, Parser)]
#[command(name = "linkwork", version, arg_required_else_help = true)]
pub struct Args {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// List the built-in scenes with their parameters
    Scenes {
        /// One JSON array instead of text
        #[arg(long)]
        json: bool,
    },
    /// List the solvers
    Solvers {
        /// One JSON array instead of text
        #[arg(long)]
        json: bool,
    },
    /// Simulate a scene or a model file and report how well it went
    Run(Box<RunArgs>),
    /// Show a recording in the browser, or a scene, standing still at its start
    View(ViewArgs),
    /// Write a recording, or a run of a scene, as one HTML page that needs nothing else
    Export(ExportArgs),
    /// Write a picture (PNG) of a moment of a recording or scene, with a headless Chromium
    Shot(ShotArgs),
    /// Go on with a run from a checkpoint, with the same bits
    Resume(ResumeArgs),
    /// Look into a recording
    #[command(subcommand)]
    Record(RecordCommand),
    /// Solve the problems in files with one or more solvers, and compare
    Solve(SolveArgs),
    /// Which solver is accurate, fast and robust on which kind of problem; and the papers' experiments
    Bench(BenchArgs),
    /// Draw quantities of a recording over time, as SVG or PNG
    Plot(PlotArgs),
    /// Examine a scene or a model file before running it: counts, mobility, loops, inertias, warnings
    Check(CheckArgs),
    /// Write a model file or a scene in another format
    Convert(ConvertArgs),
    /// Take a failed step again, from the file that the run left
    Replay(ReplayArgs),
    /// Print the hash of a scene's state after some steps, to compare machines
    Hash(HashArgs),
    /// Run random mechanisms and judge them: panics, NaN, energy, open joints, failed solves
    Campaign(CampaignArgs),
}

/// Which scene, or model file.
#[derive(Debug, ClapArgs)]
pub struct SceneArgs {
    /// Name of the scene (`linkwork scenes` lists them), or a model file: MJCF (.xml), URDF, SDF or
    /// Linkwork's own (.linkwork.toml, .linkwork.json)
    #[arg(value_name = "SCENE|FILE")]
    pub scene: String,
    /// Set a parameter of the scene; may be repeated
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = assignment)]
    pub set: Vec<(String, f64)>,
    #[command(flatten)]
    pub file: FileArgs,
}

/// `linkwork run`.
#[derive(Debug, ClapArgs)]
pub struct RunArgs {
    #[command(flatten)]
    pub scene: SceneArgs,
    /// Time to simulate, s [default: 10; with --view no end]
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = positive)]
    pub time: Option<f64>,
    /// Step size, s [default: the scene's]
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = positive)]
    pub dt: Option<f64>,
    /// Solver; `linkwork solvers` lists them [default: the scene's]
    #[arg(long, value_name = "NAME")]
    pub solver: Option<String>,
    /// Let the solver work on the problem without its joints, which are eliminated first
    #[arg(long)]
    pub reduced: bool,
    /// Residual at which a solve ends, N s and m/s [default: the scene's]
    #[arg(long, value_name = "R", allow_negative_numbers = true, value_parser = positive)]
    pub tolerance: Option<f64>,
    /// Iterations after which a solve gives up [default: the scene's]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(1..))]
    pub max_iterations: Option<u32>,
    /// Threads; results do not depend on it [default: the scene's]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// What a solve that does not converge does [default: the scene's]
    #[arg(long)]
    pub policy: Option<Policy>,
    /// In which order impacts with restitution happen that fall in one step [default: the scene's]
    #[arg(long, value_name = "ORDER")]
    pub impacts: Option<Order>,
    #[command(flatten)]
    pub method: MethodArgs,
    #[command(flatten)]
    pub output: OutputArgs,
    /// Show the run in the browser, where it can be controlled; it starts with the first viewer
    #[arg(long, conflicts_with_all = ["out", "dump", "json", "checkpoint"])]
    pub view: bool,
    #[command(flatten)]
    pub viewing: ViewingArgs,
}

/// What a run leaves behind.
#[derive(Debug, ClapArgs)]
pub struct OutputArgs {
    /// Write the trajectory to this CSV file: poses and velocities of the centres of mass, joint
    /// coordinates, energy and how each step went
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Write the complementarity problems of the steps to this folder, for `linkwork solve`
    #[arg(long, value_name = "DIR")]
    pub dump: Option<PathBuf>,
    /// Write every N-th step's problem only
    #[arg(long, value_name = "N", default_value = "1", requires = "dump", value_parser = clap::value_parser!(u32).range(1..))]
    pub dump_every: u32,
    /// Format of the problems written
    #[arg(long, value_name = "FORMAT", default_value = "json", requires = "dump")]
    pub dump_format: DumpFormat,
    #[command(flatten)]
    pub recording: RecordingArgs,
    /// Keep the first step that fails in this file, for `linkwork replay` [default: a file among the system's
    /// temporary ones]
    #[arg(long, value_name = "FILE.lwrec")]
    pub replay: Option<PathBuf>,
    /// One JSON object on standard output instead of the summary
    #[arg(long)]
    pub json: bool,
}

/// `linkwork replay`.
#[derive(Debug, ClapArgs)]
pub struct ReplayArgs {
    /// The file that `linkwork run` names where a step failed
    #[arg(value_name = "FILE.lwrec")]
    pub file: PathBuf,
}

/// `linkwork hash`.
#[derive(Debug, ClapArgs)]
pub struct HashArgs {
    #[command(flatten)]
    pub scene: SceneArgs,
    /// Steps to take
    #[arg(long, value_name = "N", default_value = "1000")]
    pub steps: u64,
    /// Threads; the hash does not depend on it [default: the scene's]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
}

/// Format of a problem file.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum DumpFormat {
    /// Bodies, Jacobian and all; reads back to the same bits
    Json,
    /// Local FCLIB problem (HDF5): contacts and joints only, bodies condensed
    Fclib,
}

/// `linkwork solve`.
#[derive(Debug, ClapArgs)]
pub struct SolveArgs {
    /// Problems: FCLIB files (.hdf5, .h5), Linkwork files (.json), or folders to search for them
    #[arg(required = true, value_name = "FILE|FOLDER")]
    pub paths: Vec<PathBuf>,
    /// Solvers, separated by commas, or `own`, `printed` (to the letter of a paper) and `all`; `linkwork solvers` lists them
    /// [default: condensed]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub solver: Vec<String>,
    /// Let the solvers work on the problems without their joints, which are eliminated first
    #[arg(long)]
    pub reduced: bool,
    /// Residual to reach: relative to the free velocity, or with --absolute in N s and m/s
    #[arg(long, value_name = "R", default_value = "1e-6", allow_negative_numbers = true, value_parser = positive)]
    pub tolerance: f64,
    /// Solve the problems as they are, not in units of their own
    #[arg(long)]
    pub absolute: bool,
    /// Wall time for a problem and solver, s
    #[arg(long, value_name = "S", default_value = "60", allow_negative_numbers = true, value_parser = positive)]
    pub limit: f64,
    /// Iterations after which a solve gives up
    #[arg(long, value_name = "N", default_value = "1000000", allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(1..))]
    pub max_iterations: u32,
    /// Write a row for every problem and solver to this CSV file, as they come
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
    /// Draw the performance profile of the solvers to this SVG file
    #[arg(long, value_name = "FILE.svg")]
    pub profile: Option<PathBuf>,
    /// One JSON object on standard output instead of tables
    #[arg(long)]
    pub json: bool,
}

/// `linkwork plot`.
#[derive(Debug, ClapArgs)]
pub struct PlotArgs {
    /// The recording
    #[arg(value_name = "FILE.lwrec")]
    pub recording: PathBuf,
    /// What to draw, separated by commas; `linkwork record quantities FILE` lists all
    #[arg(
        long,
        value_name = "NAMES",
        value_delimiter = ',',
        default_value = "residual,closure_error,energy,iterations"
    )]
    pub y: Vec<String>,
    /// The picture, ending in .svg or .png [default: the recording's name with .svg]
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Begin at this time, s
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = number)]
    pub from: Option<f64>,
    /// End at this time, s
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = number)]
    pub to: Option<f64>,
    /// Width and height in pixels [default: 1000 wide, a panel for every unit]
    #[arg(long, value_name = "WIDTHxHEIGHT", value_parser = size)]
    pub size: Option<(u32, u32)>,
}

/// `linkwork convert`.
#[derive(Debug, ClapArgs)]
pub struct ConvertArgs {
    #[command(flatten)]
    pub from: SceneArgs,
    /// The file to write: .linkwork.toml, .linkwork.json, .xml (MJCF) or .urdf
    #[arg(value_name = "TARGET")]
    pub to: PathBuf,
}

/// `linkwork check`.
#[derive(Debug, ClapArgs)]
pub struct CheckArgs {
    #[command(flatten)]
    pub scene: SceneArgs,
    /// Write an assembled copy of a model file [default: NAME.fixed.linkwork.toml]
    #[arg(long, value_name = "TARGET", num_args = 0..=1)]
    pub fix: Option<Option<PathBuf>>,
    /// One JSON object on standard output instead of text
    #[arg(long)]
    pub json: bool,
}

/// What a solve that does not converge does.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Policy {
    /// Apply the last iterate and count the failure
    Accept,
    /// Repeat the step as two halves, up to eight times over
    Substep,
    /// Keep poses and velocities, let time go on
    Hold,
    /// Stop with exit code 1
    Error,
}

impl From<Policy> for FailurePolicy {
    fn from(policy: Policy) -> Self {
        match policy {
            Policy::Accept => FailurePolicy::Accept,
            Policy::Substep => FailurePolicy::Substep { depth: 8 },
            Policy::Hold => FailurePolicy::Hold,
            Policy::Error => FailurePolicy::Error,
        }
    }
}

/// In which order impacts happen that fall in one step.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Order {
    /// All at once
    AtOnce,
    /// One after the other, as in Newton's cradle
    Sequential,
}

impl From<Order> for Impacts {
    fn from(order: Order) -> Self {
        match order {
            Order::AtOnce => Impacts::AtOnce,
            Order::Sequential => Impacts::Sequential,
        }
    }
}

fn number(text: &str) -> Result<f64, String> {
    match text.trim().parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(value),
        _ => Err(format!("'{text}' is not a finite number")),
    }
}

fn positive(text: &str) -> Result<f64, String> {
    match number(text)? {
        value if value > 0.0 => Ok(value),
        _ => Err("it must be positive".to_owned()),
    }
}

fn not_negative(text: &str) -> Result<f64, String> {
    match number(text)? {
        value if value >= 0.0 => Ok(value),
        _ => Err("it must not be negative".to_owned()),
    }
}

fn assignment(text: &str) -> Result<(String, f64), String> {
    let Some((name, value)) = text.split_once('=') else {
        return Err("write it as name=value".to_owned());
    };
    Ok((name.trim().to_owned(), number(value)?))
}
