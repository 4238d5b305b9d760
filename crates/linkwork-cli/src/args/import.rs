//! Options for models from files.

use clap::Args as ClapArgs;
use std::path::PathBuf;

/// How a model file is taken.
#[derive(Clone, Debug, Default, ClapArgs)]
#[command(next_help_heading = "Model files")]
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
    /// List everything that was ignored, chosen or found odd in the file
    #[arg(long)]
    pub notices: bool,
}

impl FileArgs {
    /// The first of these options that was given.
    pub fn given(&self) -> Option<&'static str> {
        let all = [
            (self.assets.is_some(), "--assets"),
            (!self.packages.is_empty(), "--package"),
            (self.loops.is_some(), "--loops"),
            (self.soft, "--soft"),
            (self.decompose, "--decompose"),
            (self.no_visuals, "--no-visuals"),
            (self.floating, "--floating"),
            (self.key.is_some(), "--key"),
            (self.notices, "--notices"),
        ];
        super::first(&all)
    }
}

fn package(text: &str) -> Result<(String, PathBuf), String> {
    match text.split_once('=') {
        Some((name, folder)) if !name.is_empty() && !folder.is_empty() => {
            Ok((name.to_owned(), PathBuf::from(folder)))
        }
        _ => Err("write it as NAME=DIR".to_owned()),
    }
}
