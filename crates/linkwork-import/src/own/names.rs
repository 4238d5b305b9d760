//! Elements by name.

use super::fields::Fields;
use super::tree::{Content, Node};
use crate::suggest;
use crate::{Fault, ImportError};
use linkwork::model::{ActuatorId, BodyId, FrameId, JointId, ModelData, ShapeId, TendonId};
use std::collections::HashMap;

/// The index of an element.
pub(super) trait Id: Copy {
    fn of(index: usize) -> Self;
    fn index(self) -> usize;
}

macro_rules! ids {
    ($($id:ident),*) => {$(
        impl Id for $id {
            fn of(index: usize) -> Self {
                Self(index as u32)
            }

            fn index(self) -> usize {
                $id::index(self)
            }
        }
    )*};
}

ids!(BodyId, JointId, ShapeId, TendonId, FrameId, ActuatorId);

impl Id for usize {
    fn of(index: usize) -> Self {
        index
    }

    fn index(self) -> usize {
        self
    }
}

/// Elements of one kind by name.
pub(super) struct Names {
    kind: &'static str,
    list: Vec<String>,
    numbers: HashMap<String, usize>,
}

/// The elements that others refer to.
pub(super) struct Known {
    pub bodies: Names,
    pub joints: Names,
    pub tendons: Names,
    pub shapes: Names,
    pub textures: Names,
    pub frames: Names,
    pub actuators: Names,
}

impl Known {
    /// The elements of a model, as far as it has them.
    pub fn of(model: &ModelData) -> Self {
        Self {
            bodies: Names::among("body", &model.bodies, |b| &b.name),
            joints: Names::among("joint", &model.joints, |j| &j.name),
            tendons: Names::among("tendon", &model.tendons, |t| &t.name),
            shapes: Names::among("shape", &model.shapes, |s| &s.name),
            textures: Names::among("texture", &model.textures, |t| &t.name),
            frames: Names::among("frame", &model.frames, |f| &f.name),
            actuators: Names::among("actuator", &model.actuators, |a| &a.name),
        }
    }
}

impl Names {
    /// The names of tables, which must be there and differ.
    pub fn of(kind: &'static str, tables: &mut [Fields]) -> Result<Self, ImportError> {
        let mut list = Vec::with_capacity(tables.len());
        let mut numbers = HashMap::new();
        for (i, table) in tables.iter_mut().enumerate() {
            let name: String = table.need("name")?;
            if numbers.insert(name.clone(), i).is_some() {
                let what = format!("the name '{name}' is used twice");
                let remedy = format!("give every {kind} a unique name");
                return Err(table.fail_at("name", Fault::Duplicate, what, remedy));
            }
            list.push(name);
        }
        Ok(Self {
            kind,
            list,
            numbers,
        })
    }

    /// The names of elements.
    pub fn among<T>(kind: &'static str, all: &[T], name: impl Fn(&T) -> &String) -> Self {
        let list: Vec<String> = all.iter().map(|x| name(x).clone()).collect();
        let numbers = list.iter().cloned().enumerate().map(|(i, n)| (n, i));
        Self {
            kind,
            numbers: numbers.collect(),
            list,
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

    /// The elements that a list names.
    pub fn list<I: Id>(
        &self,
        fields: &mut Fields,
        key: &'static str,
    ) -> Result<Vec<I>, ImportError> {
        let list = fields.list(key)?.iter();
        let ids = list.map(|n| Ok(I::of(self.in_node(fields, n)?)));
        ids.collect()
    }

    /// The name of an element, as it is written.
    pub fn content<I: Id>(&self, id: I) -> Content {
        Content::Text(self.list[id.index()].clone())
    }
}
