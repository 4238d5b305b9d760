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

/// A file's elements as they appear in the whole: which file, and what its names are set between.
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
}

impl Names {
    /// The full name of an element, entered with its number. One without a name is called `fallback`,
    /// followed by a number if that is taken.
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
            Some(own) => scope.name(own),
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

    /// The number of what is called `own` in a scope, or in one around it; and whether it was found in
    /// that very scope.
    pub fn find(&self, kind: Kind, own: &str, scope: &Scope) -> Option<(usize, bool)> {
        if kind == Kind::Body && own == "world" {
            return Some((0, false));
        }
        (0..=scope.suffix.len()).find_map(|skip| {
            let suffix = scope.suffix[skip..].concat();
            let name = format!("{}{own}{suffix}", scope.prefix);
            let number = self.known.get(&(kind, name))?;
            Some((*number, skip == 0))
        })
    }

    /// What a name refers to in a scope.
    pub fn resolve(
        &self,
        kind: Kind,
        attribute: &Attribute,
        scope: &Scope,
    ) -> Result<usize, ImportError> {
        let found = self.find(kind, &attribute.value, scope);
        found
            .map(|(number, _)| number)
            .ok_or_else(|| self.missing(kind, &attribute.value, &attribute.place))
    }

    /// The error for a name that refers to nothing.
    pub fn missing(&self, kind: Kind, name: &str, place: &Place) -> ImportError {
        let shown: String = name.chars().take(60).collect();
        let what = format!("no {} is called '{shown}'", kind.word());
        let known = self.known.keys().filter(|(k, _)| *k == kind);
        let near = suggest::nearest(name, known.map(|(_, n)| n.as_str()));
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
