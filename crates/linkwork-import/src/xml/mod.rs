//! XML as an owned tree in which every element and attribute has its position.

mod element;
mod path;
mod scan;
mod values;

pub use element::{Attribute, Element};

use crate::{Fault, ImportError, Place};
use roxmltree::{Document, Node, ParsingOptions};
use std::path::Path;
use std::sync::Arc;

/// Most elements, comments and pieces of text of a document.
const MAX_NODES: u32 = 250_000;

/// Parse the text of `file`. Entities and document types are refused.
pub fn parse(file: &Path, bytes: &[u8]) -> Result<Element, ImportError> {
    let whole = Place::file(file);
    let text = std::str::from_utf8(bytes).map_err(|e| {
        let what = format!("byte {} is not UTF-8", e.valid_up_to());
        ImportError::new(&whole, Fault::Syntax, what, "save the file as UTF-8")
    })?;
    let text = text.trim_start_matches('\u{feff}');
    scan::within_limits(text, &whole)?;
    let text = &*scan::without_late_declaration(text);
    let options = ParsingOptions {
        nodes_limit: MAX_NODES,
        ..ParsingOptions::default()
    };
    let document = Document::parse_with_options(text, options).map_err(|e| {
        let place = match e {
            // The parser has no place for it.
            roxmltree::Error::UnexpectedEndOfStream => Cursor::new(text, &whole).place(text.len()),
            _ => whole.at_line(e.pos().row, e.pos().col),
        };
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
    let mut cursor = Cursor::new(text, &whole);
    let root = document.root_element();
    Ok(own(root, &mut cursor, &path::below("", root).into()))
}

/// A position that moves forward through the text. The parser's own search for a line starts at the top each time,
/// which is slow in a large file.
struct Cursor<'a> {
    text: &'a str,
    whole: &'a Place,
    offset: usize,
    line: u32,
    column: u32,
}

impl<'a> Cursor<'a> {
    fn new(text: &'a str, whole: &'a Place) -> Self {
        Self {
            text,
            whole,
            offset: 0,
            line: 1,
            column: 1,
        }
    }

    /// The position of a byte, which must not be before the last one requested.
    fn place(&mut self, offset: usize) -> Place {
        let between = self.text.as_bytes().get(self.offset..offset);
        for byte in between.unwrap_or_default() {
            // Continuation bytes of UTF-8 are no characters of their own.
            self.column += u32::from(byte & 0xc0 != 0x80);
            if *byte == b'\n' {
                (self.line, self.column) = (self.line + 1, 1);
            }
        }
        self.offset = self.offset.max(offset);
        self.whole.at_line(self.line, self.column)
    }
}

/// Copy a node and all below it, whose path is given; depth is bounded by [`scan`].
fn own(node: Node, cursor: &mut Cursor, path: &Arc<str>) -> Element {
    let place = cursor.place(node.range().start).element(path.clone());
    let attributes = node
        .attributes()
        .map(|a| Attribute {
            name: a.name().to_owned(),
            value: a.value().to_owned(),
            place: cursor.place(a.range().start).element(path.clone()),
        })
        .collect();
    let mut below: Arc<str> = Arc::default();
    let mut children = Vec::new();
    for child in node.children().filter(Node::is_element) {
        let own_path = path::below(path, child);
        // Most siblings are called alike, and then share the text.
        if *own_path != *below {
            below = own_path.into();
        }
        children.push(own(child, cursor, &below));
    }
    Element {
        name: node.tag_name().name().to_owned(),
        attributes,
        children,
        text: node.text().unwrap_or_default().trim().to_owned(),
        place,
    }
}
