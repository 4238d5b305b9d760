//! Reading files of one record.

use crate::error::BenchError;
use crate::lines::{malformed, record};
use crate::papers::Finding;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::Path;

/// The record that a file is; `None` without the file.
pub fn whole<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, BenchError> {
    let parse = |bytes: Vec<u8>| record(&bytes).map_err(|e| malformed(path, e.line(), &e));
    bytes(path)?.map(parse).transpose()
}

/// The findings in a folder by the names of their files.
pub fn findings(folder: &Path) -> Result<BTreeMap<String, Finding>, BenchError> {
    let mut all = BTreeMap::new();
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(e) if e.kind() == ErrorKind::NotFound => return Ok(all),
        Err(e) => return Err(BenchError::io("read", folder)(e)),
    };
    for entry in entries {
        let path = entry.map_err(BenchError::io("read", folder))?.path();
        if path.extension().is_none_or(|end| end != "json") {
            continue;
        }
        let Some(name) = path.file_stem().map(|n| n.to_string_lossy().into_owned()) else {
            continue;
        };
        if let Some(finding) = whole(&path)? {
            all.insert(name, finding);
        }
    }
    Ok(all)
}

fn bytes(path: &Path) -> Result<Option<Vec<u8>>, BenchError> {
    match std::fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(e) if e.kind() == ErrorKind::NotFound => Ok(None),
        Err(e) => Err(BenchError::io("read", path)(e)),
    }
}
