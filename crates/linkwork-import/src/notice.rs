//! What an import did not carry over, changed or found odd.

use crate::Place;
use crate::error::short;
use serde::Serialize;
use std::collections::HashMap;
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};

/// How a notice is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Interpreted differently from the file, or unusual enough to be checked.
    Warning,
    /// In the file, but without effect here.
    Ignored,
    /// A choice that was made for the user.
    Choice,
}

/// Something the user should know of.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Notice {
    /// Its position in the file.
    pub place: Place,
    /// How it is meant.
    pub severity: Severity,
    /// What it is.
    pub what: String,
    /// The remedy; empty if none is needed.
    pub remedy: String,
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.what)?;
        if !self.remedy.is_empty() {
            write!(f, "; {}", self.remedy)?;
        }
        Ok(())
    }
}

/// Notices in the order they arose.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Notices {
    all: Vec<Notice>,
    /// Where the first of every hash is, to find repetitions among many.
    #[serde(skip)]
    seen: HashMap<u64, usize>,
}

impl Notices {
    /// Something of the file without effect.
    pub fn ignored(&mut self, place: &Place, what: impl Into<String>) {
        self.push(place, Severity::Ignored, what, "");
    }

    /// Something odd, or taken differently.
    pub fn warn(&mut self, place: &Place, what: impl Into<String>, remedy: impl Into<String>) {
        self.push(place, Severity::Warning, what, remedy);
    }

    /// A choice that was made.
    pub fn chose(&mut self, place: &Place, what: impl Into<String>, remedy: impl Into<String>) {
        self.push(place, Severity::Choice, what, remedy);
    }

    /// All of them.
    pub fn all(&self) -> &[Notice] {
        &self.all
    }

    /// Take over another list.
    pub fn append(&mut self, other: Notices) {
        for notice in other.all {
            self.add(notice);
        }
    }

    fn push(
        &mut self,
        place: &Place,
        severity: Severity,
        what: impl Into<String>,
        remedy: impl Into<String>,
    ) {
        let notice = Notice {
            place: place.clone(),
            severity,
            what: short(what.into()),
            remedy: short(remedy.into()),
        };
        self.add(notice);
    }

    /// Adds a notice unless it exists: an attribute set in a class occurs once for every element of the class.
    fn add(&mut self, notice: Notice) {
        let mut hasher = DefaultHasher::new();
        notice.hash(&mut hasher);
        let first = *self.seen.entry(hasher.finish()).or_insert(self.all.len());
        if self.all.get(first) != Some(&notice) {
            self.all.push(notice);
        }
    }
}
