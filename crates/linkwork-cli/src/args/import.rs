//! Options for models from files.

use clap::Args as ClapArgs;
use std::path::PathBuf;

/// How a model file is read.
#[derive(Clone, Debug, Default, ClapArgs)]
#[command(next_help_heading = "Model files")]
pub struct FileArgs {
    /// Folder that contains all meshes and included files [default: that of the file]
    #[arg(long, value_name = "DIR")]
    pub assets: Option<PathBuf>,
    /// Folder of `package://NAME/...` paths; may be repeated
    #[arg(long = "package", value_name = "NAME=DIR", value_parser = package)]
    pub packages: Vec<(String, PathBuf)>,
    /// Loops of a URDF [default: NAME.loops.yaml or robot.yaml beside it]
    #[arg(long, value_name = "FILE")]
    pub loops: Option<PathBuf>,
    /// Use MuJoCo's solref and solimp as compliance; otherwise constraints and contacts are hard
    #[arg(long)]
    pub soft: bool,
    /// Split non-convex meshes into convex parts instead of using their hull
    #[arg(long)]
    pub decompose: bool,
    /// Do not load visual shapes
    #[arg(long)]
    pub no_visuals: bool,
    /// Let the root of a URDF float instead of fixing it to the world
    #[arg(long)]
    pub floating: bool,
    /// Start in this stored state (keyframe) of the file [default: its home pose]
    #[arg(long, value_name = "NAME")]
    pub key: Option<String>,
    /// List everything in the file that was ignored, changed or unusual
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
