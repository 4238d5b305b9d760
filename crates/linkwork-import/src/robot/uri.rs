//! Paths of meshes and models: `package://`, `model://`, `file://` and plain paths.

use crate::{Assets, Fault, ImportError, Notices, Options, Place};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Most folders looked through for a package.
const MAX_FOLDERS: usize = 20_000;
/// Deepest folder below the asset root that is looked through.
const MAX_DEPTH: usize = 8;

/// Resolves paths in one file.
pub(crate) struct Paths<'a> {
    assets: &'a Assets,
    /// Folder of the file.
    folder: PathBuf,
    /// Folders the user gave, by package name.
    given: BTreeMap<&'a str, &'a Path>,
    /// Where packages were looked for already.
    found: BTreeMap<String, Option<PathBuf>>,
}

impl<'a> Paths<'a> {
    /// Paths of `file`.
    pub fn new(file: &Path, assets: &'a Assets, options: &'a Options) -> Self {
        let folder = file.parent().unwrap_or(Path::new(""));
        let packages = options.packages.iter();
        Self {
            assets,
            // The root is absolute, so a path relative to the file must be made absolute too.
            folder: folder.canonicalize().unwrap_or_else(|_| folder.to_owned()),
            given: packages.map(|(n, p)| (n.as_str(), p.as_path())).collect(),
            found: BTreeMap::new(),
        }
    }

    /// The files these paths may lead to.
    pub fn assets(&self) -> &'a Assets {
        self.assets
    }

    /// The file that `uri` names.
    pub fn resolve(
        &mut self,
        uri: &str,
        place: &Place,
        notices: &mut Notices,
    ) -> Result<PathBuf, ImportError> {
        let within = |scheme: &str| uri.strip_prefix(scheme);
        if let Some(rest) = within("package://").or_else(|| within("model://")) {
            let Some((name, path)) = rest.split_once('/') else {
                return self.without_package(uri, rest, place, notices);
            };
            return self.in_package(uri, name, path, place, notices);
        }
        if let Some(path) = within("file://") {
            return self.assets.find(&self.folder, path, place);
        }
        if uri.contains("://") {
            let what = format!("'{uri}' is not on this machine");
            let remedy = "download the file and give its path";
            return Err(ImportError::new(place, Fault::Unsupported, what, remedy));
        }
        self.assets.find(&self.folder, uri, place)
    }

    /// `package://file`: the file beside the one that refers to it, or in a folder above; otherwise in a package's
    /// folder.
    fn without_package(
        &mut self,
        uri: &str,
        name: &str,
        place: &Place,
        notices: &mut Notices,
    ) -> Result<PathBuf, ImportError> {
        let folders = self.ancestors().into_iter();
        let mut files = folders.filter_map(|f| self.assets.find(&f, name, place).ok());
        match files.find(|f| f.is_file()) {
            Some(file) => Ok(file),
            None => self.in_package(uri, name, "", place, notices),
        }
    }

    /// In a folder given by the user, otherwise in the folder of the package's name, otherwise, because packages are
    /// often copied without their own folder, at any file that matches the end of the path.
    fn in_package(
        &mut self,
        uri: &str,
        name: &str,
        path: &str,
        place: &Place,
        notices: &mut Notices,
    ) -> Result<PathBuf, ImportError> {
        if let Some(folder) = self.given.get(name) {
            let folder = folder
                .canonicalize()
                .unwrap_or_else(|_| folder.to_path_buf());
            return self.assets.find(&folder, path, place);
        }
        if name.is_empty() {
            return self.assets.find(&self.folder, path, place);
        }
        if let Some(folder) = self.package(name) {
            return self.assets.find(&folder, path, place);
        }
        let mut tail = Some(path);
        while let Some(end) = tail.filter(|t| !t.is_empty()) {
            for above in self.ancestors() {
                if let Ok(file) = self.assets.find(&above, end, place) {
                    let start = uri.strip_suffix(end).unwrap_or(uri);
                    let what = format!("{start} is taken to be {}", above.display());
                    let remedy = format!("--package {name}=FOLDER says otherwise");
                    notices.chose(&Place::file(&*place.file), what, remedy);
                    return Ok(file);
                }
            }
            tail = end.split_once('/').map(|(_, rest)| rest);
        }
        let root = self.assets.root().display();
        let what = format!("'{uri}': there is no package '{name}' below {root}");
        let remedy = format!("give its folder with --package {name}=FOLDER, or a wider --assets");
        Err(ImportError::new(place, Fault::Unreadable, what, remedy))
    }

    /// The file's folder and those above it, up to the asset root; only the root if the file is not
    /// below it.
    fn ancestors(&self) -> Vec<PathBuf> {
        let root = self.assets.root();
        let within = self.folder.ancestors().take_while(|f| f.starts_with(root));
        let mut all: Vec<PathBuf> = within.map(Path::to_path_buf).collect();
        if all.is_empty() {
            all.push(root.to_path_buf());
        }
        all
    }

    /// The folder of a package: with that name above the file, beside a folder above it, or anywhere below the root.
    fn package(&mut self, name: &str) -> Option<PathBuf> {
        if let Some(known) = self.found.get(name) {
            return known.clone();
        }
        let near = self.ancestors().into_iter().find_map(|above| {
            let beside = above.join(name);
            match above.file_name() {
                Some(own) if own == name => Some(above),
                _ => beside.is_dir().then_some(beside),
            }
        });
        let folder = near.or_else(|| search(self.assets.root(), name));
        self.found.insert(name.to_owned(), folder.clone());
        folder
    }
}

/// The folder called `name` nearest below `root`, first by name among equally near ones. Symbolic links
/// are not followed.
fn search(root: &Path, name: &str) -> Option<PathBuf> {
    let (mut level, mut seen) = (vec![root.to_path_buf()], 0);
    for _ in 0..MAX_DEPTH {
        let mut below = Vec::new();
        for folder in level {
            let Ok(entries) = std::fs::read_dir(&folder) else {
                continue;
            };
            for entry in entries.flatten() {
                seen += 1;
                if seen > MAX_FOLDERS {
                    return None;
                }
                if entry.file_type().is_ok_and(|t| t.is_dir()) {
                    below.push(entry.path());
                }
            }
        }
        below.sort();
        let here = below
            .iter()
            .find(|f| f.file_name().is_some_and(|n| n == name));
        if let Some(found) = here {
            return Some(found.clone());
        }
        level = below;
    }
    None
}
