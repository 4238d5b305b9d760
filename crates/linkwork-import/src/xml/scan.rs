//! A pass over XML text that refuses what would exhaust the parser's stack or time.

use crate::{Fault, ImportError, Place};
use std::borrow::Cow;

/// Deepest nesting of elements.
const MAX_DEPTH: usize = 256;
/// Most attributes of an element: the parser compares each with every other.
const MAX_ATTRIBUTES: usize = 512;
/// Most attributes of a document.
const MAX_ALL_ATTRIBUTES: usize = 250_000;

/// Check nesting and attribute counts. Malformed text is left for the parser to report.
pub(super) fn within_limits(text: &str, whole: &Place) -> Result<(), ImportError> {
    let bytes = text.as_bytes();
    let (mut at, mut depth, mut attributes) = (0, 0usize, 0usize);
    while let Some(open) = find(bytes, at, b"<") {
        let rest = &bytes[open..];
        at = if rest.starts_with(b"<!--") {
            end(bytes, open + 4, b"-->")
        } else if rest.starts_with(b"<![CDATA[") {
            end(bytes, open + 9, b"]]>")
        } else if rest.starts_with(b"<?") {
            end(bytes, open + 2, b"?>")
        } else if rest.starts_with(b"</") {
            depth = depth.saturating_sub(1);
            end(bytes, open + 2, b">")
        } else {
            let tag = Tag::of(bytes, open + 1);
            if tag.attributes > MAX_ATTRIBUTES {
                let what = format!("an element has more than {MAX_ATTRIBUTES} attributes");
                return Err(limit(text, open, whole, what));
            }
            attributes += tag.attributes;
            if attributes > MAX_ALL_ATTRIBUTES {
                let what = format!("more than {MAX_ALL_ATTRIBUTES} attributes");
                return Err(limit(text, open, whole, what));
            }
            depth += usize::from(!tag.closed);
            if depth > MAX_DEPTH {
                let what = format!("elements are nested more than {MAX_DEPTH} deep");
                return Err(limit(text, open, whole, what));
            }
            tag.end
        };
    }
    Ok(())
}

/// The text with an XML declaration after a comment blanked out. This violates the grammar, but licence headers are
/// placed there, and other readers accept it.
pub(super) fn without_late_declaration(text: &str) -> Cow<'_, str> {
    let mut at = 0;
    loop {
        let rest = &text[at..];
        let here = at + rest.len() - rest.trim_start().len();
        if text[here..].starts_with("<!--") {
            at = end(text.as_bytes(), here + 4, b"-->");
        } else if here > 0 && text[here..].starts_with("<?xml ") {
            let after = end(text.as_bytes(), here, b"?>");
            // One blank per byte keeps all positions.
            let blank: String = text[here..after]
                .bytes()
                .map(|b| if b == b'\n' { '\n' } else { ' ' })
                .collect();
            return Cow::Owned(format!("{}{blank}{}", &text[..here], &text[after..]));
        } else {
            return Cow::Borrowed(text);
        }
    }
}

/// An opening tag.
struct Tag {
    end: usize,
    attributes: usize,
    closed: bool,
}

impl Tag {
    fn of(bytes: &[u8], start: usize) -> Self {
        let (mut at, mut attributes) = (start, 0);
        while at < bytes.len() {
            match bytes[at] {
                quote @ (b'"' | b'\'') => {
                    attributes += 1;
                    at = end(bytes, at + 1, &[quote]);
                }
                b'>' => {
                    let closed = bytes[at - 1] == b'/' || bytes[start] == b'!';
                    return Self {
                        end: at + 1,
                        attributes,
                        closed,
                    };
                }
                _ => at += 1,
            }
        }
        Self {
            end: at,
            attributes,
            closed: true,
        }
    }
}

fn find(bytes: &[u8], from: usize, what: &[u8]) -> Option<usize> {
    let mut from = from;
    loop {
        let rest = bytes.get(from..)?;
        let at = from + rest.iter().position(|b| *b == what[0])?;
        if bytes[at..].starts_with(what) {
            return Some(at);
        }
        from = at + 1;
    }
}

/// Just after the next `what`, or the end of the text.
fn end(bytes: &[u8], from: usize, what: &[u8]) -> usize {
    find(bytes, from, what).map_or(bytes.len(), |i| i + what.len())
}

fn limit(text: &str, at: usize, whole: &Place, what: String) -> ImportError {
    let line = text[..at].matches('\n').count() + 1;
    let column = at - text[..at].rfind('\n').map_or(0, |i| i + 1) + 1;
    let place = whole.at_line(line as u32, column as u32);
    ImportError::new(&place, Fault::TooLarge, what, "split or simplify the file")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str) -> Result<(), ImportError> {
        within_limits(text, &Place::file("x.xml"))
    }

    #[test]
    fn a_declaration_after_a_comment_is_blanked() {
        let late = "<!-- © -->\n<?xml version=\"1.0\"?>\n<a/>";
        let clean = without_late_declaration(late);
        assert_eq!(clean.len(), late.len());
        assert!(!clean.contains("xml") && clean.ends_with("\n<a/>"));
        for same in ["<?xml version=\"1.0\"?><a/>", "<a/>", "<!-- <?xml ?>", ""] {
            assert_eq!(without_late_declaration(same), same);
        }
    }

    #[test]
    fn counts_depth_and_attributes() {
        let ok = "<a><!-- <b <b <b --><![CDATA[ <c ]]>".to_owned() + &"<d x='>'/>".repeat(1000);
        check(&(ok + "</a>")).unwrap();
        let deep = check(&"<a>\n".repeat(100_000)).unwrap_err();
        assert_eq!((deep.fault, deep.place.line), (Fault::TooLarge, 257));
        let wide: String = (0..1000).map(|i| format!("a{i}=\"1\" ")).collect();
        let wide = check(&format!("<a {wide}/>")).unwrap_err();
        assert_eq!(wide.fault, Fault::TooLarge);
        // Unfinished constructs end the scan instead of hanging it.
        for text in ["<a x='", "<!-- ", "<", "<a", "</", "<![CDATA["] {
            check(text).unwrap();
        }
    }
}
