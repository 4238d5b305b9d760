//! Typed reading of a table. Every key that is asked for is known; what is left over is an error.

use super::tree::{Content, Key, Node, Text};
use crate::suggest;
use crate::{Fault, ImportError};
use linkwork::math::Vec3;

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

    /// None of some keys is there; told as a slip if one was misspelt.
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

    /// Refuse what was not asked for.
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

    fn wrong(&self, key: &str, node: &Node, wanted: &str) -> ImportError {
        let what = format!("'{key}' is {}", node.content.kind());
        self.fail(
            node.at,
            Fault::BadValue,
            what,
            format!("it must be {wanted}"),
        )
    }

    fn finite(&self, key: &str, node: &Node) -> Result<f64, ImportError> {
        match node.content {
            Content::Integer(i) => Ok(i as f64),
            Content::Float(f) if f.is_finite() => Ok(f),
            Content::Float(f) => {
                let what = format!("'{key}' is {f}");
                Err(self.fail(node.at, Fault::BadValue, what, "it must be finite"))
            }
            _ => Err(self.wrong(key, node, "a number")),
        }
    }

    /// A finite number.
    pub fn number(&mut self, key: &'static str) -> Result<Option<f64>, ImportError> {
        let node = self.get(key);
        node.map(|n| self.finite(key, n)).transpose()
    }

    /// A finite number, or the default.
    pub fn number_or(&mut self, key: &'static str, default: f64) -> Result<f64, ImportError> {
        Ok(self.number(key)?.unwrap_or(default))
    }

    /// A whole number that is not negative.
    pub fn count(&mut self, key: &'static str) -> Result<Option<usize>, ImportError> {
        match self.get(key) {
            None => Ok(None),
            Some(Node {
                content: Content::Integer(i),
                ..
            }) if *i >= 0 => Ok(Some(*i as usize)),
            Some(node) => Err(self.wrong(key, node, "a whole number, 0 or more")),
        }
    }

    /// `true` or `false`.
    pub fn flag(&mut self, key: &'static str) -> Result<bool, ImportError> {
        match self.get(key) {
            None => Ok(false),
            Some(Node {
                content: Content::Bool(b),
                ..
            }) => Ok(*b),
            Some(node) => Err(self.wrong(key, node, "true or false")),
        }
    }

    /// Text.
    pub fn text(&mut self, key: &'static str) -> Result<Option<&'a str>, ImportError> {
        match self.get(key) {
            None => Ok(None),
            Some(Node {
                content: Content::Text(s),
                ..
            }) => Ok(Some(s)),
            Some(node) => Err(self.wrong(key, node, "text in quotes")),
        }
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

    /// Finite numbers in a node.
    pub fn numbers_in(&self, key: &str, node: &Node) -> Result<Vec<f64>, ImportError> {
        match &node.content {
            Content::List(list) => list.iter().map(|n| self.finite(key, n)).collect(),
            _ => Err(self.wrong(key, node, "a list of numbers")),
        }
    }

    /// Finite numbers, as many as there are.
    pub fn numbers(&mut self, key: &'static str) -> Result<Option<Vec<f64>>, ImportError> {
        let node = self.get(key);
        node.map(|n| self.numbers_in(key, n)).transpose()
    }

    /// Finite numbers, exactly N in a node.
    pub fn array_in<const N: usize>(
        &self,
        key: &str,
        node: &Node,
    ) -> Result<[f64; N], ImportError> {
        let values = self.numbers_in(key, node)?;
        let count = values.len();
        values.try_into().map_err(|_| {
            let what = format!("'{key}' has {count} numbers");
            self.fail(node.at, Fault::BadValue, what, format!("give {N}"))
        })
    }

    /// Finite numbers, exactly N.
    pub fn array<const N: usize>(
        &mut self,
        key: &'static str,
    ) -> Result<Option<[f64; N]>, ImportError> {
        let node = self.get(key);
        node.map(|n| self.array_in(key, n)).transpose()
    }

    /// A vector.
    pub fn vector(&mut self, key: &'static str) -> Result<Option<Vec3>, ImportError> {
        Ok(self.array(key)?.map(Vec3::from))
    }

    /// A unit vector along the one given.
    pub fn direction(&mut self, key: &'static str) -> Result<Option<Vec3>, ImportError> {
        let Some(v) = self.vector(key)? else {
            return Ok(None);
        };
        match v.try_normalize(1e-12) {
            // A unit vector keeps its bits.
            Some(_) if (v.norm() - 1.0).abs() < 1e-12 => Ok(Some(v)),
            Some(unit) => Ok(Some(unit)),
            None => {
                let what = format!("'{key}' has no direction");
                Err(self.fail_at(key, Fault::BadValue, what, "give a vector that is not zero"))
            }
        }
    }

    /// A range [low, high].
    pub fn range(&mut self, key: &'static str) -> Result<Option<[f64; 2]>, ImportError> {
        let range = self.array(key)?;
        if let Some([low, high]) = range
            && low > high
        {
            let what = format!("'{key}' is [{low}, {high}]");
            return Err(self.fail_at(key, Fault::BadValue, what, "give the smaller number first"));
        }
        Ok(range)
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
            if let Ok(Some(name)) = fields.text("name") {
                fields.element = format!("{prefix}{key} '{name}'");
            }
            Ok(fields)
        });
        tables.collect()
    }

    /// The entries of a table below this one, whatever their keys.
    pub fn entries(&mut self, key: &'static str) -> Result<&'a [(Key, Node)], ImportError> {
        Ok(self.table(key)?.map_or(&[], |t| t.entries))
    }

    /// Where the table begins, as a place.
    pub fn place(&self) -> crate::Place {
        self.text.place(self.at, &self.element)
    }
}
