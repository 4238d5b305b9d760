//! The FCLIB problems of the categories of Table II.

use super::CATEGORIES;
use crate::error::BenchError;
use linkwork_solve::{Problem, fclib};
use std::path::{Path, PathBuf};

/// A problem in its own units, so that one tolerance means the same on all.
pub(super) struct Entry {
    /// Place in [`CATEGORIES`].
    pub category: usize,
    /// File name without ending.
    pub name: String,
    /// The problem, normalised.
    pub problem: Problem,
}

/// The problems in `folder` with at most `rows` rows, by category and name; and messages about files that could not be
/// read.
pub(super) fn load(folder: &Path, rows: usize) -> Result<(Vec<Entry>, Vec<String>), BenchError> {
    let (mut entries, mut notes) = (Vec::new(), Vec::new());
    for (category, path) in find(folder)? {
        let name = path.file_stem().unwrap_or_default();
        let name = name.to_string_lossy().into_owned();
        match fclib::read(&path) {
            Ok(read) if read.problem.rows() <= rows => entries.push(Entry {
                category,
                name,
                problem: read.problem.normalised().0,
            }),
            Ok(_) => {}
            Err(error) => notes.push(format!("{name} was left out: {error}")),
        }
    }
    Ok((entries, notes))
}

/// The files of the categories: folders named after a category, or after it with an ending such as
/// `_regen`.
fn find(folder: &Path) -> Result<Vec<(usize, PathBuf)>, BenchError> {
    let mut files = Vec::new();
    for below in list(folder)? {
        let name = below.file_name().unwrap_or_default().to_string_lossy();
        let name = name.split('_').next().unwrap_or_default();
        let Some(category) = CATEGORIES.iter().position(|c| *c == name) else {
            continue;
        };
        if below.is_dir() {
            let inside = list(&below)?.into_iter();
            let inside = inside.filter(|f| f.extension().is_some_and(|e| e == "hdf5"));
            files.extend(inside.map(|f| (category, f)));
        }
    }
    files.sort();
    Ok(files)
}

fn list(folder: &Path) -> Result<Vec<PathBuf>, BenchError> {
    let read = std::fs::read_dir(folder).map_err(BenchError::io("read", folder))?;
    let paths = read.map(|entry| entry.map(|e| e.path()));
    let paths: Result<Vec<_>, _> = paths.collect();
    paths.map_err(BenchError::io("read", folder))
}
