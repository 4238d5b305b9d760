//! Why a file was refused: where, what, and what to do about it.

use crate::Place;
use std::fmt;

/// What sort of thing is wrong.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fault {
    /// The file cannot be read.
    Unreadable,
    /// The file is too large, or has too many or too deeply nested elements.
    TooLarge,
    /// The text or bytes do not follow the format's grammar, or end too early.
    Syntax,
    /// An element the format does not have.
    UnknownElement,
    /// An attribute the element does not have.
    UnknownAttribute,
    /// Something required is absent.
    Missing,
    /// A value is not of its type or outside its range.
    BadValue,
    /// A name is used twice.
    Duplicate,
    /// A name without an element.
    Unresolved,
    /// Files or elements include themselves.
    Cycle,
    /// A path leads out of the asset root.
    Escape,
    /// Correct in its format, but not something Linkwork can carry.
    Unsupported,
    /// The mechanism as a whole cannot be simulated (massless moving body, impossible inertia …).
    Mechanism,
}

/// A file that cannot be imported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportError {
    /// Where.
    pub place: Place,
    /// What sort.
    pub fault: Fault,
    /// What is wrong, with the offending value.
    pub what: String,
    /// What to do about it.
    pub remedy: String,
}

impl ImportError {
    /// An error at a place.
    pub fn new(
        place: &Place,
        fault: Fault,
        what: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Self {
        Self {
            place: place.clone(),
            fault,
            what: short(what.into()),
            remedy: short(remedy.into()),
        }
    }
}

/// Longest part of a message, characters.
const MAX_MESSAGE: usize = 1000;

/// A text that may quote a name of any length; the middle of a very long name is omitted.
pub(crate) fn short(mut text: String) -> String {
    if text.len() <= MAX_MESSAGE {
        return text;
    }
    let mut cut = [MAX_MESSAGE / 2, text.len() - MAX_MESSAGE / 2];
    for at in &mut cut {
        while !text.is_char_boundary(*at) {
            *at += 1;
        }
    }
    text.replace_range(cut[0]..cut[1], " … ");
    text
}

impl fmt::Display for ImportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}; {}", self.place, self.what, self.remedy)
    }
}

impl std::error::Error for ImportError {}
