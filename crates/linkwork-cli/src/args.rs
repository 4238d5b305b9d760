//! The command line.

mod bench;
mod campaign;
mod controls;
mod examples;
mod import;
mod inverse;
mod method;
mod physics;
mod recording;
mod viewing;

pub use bench::{
    AllArgs, BenchArgs, BenchCommand, OrderArgs, PaperArgs, SampleArgs, ScoreArgs, SimulateArgs,
    SpeedArgs, StepsArgs,
};
pub use campaign::CampaignArgs;
pub use controls::ControlArgs;
pub use import::FileArgs;
pub use inverse::{ContactChoice, InverseArgs};
pub use physics::{PhysicsArgs, Policy};
pub use recording::{CsvArgs, RecordCommand, RecordingArgs, ResumeArgs};
pub use viewing::{ExportArgs, FilmArgs, LookArgs, ShotArgs, TargetArgs, ViewArgs, ViewingArgs};

use viewing::size;

use crate::figure::Format;
use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use linkwork_import::suggest;
use linkwork_solve::known_solvers;
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
    /// Simulate a scene or a model file and print a summary
    #[command(after_help = examples::RUN)]
    Run(Box<RunArgs>),
    /// Show a recording, or a scene paused at its start, in the browser
    #[command(after_help = examples::VIEW)]
    View(ViewArgs),
    /// Write a recording, or a run of a scene, as one self-contained HTML page
    #[command(after_help = examples::EXPORT)]
    Export(ExportArgs),
    /// Write a picture (PNG) of a moment of a recording or scene, with a headless Chromium
    #[command(after_help = examples::SHOT)]
    Shot(ShotArgs),
    /// Write a video of a recording or scene, with a headless Chromium
    #[command(after_help = examples::FILM)]
    Film(Box<FilmArgs>),
    /// Continue a run from a checkpoint, bit for bit
    #[command(after_help = examples::RESUME)]
    Resume(ResumeArgs),
    /// Read a recording
    #[command(subcommand)]
    Record(RecordCommand),
    /// Solve the problems in files with one or more solvers, and compare
    #[command(after_help = examples::SOLVE)]
    Solve(SolveArgs),
    /// Benchmark the solvers, and repeat the experiments of the papers
    #[command(after_help = examples::BENCH)]
    Bench(BenchArgs),
    /// Find the forces behind a recorded motion: torques, reactions, contact forces, and the unexplained rest
    #[command(after_help = examples::INVERSE)]
    Inverse(InverseArgs),
    /// Draw quantities of a recording over time, as SVG or PNG
    #[command(after_help = examples::PLOT)]
    Plot(PlotArgs),
    /// Examine a scene or a model file before running it: counts, mobility, loops, inertias, warnings
    #[command(after_help = examples::CHECK)]
    Check(CheckArgs),
    /// Write a model file or a scene in another format
    #[command(after_help = examples::CONVERT)]
    Convert(ConvertArgs),
    /// Repeat a failed step from the file that the run saved
    #[command(after_help = examples::REPLAY)]
    Replay(ReplayArgs),
    /// Print the hash of a scene's state after some steps, to compare machines
    #[command(after_help = examples::HASH)]
    Hash(HashArgs),
    /// Run random mechanisms and judge them: panics, NaN, energy, open joints, failed solves
    #[command(after_help = examples::CAMPAIGN)]
    Campaign(CampaignArgs),
    /// Print the completion script of a shell
    #[command(after_help = examples::COMPLETIONS)]
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Print the man page, or write one for every command to a folder
    #[command(after_help = examples::MAN)]
    Man {
        /// Folder [default: the page of `linkwork` on standard output]
        #[arg(value_name = "DIR")]
        folder: Option<PathBuf>,
    },
}

/// Which scene, or model file.
#[derive(Debug, ClapArgs)]
pub struct SceneArgs {
    /// Name of the scene (`linkwork scenes` lists them), or a model file: MJCF (.xml), URDF, SDF or
    /// Linkwork's own (.linkwork.toml, .linkwork.json)
    #[arg(value_name = "SCENE|FILE", index = 1)]
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
    /// Time to simulate, s [default: 10; with --view no end]
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = positive)]
    pub time: Option<f64>,
    #[command(flatten)]
    pub scene: SceneArgs,
    #[command(flatten)]
    pub controls: ControlArgs,
    #[command(flatten)]
    pub physics: PhysicsArgs,
    #[command(flatten)]
    pub output: OutputArgs,
    /// Show and control the run in the browser; it starts when the first page is opened
    #[arg(long, help_heading = "Viewing", conflicts_with_all = ["out", "dump", "json", "checkpoint"])]
    pub view: bool,
    #[command(flatten)]
    pub viewing: ViewingArgs,
}

