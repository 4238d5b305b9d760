//! An element of an XML file.

use crate::suggest;
use crate::{Fault, ImportError, Place};

/// An attribute and its position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attribute {
    /// Local name.
    pub name: String,
    /// Value, unescaped.
    pub value: String,
    /// Where.
    pub place: Place,
}

/// An element, everything below it included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Element {
    /// Local name, without prefix.
    pub name: String,
    /// Attributes in order.
    pub attributes: Vec<Attribute>,
    /// Child elements in order.
    pub children: Vec<Element>,
    /// Text before the first child, trimmed.
    pub text: String,
    /// Position of its start tag.
    pub place: Place,
}

impl Element {
    /// An attribute with its place.
    pub fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.attributes.iter().find(|a| a.name == name)
    }

    /// Value of an attribute.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.attribute(name).map(|a| a.value.as_str())
    }

    /// Value of an attribute that must be there.
    pub fn require(&self, name: &str) -> Result<&str, ImportError> {
        self.get(name).ok_or_else(|| {
            let what = format!("attribute '{name}' is missing");
            let remedy = format!("add {name}=\"…\" to <{}>", self.name);
            self.error(Fault::Missing, what, remedy)
        })
    }

    /// The first child of this name.
    pub fn child(&self, name: &str) -> Option<&Element> {
        self.children.iter().find(|c| c.name == name)
    }

    /// All children of this name.
    pub fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Element> {
        self.children.iter().filter(move |c| c.name == name)
    }

    /// Refuse attributes that are not in the list, suggesting the nearest.
    pub fn only(&self, known: &[&str]) -> Result<(), ImportError> {
        match self
            .attributes
            .iter()
            .find(|a| !known.contains(&a.name.as_str()))
        {
            None => Ok(()),
            Some(a) => {
                let what = format!("<{}> has no attribute '{}'", self.name, a.name);
                let remedy = suggest::remedy(&a.name, known);
                Err(ImportError::new(
                    &a.place,
                    Fault::UnknownAttribute,
                    what,
                    remedy,
                ))
            }
        }
    }

    /// An unknown element, with the nearest known one.
    pub fn unknown(&self, known: &[&str]) -> ImportError {
        let what = format!("unknown element <{}>", self.name);
        self.error(
            Fault::UnknownElement,
            what,
            suggest::remedy(&self.name, known),
        )
    }

    /// An error at this element.
    pub fn error(
        &self,
        fault: Fault,
        what: impl Into<String>,
        remedy: impl Into<String>,
    ) -> ImportError {
        ImportError::new(&self.place, fault, what, remedy)
    }
}
