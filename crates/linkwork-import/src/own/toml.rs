//! TOML text to a tree and back.

use super::tree::{Content, Key, Node, Text};
use crate::ImportError;
use std::fmt::Write;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Read the text; nesting is limited by the TOML reader.
pub(super) fn parse(text: &Text) -> Result<Node, ImportError> {
    let root = DeTable::parse(text.text).map_err(|e| {
        let at = e.span().map_or(0, |s| s.start);
        text.syntax(at, e.message().replace('\n', ", "))
    })?;
    let at = root.span().start;
    Ok(Node {
        at,
        content: table(root.get_ref(), text)?,
    })
}

fn table(table: &DeTable, text: &Text) -> Result<Content, ImportError> {
    let mut entries = Vec::with_capacity(table.len());
    for (key, value) in table {
        let key = Key {
            at: key.span().start,
            name: key.get_ref().to_string(),
        };
        entries.push((key, node(value, text)?));
    }
    // The reader sorts by name.
    entries.sort_by_key(|(key, _)| key.at);
    Ok(Content::Table(entries))
}

fn node(value: &Spanned<DeValue>, text: &Text) -> Result<Node, ImportError> {
    let at = value.span().start;
    let content = match value.get_ref() {
        DeValue::String(s) => Content::Text(s.to_string()),
        DeValue::Boolean(b) => Content::Bool(*b),
        DeValue::Integer(i) => match i64::from_str_radix(i.as_str(), i.radix()) {
            Ok(i) => Content::Integer(i),
            Err(_) => return Err(text.syntax(at, format!("{} is too large", i.as_str()))),
        },
        DeValue::Float(f) => match f.as_str().parse() {
            Ok(f) => Content::Float(f),
            Err(_) => return Err(text.syntax(at, format!("'{}' is no number", f.as_str()))),
        },
        DeValue::Datetime(d) => Content::Text(d.to_string()),
        DeValue::Array(list) => {
            let list = list.iter().map(|v| node(v, text));
            Content::List(list.collect::<Result<_, _>>()?)
        }
        DeValue::Table(t) => table(t, text)?,
    };
    Ok(Node { at, content })
}

/// Writes the tree: plain entries first, then a section `[[key]]` for every table of a list.
pub(super) fn print(root: &[(Key, Node)]) -> String {
    let mut out = String::new();
    let (sections, plain): (Vec<_>, Vec<_>) = root.iter().partition(|(_, n)| is_section(n));
    for (key, node) in plain {
        entry(&mut out, &key.name, &node.content);
    }
    for (key, node) in sections {
        let Content::List(tables) = &node.content else {
            continue;
        };
        for table in tables {
            let _ = writeln!(out, "\n[[{}]]", name(&key.name));
            if let Content::Table(entries) = &table.content {
                for (key, node) in entries {
                    entry(&mut out, &key.name, &node.content);
                }
            }
        }
    }
    out
}

/// A list of tables, which becomes sections.
fn is_section(node: &Node) -> bool {
    match &node.content {
        Content::List(list) => list
            .first()
            .is_some_and(|n| matches!(n.content, Content::Table(_))),
        _ => false,
    }
}

fn entry(out: &mut String, key: &str, content: &Content) {
    out.push_str(&name(key));
    out.push_str(" = ");
    value(out, content);
    out.push('\n');
}

/// Lists longer than this are broken into lines.
const SHORT: usize = 8;

fn value(out: &mut String, content: &Content) {
    match content {
        // Never written; an absent key has the same meaning.
        Content::Null => out.push_str("\"\""),
        Content::Bool(b) => {
            let _ = write!(out, "{b}");
        }
        Content::Integer(i) => {
            let _ = write!(out, "{i}");
        }
        Content::Float(f) => out.push_str(&super::float(*f)),
        Content::Text(s) => out.push_str(&quoted(s)),
        Content::List(list) => {
            let lines = list.len() > SHORT
                || list.len() > 1 && matches!(list[0].content, Content::Table(_));
            out.push('[');
            for (i, item) in list.iter().enumerate() {
                if lines {
                    out.push_str("\n  ");
                } else if i > 0 {
                    out.push(' ');
                }
                value(out, &item.content);
                if lines || i + 1 < list.len() {
                    out.push(',');
                }
            }
            out.push_str(if lines { "\n]" } else { "]" });
        }
        Content::Table(entries) => {
            out.push_str("{ ");
            for (i, (key, node)) in entries.iter().enumerate() {
                if i > 0 {
                    out.push_str(", ");
                }
                let _ = write!(out, "{} = ", name(&key.name));
                value(out, &node.content);
            }
            out.push_str(if entries.is_empty() { "}" } else { " }" });
        }
    }
}

/// A key, quoted where it must be.
fn name(key: &str) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if !key.is_empty() && key.chars().all(bare) {
        key.to_owned()
    } else {
        quoted(key)
    }
}

fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            c if c.is_control() => {
                let _ = write!(out, "\\u{:04X}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
