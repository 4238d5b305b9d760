//! Default classes: attributes of elements that do not specify them.

use super::orientation::ORIENTATIONS;
use crate::suggest;
use crate::xml::{Attribute, Element};
use crate::{Fault, ImportError};
use std::collections::BTreeMap;

/// Attributes whose last numbers may come from the class.
const PARTIAL: [&str; 8] = [
    "size", "friction", "solref", "solimp", "gainprm", "biasprm", "gear", "polycoef",
];

/// Elements that share the class's `<tendon>` and `<equality>`.
fn family(element: &Element, section: &str) -> &'static str {
    match (section, element.name.as_str()) {
        ("tendon", _) => "tendon",
        ("equality", _) => "equality",
        (_, "geom") => "geom",
        (_, "joint") => "joint",
        (_, "site") => "site",
        (_, "mesh") => "mesh",
        (_, "material") => "material",
        (_, "pair") => "pair",
        _ => "",
    }
}

/// A class: its own settings, and the class that contains it.
#[derive(Debug)]
struct Class {
    parent: Option<usize>,
    elements: Vec<Element>,
}

/// The classes of a file.
#[derive(Debug)]
pub(super) struct Defaults {
    classes: Vec<Class>,
    names: BTreeMap<String, usize>,
}

impl Defaults {
    /// From the file's `<default>` sections; the outermost is `main` unless named.
    pub fn read(root: &Element) -> Result<Self, ImportError> {
        let main = Class {
            parent: None,
            elements: Vec::new(),
        };
        let mut all = Self {
            classes: vec![main],
            names: BTreeMap::from([("main".to_owned(), 0)]),
        };
        for section in root.all("default") {
            if let Some(name) = section.get("class") {
                all.names.insert(name.to_owned(), 0);
            }
            all.fill(0, section)?;
        }
        Ok(all)
    }

    /// Nesting is bounded by the XML reader.
    fn fill(&mut self, class: usize, section: &Element) -> Result<(), ImportError> {
        for child in &section.children {
            if child.name != "default" {
                self.classes[class].elements.push(child.clone());
                continue;
            }
            let name = child.require("class")?;
            let id = self.classes.len();
            if self.names.insert(name.to_owned(), id).is_some() {
                let what = format!("class '{name}' is defined twice");
                return Err(child.error(Fault::Duplicate, what, "give it another name"));
            }
            self.classes.push(Class {
                parent: Some(class),
                elements: Vec::new(),
            });
            self.fill(id, child)?;
        }
        Ok(())
    }

    /// The class that an attribute (`class`, `childclass`) names.
    pub fn named(&self, attribute: &Attribute) -> Result<usize, ImportError> {
        self.names.get(&attribute.value).copied().ok_or_else(|| {
            let known: Vec<_> = self.names.keys().map(String::as_str).collect();
            let what = format!("no default class is called '{}'", attribute.value);
            let remedy = suggest::remedy(&attribute.value, &known);
            ImportError::new(&attribute.place, Fault::Unresolved, what, remedy)
        })
    }

    /// The class of an element: its own, or that of the bodies around it.
    pub fn class_of(&self, element: &Element, around: usize) -> Result<usize, ImportError> {
        let own = element.attribute("class");
        own.map_or(Ok(around), |a| self.named(a))
    }

    /// Settings of elements of these names in the class and those around it, outermost first.
    pub fn chain(&self, class: usize, names: &[&str]) -> Vec<&Element> {
        let mut classes = vec![class];
        while let Some(parent) = classes.last().and_then(|c| self.classes[*c].parent) {
            classes.push(parent);
        }
        let said = classes
            .iter()
            .rev()
            .flat_map(|c| &self.classes[*c].elements);
        said.filter(|e| names.contains(&e.name.as_str())).collect()
    }

    /// The element completed by its class. `section` is the top-level element that contains it.
    pub fn complete(
        &self,
        element: &Element,
        around: usize,
        section: &str,
    ) -> Result<Element, ImportError> {
        let class = self.class_of(element, around)?;
        let mut made = element.clone();
        let family = family(element, section);
        if family.is_empty() {
            return Ok(made);
        }
        for said in self.chain(class, &[family]).iter().rev() {
            let turned = made.attributes.iter().any(is_orientation);
            for attribute in &said.attributes {
                let own = made
                    .attributes
                    .iter_mut()
                    .find(|a| a.name == attribute.name);
                match own {
                    Some(own) => top_up(own, attribute),
                    None if turned && is_orientation(attribute) => {}
                    None => made.attributes.push(attribute.clone()),
                }
            }
        }
        Ok(made)
    }
}

fn is_orientation(attribute: &Attribute) -> bool {
    ORIENTATIONS.contains(&attribute.name.as_str())
}

/// Numbers that the element leaves out come from the class.
fn top_up(own: &mut Attribute, class: &Attribute) {
    if !PARTIAL.contains(&own.name.as_str()) {
        return;
    }
    let have = own.value.split_whitespace().count();
    for word in class.value.split_whitespace().skip(have) {
        own.value.push(' ');
        own.value.push_str(word);
    }
}
