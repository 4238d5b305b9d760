//! Inline lists and maps, which may run over several lines, and scalars.

use super::lines::Lines;
use super::{MAX_DEPTH, Node, Value};
use crate::{Fault, ImportError};

/// A position in lines: the line is `lines.at`, the offset in its text is `column`.
pub(super) struct Flow<'a, 'b> {
    pub lines: &'b mut Lines<'a>,
    pub column: usize,
}

impl Flow<'_, '_> {
    /// Read a value that begins here with `[`, `{` or a quote, up to its end; the line must end there.
    pub fn whole(mut self, depth: usize) -> Result<Node, ImportError> {
        let node = self.value(depth)?;
        let line = &self.lines.lines[self.lines.at];
        if !line.text[self.column..].trim().is_empty() {
            return Err(self.syntax("text after the end of a value", "begin a new line"));
        }
        self.lines.at += 1;
        Ok(node)
    }

    fn value(&mut self, depth: usize) -> Result<Node, ImportError> {
        if depth > MAX_DEPTH {
            let what = format!("values are nested more than {MAX_DEPTH} deep");
            let number = self.number();
            return Err(self
                .lines
                .error(number, Fault::TooLarge, &what, "simplify the file"));
        }
        let first = self.next_char()?;
        let place = self.lines.place(self.number());
        let value = match first {
            '[' => self.list(depth)?,
            '{' => self.map(depth)?,
            _ => Value::Scalar(self.scalar()?),
        };
        Ok(Node { value, place })
    }

    fn list(&mut self, depth: usize) -> Result<Value, ImportError> {
        self.column += 1;
        let mut items = Vec::new();
        while self.next_char()? != ']' {
            items.push(self.value(depth + 1)?);
            self.separator(']')?;
        }
        self.column += 1;
        Ok(Value::List(items))
    }

    fn map(&mut self, depth: usize) -> Result<Value, ImportError> {
        self.column += 1;
        let mut entries: Vec<(String, Node)> = Vec::new();
        while self.next_char()? != '}' {
            let key = self.scalar()?;
            if self.next_char()? != ':' {
                return Err(self.syntax("no colon after a key", "write {key: value}"));
            }
            self.column += 1;
            let value = self.value(depth + 1)?;
            if entries.iter().any(|(k, _)| *k == key) {
                let what = format!("key '{key}' exists already");
                return Err(value.error(Fault::Duplicate, what, "keep one"));
            }
            entries.push((key, value));
            self.separator('}')?;
        }
        self.column += 1;
        Ok(Value::Map(entries))
    }

    /// A comma, unless the end follows.
    fn separator(&mut self, end: char) -> Result<(), ImportError> {
        match self.next_char()? {
            ',' => self.column += 1,
            c if c == end => {}
            _ => return Err(self.syntax("no comma between values", "separate them by commas")),
        }
        Ok(())
    }

    /// A quoted scalar, or a plain one up to the next punctuation.
    fn scalar(&mut self) -> Result<String, ImportError> {
        let quote = self.next_char()?;
        let rest = &self.lines.lines[self.lines.at].text[self.column..];
        if quote == '"' || quote == '\'' {
            let Some(end) = rest[1..].find(quote) else {
                return Err(self.syntax("a quote without its end", "close it on its line"));
            };
            let text = rest[1..=end].to_owned();
            if quote == '"' && text.contains('\\') {
                return Err(self.syntax("a backslash in quotes", "use single quotes"));
            }
            self.column += end + 2;
            return Ok(text);
        }
        let colon = |i: usize| rest[i + 1..].chars().next().is_none_or(char::is_whitespace);
        let end = rest
            .char_indices()
            .find(|&(i, c)| matches!(c, ',' | '[' | ']' | '{' | '}') || (c == ':' && colon(i)));
        let text = rest[..end.map_or(rest.len(), |(i, _)| i)].trim_end();
        if text.is_empty() {
            return Err(self.syntax("a value is missing", "write one"));
        }
        plain(text, self.number(), self.lines)?;
        let text = text.to_owned();
        self.column += text.len();
        Ok(text)
    }

    /// The next character that is not blank, on this or a following line.
    fn next_char(&mut self) -> Result<char, ImportError> {
        while let Some(line) = self.lines.peek() {
            let rest = &line.text[self.column..];
            let text = rest.trim_start();
            if let Some(c) = text.chars().next() {
                self.column += rest.len() - text.len();
                return Ok(c);
            }
            self.lines.at += 1;
            self.column = 0;
        }
        Err(self.syntax("the file ends inside a value", "close brackets and quotes"))
    }

    fn number(&self) -> u32 {
        self.lines.peek().map_or(self.lines.last(), |l| l.number)
    }

    fn syntax(&self, what: &str, remedy: &str) -> ImportError {
        self.lines.error(self.number(), Fault::Syntax, what, remedy)
    }
}

/// Refuse scalars that mean something else in YAML.
pub(super) fn plain(text: &str, number: u32, lines: &Lines) -> Result<(), ImportError> {
    if text.starts_with(['&', '*', '!', '|', '>', '%', '@', '`']) {
        let what = format!("'{text}': anchors, tags and block scalars are not read");
        let remedy = "write the value itself, in quotes if it begins so";
        return Err(lines.error(number, Fault::Unsupported, &what, remedy));
    }
    Ok(())
}
