//! The significant lines of a YAML text.

use crate::{Fault, ImportError, Place};

/// A line without indentation and comment.
#[derive(Clone, Debug)]
pub(super) struct Line<'a> {
    pub indent: usize,
    pub text: &'a str,
    pub number: u32,
}

/// Lines still to be read.
pub(super) struct Lines<'a> {
    pub lines: Vec<Line<'a>>,
    /// The next one.
    pub at: usize,
    place: Place,
}

impl<'a> Lines<'a> {
    /// Split a text.
    pub fn of(text: &'a str, place: &Place) -> Result<Self, ImportError> {
        let text = text.trim_start_matches('\u{feff}');
        let mut all = Self {
            lines: Vec::new(),
            at: 0,
            place: place.clone(),
        };
        for (i, raw) in text.lines().enumerate() {
            let number = i as u32 + 1;
            let line = without_comment(raw).trim_end();
            let text = line.trim_start_matches(' ');
            let indent = line.len() - text.len();
            if text.is_empty() || (text == "---" && all.lines.is_empty()) {
                continue;
            }
            if text.starts_with('\t') {
                let what = "a tab in the indentation";
                return Err(all.error(number, Fault::Syntax, what, "indent with blanks"));
            }
            if text == "---" || text == "..." {
                let what = "a second document";
                return Err(all.error(number, Fault::Unsupported, what, "keep one a file"));
            }
            all.lines.push(Line {
                indent,
                text,
                number,
            });
        }
        Ok(all)
    }

    /// The next line.
    pub fn peek(&self) -> Option<&Line<'a>> {
        self.lines.get(self.at)
    }

    /// The place of a line.
    pub fn place(&self, number: u32) -> Place {
        self.place.at_line(number, 0)
    }

    /// The last line's number, for errors about missing content at the end.
    pub fn last(&self) -> u32 {
        self.lines.last().map_or(1, |l| l.number)
    }

    /// An error in a line.
    pub fn error(&self, number: u32, fault: Fault, what: &str, remedy: &str) -> ImportError {
        ImportError::new(&self.place(number), fault, what, remedy)
    }
}

/// The line up to a `#` that begins it or follows a blank, outside quotes.
fn without_comment(line: &str) -> &str {
    let (mut quote, mut before) = (None, ' ');
    for (i, c) in line.char_indices() {
        match (quote, c) {
            (Some(q), _) if q == c => quote = None,
            // An apostrophe inside a word does not start a quote.
            (None, '"' | '\'') if !before.is_alphanumeric() => quote = Some(c),
            (None, '#') if before.is_whitespace() => return &line[..i],
            _ => {}
        }
        before = c;
    }
    line
}
