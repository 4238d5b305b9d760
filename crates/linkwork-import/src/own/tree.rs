//! A file of the own format as a tree, the same for TOML and JSON.

use crate::{Fault, ImportError, Place};

/// A value and its position.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Node {
    /// Offset in the text, bytes.
    pub at: usize,
    pub content: Content,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Content {
    /// Nothing (JSON only); as if the key were absent.
    Null,
    Bool(bool),
    Integer(i64),
    Float(f64),
    Text(String),
    List(Vec<Node>),
    /// Entries in the order of the text.
    Table(Vec<(Key, Node)>),
}

/// A key and its position.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Key {
    /// Offset in the text, bytes.
    pub at: usize,
    pub name: String,
}

impl Content {
    /// Whether both are the same to the bit: −0.0 is not 0.0.
    fn same(&self, other: &Content) -> bool {
        match (self, other) {
            (Content::Float(a), Content::Float(b)) => a.to_bits() == b.to_bits(),
            (Content::List(a), Content::List(b)) => {
                let mut pairs = a.iter().zip(b);
                a.len() == b.len() && pairs.all(|(a, b)| a.content.same(&b.content))
            }
            _ => self == other,
        }
    }

    /// What it is, for messages.
    pub fn kind(&self) -> &'static str {
        match self {
            Content::Null => "nothing",
            Content::Bool(_) => "true or false",
            Content::Integer(_) | Content::Float(_) => "a number",
            Content::Text(_) => "text",
            Content::List(_) => "a list",
            Content::Table(_) => "a table",
        }
    }
}

/// The text of a tree, for computing positions.
pub(super) struct Text<'a> {
    pub file: Place,
    pub text: &'a str,
}

impl Text<'_> {
    /// Line and column of an offset, with the path of an element.
    pub fn place(&self, at: usize, element: &str) -> Place {
        let at = at.min(self.text.len());
        let before = &self.text.as_bytes()[..at];
        let line = before.iter().filter(|b| **b == b'\n').count() + 1;
        let start = before
            .iter()
            .rposition(|b| *b == b'\n')
            .map_or(0, |n| n + 1);
        // Continuation bytes of UTF-8 are no characters of their own.
        let column = before[start..]
            .iter()
            .filter(|b| **b & 0xc0 != 0x80)
            .count()
            + 1;
        self.file
            .at_line(line as u32, column as u32)
            .element(element)
    }

    /// The text does not follow its grammar.
    pub fn syntax(&self, at: usize, what: impl Into<String>) -> ImportError {
        let remedy = "correct the text there";
        ImportError::new(&self.place(at, ""), Fault::Syntax, what, remedy)
    }
}

/// A table to be written.
#[derive(Default)]
pub(super) struct Entries(pub Vec<(Key, Node)>);

impl Entries {
    /// Adds an entry.
    pub fn put(&mut self, key: &str, value: Content) {
        let name = key.to_owned();
        self.0.push((Key { at: 0, name }, node(value)));
    }

    /// Adds an entry unless it is the default.
    pub fn put_unless(&mut self, key: &str, value: Content, default: &Content) {
        if !value.same(default) {
            self.put(key, value);
        }
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// A node to be written.
pub(super) fn node(content: Content) -> Node {
    Node { at: 0, content }
}

impl From<Entries> for Content {
    fn from(entries: Entries) -> Self {
        Content::Table(entries.0)
    }
}

/// A list.
impl FromIterator<Content> for Content {
    fn from_iter<I: IntoIterator<Item = Content>>(items: I) -> Self {
        Content::List(items.into_iter().map(node).collect())
    }
}
