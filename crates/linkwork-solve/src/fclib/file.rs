//! Datasets of an HDF5 file, with errors that name them.

use super::FclibError;
use crate::file::MAX_PROBLEM_BYTES;
use hdf5_reader::error::Error;
use hdf5_reader::{Dataset, Datatype, Hdf5File, OpenOptions};
use std::path::{Path, PathBuf};

/// Maximum size of one dataset, bytes: a damaged size must not exhaust the memory.
const LARGEST_DATASET: usize = 1 << 30;

/// An open file.
pub(super) struct Source {
    path: PathBuf,
    file: Hdf5File,
}

impl Source {
    pub fn open(path: &Path) -> Result<Self, FclibError> {
        let io = |source| FclibError::Io {
            path: path.to_owned(),
            source,
        };
        // Opening a pipe would wait for its writer forever.
        let facts = std::fs::metadata(path).map_err(io)?;
        if facts.len() > MAX_PROBLEM_BYTES {
            return Err(FclibError::TooLarge {
                path: path.to_owned(),
                bytes: facts.len(),
            });
        }
        if !facts.is_file() {
            return Err(io(std::io::Error::other("not a regular file")));
        }
        let bytes = std::fs::read(path).map_err(io)?;
        let options = OpenOptions::default().with_max_read_bytes(LARGEST_DATASET);
        let file =
            Hdf5File::from_vec_with_options(bytes, options).map_err(|e| FclibError::NotHdf5 {
                path: path.to_owned(),
                message: e.to_string(),
            })?;
        Ok(Self {
            path: path.to_owned(),
            file,
        })
    }

    pub fn path(&self) -> PathBuf {
        self.path.clone()
    }

    /// Names of the groups at the root.
    pub fn roots(&self) -> Result<Vec<String>, FclibError> {
        let names = self.file.root_group().and_then(|root| root.member_names());
        match names {
            Ok((groups, _)) => Ok(groups),
            Err(e) => Err(FclibError::NotHdf5 {
                path: self.path(),
                message: e.to_string(),
            }),
        }
    }

    /// Whether the group is there.
    pub fn has_group(&self, group: &str) -> bool {
        self.file.group(group).is_ok()
    }

    /// Whether the dataset is there.
    pub fn has(&self, dataset: &str) -> bool {
        self.file.dataset(dataset).is_ok()
    }

    pub fn invalid(&self, dataset: &str, message: impl Into<String>) -> FclibError {
        FclibError::Invalid {
            path: self.path(),
            dataset: dataset.to_owned(),
            message: message.into(),
        }
    }

    /// One whole number.
    pub fn integer(&self, name: &str) -> Result<i64, FclibError> {
        match self.integers(name)?[..] {
            [value] => Ok(value),
            ref values => {
                let message = format!("{} values where one is needed", values.len());
                Err(self.invalid(name, message))
            }
        }
    }

    /// Whole numbers, 32 or 64 bits.
    pub fn integers(&self, name: &str) -> Result<Vec<i64>, FclibError> {
        let dataset = self.dataset(name)?;
        match dataset.dtype() {
            Datatype::FixedPoint { size: 8, .. } => dataset
                .read_array::<i64>()
                .map(|a| a.into_iter().collect())
                .map_err(|e| self.unreadable(name, &e)),
            _ => dataset
                .read_array::<i32>()
                .map(|a| a.into_iter().map(i64::from).collect())
                .map_err(|e| self.unreadable(name, &e)),
        }
    }

    /// Finite numbers.
    pub fn numbers(&self, name: &str) -> Result<Vec<f64>, FclibError> {
        let values: Vec<f64> = self
            .dataset(name)?
            .read_array::<f64>()
            .map_err(|e| self.unreadable(name, &e))?
            .into_iter()
            .collect();
        match values.iter().position(|x| !x.is_finite()) {
            None => Ok(values),
            Some(at) => {
                let message = format!("value {at} is {}, must be finite", values[at]);
                Err(self.invalid(name, message))
            }
        }
    }

    /// `len` finite numbers.
    pub fn vector(&self, name: &str, len: usize) -> Result<Vec<f64>, FclibError> {
        let values = self.numbers(name)?;
        if values.len() == len {
            Ok(values)
        } else {
            let message = format!("{} values where {len} are needed", values.len());
            Err(self.invalid(name, message))
        }
    }

    /// A text, empty where there is none: titles are for people, and no reason to refuse a problem.
    pub fn text(&self, name: &str) -> String {
        let text = self.file.dataset(name).and_then(|d| d.read_string());
        text.unwrap_or_default().trim().to_owned()
    }

    fn dataset(&self, name: &str) -> Result<Dataset, FclibError> {
        self.file.dataset(name).map_err(|e| match root_cause(&e) {
            Error::DatasetNotFound(_) | Error::GroupNotFound(_) => FclibError::Missing {
                path: self.path(),
                dataset: name.to_owned(),
            },
            e => self.unreadable(name, e),
        })
    }

    fn unreadable(&self, name: &str, e: &Error) -> FclibError {
        let message = format!(
            "cannot be read ({}); fetch or write it again",
            root_cause(e)
        );
        self.invalid(name, message)
    }
}

fn root_cause(e: &Error) -> &Error {
    match e {
        Error::Context { source, .. } => root_cause(source),
        e => e,
    }
}
