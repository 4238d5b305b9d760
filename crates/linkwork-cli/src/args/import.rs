//! Options for models from files.

use super::number;
use clap::Args as ClapArgs;
use std::path::PathBuf;

/// How a model file is taken.
#[derive(Clone, Debug, Default, ClapArgs)]
#[command(next_help_heading = "Options for model files")]
pub struct FileArgs {
    /// Folder below which meshes and included files must lie [default: the file's]
    #[arg(long, value_name = "DIR")]
    pub assets: Option<PathBuf>,
    /// Folder of `package://NAME/...` paths; may be repeated
    #[arg(long = "package", value_name = "NAME=DIR", value_parser = package)]
    pub packages: Vec<(String, PathBuf)>,
    /// Loops of a URDF [default: NAME.loops.yaml or robot.yaml beside it]
    #[arg(long, value_name = "FILE")]
    pub loops: Option<PathBuf>,
    /// Take MuJoCo's solref and solimp as compliance; otherwise everything is hard
    #[arg(long)]
    pub soft: bool,
    /// Split meshes that are not convex into convex parts instead of taking their hull
    #[arg(long)]
    pub decompose: bool,
    /// Leave out shapes that are only seen
    #[arg(long)]
    pub no_visuals: bool,
    /// Float a URDF's root instead of fixing it to the world
    #[arg(long)]
    pub floating: bool,
    /// Start in this stored state of the file [default: its home]
    #[arg(long, value_name = "NAME")]
    pub key: Option<String>,
    /// Move every control as a sine of its own frequency, by this share of its range, 0 to 1
    #[arg(long, value_name = "SHARE", value_parser = share)]
    pub actuate: Option<f64>,
    /// Put a stiff servo in the place of every motor on a joint, and move it as a sine by this much about
    /// its start, rad (a tenth of it in m on sliders)
    #[arg(long, value_name = "AMPLITUDE", value_parser = number, conflicts_with = "actuate")]
    pub track: Option<f64>,
    /// List everything that was ignored, chosen or found odd in the file
    #[arg(long)]
    pub notices: bool,
}

fn package(text: &str) -> Result<(String, PathBuf), String> {
    match text.split_once('=') {
        Some((name, folder)) if !name.is_empty() && !folder.is_empty() => {
            Ok((name.to_owned(), PathBuf::from(folder)))
        }
        _ => Err("write it as NAME=DIR".to_owned()),
    }
}

fn share(text: &str) -> Result<f64, String> {
    match number(text)? {
        value if (0.0..=1.0).contains(&value) => Ok(value),
        _ => Err("it must lie between 0 and 1".to_owned()),
    }
}
