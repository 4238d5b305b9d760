//! `linkwork inverse`.

use super::{number, positive};
use clap::{Args as ClapArgs, ValueEnum};
use std::path::PathBuf;

/// `linkwork inverse`.
#[derive(Debug, ClapArgs)]
pub struct InverseArgs {
    /// The recording, with every step
    #[arg(value_name = "FILE.lwrec")]
    pub recording: PathBuf,
    /// Torques to solve for: `drives`, `all`, or names of joints separated by commas
    #[arg(
        long,
        value_name = "WHICH",
        value_delimiter = ',',
        default_value = "drives"
    )]
    pub actuated: Vec<String>,
    /// Which contact forces to return where they are not unique
    #[arg(long, value_name = "WHICH", default_value = "recorded")]
    pub contacts: ContactChoice,
    /// Speed up to which a contact, limit or joint with dry friction counts as at rest, m/s or rad/s [default: 1e-7, or 100 times
    /// the tolerance of the run]
    #[arg(long, value_name = "V", allow_negative_numbers = true, value_parser = positive)]
    pub still: Option<f64>,
    /// From this time, s
    #[arg(long, value_name = "T", allow_negative_numbers = true, value_parser = number)]
    pub from: Option<f64>,
    /// Up to this time, s
    #[arg(long, value_name = "T", allow_negative_numbers = true, value_parser = number)]
    pub to: Option<f64>,
    /// Write a row for every step to this CSV file: unexplained share, torques, the residual wrench
    /// of every body
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
    /// One JSON object on standard output instead of the summary
    #[arg(long)]
    pub json: bool,
}

/// Which contact forces to return where they are not unique.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ContactChoice {
    /// The nearest to those recorded
    Recorded,
    /// The smallest: actuators carry as much of the load as they can
    Least,
}
