//! Maps and lists by indentation.

use super::flow::{self, Flow};
use super::lines::Lines;
use super::{MAX_DEPTH, Node, Value};
use crate::{Fault, ImportError, Place};

/// Read a whole file.
pub(super) fn document(mut lines: Lines) -> Result<Node, ImportError> {
    let Some(first) = lines.peek() else {
        return Ok(Node {
            value: Value::Empty,
            place: lines.place(1),
        });
    };
    let indent = first.indent;
    let node = block(&mut lines, indent, 0)?;
    match lines.peek() {
        None => Ok(node),
        Some(line) => Err(stray(&lines, line.number)),
    }
}

fn stray(lines: &Lines, number: u32) -> ImportError {
    let what = "the indentation fits nothing above it";
    let remedy = "indent entries of one map or list alike";
    lines.error(number, Fault::Syntax, what, remedy)
}

/// The value whose first line is next, at `indent`.
fn block(lines: &mut Lines, indent: usize, depth: usize) -> Result<Node, ImportError> {
    let Some(line) = lines.peek().cloned() else {
        let what = "the file ends where a value was expected";
        return Err(lines.error(lines.last(), Fault::Syntax, what, "complete it"));
    };
    if depth > MAX_DEPTH {
        let what = format!("values are nested more than {MAX_DEPTH} deep");
        return Err(lines.error(line.number, Fault::TooLarge, &what, "simplify the file"));
    }
    if line.text == "-" || line.text.starts_with("- ") {
        return list(lines, indent, depth);
    }
    if line.text.starts_with(['[', '{']) {
        return Flow { lines, column: 0 }.whole(depth);
    }
    match split_key(line.text) {
        Some(_) => map(lines, indent, depth),
        None => scalar(lines, 0, depth),
    }
}

fn list(lines: &mut Lines, indent: usize, depth: usize) -> Result<Node, ImportError> {
    let place = here(lines);
    let mut items = Vec::new();
    while let Some(line) = lines.peek().cloned().filter(|l| l.indent == indent) {
        let Some(rest) = line.text.strip_prefix('-') else {
            return Err(stray(lines, line.number));
        };
        let text = rest.trim_start();
        if text.is_empty() {
            lines.at += 1;
            items.push(below(lines, indent, line.number, depth)?);
            continue;
        }
        // The text after the dash is a block of its own, indented to its position.
        let inner = indent + line.text.len() - text.len();
        let at = lines.at;
        lines.lines[at].text = text;
        lines.lines[at].indent = inner;
        items.push(block(lines, inner, depth + 1)?);
    }
    Ok(Node {
        value: Value::List(items),
        place,
    })
}

fn map(lines: &mut Lines, indent: usize, depth: usize) -> Result<Node, ImportError> {
    let place = here(lines);
    let mut entries: Vec<(String, Node)> = Vec::new();
    while let Some(line) = lines.peek().cloned().filter(|l| l.indent == indent) {
        let Some((key, column)) = split_key(line.text) else {
            return Err(stray(lines, line.number));
        };
        if entries.iter().any(|(k, _)| *k == key) {
            let what = format!("key '{key}' exists already");
            return Err(lines.error(line.number, Fault::Duplicate, &what, "keep one"));
        }
        let text = line.text[column..].trim_start();
        let value = if text.is_empty() {
            lines.at += 1;
            below(lines, indent, line.number, depth)?
        } else {
            scalar(lines, line.text.len() - text.len(), depth + 1)?
        };
        entries.push((key, value));
    }
    Ok(Node {
        value: Value::Map(entries),
        place,
    })
}

/// The deeper block after a line that ends in a colon or dash; empty if there is none. Lists may stand
/// at the indentation of their key.
fn below(lines: &mut Lines, indent: usize, number: u32, depth: usize) -> Result<Node, ImportError> {
    match lines.peek() {
        Some(next) if next.indent > indent => {
            let inner = next.indent;
            block(lines, inner, depth + 1)
        }
        Some(next) if next.indent == indent && next.text.starts_with("- ") => {
            block(lines, indent, depth + 1)
        }
        _ => Ok(Node {
            value: Value::Empty,
            place: lines.place(number),
        }),
    }
}

/// The value that begins at `column` of the next line: inline, quoted or plain to the end of the line.
fn scalar(lines: &mut Lines, column: usize, depth: usize) -> Result<Node, ImportError> {
    let place = here(lines);
    let line = &lines.lines[lines.at];
    let text = &line.text[column..];
    if text.starts_with(['[', '{', '"', '\'']) {
        return Flow { lines, column }.whole(depth);
    }
    flow::plain(text, line.number, lines)?;
    let value = Value::Scalar(text.to_owned());
    lines.at += 1;
    Ok(Node { value, place })
}

/// A key and the column after its colon, if the line begins with one.
fn split_key(text: &str) -> Option<(String, usize)> {
    let (key, after) = match text.chars().next()? {
        quote @ ('"' | '\'') => {
            let end = 1 + text[1..].find(quote)?;
            (&text[1..end], end + 1)
        }
        '[' | '{' => return None,
        _ => {
            let end = if let Some(i) = text.find(": ") {
                i
            } else {
                text.strip_suffix(':')?.len()
            };
            (text[..end].trim_end(), end)
        }
    };
    let rest = text[after..].strip_prefix(':')?;
    (rest.is_empty() || rest.starts_with(' ')).then(|| (key.to_owned(), after + 1))
}

fn here(lines: &Lines) -> Place {
    lines.place(lines.peek().map_or(lines.last(), |l| l.number))
}