/// What a run leaves behind.
#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Output")]
pub struct OutputArgs {
    /// Write the trajectory to this CSV file: poses and velocities of the centres of mass, joint
    /// coordinates, energy, residuals, controls and sensors
    #[arg(long, value_name = "FILE.csv", value_parser = csv_file)]
    pub out: Option<PathBuf>,
    /// Columns of --out after the time, separated by commas, instead of the usual ones: any names that `linkwork
    /// record quantities` lists, e.g. hinge.angle.effort,foot.contact_z
    #[arg(long, value_name = "NAMES", value_delimiter = ',', requires = "out")]
    pub columns: Vec<String>,
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
    /// Save the first failed step to this file, for `linkwork replay` [default: a temporary file]
    #[arg(long, value_name = "FILE.lwrec", value_parser = recording_file)]
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
    /// Steps to take
    #[arg(long, value_name = "N", default_value = "1000")]
    pub steps: u64,
    /// Threads; the hash does not depend on it [default: the scene's]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    #[command(flatten)]
    pub scene: SceneArgs,
    #[command(flatten)]
    pub controls: ControlArgs,
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
    /// Solvers, separated by commas, or `own`, `printed` (exactly as in a paper) and `all`; `linkwork solvers` lists them
    /// [default: condensed]
    #[arg(long, alias = "solvers", value_name = "NAMES", value_delimiter = ',', value_parser = solvers)]
    pub solver: Vec<String>,
    /// Give the solvers the problems with the joints eliminated
    #[arg(long)]
    pub reduced: bool,
    /// Residual to reach: relative to the free velocity, or with --absolute in N s and m/s
    #[arg(long, value_name = "R", default_value = "1e-6", allow_negative_numbers = true, value_parser = positive)]
    pub tolerance: f64,
    /// Do not normalise the problems
    #[arg(long)]
    pub absolute: bool,
    /// Wall time for a problem and solver, s
    #[arg(long, value_name = "S", default_value = "60", allow_negative_numbers = true, value_parser = positive)]
    pub limit: f64,
    /// Largest number of iterations per solve
    #[arg(long, value_name = "N", default_value = "1000000", allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(1..))]
    pub max_iterations: u32,
    /// Write one row per problem and solver to this CSV file, as results arrive
    #[arg(long, value_name = "FILE.csv", value_parser = csv_file)]
    pub csv: Option<PathBuf>,
    /// Draw the performance profile of the solvers to this SVG file
    #[arg(long, value_name = "FILE.svg", value_parser = svg_file)]
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
    #[arg(long, value_name = "FILE", value_parser = figure_file)]
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
    /// The file to write: .linkwork.toml, .linkwork.json, .xml (MJCF) or .urdf
    #[arg(value_name = "TARGET", index = 2)]
    pub to: PathBuf,
    #[command(flatten)]
    pub from: SceneArgs,
}

/// `linkwork check`.
#[derive(Debug, ClapArgs)]
pub struct CheckArgs {
    /// Write an assembled copy of a model file [default: NAME.fixed.linkwork.toml]
    #[arg(long, value_name = "TARGET", num_args = 0..=1)]
    pub fix: Option<Option<PathBuf>>,
    /// One JSON object on standard output instead of text
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub scene: SceneArgs,
    #[command(flatten)]
    pub controls: ControlArgs,
}

/// The first option that was given.
fn first(all: &[(bool, &'static str)]) -> Option<&'static str> {
    let found = all.iter().find(|(given, _)| *given);
    found.map(|(_, name)| *name)
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

/// A file to write whose name ends in one of `endings` or has no ending.
fn file_ending(text: &str, endings: &[&str]) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    match path.extension() {
        Some(end) if !endings.iter().any(|e| end.eq_ignore_ascii_case(e)) => {
            let endings: Vec<String> = endings.iter().map(|e| format!(".{e}")).collect();
            Err(format!("its name must end in {}", endings.join(" or ")))
        }
        _ => in_folder(path),
    }
}

/// A file to write, whose folder has to be there before work is done for it.
fn in_folder(path: PathBuf) -> Result<PathBuf, String> {
    let folder = path.parent().filter(|f| !f.as_os_str().is_empty());
    match folder.filter(|f| !f.is_dir()) {
        Some(folder) => Err(format!("there is no folder '{}'", folder.display())),
        None => Ok(path),
    }
}

fn csv_file(text: &str) -> Result<PathBuf, String> {
    file_ending(text, &["csv"])
}

fn svg_file(text: &str) -> Result<PathBuf, String> {
    file_ending(text, &["svg"])
}

fn figure_file(text: &str) -> Result<PathBuf, String> {
    match Format::of(text.as_ref()) {
        Some(_) => in_folder(text.into()),
        None => Err("its name must end in .svg or .png".to_owned()),
    }
}

fn png_file(text: &str) -> Result<PathBuf, String> {
    file_ending(text, &["png"])
}

fn html_file(text: &str) -> Result<PathBuf, String> {
    file_ending(text, &["html", "htm"])
}

fn recording_file(text: &str) -> Result<PathBuf, String> {
    file_ending(text, &["lwrec", "mcap"])
}

fn checkpoint_file(text: &str) -> Result<PathBuf, String> {
    file_ending(text, &["lwchk"])
}

/// A solver by its name.
fn solver(text: &str) -> Result<String, String> {
    one_of(text, known_solvers().map(|e| e.name))
}

/// The same, or a set of them.
fn solvers(text: &str) -> Result<String, String> {
    let names = known_solvers().map(|e| e.name);
    one_of(text, names.chain(["own", "printed", "all"]))
}

/// A name of those `known`.
fn one_of(text: &str, known: impl Iterator<Item = &'static str>) -> Result<String, String> {
    let known: Vec<&str> = known.collect();
    match known.iter().find(|name| **name == text.trim()) {
        Some(name) => Ok((*name).to_owned()),
        None => Err(suggest::remedy(text, &known)),
    }
}

fn assignment(text: &str) -> Result<(String, f64), String> {
    let Some((name, value)) = text.split_once('=') else {
        return Err("write it as name=value".to_owned());
    };
    Ok((name.trim().to_owned(), number(value)?))
}
