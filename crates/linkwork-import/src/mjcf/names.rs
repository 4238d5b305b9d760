//! Names of elements: unique within a kind, with the prefixes of attached models and the suffixes of
//! copies.

use crate::suggest;
use crate::xml::{Attribute, Element};
use crate::{Fault, ImportError, Place};
use std::collections::HashMap;

/// Kinds of elements that have names of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    Body,
    Joint,
    Geom,
    Site,
    Tendon,
    Actuator,
    Equality,
    Sensor,
    Keyframe,
    Camera,
}

impl Kind {
    fn word(self) -> &'static str {
        match self {
            Kind::Body => "body",
            Kind::Joint => "joint",
            Kind::Geom => "geom",
            Kind::Site => "site",
            Kind::Tendon => "tendon",
            Kind::Actuator => "actuator",
            Kind::Equality => "equality",
            Kind::Sensor => "sensor",
            Kind::Keyframe => "keyframe",
            Kind::Camera => "camera",
        }
    }

    /// The kind that an `objtype` names.
    pub fn object(word: &str) -> Option<Kind> {
        match word {
            "body" | "xbody" => Some(Kind::Body),
            "geom" => Some(Kind::Geom),
            "site" => Some(Kind::Site),
            "camera" => Some(Kind::Camera),
            _ => None,
        }
    }
}

/// A file's elements as they appear in the whole model: the file, and the prefix and suffix of its names.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Scope {
    /// The file's number.
    pub document: usize,
    /// The attachment it belongs to; 0 is the main file.
    pub instance: usize,
    /// Set before every name.
    pub prefix: String,
    /// Set behind every name, the innermost copy's first.
    pub suffix: Vec<String>,
}

impl Scope {
    /// The full name.
    pub fn name(&self, own: &str) -> String {
        format!("{}{own}{}", self.prefix, self.suffix.concat())
    }
}

/// All names.
#[derive(Debug, Default)]
pub(super) struct Names {
    known: HashMap<(Kind, String), usize>,
    /// The suffixes of all copies of an element of an attachment.
    copies: HashMap<(usize, Kind, String), Vec<Vec<String>>>,
}

impl Names {
    /// The full name of an element, stored with its index. One without a name is called `fallback`, followed by a
    /// number if that is taken.
    pub fn enter(
        &mut self,
        kind: Kind,
        element: &Element,
        scope: &Scope,
        number: usize,
        fallback: &str,
    ) -> Result<String, ImportError> {
        let given = element.get("name").filter(|n| !n.is_empty());
        let name = match given {
            Some(own) => {
                if !scope.suffix.is_empty() {
                    let key = (scope.instance, kind, own.to_owned());
                    let copies = self.copies.entry(key).or_default();
                    copies.push(scope.suffix.clone());
                }
                scope.name(own)
            }
            None => self.free(kind, fallback),
        };
        if self.known.insert((kind, name.clone()), number).is_some() {
            let what = format!("{} '{name}' is defined twice", kind.word());
            return Err(element.error(Fault::Duplicate, what, "give it another name"));
        }
        Ok(name)
    }

    /// `wish`, or with the first number that makes it new.
    pub fn free(&self, kind: Kind, wish: &str) -> String {
        let mut name = wish.to_owned();
        let mut n = 1;
        while self.known.contains_key(&(kind, name.clone())) {
            n += 1;
            name = format!("{wish}_{n}");
        }
        name
    }

    /// The index of the element called `own` in a scope, or in one around it.
    pub fn find(&self, kind: Kind, own: &str, scope: &Scope) -> Option<usize> {
        if kind == Kind::Body && own == "world" {
            return Some(0);
        }
        (0..=scope.suffix.len()).find_map(|skip| {
            let suffix = scope.suffix[skip..].concat();
            let name = format!("{}{own}{suffix}", scope.prefix);
            self.known.get(&(kind, name)).copied()
        })
    }

    /// The scopes in which everything that an element refers to exists: the given one if possible, otherwise those of
    /// the copies of the referenced elements.
    pub fn fitting(&self, element: &Element, scope: &Scope) -> Vec<Scope> {
        let wanted = references(element);
        let fits = |scope: &Scope| {
            let found = |(kind, a): &(Kind, &Attribute)| self.find(*kind, &a.value, scope);
            wanted.iter().all(|w| found(w).is_some())
        };
        if fits(scope) {
            return vec![scope.clone()];
        }
        // Copies of copies are numbered at each level: the most deeply copied reference decides.
        let copies = wanted.iter().filter_map(|(kind, a)| {
            let key = (scope.instance, *kind, a.value.clone());
            self.copies.get(&key)
        });
        let deepest = copies.max_by_key(|c| c.first().map_or(0, Vec::len));
        let scopes = deepest.into_iter().flatten().map(|suffix| Scope {
            suffix: suffix.clone(),
            ..scope.clone()
        });
        scopes.filter(fits).collect()
    }

    /// What a name refers to in a scope.
    pub fn resolve(
        &self,
        kind: Kind,
        attribute: &Attribute,
        scope: &Scope,
    ) -> Result<usize, ImportError> {
        let found = self.find(kind, &attribute.value, scope);
        found.ok_or_else(|| self.missing(kind, &attribute.value, &attribute.place))
    }

    /// The error for an unknown name.
    pub fn missing(&self, kind: Kind, name: &str, place: &Place) -> ImportError {
        let shown: String = name.chars().take(60).collect();
        let what = format!("no {} is called '{shown}'", kind.word());
        let known = self.known.keys().filter(|(k, _)| *k == kind);
        let mut known: Vec<&str> = known.map(|(_, n)| n.as_str()).collect();
        // The map's order changes from run to run.
        known.sort_unstable();
        let near = suggest::nearest(name, known);
        let remedy = match near {
            Some(near) => format!("did you mean '{near}'?"),
            None => format!("name an existing {}", kind.word()),
        };
        ImportError::new(place, Fault::Unresolved, what, remedy)
    }
}

/// What an element of a section refers to.
pub(super) fn references(element: &Element) -> Vec<(Kind, &Attribute)> {
    let mut found = Vec::new();
    for a in &element.attributes {
        let kind = match a.name.as_str() {
            "body" | "body1" | "body2" | "subtree1" | "subtree2" => Some(Kind::Body),
            "joint" | "joint1" | "joint2" | "jointinparent" => Some(Kind::Joint),
            "geom" | "geom1" | "geom2" => Some(Kind::Geom),
            "site" | "site1" | "site2" | "cranksite" | "slidersite" | "refsite" | "sidesite" => {
                Some(Kind::Site)
            }
            "tendon" | "tendon1" | "tendon2" => Some(Kind::Tendon),
            "actuator" => Some(Kind::Actuator),
            "camera" => Some(Kind::Camera),
            "objname" => element.get("objtype").and_then(Kind::object),
            "refname" => element.get("reftype").and_then(Kind::object),
            _ => None,
        };
        found.extend(kind.map(|k| (k, a)));
    }
    for child in &element.children {
        found.append(&mut references(child));
    }
    found
}
