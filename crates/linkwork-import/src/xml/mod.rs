//! XML as an owned tree whose every element and attribute knows its place.

mod element;
mod scan;
mod values;

pub use element::{Attribute, Element};

use crate::{Fault, ImportError, Place};
use roxmltree::{Document, Node, ParsingOptions};
use std::path::Path;

/// Most elements, attributes and text pieces of a document.
const MAX_NODES: u32 = 2_000_000;

/// Parse the text of `file`. Entities and document types are refused.
pub fn parse(file: &Path, bytes: &[u8]) -> Result<Element, ImportError> {
    let whole = Place::file(file);
    let text = std::str::from_utf8(bytes).map_err(|e| {
        let what = format!("byte {} is not UTF-8", e.valid_up_to());
        ImportError::new(&whole, Fault::Syntax, what, "save the file as UTF-8")
    })?;
    let text = text.trim_start_matches('\u{feff}');
    scan::within_limits(text, &whole)?;
    let options = ParsingOptions {
        nodes_limit: MAX_NODES,
        ..ParsingOptions::default()
    };
    let document = Document::parse_with_options(text, options).map_err(|e| {
        let place = whole.at_line(e.pos().row, e.pos().col);
        let (fault, remedy) = match e {
            roxmltree::Error::NodesLimitReached => (Fault::TooLarge, "split or simplify the file"),
            roxmltree::Error::DtdDetected => (
                Fault::Unsupported,
                "remove the DOCTYPE: entities are not expanded",
            ),
            _ => (Fault::Syntax, "correct the XML"),
        };
        ImportError::new(&place, fault, e.to_string(), remedy)
    })?;
    Ok(own(&document, document.root_element(), &whole, ""))
}

/// Copy a node and all below it; depth is bounded by [`scan`].
fn own(document: &Document, node: Node, whole: &Place, above: &str) -> Element {
    let place_at = |offset: usize| {
        let pos = document.text_pos_at(offset);
        whole.at_line(pos.row, pos.col)
    };
    let name = node.tag_name().name().to_owned();
    let label = match node.attribute("name") {
        Some(given) => format!("{name} '{given}'"),
        None => name.clone(),
    };
    let path = if above.is_empty() {
        label
    } else {
        format!("{above}/{label}")
    };
    let attributes = node
        .attributes()
        .map(|a| Attribute {
            name: a.name().to_owned(),
            value: a.value().to_owned(),
            place: place_at(a.range().start).element(&path),
        })
        .collect();
    Element {
        place: place_at(node.range().start).element(&path),
        children: node
            .children()
            .filter(Node::is_element)
            .map(|child| own(document, child, whole, &path))
            .collect(),
        text: node.text().unwrap_or_default().trim().to_owned(),
        attributes,
        name,
    }
}
