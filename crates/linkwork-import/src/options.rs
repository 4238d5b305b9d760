//! How to import.

use crate::{Cache, Progress};
use std::path::PathBuf;

/// Choices of the user.
#[non_exhaustive]
#[derive(Clone, Debug)]
pub struct Options {
    /// Folder below which meshes and included files must lie; the file's own unless given.
    pub assets: Option<PathBuf>,
    /// Folders of `package://NAME/…` paths, by name; searched for below the asset root otherwise.
    pub packages: Vec<(String, PathBuf)>,
    /// Honour MuJoCo's solref and solimp as compliance; otherwise constraints and contacts are hard.
    pub soft: bool,
    /// Split non-convex collision meshes into convex parts instead of taking their hull.
    pub decompose: bool,
    /// Carry shapes that are only seen.
    pub visuals: bool,
    /// File with the loops of a URDF; searched beside the URDF unless given.
    pub loops: Option<PathBuf>,
    /// Float a URDF's root instead of fixing it to the world.
    pub floating: bool,
    /// Cache for hulls and convex parts of meshes; `Cache::of_user()` is that of the command line.
    pub cache: Cache,
    /// Told of each mesh before it is read.
    pub progress: Option<Progress>,
}

impl Default for Options {
    /// Hard constraints, convex hulls, visual shapes loaded, assets beside the file, no cache.
    fn default() -> Self {
        Self {
            assets: None,
            packages: Vec::new(),
            soft: false,
            decompose: false,
            visuals: true,
            loops: None,
            floating: false,
            cache: Cache::off(),
            progress: None,
        }
    }
}

impl Options {
    /// The default ones with changes: `Options::with(|s| s.soft = true)`.
    pub fn with(change: impl FnOnce(&mut Self)) -> Self {
        let mut settings = Self::default();
        change(&mut settings);
        settings
    }
}
