//! A strict little parser of the markup we write: every element is closed in order, or it panics.

use std::iter::once;

/// An element or a text.
#[derive(Debug, Default)]
pub struct Node {
    name: String,
    attributes: Vec<(String, String)>,
    children: Vec<Node>,
    text: String,
}

/// Elements that HTML leaves open.
const VOID: [&str; 4] = ["meta", "link", "img", "path"];

pub struct Page(Node);

impl Page {
    /// Parse; panics with the place where elements do not balance.
    pub fn parse(html: &str) -> Self {
        let rest = html.strip_prefix("<!DOCTYPE html>").expect("a doctype");
        let mut open = vec![Node::default()];
        let mut rest = rest;
        while let Some(start) = rest.find('<') {
            push_text(&mut open, &rest[..start]);
            let end = start + rest[start..].find('>').expect("a tag ends");
            let tag = &rest[start + 1..end];
            rest = &rest[end + 1..];
            if let Some(name) = tag.strip_prefix('/') {
                let done = open.pop().unwrap();
                assert_eq!(done.name, name, "closed out of order before {:.80}", rest);
                open.last_mut()
                    .expect("something is open")
                    .children
                    .push(done);
                continue;
            }
            let node = element(tag.strip_suffix('/').unwrap_or(tag));
            if tag.ends_with('/') {
                assert!(VOID.contains(&node.name.as_str()), "{tag}");
                open.last_mut().unwrap().children.push(node);
            } else if node.name == "style" {
                rest = rest.split_once("</style>").expect("the style ends").1;
            } else {
                open.push(node);
            }
        }
        assert_eq!(open.len(), 1, "never closed: {}", open.last().unwrap().name);
        Self(open.pop().unwrap())
    }

    pub fn root(&self) -> &Node {
        &self.0
    }

    pub fn section(&self, id: &str) -> &Node {
        let sections = self.0.all("section").into_iter();
        let mut named = sections.filter(|s| s.attribute("id").as_deref() == Some(id));
        named.next().unwrap_or_else(|| panic!("no section {id}"))
    }

    pub fn with_class(&self, class: &str) -> Vec<&Node> {
        self.0.with_class(class)
    }
}

impl Node {
    fn descendants(&self) -> Box<dyn Iterator<Item = &Node> + '_> {
        Box::new(once(self).chain(self.children.iter().flat_map(Node::descendants)))
    }

    pub fn all(&self, name: &str) -> Vec<&Node> {
        self.descendants().filter(|n| n.name == name).collect()
    }

    pub fn count(&self, name: &str) -> usize {
        self.all(name).len()
    }

    pub fn with_class(&self, class: &str) -> Vec<&Node> {
        let has = |n: &&Node| {
            n.attribute("class")
                .is_some_and(|c| c.split(' ').any(|c| c == class))
        };
        self.descendants().filter(has).collect()
    }

    pub fn has_class(&self, class: &str) -> bool {
        !self.with_class(class).is_empty()
    }

    pub fn attribute(&self, key: &str) -> Option<String> {
        let found = self.attributes.iter().find(|(k, _)| k == key);
        found.map(|(_, value)| unescaped(value))
    }

    /// Whether it is a path of values, not of the frame around them.
    pub fn is_drawn(&self) -> bool {
        let frame = ["grid", "frame", "mark"];
        !self
            .attribute("class")
            .is_some_and(|c| frame.contains(&c.as_str()))
    }

    pub fn text(&self) -> String {
        let texts: String = self.descendants().map(|n| n.text.as_str()).collect();
        unescaped(&texts)
    }
}

fn push_text(open: &mut [Node], text: &str) {
    if !text.trim().is_empty() {
        let text = text.to_owned();
        open.last_mut().unwrap().children.push(Node {
            text,
            ..Node::default()
        });
    }
}

fn element(tag: &str) -> Node {
    let (name, mut rest) = tag.split_once(' ').unwrap_or((tag, ""));
    let mut node = Node {
        name: name.to_owned(),
        ..Node::default()
    };
    assert!(name.chars().all(|c| c.is_ascii_alphanumeric()), "<{tag}>");
    while !rest.is_empty() {
        let (key, value) = rest.split_once("=\"").expect("an attribute");
        let (value, after) = value.split_once('"').expect("a quote");
        node.attributes.push((key.to_owned(), value.to_owned()));
        rest = after.trim_start();
    }
    node
}

fn unescaped(text: &str) -> String {
    let pairs = [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&#39;", "'"),
        ("&amp;", "&"),
    ];
    pairs
        .iter()
        .fold(text.to_owned(), |text, (from, to)| text.replace(from, to))
}

/// Cells of a CSV file [RFC 4180].
pub fn csv(text: &str) -> Vec<Vec<String>> {
    let (mut rows, mut row, mut cell) = (Vec::new(), Vec::new(), String::new());
    let mut quoted = false;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => {
                chars.next();
                cell.push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => row.push(std::mem::take(&mut cell)),
            '\n' if !quoted => {
                row.push(std::mem::take(&mut cell));
                rows.push(std::mem::take(&mut row));
            }
            c => cell.push(c),
        }
    }
    assert!(
        !quoted && row.is_empty() && cell.is_empty(),
        "the file is cut"
    );
    rows
}
