//! Elements by name.

use super::fields::Fields;
use super::tree::{Content, Node};
use crate::suggest;
use crate::{Fault, ImportError};
use std::collections::HashMap;

/// Elements of one kind by name.
pub(super) struct Names {
    kind: &'static str,
    numbers: HashMap<String, usize>,
}

impl Names {
    /// The names of tables, which must be there and differ.
    pub fn of(
        kind: &'static str,
        tables: &mut [Fields],
    ) -> Result<(Self, Vec<String>), ImportError> {
        let mut numbers = HashMap::new();
        let mut list = Vec::with_capacity(tables.len());
        for (i, table) in tables.iter_mut().enumerate() {
            let name = table.text("name")?;
            let name = table.require("name", name)?.to_owned();
            if numbers.insert(name.clone(), i).is_some() {
                let what = format!("the name '{name}' is used twice");
                let remedy = format!("give every {kind} a unique name");
                return Err(table.fail_at("name", Fault::Duplicate, what, remedy));
            }
            list.push(name);
        }
        Ok((Self { kind, numbers }, list))
    }

    /// Names that are known already.
    pub fn among<'n>(kind: &'static str, names: impl Iterator<Item = &'n str>) -> Self {
        let numbers = names.enumerate().map(|(i, n)| (n.to_owned(), i));
        Self {
            kind,
            numbers: numbers.collect(),
        }
    }

    /// The index of the element called `name`, which is at an offset of `fields`.
    pub fn find(&self, fields: &Fields, at: usize, name: &str) -> Result<usize, ImportError> {
        self.numbers.get(name).copied().ok_or_else(|| {
            let what = format!("there is no {} '{name}'", self.kind);
            let mut known: Vec<_> = self.numbers.keys().map(String::as_str).collect();
            known.sort_unstable();
            let remedy = match suggest::nearest(name, known) {
                Some(near) => format!("did you mean '{near}'?"),
                None => format!("name one that the file describes with [[{}]]", self.kind),
            };
            fields.fail(at, Fault::Unresolved, what, remedy)
        })
    }

    /// The number of the element that a node names.
    pub fn in_node(&self, fields: &Fields, node: &Node) -> Result<usize, ImportError> {
        match &node.content {
            Content::Text(name) => self.find(fields, node.at, name),
            other => {
                let what = format!("{} stands where a name is expected", other.kind());
                let remedy = format!("name a {}", self.kind);
                Err(fields.fail(node.at, Fault::BadValue, what, remedy))
            }
        }
    }

    /// The number of the element that a key names; `None` if the key is absent.
    pub fn get(
        &self,
        fields: &mut Fields,
        key: &'static str,
    ) -> Result<Option<usize>, ImportError> {
        let node = fields.get(key);
        node.map(|n| self.in_node(fields, n)).transpose()
    }
}
