//! JSON text to a tree and back, with the place of every value.

use super::tree::{Content, Key, Node, Text};
use crate::ImportError;
use std::fmt::Write;

/// Deepest nesting that is read; the format needs six.
const MAX_DEPTH: usize = 32;

/// Read the text.
pub(super) fn parse(text: &Text) -> Result<Node, ImportError> {
    let mut reader = Reader { text, at: 0 };
    let root = reader.value(0)?;
    reader.space();
    if reader.at < text.text.len() {
        return Err(text.syntax(reader.at, "there is text after the end of the object"));
    }
    Ok(root)
}

struct Reader<'a> {
    text: &'a Text<'a>,
    at: usize,
}

impl Reader<'_> {
    fn rest(&self) -> &[u8] {
        &self.text.text.as_bytes()[self.at..]
    }

    fn space(&mut self) {
        let blank = |b: &&u8| matches!(b, b' ' | b'\t' | b'\n' | b'\r');
        self.at += self.rest().iter().take_while(blank).count();
    }

    /// The next byte that is not blank.
    fn peek(&mut self) -> Option<u8> {
        self.space();
        self.rest().first().copied()
    }

    fn expect(&mut self, byte: u8, what: &str) -> Result<(), ImportError> {
        if self.peek() == Some(byte) {
            self.at += 1;
            return Ok(());
        }
        let wanted = format!("'{}' is expected {what}", char::from(byte));
        Err(self.text.syntax(self.at, wanted))
    }

    fn value(&mut self, depth: usize) -> Result<Node, ImportError> {
        let next = self.peek();
        let at = self.at;
        if depth > MAX_DEPTH {
            return Err(self
                .text
                .syntax(at, "lists and objects are nested too deeply"));
        }
        let content = match next {
            Some(b'{') => Content::Table(self.table(depth)?),
            Some(b'[') => Content::List(self.list(depth)?),
            Some(b'"') => Content::Text(self.string()?),
            Some(_) => self.word()?,
            None => {
                return Err(self
                    .text
                    .syntax(at, "the text ends where a value is expected"));
            }
        };
        Ok(Node { at, content })
    }

    fn table(&mut self, depth: usize) -> Result<Vec<(Key, Node)>, ImportError> {
        self.at += 1;
        let mut entries: Vec<(Key, Node)> = Vec::new();
        let mut seen = std::collections::HashSet::new();
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(entries);
        }
        loop {
            self.space();
            let at = self.at;
            let name = self.string()?;
            if !seen.insert(name.clone()) {
                return Err(self.text.syntax(at, format!("key '{name}' is given twice")));
            }
            self.expect(b':', "after a key")?;
            let value = self.value(depth + 1)?;
            entries.push((Key { at, name }, value));
            if self.peek() == Some(b',') {
                self.at += 1;
                continue;
            }
            self.expect(b'}', "after an entry")?;
            return Ok(entries);
        }
    }

    fn list(&mut self, depth: usize) -> Result<Vec<Node>, ImportError> {
        self.at += 1;
        let mut items = Vec::new();
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(items);
        }
        loop {
            items.push(self.value(depth + 1)?);
            if self.peek() == Some(b',') {
                self.at += 1;
                continue;
            }
            self.expect(b']', "after an item")?;
            return Ok(items);
        }
    }

    fn string(&mut self) -> Result<String, ImportError> {
        let start = self.at;
        let mut escaped = true; // the opening quote does not close
        for (i, byte) in self.rest().iter().enumerate() {
            match byte {
                b'"' if !escaped => {
                    self.at = start + i + 1;
                    let quoted = &self.text.text[start..self.at];
                    let text = serde_json::from_str(quoted);
                    return text.map_err(|e| self.text.syntax(start, e.to_string()));
                }
                b'\\' if !escaped => escaped = true,
                _ if i == 0 && *byte != b'"' => break,
                _ => escaped = false,
            }
        }
        Err(self.text.syntax(start, "a quoted text is expected"))
    }

    /// A number, `true`, `false` or `null`.
    fn word(&mut self) -> Result<Content, ImportError> {
        let part = |b: &&u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.');
        let end = self.at + self.rest().iter().take_while(part).count();
        let word = &self.text.text[self.at..end];
        let number = word.starts_with(|c: char| c == '-' || c.is_ascii_digit());
        let content = match word {
            "true" => Content::Bool(true),
            "false" => Content::Bool(false),
            "null" => Content::Null,
            _ if number => match (word.parse(), word.parse()) {
                (Ok(i), _) => Content::Integer(i),
                (_, Ok(f)) => Content::Float(f),
                _ => return Err(self.text.syntax(self.at, format!("'{word}' is no number"))),
            },
            _ => return Err(self.text.syntax(self.at, "a value is expected")),
        };
        self.at = end;
        Ok(content)
    }
}

/// Write the tree: an element a block, short lists on one line.
pub(super) fn print(root: &Node) -> String {
    let mut out = String::new();
    value(&mut out, root, 0);
    out.push('\n');
    out
}

fn value(out: &mut String, node: &Node, depth: usize) {
    match &node.content {
        Content::Null => out.push_str("null"),
        Content::Bool(b) => {
            let _ = write!(out, "{b}");
        }
        Content::Integer(i) => {
            let _ = write!(out, "{i}");
        }
        Content::Float(f) => out.push_str(&super::float(*f)),
        Content::Text(s) => out.push_str(&quoted(s)),
        Content::List(list) => {
            let lines = depth < 2 && list.iter().any(|n| matches!(n.content, Content::Table(_)));
            block(out, depth, ['[', ']'], lines, list.len(), |out, i| {
                value(out, &list[i], depth + 1);
            });
        }
        Content::Table(entries) => {
            block(
                out,
                depth,
                ['{', '}'],
                depth < 3,
                entries.len(),
                |out, i| {
                    let (key, node) = &entries[i];
                    let _ = write!(out, "{}: ", quoted(&key.name));
                    value(out, node, depth + 1);
                },
            );
        }
    }
}

/// Items between brackets, each on a line of its own if `lines`.
fn block(
    out: &mut String,
    depth: usize,
    brackets: [char; 2],
    lines: bool,
    count: usize,
    item: impl Fn(&mut String, usize),
) {
    let newline = |out: &mut String, depth: usize| {
        out.push('\n');
        out.push_str(&"  ".repeat(depth));
    };
    out.push(brackets[0]);
    for i in 0..count {
        if lines {
            newline(out, depth + 1);
        }
        item(out, i);
        if i + 1 < count {
            out.push_str(if lines { "," } else { ", " });
        }
    }
    if lines && count > 0 {
        newline(out, depth);
    }
    out.push(brackets[1]);
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
