//! The frames of a world or model, given relative to each other.

use super::pose;
use super::text::need_word;
use crate::suggest;
use crate::xml::Element;
use crate::{Fault, ImportError};
use linkwork::math::Pose;
use std::cell::RefCell;
use std::collections::BTreeMap;

/// Longest chain of frames given relative to each other.
const MAX_CHAIN: usize = 128;

/// A world or model by its position in [`Scopes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ScopeId(pub usize);

/// Something with a frame of its own.
#[derive(Clone, Copy)]
pub(super) enum Entry<'a> {
    Link(&'a Element),
    Joint(&'a Element),
    Frame(&'a Element),
    Model(ScopeId),
}

/// The names of one world or model.
pub(super) struct Scope<'a> {
    pub element: &'a Element,
    names: BTreeMap<&'a str, Entry<'a>>,
    /// First link in the order of the file, nested models' included.
    canonical: Option<&'a str>,
    first_model: Option<&'a str>,
}

/// All scopes of a file, each after the one around it.
#[derive(Default)]
pub(super) struct Scopes<'a> {
    pub scopes: Vec<Scope<'a>>,
    /// Poses found already: without them, nested frames would be evaluated again and again.
    frames: RefCell<BTreeMap<(usize, String), Pose>>,
    models: RefCell<BTreeMap<usize, Pose>>,
}

/// A link by the scope it is in and its name there.
pub(super) type LinkKey<'a> = (usize, &'a str);

impl<'a> Scopes<'a> {
    /// The scope of a world or model and, behind it, of all models in it. Depth is bounded by the XML.
    pub fn add(&mut self, element: &'a Element) -> Result<ScopeId, ImportError> {
        let id = ScopeId(self.scopes.len());
        self.scopes.push(Scope {
            element,
            names: BTreeMap::new(),
            canonical: None,
            first_model: None,
        });
        for child in &element.children {
            let entry = match child.name.as_str() {
                "link" => Entry::Link(child),
                "joint" => Entry::Joint(child),
                "frame" => Entry::Frame(child),
                "model" => Entry::Model(self.add(child)?),
                _ => continue,
            };
            let name = child.require("name")?;
            let scope = &mut self.scopes[id.0];
            match entry {
                Entry::Link(_) => _ = scope.canonical.get_or_insert(name),
                Entry::Model(_) => _ = scope.first_model.get_or_insert(name),
                _ => {}
            }
            if scope.names.insert(name, entry).is_some() {
                let what = format!("'{name}' exists already in <{}>", element.name);
                let remedy = "give links, joints, frames and models names of their own";
                return Err(child.error(Fault::Duplicate, what, remedy));
            }
        }
        Ok(id)
    }

    /// The models directly in a scope, in the order of the file.
    pub fn models_in(&self, scope: ScopeId) -> Vec<ScopeId> {
        let of = &self.scopes[scope.0];
        let named = of.element.all("model").filter_map(|m| m.get("name"));
        let inner = named.filter_map(|name| match of.names.get(name) {
            Some(Entry::Model(id)) => Some(*id),
            _ => None,
        });
        inner.collect()
    }

    /// Pose of the frame `name` in the frame of its scope. `from` is the position of the name.
    pub fn pose(&self, scope: ScopeId, name: &str, from: &Element) -> Result<Pose, ImportError> {
        self.chain(scope, name, from, 0)
    }

    /// Pose of a model in the frame of the scope around it.
    pub fn model_pose(
        &self,
        around: ScopeId,
        model: ScopeId,
        depth: usize,
    ) -> Result<Pose, ImportError> {
        if let Some(known) = self.models.borrow().get(&model.0) {
            return Ok(*known);
        }
        let element = self.scopes[model.0].element;
        let given = pose::read(element)?;
        let at = self.relative(around, given.relative_to, element, depth)?;
        let mut at = at.compose(&given.pose);
        // The pose may be that of one of the model's frames.
        let placement = element.get("placement_frame").filter(|f| !f.is_empty());
        if let Some(frame) = placement {
            let inside = self.chain(model, frame, element, depth + 1)?;
            at = at.compose(&inside.inverse());
        }
        self.models.borrow_mut().insert(model.0, at);
        Ok(at)
    }

    fn relative(
        &self,
        scope: ScopeId,
        frame: Option<&str>,
        from: &Element,
        depth: usize,
    ) -> Result<Pose, ImportError> {
        match frame {
            None => Ok(Pose::identity()),
            Some(frame) => self.chain(scope, frame, from, depth + 1),
        }
    }

