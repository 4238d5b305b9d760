//! What the tests of the importers share.
#![allow(dead_code, reason = "every test file uses its part")]

#[path = "../../../../tests/folder.rs"]
pub mod folder;
pub mod kinds;
#[path = "../../../../tests/missing.rs"]
pub mod missing;
pub mod python;
pub mod sdf;
pub mod urdf;
pub mod work;

pub use folder::Folder;
use linkwork_import::{ImportError, Imported, Options, load};
use missing::missing;
use std::path::PathBuf;

/// Import a text as the file `name`.
pub fn import(name: &str, text: &str, options: &Options) -> Result<Imported, ImportError> {
    let folder = Folder::new();
    load(&folder.write(name, text), options)
}

/// The folder of third-party models, which are not part of the project: beside it, or in LINKWORK_DATA.
pub fn models() -> Option<PathBuf> {
    data("models")
}

/// The folder of robots that were not seen when the importer was written.
pub fn robots() -> Option<PathBuf> {
    data("robots")
}

fn data(name: &str) -> Option<PathBuf> {
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data");
    let data = std::env::var_os("LINKWORK_DATA").map_or_else(|| beside.into(), PathBuf::from);
    let folder = data.join(name);
    if folder.is_dir() {
        return Some(folder);
    }
    missing(&format!(
        "no third-party {name}; set LINKWORK_DATA to the folder above '{name}'"
    ));
    None
}

/// Whether one of the notices contains `text`.
pub fn told(imported: &Imported, text: &str) -> bool {
    let all = imported.notices.all();
    all.iter().any(|n| n.to_string().contains(text))
}
