//! Reading results, with the file and line of what is wrong.

use crate::error::BenchError;
use crate::papers::Finding;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::Path;

/// A record a line. No file is no records; a last line that was cut off while it was written is left out.
pub fn lines<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>, BenchError> {
    let bytes = bytes(path)?.unwrap_or_default();
    let whole = bytes.ends_with(b"\n");
    let pieces: Vec<&[u8]> = bytes.split(|b| *b == b'\n').collect();
    let mut records = Vec::with_capacity(pieces.len());
    for (i, piece) in pieces.iter().enumerate() {
        if piece.trim_ascii().is_empty() {
            continue;
        }
        match record(piece) {
            Ok(record) => records.push(record),
            Err(_) if !whole && i + 1 == pieces.len() => {}
            Err(e) => return Err(malformed(path, i + 1, &e)),
        }
    }
    Ok(records)
}

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

/// JSON has no NaN: a number of a point that was none is null, and such a point is left out as it cannot be
/// drawn.
fn record<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, serde_json::Error> {
    serde_json::from_slice(bytes).or_else(|first| {
        let mut value: Value = serde_json::from_slice(bytes)?;
        drop_points_without_number(&mut value);
        // What the text says of the place is worth more than what the value says.
        serde_json::from_value(value).map_err(|_| first)
    })
}

fn drop_points_without_number(value: &mut Value) {
    let is_point = |v: &Value| {
        v.as_array()
            .is_some_and(|p| p.iter().all(|x| x.is_number() || x.is_null()))
    };
    match value {
        Value::Array(items) => {
            items.retain(|item| {
                !(is_point(item) && item.as_array().is_some_and(|p| p.contains(&Value::Null)))
            });
            items.iter_mut().for_each(drop_points_without_number);
        }
        Value::Object(fields) => fields.values_mut().for_each(drop_points_without_number),
        _ => {}
    }
}

fn malformed(path: &Path, line: usize, error: &serde_json::Error) -> BenchError {
    // The line is in front of the message already, and in a file of lines it is not the parser's.
    let text = error.to_string();
    let (what, _) = text.rsplit_once(" at line ").unwrap_or((&text, ""));
    BenchError::Malformed {
        path: path.to_owned(),
        line,
        message: format!("{what}, column {}", error.column()),
    }
}
