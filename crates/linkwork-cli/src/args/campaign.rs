//! Arguments of `linkwork campaign`.

use super::{positive, solver};
use clap::Args as ClapArgs;
use std::path::PathBuf;

/// `linkwork campaign`.
#[derive(Debug, ClapArgs)]
pub struct CampaignArgs {
    /// Seed; the same seed gives the same mechanisms on every machine
    #[arg(long, value_name = "N", default_value = "1")]
    pub seed: u64,
    /// Number of the first mechanism
    #[arg(long, value_name = "N", default_value = "0")]
    pub first: u64,
    /// How many mechanisms
    #[arg(long, value_name = "N", default_value = "100")]
    pub count: u64,
    /// Steps of each
    #[arg(long, value_name = "N", default_value = "1000")]
    pub steps: u64,
    /// Step sizes, s, separated by commas
    #[arg(long, value_name = "S", default_value = "1e-3,5e-3", value_delimiter = ',', value_parser = positive)]
    pub dt: Vec<f64>,
    /// Solver; `linkwork solvers` lists them
    #[arg(long, value_name = "NAME", default_value = linkwork_solve::DEFAULT_SOLVER, value_parser = solver)]
    pub solver: String,
    /// Wall time after which a mechanism is aborted, s
    #[arg(long, value_name = "S", default_value = "60", value_parser = positive)]
    pub limit: f64,
    /// Folder for `results.jsonl` and the mechanisms that failed, as model files
    #[arg(long, value_name = "DIR", default_value = "campaign")]
    pub out: PathBuf,
    /// Do not minimise mechanisms that failed
    #[arg(long)]
    pub no_minimise: bool,
    /// Also minimise mechanisms that only have a failed solve or a slow step
    #[arg(long, conflicts_with = "no_minimise")]
    pub minimise_failed: bool,
}
