//! JSON text to a tree and back, through serde.

use super::tree::{Content, Key, Node, Text};
use crate::{Fault, ImportError};
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde::{Serialize, Serializer};
use std::cell::Cell;
use std::collections::HashSet;
use std::fmt;
use std::io::{self, Read};

/// Read the text; nesting is limited by the JSON reader.
pub(super) fn parse(text: &Text) -> Result<Node, ImportError> {
    let read = Cell::new(0);
    let bytes = Counted {
        rest: text.text.as_bytes(),
        read: &read,
    };
    let mut from = serde_json::Deserializer::from_reader(bytes);
    let root = Tree(&read).deserialize(&mut from);
    let root = root.and_then(|root| from.end().map(|()| root));
    root.map_err(|e| {
        let what = e.to_string();
        let what = what.split(" at line").next().unwrap_or(&what);
        let at = read.get().saturating_sub(1);
        if what == "number out of range" {
            let place = text.place(at, "");
            return ImportError::new(&place, Fault::BadValue, what, "give a finite number");
        }
        text.syntax(at, what)
    })
}

/// The text byte by byte, so that the number of bytes read is the position of a value.
struct Counted<'a> {
    rest: &'a [u8],
    read: &'a Cell<usize>,
}

impl Read for Counted<'_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let most = to.len().min(1);
        let count = self.rest.read(&mut to[..most])?;
        self.read.set(self.read.get() + count);
        Ok(count)
    }
}

/// Creates nodes; counts the values read.
#[derive(Clone, Copy)]
struct Tree<'a>(&'a Cell<usize>);

impl Tree<'_> {
    /// A node whose last byte but one was just read: a number is only over with what follows it.
    fn node(self, content: Content) -> Node {
        Node {
            at: self.0.get().saturating_sub(2),
            content,
        }
    }
}

impl<'de> DeserializeSeed<'de> for Tree<'_> {
    type Value = Node;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Node, D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Tree<'_> {
    type Value = Node;

    fn expecting(&self, to: &mut fmt::Formatter) -> fmt::Result {
        to.write_str("a value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Node, E> {
        Ok(self.node(Content::Bool(value)))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Node, E> {
        Ok(self.node(Content::Integer(value)))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Node, E> {
        let content = i64::try_from(value).map(Content::Integer);
        Ok(self.node(content.unwrap_or(Content::Float(value as f64))))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Node, E> {
        Ok(self.node(Content::Float(value)))
    }

    fn visit_str<E>(self, value: &str) -> Result<Node, E> {
        Ok(self.node(Content::Text(value.to_owned())))
    }

    fn visit_unit<E>(self) -> Result<Node, E> {
        Ok(self.node(Content::Null))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<Node, A::Error> {
        let mut node = self.node(Content::Null);
        let mut items = Vec::new();
        while let Some(item) = from.next_element_seed(self)? {
            items.push(item);
        }
        node.content = Content::List(items);
        Ok(node)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut from: A) -> Result<Node, A::Error> {
        let mut node = self.node(Content::Null);
        let (mut entries, mut seen) = (Vec::new(), HashSet::new());
        while let Some(name) = from.next_key::<String>()? {
            // Its closing quote was just read.
            let at = self.0.get().saturating_sub(name.len() + 2);
            if !seen.insert(name.clone()) {
                return Err(A::Error::custom(format!("key '{name}' is given twice")));
            }
            entries.push((Key { at, name }, from.next_value_seed(self)?));
        }
        node.content = Content::Table(entries);
        Ok(node)
    }
}

/// Write the tree.
pub(super) fn print(root: &Node) -> String {
    serde_json::to_string(root).expect("a tree is plain data")
}

impl Serialize for Node {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match &self.content {
            Content::Null => to.serialize_unit(),
            Content::Bool(value) => to.serialize_bool(*value),
            Content::Integer(value) => to.serialize_i64(*value),
            Content::Float(value) => to.serialize_f64(*value),
            Content::Text(value) => to.serialize_str(value),
            Content::List(items) => to.collect_seq(items),
            Content::Table(entries) => to.collect_map(entries.iter().map(|(k, n)| (&k.name, n))),
        }
    }
}
