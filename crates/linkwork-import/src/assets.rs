//! The folder an import may read from; nothing outside it is accessible.

use crate::{Cache, Fault, ImportError, Options, Place, Progress};
use std::path::{Component, Path, PathBuf};

/// Largest file that is read, bytes.
pub const MAX_FILE_BYTES: u64 = 256 << 20;
/// Maximum size of a text of elements (XML, TOML, JSON, YAML), bytes; in memory it becomes many times as large. The
/// largest robots have some hundred kilobytes.
pub const MAX_TEXT_BYTES: u64 = 32 << 20;

/// Files below one folder, the asset root.
#[derive(Clone, Debug)]
pub struct Assets {
    root: PathBuf,
    cache: Cache,
    progress: Option<Progress>,
}

impl Assets {
    /// Read below `root`, which must exist.
    pub fn below(root: &Path) -> Result<Self, ImportError> {
        let root = if root.as_os_str().is_empty() {
            Path::new(".")
        } else {
            root
        };
        let real = root.canonicalize().map_err(|e| {
            let what = format!("the asset root cannot be opened: {e}");
            let remedy = "give an existing folder with --assets";
            ImportError::new(&Place::file(root), Fault::Unreadable, what, remedy)
        })?;
        Ok(Self {
            root: real,
            cache: Cache::off(),
            progress: None,
        })
    }

    /// The same files, with the cache and the progress of an import.
    pub(crate) fn of_import(self, options: &Options) -> Self {
        Self {
            cache: options.cache.clone(),
            progress: options.progress.clone(),
            ..self
        }
    }

    /// Storage of results for meshes.
    pub(crate) fn cache(&self) -> &Cache {
        &self.cache
    }

    /// As many meshes will be read.
    pub(crate) fn expect_meshes(&self, count: usize) {
        if let Some(progress) = &self.progress {
            progress.expect(count);
        }
    }

    /// A mesh is about to be read.
    pub(crate) fn begin_mesh(&self, file: &Path) {
        if let Some(progress) = &self.progress {
            progress.begin(file);
        }
    }

    /// The root, absolute.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The file that `path` (relative to `folder`, or absolute) refers to, if it exists below the root. A relative
    /// folder is one of the working directory, or otherwise of the root. `place` is the position of the path in the
    /// model file.
    pub fn find(&self, folder: &Path, path: &str, place: &Place) -> Result<PathBuf, ImportError> {
        // The root is a canonical path, so the folder must be canonical for the comparison. Whether a file outside
        // exists does not change the result.
        let folder = match folder.canonicalize() {
            Ok(real) => real,
            Err(_) => folder.to_owned(),
        };
        let asked = folder.join(path.replace('\\', "/"));
        // Checked by name before the file system is accessed, so that not even the existence of a file outside is
        // revealed; then by the canonical path, because of symbolic links.
        let named = self.lexical(&asked);
        if !named.starts_with(&self.root) {
            return Err(self.escape(path, place));
        }
        let real = named.canonicalize().map_err(|e| {
            let what = format!("'{path}' cannot be opened: {e}");
            let remedy = format!(
                "put the file at {} or name its folder with --assets",
                named.display()
            );
            ImportError::new(place, Fault::Unreadable, what, remedy)
        })?;
        if real.starts_with(&self.root) {
            Ok(real)
        } else {
            Err(self.escape(path, place))
        }
    }

    /// The bytes of a mesh or picture that [`find`](Self::find) returned.
    pub fn read(&self, file: &Path, place: &Place) -> Result<Vec<u8>, ImportError> {
        self.read_up_to(MAX_FILE_BYTES, file, place)
    }

    /// The bytes of a text of elements that [`find`](Self::find) returned.
    pub fn read_text(&self, file: &Path, place: &Place) -> Result<Vec<u8>, ImportError> {
        self.read_up_to(MAX_TEXT_BYTES, file, place)
    }

    fn read_up_to(&self, most: u64, file: &Path, place: &Place) -> Result<Vec<u8>, ImportError> {
        let unreadable = |e: std::io::Error| {
            let what = format!("'{}' cannot be read: {e}", file.display());
            let remedy = "check that it is a file and may be read";
            ImportError::new(place, Fault::Unreadable, what, remedy)
        };
        let facts = std::fs::metadata(file).map_err(unreadable)?;
        if !facts.is_file() {
            let what = format!("'{}' is not a file", file.display());
            return Err(ImportError::new(
                place,
                Fault::Unreadable,
                what,
                "name a file",
            ));
        }
        if facts.len() > most {
            let what = format!("'{}' has {} bytes", file.display(), facts.len());
            let remedy = format!("such files above {most} bytes are not read: simplify it");
            return Err(ImportError::new(place, Fault::TooLarge, what, remedy));
        }
        std::fs::read(file).map_err(unreadable)
    }

    fn lexical(&self, path: &Path) -> PathBuf {
        let mut clean = PathBuf::new();
        let from = if path.is_absolute() {
            PathBuf::new()
        } else {
            self.root.clone()
        };
        for part in from.join(path).components() {
            match part {
                Component::ParentDir => {
                    clean.pop();
                }
                Component::CurDir => {}
                other => clean.push(other),
            }
        }
        clean
    }

    fn escape(&self, path: &str, place: &Place) -> ImportError {
        let what = format!(
            "'{path}' leads out of the asset root {}",
            self.root.display()
        );
        let remedy = "move the file below it, or name a wider root with --assets";
        ImportError::new(place, Fault::Escape, what, remedy)
    }
}
