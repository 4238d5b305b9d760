//! Problems in files: FCLIB and our own.

use crate::error::BenchError;
use linkwork_solve::{Problem, fclib};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// A file that should hold a problem.
pub struct Input {
    /// Name in tables: its path below the given folder, without extension.
    pub name: String,
    path: PathBuf,
}

/// What was changed in a problem to read it.
#[derive(Serialize)]
pub struct Note {
    /// The problem.
    pub problem: String,
    /// What was done.
    pub note: String,
}

/// A file that holds no problem.
#[derive(Serialize)]
pub struct BadFile {
    /// The file.
    pub file: PathBuf,
    /// Why, with the remedy.
    pub error: String,
}

/// The files at `paths`, folders searched for problems; each folder's sorted.
pub fn find(paths: &[PathBuf]) -> Result<Vec<Input>, BenchError> {
    let mut inputs: Vec<Input> = Vec::new();
    for path in paths {
        let kind = std::fs::metadata(path).map_err(BenchError::io("read", path))?;
        if !kind.is_dir() {
            inputs.push(Input {
                name: name(path, path.parent().unwrap_or(Path::new(""))),
                path: path.clone(),
            });
            continue;
        }
        let mut files = Vec::new();
        search(path, &mut files).map_err(BenchError::io("search", path))?;
        files.sort();
        inputs.extend(files.into_iter().map(|file| Input {
            name: name(&file, path),
            path: file,
        }));
    }
    if inputs.is_empty() {
        let folders: Vec<String> = paths.iter().map(|p| p.display().to_string()).collect();
        let folders = folders.join(", ");
        return Err(BenchError::Missing {
            what: format!("no problem (.hdf5, .h5 or .json) in {folders}"),
            remedy: format!("write some with 'linkwork run SCENE --dump {folders}'"),
        });
    }
    tell_apart(&mut inputs);
    Ok(inputs)
}

/// Adds the problem files in `folder` and below. Links to folders are not followed, because they may form a cycle.
fn search(folder: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let path = entry.path();
        if entry.file_type()?.is_dir() {
            search(&path, files)?;
        } else if matches!(ending(&path).as_str(), "hdf5" | "h5" | "json") && path.is_file() {
            files.push(path);
        }
    }
    Ok(())
}

fn ending(path: &Path) -> String {
    let ending = path.extension().unwrap_or_default();
    ending.to_string_lossy().to_ascii_lowercase()
}

fn name(path: &Path, folder: &Path) -> String {
    let below = path.strip_prefix(folder).unwrap_or(path);
    below.with_extension("").display().to_string()
}

/// Files of the same name go by their whole path.
fn tell_apart(inputs: &mut [Input]) {
    let mut seen = std::collections::BTreeMap::new();
    for input in inputs.iter() {
        *seen.entry(input.name.clone()).or_insert(0) += 1;
    }
    for input in inputs.iter_mut().filter(|i| seen[&i.name] > 1) {
        input.name = input.path.display().to_string();
    }
}

impl Input {
    /// Read the problem, and what had to be changed in it.
    pub fn load(&self) -> Result<(Problem, Vec<Note>), BadFile> {
        let read = match ending(&self.path).as_str() {
            "json" => Problem::load(&self.path)
                .map(|problem| (problem, Vec::new()))
                .map_err(|e| e.to_string()),
            "hdf5" | "h5" => fclib::read(&self.path)
                .map(|read| (read.problem, read.notes))
                .map_err(|e| e.to_string()),
            _ => Err(format!(
                "{}: neither an FCLIB file (.hdf5, .h5) nor a Linkwork problem (.json)",
                self.path.display()
            )),
        };
        let (problem, notes) = read.map_err(|error| BadFile {
            file: self.path.clone(),
            error,
        })?;
        let note = |note| Note {
            problem: self.name.clone(),
            note,
        };
        Ok((problem, notes.into_iter().map(note).collect()))
    }
}
