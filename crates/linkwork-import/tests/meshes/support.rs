//! Loading the files of a test.

use linkwork_import::mesh::{self, Mesh};
use linkwork_import::{Assets, ImportError, Notices, Place};

pub use crate::folder::Folder;

/// Load a file of a folder.
pub fn load_from(folder: &Folder, name: &str) -> (Result<Mesh, ImportError>, Notices) {
    let assets = Assets::below(folder.path()).unwrap();
    let place = Place::file("robot.urdf");
    let mut notices = Notices::default();
    let file = assets.find(assets.root(), name, &place).unwrap();
    (mesh::load(&assets, &file, &place, &mut notices), notices)
}

/// Load the bytes of one file.
pub fn load(name: &str, bytes: impl AsRef<[u8]>) -> (Result<Mesh, ImportError>, Notices) {
    let folder = Folder::new();
    folder.write(name, bytes);
    load_from(&folder, name)
}

/// Load the bytes of one file that is as it should be.
pub fn loaded(name: &str, bytes: impl AsRef<[u8]>) -> Mesh {
    load(name, bytes).0.unwrap()
}

/// Load the bytes of one file that must be refused.
pub fn refused(name: &str, bytes: impl AsRef<[u8]>) -> ImportError {
    let error = load(name, bytes).0.unwrap_err();
    assert!(
        !error.what.is_empty() && !error.remedy.is_empty(),
        "{error}"
    );
    error
}

/// A place and notices for calls that need them.
pub fn aside() -> (Place, Notices) {
    (Place::file("test"), Notices::default())
}

/// Whether any notice contains `text`.
pub fn tells(notices: &Notices, text: &str) -> bool {
    notices.all().iter().any(|n| n.what.contains(text))
}

/// Run something that must take little processor time and memory.
pub fn bounded<T>(what: &str, run: impl FnOnce() -> T) -> T {
    let result = crate::work::within(2.0, what, run);
    if let Some(peak) = peak_megabytes() {
        assert!(peak < 256.0, "{what}: {peak} MB");
    }
    result
}

/// Maximum memory of this process so far, if the system reports it.
fn peak_megabytes() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|l| l.starts_with("VmHWM:"))?;
    let kilobytes: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes / 1024.0)
}
