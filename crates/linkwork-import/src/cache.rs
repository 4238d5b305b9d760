//! Expensive results for meshes, stored on disk between imports.
//!
//! An entry is a file whose name is the SHA-1 of its complete input: the bytes of the mesh, the kind of result with its
//! parameters, and [`VERSION`]. An entry therefore never becomes stale: other content has another name. It starts with
//! a mark and the SHA-1 of the following bytes; an entry without a valid one counts as missing and is written again.
//! Entries are written under another name and renamed, so that no reader sees half of one. Problems with the folder are
//! not errors: the result is computed again.

use sha1::{Digest, Sha1};
use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::SystemTime;

/// Increased when the format or the computation of entries changes.
const VERSION: u32 = 1;
/// First bytes of an entry.
const MARK: &[u8; 8] = b"lwcache1";
/// End of an entry's name.
const END: &str = "lwc";
/// Maximum size of all entries, bytes; above it the least recently used ones are removed.
const MOST_BYTES: u64 = 1 << 30;

/// A folder of entries, or none.
#[derive(Clone, Debug, Default)]
pub struct Cache {
    store: Option<Arc<Store>>,
}

#[derive(Debug)]
struct Store {
    folder: PathBuf,
    most: u64,
    /// Whether the folder was tidied since it was opened.
    tidied: AtomicBool,
    /// Entries written so far, for names that no other has.
    written: AtomicUsize,
}

/// The name of an entry.
pub(crate) struct Key(Sha1);

impl Key {
    /// Key of a result, from its input and parameters.
    pub fn of(what: &str, numbers: &[u64]) -> Self {
        let mut hash = Sha1::new();
        hash.update(VERSION.to_le_bytes());
        hash.update((what.len() as u64).to_le_bytes());
        hash.update(what);
        hash.update((numbers.len() as u64).to_le_bytes());
        for number in numbers {
            hash.update(number.to_le_bytes());
        }
        Self(hash)
    }

    /// Adds content; its length must follow from the content added before.
    pub fn add(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    fn name(self) -> String {
        let digest = self.0.finalize();
        let hex: String = digest.iter().map(|b| format!("{b:02x}")).collect();
        format!("{hex}.{END}")
    }
}

impl Cache {
    /// Nothing is kept.
    pub fn off() -> Self {
        Self::default()
    }

    /// Entries in `folder`, which is made when the first is written.
    pub fn at(folder: impl Into<PathBuf>) -> Self {
        Self::bounded(folder, MOST_BYTES)
    }

    /// The same with another bound of all entries together, bytes.
    pub fn bounded(folder: impl Into<PathBuf>, most: u64) -> Self {
        let store = Store {
            folder: folder.into(),
            most,
            tidied: AtomicBool::new(false),
            written: AtomicUsize::new(0),
        };
        Self {
            store: Some(Arc::new(store)),
        }
    }

    /// The user's choice: `LINKWORK_CACHE` is `off` or a folder; otherwise the folder is `linkwork` in `XDG_CACHE_HOME`
    /// or in `.cache` of the home folder.
    pub fn of_user() -> Self {
        let set = |name: &str| std::env::var_os(name).filter(|v| !v.is_empty());
        match set("LINKWORK_CACHE") {
            Some(off) if off == OsStr::new("off") => Self::off(),
            Some(folder) => Self::at(folder),
            None => {
                let home = || set("HOME").map(|home| Path::new(&home).join(".cache"));
                let folder = set("XDG_CACHE_HOME").map(PathBuf::from).or_else(home);
                folder.map_or_else(Self::off, |f| Self::at(f.join("linkwork")))
            }
        }
    }

    /// Whether anything is kept.
    pub(crate) fn is_on(&self) -> bool {
        self.store.is_some()
    }

    /// The result of `make` for the key, from the cache if `read` accepts the entry there.
    pub(crate) fn get_or<T, E>(
        &self,
        key: Key,
        read: impl FnOnce(&[u8]) -> Option<T>,
        write: impl FnOnce(&T) -> Vec<u8>,
        make: impl FnOnce() -> Result<T, E>,
    ) -> Result<T, E> {
        let Some(store) = &self.store else {
            return make();
        };
        let path = store.folder.join(key.name());
        let known = read_entry(&path);
        if let Some(known) = known.as_deref().and_then(|k| read(&k[HEADER..])) {
            return Ok(known);
        }
        let made = make()?;
        store.put(&path, &write(&made));
        Ok(made)
    }
}

/// Bytes of mark and checksum.
const HEADER: usize = MARK.len() + 20;

/// The whole entry, if it is one and undamaged.
fn read_entry(path: &Path) -> Option<Vec<u8>> {
    let bytes = fs::read(path).ok()?;
    let (head, rest) = bytes.split_at_checked(HEADER)?;
    let whole = head.starts_with(MARK) && head[MARK.len()..] == Sha1::digest(rest)[..];
    if !whole {
        return None;
    }
    // The time of the last use, by which entries are removed.
    if let Ok(file) = fs::File::options().append(true).open(path) {
        let _ = file.set_modified(SystemTime::now());
    }
    Some(bytes)
}

impl Store {
    /// Write an entry, if that is possible.
    fn put(&self, path: &Path, content: &[u8]) {
        let number = self.written.fetch_add(1, Ordering::Relaxed);
        let name = format!("{}-{number}.tmp.{END}", std::process::id());
        let draft = self.folder.join(name);
        let write = || -> std::io::Result<()> {
            fs::create_dir_all(&self.folder)?;
            let mut file = fs::File::create(&draft)?;
            file.write_all(MARK)?;
            file.write_all(&Sha1::digest(content))?;
            file.write_all(content)?;
            drop(file);
            fs::rename(&draft, path)
        };
        if write().is_err() {
            let _ = fs::remove_file(&draft);
        }
        if !self.tidied.swap(true, Ordering::Relaxed) {
            self.tidy();
        }
    }

    /// Removes the least recently used entries until the rest fit. Other files are not touched.
    fn tidy(&self) {
        let Ok(list) = fs::read_dir(&self.folder) else {
            return;
        };
        let mut entries: Vec<(SystemTime, u64, PathBuf)> = list
            .filter_map(|entry| {
                let path = entry.ok()?.path();
                let facts = path.metadata().ok()?;
                let ours = path.extension() == Some(OsStr::new(END)) && facts.is_file();
                ours.then_some((facts.modified().ok()?, facts.len(), path))
            })
            .collect();
        entries.sort_unstable();
        let mut total: u64 = entries.iter().map(|e| e.1).sum();
        for (_, size, path) in entries {
            if total <= self.most {
                return;
            }
            let _ = fs::remove_file(path);
            total -= size;
        }
    }
}