    fn chain(
        &self,
        scope: ScopeId,
        name: &str,
        from: &Element,
        depth: usize,
    ) -> Result<Pose, ImportError> {
        if depth > MAX_CHAIN {
            let what = format!("frame '{name}' is given relative to itself");
            let remedy = "remove the cycle (or the chain of more than 128 frames)";
            return Err(from.error(Fault::Cycle, what, remedy));
        }
        if name == "__model__" || self.is_world(scope, name) {
            return Ok(Pose::identity());
        }
        if let Some((model, rest)) = name.split_once("::") {
            let inner = self.model(scope, model, from)?;
            let at = self.model_pose(scope, inner, depth + 1)?;
            return Ok(at.compose(&self.chain(inner, rest, from, depth + 1)?));
        }
        let key = (scope.0, name.to_owned());
        if let Some(known) = self.frames.borrow().get(&key) {
            return Ok(*known);
        }
        let (element, usual) = match self.entry(scope, name, from)? {
            Entry::Model(inner) => return self.model_pose(scope, inner, depth + 1),
            Entry::Link(e) => (e, None),
            Entry::Frame(e) => (e, e.get("attached_to").filter(|f| !f.is_empty())),
            Entry::Joint(e) => (e, Some(need_word(e, "child")?)),
        };
        let given = pose::read(element)?;
        let frame = given.relative_to.or(usual);
        let at = self.relative(scope, frame, element, depth)?;
        let at = at.compose(&given.pose);
        self.frames.borrow_mut().insert(key, at);
        Ok(at)
    }

    /// The link that moves with the frame `name`; `None` is the world.
    pub fn link(
        &self,
        scope: ScopeId,
        name: &str,
        from: &Element,
    ) -> Result<Option<LinkKey<'a>>, ImportError> {
        let (mut scope, mut name) = (scope, name.to_owned());
        for _ in 0..MAX_CHAIN {
            if name == "world" {
                return Ok(None);
            }
            if let Some((model, rest)) = name.clone().split_once("::") {
                scope = self.model(scope, model, from)?;
                name = rest.to_owned();
                continue;
            }
            if name == "__model__" {
                name = self.canonical(scope, from)?;
                continue;
            }
            let next = match self.entry(scope, &name, from)? {
                Entry::Link(e) => return Ok(Some((scope.0, e.require("name")?))),
                Entry::Joint(e) => need_word(e, "child")?.to_owned(),
                Entry::Frame(e) => match e.get("attached_to").filter(|f| !f.is_empty()) {
                    Some(frame) => frame.to_owned(),
                    None if self.is_world(scope, "world") => return Ok(None),
                    None => "__model__".to_owned(),
                },
                Entry::Model(inner) => {
                    scope = inner;
                    "__model__".to_owned()
                }
            };
            name = next;
        }
        let what = format!("frame '{name}' is attached to itself");
        Err(from.error(Fault::Cycle, what, "remove the cycle"))
    }

    fn canonical(&self, scope: ScopeId, from: &Element) -> Result<String, ImportError> {
        let it = &self.scopes[scope.0];
        let chosen = it.element.get("canonical_link").filter(|c| !c.is_empty());
        let nested = it.first_model.map(|m| format!("{m}::__model__"));
        let found = chosen.or(it.canonical).map(str::to_owned).or(nested);
        found.ok_or_else(|| {
            let what = "a model without links";
            from.error(Fault::Missing, what, "add <link name=\"…\">")
        })
    }

    fn is_world(&self, scope: ScopeId, name: &str) -> bool {
        name == "world" && self.scopes[scope.0].element.name != "model"
    }

    fn model(&self, scope: ScopeId, name: &str, from: &Element) -> Result<ScopeId, ImportError> {
        match self.entry(scope, name, from)? {
            Entry::Model(inner) => Ok(inner),
            _ => {
                let what = format!("'{name}' is not a model");
                Err(from.error(Fault::Unresolved, what, "write model::name"))
            }
        }
    }

    fn entry(&self, scope: ScopeId, name: &str, from: &Element) -> Result<Entry<'a>, ImportError> {
        let names = &self.scopes[scope.0].names;
        names.get(name).copied().ok_or_else(|| {
            let what = format!("there is no link, joint, frame or model '{name}'");
            let remedy = match suggest::nearest(name, names.keys().copied()) {
                Some(near) => format!("did you mean '{near}'?"),
                None => "name one of the same model".to_owned(),
            };
            from.error(Fault::Unresolved, what, remedy)
        })
    }
}
