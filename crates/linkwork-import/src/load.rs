//! Import by file name.

use crate::mjcf;
use crate::own;
use crate::suggest;
use crate::{Assets, Fault, ImportError, Notices, Options, Place};
use linkwork::model::{Counts, Model};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A model, and what should be known of its import.
#[derive(Clone)]
pub struct Imported {
    /// The model.
    pub model: Arc<Model>,
    /// What the file contains.
    pub counts: Counts,
    /// What was ignored, chosen or found odd.
    pub notices: Notices,
}

/// A reader of one format: the file, its bytes, the folder it may read from, the user's choices.
pub(crate) type Reader = fn(&Path, &[u8], &Assets, &Options) -> Result<Imported, ImportError>;

/// Formats by how a file's name ends, longest first.
const FORMATS: &[(&str, Reader)] = &[
    (".linkwork.toml", own::read_toml),
    (".linkwork.json", own::read_json),
    (".urdf", crate::urdf::read),
    (".xml", mjcf::read),
    (".mjcf", mjcf::read),
    (".world", crate::sdf::read),
    (".sdf", crate::sdf::read),
];

/// Whether a file's name ends as that of a format that is read.
pub fn is_known(file: &Path) -> bool {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let lower = name.to_lowercase();
    FORMATS.iter().any(|(end, _)| lower.ends_with(end))
}

/// Import a file.
pub fn load(file: &Path, options: &Options) -> Result<Imported, ImportError> {
    let place = Place::file(file);
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let lower = name.to_lowercase();
    let Some((_, reader)) = FORMATS.iter().find(|(end, _)| lower.ends_with(end)) else {
        let ends: Vec<_> = FORMATS.iter().map(|f| f.0).collect();
        let what = "the ending of its name is of no known format";
        return Err(ImportError::new(
            &place,
            Fault::Unsupported,
            what,
            suggest::remedy(&lower, &ends),
        ));
    };
    let assets = match &options.assets {
        Some(root) => Assets::below(root)?,
        None => Assets::below(&default_root(file))?,
    };
    let assets = assets.of_import(options);
    // The file itself may lie anywhere: the user named it.
    let bytes = assets.read_text(file, &place)?;
    reader(file, &bytes, &assets, options)
}

/// Folders that contain descriptions beside the folders of their meshes, as in ROS packages and MuJoCo's collections.
const BESIDE_MESHES: &[&str] = &["urdf", "robots", "sdf", "mjcf", "xml", "xacro"];

/// The folder below which assets are searched, unless the user names one: the file's own, or its parent if the folder
/// is only a part of a package.
fn default_root(file: &Path) -> PathBuf {
    let folder = file.parent().unwrap_or(Path::new(""));
    let real = if folder.as_os_str().is_empty() {
        Path::new(".").canonicalize()
    } else {
        folder.canonicalize()
    };
    // A folder that is not there is reported when it is opened.
    let Ok(real) = real else {
        return folder.to_owned();
    };
    let name = real.file_name().unwrap_or_default().to_string_lossy();
    match real.parent() {
        Some(above) if BESIDE_MESHES.contains(&name.to_lowercase().as_str()) => above.to_owned(),
        _ => real,
    }
}
