//! Options and commands around recordings.

use super::{OutputArgs, checkpoint_file, csv_file, examples, number, positive, recording_file};
use clap::{Args as ClapArgs, Subcommand, ValueEnum};
use linkwork_record::Compression;
use std::path::PathBuf;

/// What to record of a run.
#[derive(Debug, ClapArgs)]
pub struct RecordingArgs {
    /// Record every step to this file (an MCAP file)
    #[arg(long, value_name = "FILE.lwrec", value_parser = recording_file)]
    pub record: Option<PathBuf>,
    /// Record every N-th step only
    #[arg(long, value_name = "N", default_value = "1", requires = "record", value_parser = clap::value_parser!(u32).range(1..))]
    pub record_every: u32,
    /// Size of the chunks of the recording, KiB: a crash loses at most the last one
    #[arg(long, value_name = "KIB", default_value = "1024", requires = "record", value_parser = clap::value_parser!(u32).range(1..=65536))]
    pub record_chunk: u32,
    /// Compression of the recording
    #[arg(long, value_name = "HOW", default_value = "none", requires = "record")]
    pub compress: Compress,
    /// Add the channels for the 3D panel of Foxglove: /tf and /scene
    #[arg(long, requires = "record")]
    pub foxglove: bool,
    /// Add a checkpoint to the recording every S seconds of simulated time; one at the end is always
    /// there
    #[arg(long, value_name = "S", requires = "record", allow_negative_numbers = true, value_parser = positive)]
    pub checkpoint_every: Option<f64>,
    /// Write a checkpoint to this file at the end, for `linkwork resume`
    #[arg(long, value_name = "FILE.lwchk", value_parser = checkpoint_file)]
    pub checkpoint: Option<PathBuf>,
}

/// Compression of a recording.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Compress {
    /// None
    None,
    /// LZ4: to about three quarters
    Lz4,
    /// Zstandard: to about one half, at the price of a second processor core
    Zstd,
}

impl From<Compress> for Compression {
    fn from(compress: Compress) -> Self {
        match compress {
            Compress::None => Compression::None,
            Compress::Lz4 => Compression::Lz4,
            Compress::Zstd => Compression::Zstd,
        }
    }
}

/// `linkwork resume`.
#[derive(Debug, ClapArgs)]
pub struct ResumeArgs {
    /// Recording or checkpoint file
    pub file: PathBuf,
    /// Continue from the last checkpoint that is not after this time, s [default: the last one]
    #[arg(long, value_name = "T", allow_negative_numbers = true, value_parser = number)]
    pub at: Option<f64>,
    /// Time to simulate from there, s
    #[arg(long, value_name = "S", default_value = "10", allow_negative_numbers = true, value_parser = positive)]
    pub time: f64,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// `linkwork record`.
#[derive(Debug, Subcommand)]
pub enum RecordCommand {
    /// Print what a recording contains, and whether all of it is readable
    Info {
        /// Recording or checkpoint file
        file: PathBuf,
        /// One JSON object instead of text
        #[arg(long)]
        json: bool,
    },
    /// Write steps of a recording as CSV
    #[command(after_help = examples::CSV)]
    Csv(CsvArgs),
    /// List the names that `--y` takes, with their units
    Quantities {
        /// Recording
        file: PathBuf,
        /// One JSON array instead of text
        #[arg(long)]
        json: bool,
    },
}

/// `linkwork record csv`.
#[derive(Debug, ClapArgs)]
pub struct CsvArgs {
    /// Recording
    pub file: PathBuf,
    /// File to write [default: standard output]
    #[arg(long, value_name = "FILE.csv", value_parser = csv_file)]
    pub out: Option<PathBuf>,
    /// Columns after the time, separated by commas; `linkwork record quantities` lists them [default:
    /// those of `linkwork run --out`]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub y: Vec<String>,
    /// Every N-th recorded step only
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u32).range(1..))]
    pub every: u32,
    /// From this time, s
    #[arg(long, value_name = "T", allow_negative_numbers = true, value_parser = number)]
    pub from: Option<f64>,
    /// Up to this time, s
    #[arg(long, value_name = "T", allow_negative_numbers = true, value_parser = number)]
    pub to: Option<f64>,
}
