//! Every element and attribute of MJCF, and which of them have no effect here.
//!
//! `schema.txt` has one line per element, nested by indentation: `name: attributes`. The mark after an attribute or
//! element defines its treatment: none, it is read; `-`, it is listed as ignored; `~`, it concerns appearance or the
//! file itself and is ignored; `*`, it softens a constraint.

use crate::suggest;
use crate::xml::{Attribute, Element};
use crate::{Fault, ImportError, Notices, Place};
use std::collections::BTreeMap;

/// The schema of MuJoCo 4.0 and, marked ignored, what older versions had.
const TEXT: &str = include_str!("schema.txt");

/// What becomes of an element or attribute.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    Read,
    Listed,
    Silent,
    Soft,
}

struct Node {
    fate: Fate,
    attributes: Vec<(&'static str, Fate)>,
    children: BTreeMap<&'static str, Node>,
}

impl Node {
    fn holds_bodies(&self) -> bool {
        self.children.contains_key("inertial")
    }
}

/// Elements without effect found in an import: by element and attribute, the first position and the number of
/// occurrences.
#[derive(Default)]
struct Found {
    ignored: BTreeMap<(String, String), (Place, usize)>,
    soft: Option<(Place, usize)>,
}

impl Found {
    fn ignore(&mut self, element: &str, attribute: &str, place: &Place) {
        let key = (element.to_owned(), attribute.to_owned());
        self.ignored.entry(key).or_insert((place.clone(), 0)).1 += 1;
    }
}

/// Refuses elements that MJCF does not have, lists those without effect.
pub(super) fn check(root: &Element, soft: bool, notices: &mut Notices) -> Result<(), ImportError> {
    let schema = parse();
    let mut found = Found::default();
    visit(root, &schema, &schema, true, &mut found)?;
    for ((element, attribute), (place, count)) in found.ignored {
        let what = if attribute.is_empty() {
            format!("<{element}>")
        } else {
            format!("{attribute} of <{element}>")
        };
        notices.ignored(
            &place,
            format!("{what}, found {count} time(s), has no effect"),
        );
    }
    // The effect of softness is reported later, when it is known.
    if let Some((place, count)) = found.soft.filter(|_| !soft) {
        let what = format!(
            "softness (solref, solimp, set {count} time(s)) is ignored: constraints and contacts are hard"
        );
        notices.chose(&place, what, "use --soft to honour it");
    }
    Ok(())
}

/// Checks an element against `own` and its content against `inside`.
fn visit(
    element: &Element,
    own: &Node,
    inside: &Node,
    listing: bool,
    found: &mut Found,
) -> Result<(), ImportError> {
    let listing = listing && own.fate == Fate::Read;
    for attribute in &element.attributes {
        match own.attributes.iter().find(|(n, _)| *n == attribute.name) {
            None => return Err(unknown(element, attribute, own)),
            Some((_, Fate::Listed)) if listing => {
                found.ignore(&element.name, &attribute.name, &attribute.place);
            }
            Some((_, Fate::Soft)) if listing => {
                found.soft.get_or_insert((attribute.place.clone(), 0)).1 += 1;
            }
            Some(_) => {}
        }
    }
    for child in &element.children {
        // Bodies and default classes can be nested; frames and copies have the content of a body.
        let (below, within) = match (child.name.as_str(), inside.children.get(&*child.name)) {
            ("body", None) if inside.holds_bodies() => (inside, inside),
            ("default", None) if element.name == "default" => (inside, inside),
            ("frame" | "replicate", Some(below)) => (below, inside),
            (_, Some(below)) => (below, below),
            (_, None) => {
                let mut known: Vec<_> = inside.children.keys().copied().collect();
                if inside.holds_bodies() {
                    known.push("body");
                }
                return Err(child.unknown(&known));
            }
        };
        if below.fate == Fate::Listed && listing {
            found.ignore(&child.name, "", &child.place);
        }
        visit(child, below, within, listing, found)?;
    }
    Ok(())
}

fn unknown(element: &Element, attribute: &Attribute, node: &Node) -> ImportError {
    let what = format!("<{}> has no attribute '{}'", element.name, attribute.name);
    let known: Vec<_> = node.attributes.iter().map(|(n, _)| *n).collect();
    let remedy = if known.is_empty() {
        "remove it".to_owned()
    } else {
        suggest::remedy(&attribute.name, &known)
    };
    ImportError::new(&attribute.place, Fault::UnknownAttribute, what, remedy)
}

fn marked(word: &'static str) -> (&'static str, Fate) {
    match word.as_bytes().last() {
        Some(b'-') => (&word[..word.len() - 1], Fate::Listed),
        Some(b'~') => (&word[..word.len() - 1], Fate::Silent),
        Some(b'*') => (&word[..word.len() - 1], Fate::Soft),
        _ => (word, Fate::Read),
    }
}

/// The tree of [`TEXT`].
fn parse() -> Node {
    let mut lines = TEXT.lines().peekable();
    let (_, root) = node(&mut lines, 0).expect("the schema has a root");
    root
}

fn node(
    lines: &mut std::iter::Peekable<std::str::Lines<'static>>,
    depth: usize,
) -> Option<(&'static str, Node)> {
    let indent = |l: &str| (l.len() - l.trim_start().len()) / 2;
    let line = lines.next_if(|l| indent(l) == depth)?;
    let (name, attributes) = line.trim().split_once(':').unwrap_or((line.trim(), ""));
    let (name, fate) = marked(name);
    let mut children = BTreeMap::new();
    while let Some((name, below)) = node(lines, depth + 1) {
        children.insert(name, below);
    }
    let attributes = attributes.split_whitespace().map(marked).collect();
    let made = Node {
        fate,
        attributes,
        children,
    };
    Some((name, made))
}
