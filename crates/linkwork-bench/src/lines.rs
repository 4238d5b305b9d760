//! Files with one JSON record per line, appended to as results arrive and read again after an interruption.

use crate::error::BenchError;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

/// The records in the file at `path`; none if there is no file. A truncated last line, as left by a killed program, is
/// ignored.
pub fn read_lines<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>, BenchError> {
    match std::fs::read(path) {
        Ok(text) => parse(path, whole(&text)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(BenchError::io("read", path)(error)),
    }
}

/// Writes `records` to a file that appears completely or not at all.
pub(crate) fn write_lines<T: Serialize>(path: &Path, records: &[T]) -> Result<(), BenchError> {
    let mut text = String::new();
    for record in records {
        text += &line(path, record)?;
    }
    replace(path, text.as_bytes())
}

/// Replaces the file at `path` by `bytes`; at every moment it is the old or the new file.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> Result<(), BenchError> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(".part");
    let beside = PathBuf::from(beside);
    std::fs::write(&beside, bytes).map_err(BenchError::io("write", &beside))?;
    std::fs::rename(&beside, path).map_err(BenchError::io("write", path))
}

/// Appends records to a file with one write each, so that it contains whole lines whenever the program stops (except
/// the last line, if it is killed during a write).
pub(crate) struct Appender<T> {
    path: PathBuf,
    file: File,
    record: PhantomData<T>,
}

impl<T: Serialize + DeserializeOwned> Appender<T> {
    /// Opens the file for this program alone; a truncated line is dropped. Also returns the existing records.
    pub fn open(path: &Path) -> Result<(Self, Vec<T>), BenchError> {
        let mut options = OpenOptions::new();
        let options = options.read(true).write(true).create(true).truncate(false);
        let mut file = options.open(path).map_err(BenchError::io("write", path))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(BenchError::Missing {
                    what: format!("another program is writing '{}'", path.display()),
                    remedy: "wait for it, or choose another folder with --out".to_owned(),
                });
            }
            // A file system without locks: nothing is known.
            Err(TryLockError::Error(_)) => {}
        }
        let mut text = Vec::new();
        file.read_to_end(&mut text)
            .map_err(BenchError::io("read", path))?;
        let whole = whole(&text);
        let records = parse(path, whole)?;
        let cut = |file: &mut File| {
            file.set_len(whole.len() as u64)?;
            file.seek(SeekFrom::End(0))
        };
        cut(&mut file).map_err(BenchError::io("write", path))?;
        let appender = Self {
            path: path.to_owned(),
            file,
            record: PhantomData,
        };
        Ok((appender, records))
    }

    /// Append a record.
    pub fn push(&mut self, record: &T) -> Result<(), BenchError> {
        let line = line(&self.path, record)?;
        self.file
            .write_all(line.as_bytes())
            .map_err(BenchError::io("write", &self.path))
    }
}

/// The text up to its last whole line. As bytes, because the cut may be inside a character.
fn whole(text: &[u8]) -> &[u8] {
    let end = text.iter().rposition(|&b| b == b'\n');
    &text[..end.map_or(0, |end| end + 1)]
}

fn parse<T: DeserializeOwned>(path: &Path, text: &[u8]) -> Result<Vec<T>, BenchError> {
    let parse = |(i, line)| record(line).map_err(|e| malformed(path, i + 1, &e));
    let lines = text.split_inclusive(|&b| b == b'\n');
    lines.enumerate().map(parse).collect()
}

/// JSON has no NaN: such a number of a point is null, and the point is omitted because it cannot be drawn.
pub(crate) fn record<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, serde_json::Error> {
    serde_json::from_slice(bytes).or_else(|first| {
        let mut value: Value = serde_json::from_slice(bytes)?;
        drop_points_without_number(&mut value);
        // The position is more useful than the error of the value.
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

pub(crate) fn malformed(path: &Path, line: usize, error: &serde_json::Error) -> BenchError {
    // The message already starts with the line, and the parser's line number is not that of the file.
    let text = error.to_string();
    let (what, _) = text.rsplit_once(" at line ").unwrap_or((&text, ""));
    BenchError::Malformed {
        path: path.to_owned(),
        line,
        message: format!("{what}, column {}", error.column()),
    }
}

fn line<T: Serialize>(path: &Path, record: &T) -> Result<String, BenchError> {
    let text = serde_json::to_string(record);
    let text = text.map_err(|e| BenchError::io("write", path)(e.into()))?;
    Ok(text + "\n")
}
