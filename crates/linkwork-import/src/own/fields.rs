//! Typed reading of a table. Every key that is requested is known; remaining keys are an error.

use super::tree::{Content, Key, Node, Text};
use crate::suggest;
use crate::{Fault, ImportError};

/// The entries of a table, while they are read.
pub(super) struct Fields<'a> {
    text: &'a Text<'a>,
    /// Path of the element, e.g. `joint 'pivot'/limits`.
    pub element: String,
    /// Where the table begins.
    at: usize,
    entries: &'a [(Key, Node)],
    asked: Vec<&'static str>,
}

/// Where an element begins.
pub(super) struct Mark {
    at: usize,
    /// Its path.
    pub element: String,
}

impl<'a> Fields<'a> {
    /// The entries of a node, which must be a table.
    pub fn of(text: &'a Text<'a>, node: &'a Node, element: String) -> Result<Self, ImportError> {
        let Content::Table(entries) = &node.content else {
            let what = format!("{} stands where a table is expected", node.content.kind());
            let place = text.place(node.at, &element);
            return Err(ImportError::new(
                &place,
                Fault::BadValue,
                what,
                "write { key = value }",
            ));
        };
        Ok(Self {
            text,
            element,
            at: node.at,
            entries,
            asked: Vec::new(),
        })
    }

    /// An error at an offset of the text.
    pub fn fail(
        &self,
        at: usize,
        fault: Fault,
        what: impl Into<String>,
        remedy: impl Into<String>,
    ) -> ImportError {
        ImportError::new(&self.text.place(at, &self.element), fault, what, remedy)
    }

    /// An error at a key, or at the table if the key is absent.
    pub fn fail_at(
        &self,
        key: &str,
        fault: Fault,
        what: impl Into<String>,
        remedy: impl Into<String>,
    ) -> ImportError {
        let found = self.entries.iter().find(|(k, _)| k.name == key);
        self.fail(found.map_or(self.at, |(k, _)| k.at), fault, what, remedy)
    }

    /// The value of a key; `null` counts as absent.
    pub fn get(&mut self, key: &'static str) -> Option<&'a Node> {
        self.asked.push(key);
        let found = self.entries.iter().find(|(k, _)| k.name == key);
        found.map(|(_, n)| n).filter(|n| n.content != Content::Null)
    }

    /// A key that must be there.
    pub fn require<T>(&self, key: &str, value: Option<T>) -> Result<T, ImportError> {
        value.ok_or_else(|| {
            let what = format!("'{key}' is missing");
            self.missing(&[key], what, format!("give '{key}'"))
        })
    }

    /// None of some keys is present; suggests a misspelt one.
    pub fn missing(
        &self,
        keys: &[&str],
        what: impl Into<String>,
        remedy: impl Into<String>,
    ) -> ImportError {
        for (key, _) in self.entries {
            let known = self.asked.contains(&key.name.as_str());
            if let (false, Some(near)) = (known, suggest::nearest(&key.name, keys.iter().copied()))
            {
                let what = format!("there is no key '{}' here", key.name);
                let remedy = format!("did you mean '{near}'?");
                return self.fail(key.at, Fault::UnknownAttribute, what, remedy);
            }
        }
        self.fail(self.at, Fault::Missing, what, remedy)
    }

    /// Refuses keys that were not requested.
    pub fn finish(self) -> Result<(), ImportError> {
        let unknown = self
            .entries
            .iter()
            .find(|(k, _)| !self.asked.contains(&k.name.as_str()));
        match unknown {
            None => Ok(()),
            Some((key, _)) => {
                let what = format!("there is no key '{}' here", key.name);
                let remedy = suggest::remedy(&key.name, &self.asked);
                Err(self.fail(key.at, Fault::UnknownAttribute, what, remedy))
            }
        }
    }

    /// A value of the wrong type.
    pub(super) fn wrong(&self, key: &str, node: &Node, wanted: &str) -> ImportError {
        let what = format!("'{key}' is {}", node.content.kind());
        self.fail(
            node.at,
            Fault::BadValue,
            what,
            format!("it must be {wanted}"),
        )
    }

    /// The items of a list; empty if absent.
    pub fn list(&mut self, key: &'static str) -> Result<&'a [Node], ImportError> {
        match self.get(key) {
            None => Ok(&[]),
            Some(Node {
                content: Content::List(list),
                ..
            }) => Ok(list),
            Some(node) => Err(self.wrong(key, node, "a list")),
        }
    }

    /// A table below this one.
    pub fn table(&mut self, key: &'static str) -> Result<Option<Fields<'a>>, ImportError> {
        let path = format!("{}/{key}", self.element);
        let node = self.get(key);
        node.map(|n| Fields::of(self.text, n, path)).transpose()
    }

    /// The tables of a list, each with its path: `key 'name'`, or its number from 1.
    pub fn tables(&mut self, key: &'static str) -> Result<Vec<Fields<'a>>, ImportError> {
        let prefix = match self.element.as_str() {
            "" => String::new(),
            element => format!("{element}/"),
        };
        let text = self.text;
        let nodes = self.list(key)?.iter().enumerate();
        let tables = nodes.map(|(i, n)| {
            let mut fields = Fields::of(text, n, format!("{prefix}{key} {}", i + 1))?;
            if let Ok(Some(name)) = fields.value::<String>("name") {
                fields.element = format!("{prefix}{key} '{name}'");
            }
            Ok(fields)
        });
        tables.collect()
    }

    /// The entries of a table below this one, with any keys.
    pub fn entries(&mut self, key: &'static str) -> Result<&'a [(Key, Node)], ImportError> {
        Ok(self.table(key)?.map_or(&[], |t| t.entries))
    }

    /// Start of the table, for errors that are found later. Lines are counted only then.
    pub fn mark(&self) -> Mark {
        Mark {
            at: self.at,
            element: self.element.clone(),
        }
    }

    /// The place of a mark.
    pub fn place_of(&self, mark: &Mark) -> crate::Place {
        self.text.place(mark.at, &mark.element)
    }

    /// Where the table begins, as a place.
    pub fn place(&self) -> crate::Place {
        self.text.place(self.at, &self.element)
    }
}
