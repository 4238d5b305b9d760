//! The command line of what is shown: `view`, `export`, `shot` and the options of `run --view`.

use super::{FileArgs, assignment, not_negative, positive};
use clap::{Args as ClapArgs, ValueEnum};
use std::path::PathBuf;

/// How something is shown in the browser.
#[derive(Clone, Debug, ClapArgs)]
#[command(next_help_heading = "Options for viewing")]
pub struct ViewingArgs {
    /// Address to listen on; who can reach it can look, and with the token control
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    pub bind: String,
    /// Port to listen on; 0 for any free one
    #[arg(long, value_name = "N", default_value = "0")]
    pub port: u16,
    /// Open the page in the desktop's browser
    #[arg(long)]
    pub open: bool,
    /// Multiple of real time to run at; 0 for as fast as possible
    #[arg(long, value_name = "X", default_value = "1", allow_negative_numbers = true, value_parser = not_negative)]
    pub speed: f64,
    /// Start standing still
    #[arg(long)]
    pub paused: bool,
}

/// `linkwork view`.
#[derive(Debug, ClapArgs)]
pub struct ViewArgs {
    /// A recording, a model file, or the name of a scene; `linkwork scenes` lists them
    #[arg(value_name = "FILE|SCENE")]
    pub target: String,
    /// Set a parameter of the scene; may be repeated
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = assignment)]
    pub set: Vec<(String, f64)>,
    #[command(flatten)]
    pub file: FileArgs,
    #[command(flatten)]
    pub viewing: ViewingArgs,
}

/// `linkwork export`.
#[derive(Debug, ClapArgs)]
pub struct ExportArgs {
    /// A recording, or a model file or scene, which is run for it
    #[arg(value_name = "FILE|SCENE")]
    pub target: String,
    /// Set a parameter of the scene; may be repeated
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = assignment)]
    pub set: Vec<(String, f64)>,
    #[command(flatten)]
    pub file: FileArgs,
    /// The page to write
    #[arg(long, value_name = "FILE.html")]
    pub html: PathBuf,
    /// Frames a second of simulated time
    #[arg(long, value_name = "N", default_value = "30", allow_negative_numbers = true, value_parser = positive)]
    pub fps: f64,
    /// Begin at this time, s
    #[arg(long, value_name = "S", default_value = "0", allow_negative_numbers = true, value_parser = not_negative)]
    pub from: f64,
    /// End at this time, s [default: the end of the recording; of a scene 10]
    #[arg(long, visible_alias = "time", value_name = "S", allow_negative_numbers = true, value_parser = positive)]
    pub to: Option<f64>,
    /// Refuse to write a larger page
    #[arg(long, value_name = "MB", default_value = "50", allow_negative_numbers = true, value_parser = positive)]
    pub max_mb: f64,
}

/// `linkwork shot`.
#[derive(Debug, ClapArgs)]
pub struct ShotArgs {
    /// A recording, or a model file or scene, which is run for it
    #[arg(value_name = "FILE|SCENE")]
    pub target: String,
    /// Set a parameter of the scene; may be repeated
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = assignment)]
    pub set: Vec<(String, f64)>,
    #[command(flatten)]
    pub file: FileArgs,
    /// The moment, s
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = not_negative)]
    pub at: f64,
    /// The picture to write
    #[arg(long, value_name = "FILE.png")]
    pub out: PathBuf,
    /// Width and height in pixels
    #[arg(long, value_name = "WxH", default_value = "1280x800", value_parser = size)]
    pub size: (u32, u32),
    /// Colours
    #[arg(long, default_value = "light")]
    pub theme: Theme,
    /// Where it is seen from
    #[arg(long, default_value = "iso")]
    pub view: ShotView,
    /// With panels and plots, not only the mechanism
    #[arg(long)]
    pub panels: bool,
    /// What else to show, separated by commas: contacts, cones, forces, joints, reactions, trails, ...
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = switch)]
    pub show: Vec<String>,
    /// What not to show, separated by commas: grid, shadows, ...
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = switch)]
    pub hide: Vec<String>,
}

/// Colours of the page.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Theme {
    /// Light on dark
    Dark,
    /// Dark on light
    Light,
}

/// Where a picture is seen from.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum ShotView {
    /// From a corner
    Iso,
    /// Along y
    Front,
    /// Along x
    Side,
    /// From above
    Top,
}

/// Display switches of the page, as in viewer/src/types.ts.
const SWITCHES: [&str; 14] = [
    "grid",
    "shadows",
    "contacts",
    "cones",
    "forces",
    "joints",
    "limits",
    "reactions",
    "heat",
    "trails",
    "frames",
    "names",
    "wireframe",
    "collision",
];

fn switch(text: &str) -> Result<String, String> {
    let name = text.trim();
    if SWITCHES.contains(&name) {
        return Ok(name.to_owned());
    }
    Err(format!("choose of: {}", SWITCHES.join(", ")))
}

/// Width and height of a picture, pixels: `1280x800`.
pub fn size(text: &str) -> Result<(u32, u32), String> {
    let parse = |n: &str| n.trim().parse().ok().filter(|n| (16..=8192).contains(n));
    let (width, height) = text.split_once(['x', 'X']).unwrap_or((text, ""));
    match (parse(width), parse(height)) {
        (Some(width), Some(height)) => Ok((width, height)),
        _ => Err("write it as WIDTHxHEIGHT, each 16 to 8192".to_owned()),
    }
}
