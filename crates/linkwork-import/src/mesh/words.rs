//! Text as words that know their line.

use crate::{Fault, ImportError, Place};

/// The words of a text, one after the other.
pub(super) struct Words<'a> {
    rest: &'a [u8],
    line: u32,
    place: &'a Place,
}

impl<'a> Words<'a> {
    /// From the beginning of `text`, which starts at line `line` of the file at `place`.
    pub fn new(text: &'a [u8], line: u32, place: &'a Place) -> Self {
        Self {
            rest: text,
            line,
            place,
        }
    }

    /// The next word; `None` at the end.
    pub fn next(&mut self) -> Option<&'a [u8]> {
        loop {
            match self.rest.first()? {
                b'\n' => self.line = self.line.saturating_add(1),
                c if !c.is_ascii_whitespace() => break,
                _ => {}
            }
            self.rest = &self.rest[1..];
        }
        let end = self.rest.iter().position(u8::is_ascii_whitespace);
        let (word, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest;
        Some(word)
    }

    /// The next word, which must be there.
    pub fn need(&mut self) -> Result<&'a [u8], ImportError> {
        self.next().ok_or_else(|| {
            let remedy = "the file is cut off: export it again";
            self.error("the text ends too early", remedy)
        })
    }

    /// The next word, which must be `word` (in any case).
    pub fn expect(&mut self, word: &str) -> Result<(), ImportError> {
        let found = self.need()?;
        if found.eq_ignore_ascii_case(word.as_bytes()) {
            return Ok(());
        }
        let what = format!("'{}' where '{word}' should be", shown(found));
        Err(self.error(what, "export the mesh again"))
    }

    /// Skip the rest of the line.
    pub fn skip_line(&mut self) {
        let end = self.rest.iter().position(|b| *b == b'\n');
        self.rest = &self.rest[end.unwrap_or(self.rest.len())..];
    }

    /// The next word as a finite number.
    pub fn number(&mut self) -> Result<f64, ImportError> {
        let word = self.need()?;
        number(word, || self.here())
    }

    /// Bytes that are left.
    pub fn left(&self) -> usize {
        self.rest.len()
    }

    /// Position of the last word.
    pub fn here(&self) -> Place {
        self.place.at_line(self.line, 0)
    }

    fn error(&self, what: impl Into<String>, remedy: &str) -> ImportError {
        ImportError::new(&self.here(), Fault::Syntax, what, remedy)
    }
}

/// A word as a finite number.
pub(super) fn number(word: &[u8], here: impl FnOnce() -> Place) -> Result<f64, ImportError> {
    let value = std::str::from_utf8(word)
        .ok()
        .and_then(|w| w.parse::<f64>().ok());
    match value.filter(|x| x.is_finite()) {
        Some(value) => Ok(value),
        None => {
            let what = format!("'{}' is not a finite number", shown(word));
            let remedy = "correct the number, or export the mesh again";
            Err(ImportError::new(&here(), Fault::BadValue, what, remedy))
        }
    }
}

/// The beginning of a word, for a message.
pub(super) fn shown(word: &[u8]) -> String {
    String::from_utf8_lossy(&word[..word.len().min(40)]).into_owned()
}
