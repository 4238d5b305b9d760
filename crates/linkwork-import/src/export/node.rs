//! XML to be written.

use linkwork::math::{Pose, Quat, Vec3};
use std::fmt::Write;

/// An element.
pub(super) struct Node {
    name: &'static str,
    attributes: Vec<(&'static str, String)>,
    children: Vec<Node>,
}

impl Node {
    pub fn new(name: &'static str) -> Self {
        Self {
            name,
            attributes: Vec::new(),
            children: Vec::new(),
        }
    }

    /// With a text attribute.
    pub fn text(mut self, key: &'static str, value: impl Into<String>) -> Self {
        self.attributes.push((key, value.into()));
        self
    }

    /// With an attribute of numbers.
    pub fn numbers(self, key: &'static str, values: &[f64]) -> Self {
        let words: Vec<String> = values.iter().map(|v| format!("{v:?}")).collect();
        self.text(key, words.join(" "))
    }

    /// With an attribute of one number, unless it is the default.
    pub fn number_unless(self, key: &'static str, value: f64, default: f64) -> Self {
        if value == default {
            self
        } else {
            self.numbers(key, &[value])
        }
    }

    /// With a vector.
    pub fn vector(self, key: &'static str, v: &Vec3) -> Self {
        self.numbers(key, v.as_slice())
    }

    /// With `pos` and `quat`, unless they are those of the outer frame.
    pub fn pose(self, pose: &Pose) -> Self {
        let mut node = self;
        if pose.position != Vec3::zeros() {
            node = node.vector("pos", &pose.position);
        }
        if pose.rotation != Quat::identity() {
            let q = &pose.rotation;
            node = node.numbers("quat", &[q.w, q.i, q.j, q.k]);
        }
        node
    }

    pub fn push(&mut self, child: Node) {
        self.children.push(child);
    }

    /// With children.
    pub fn with(mut self, children: impl IntoIterator<Item = Node>) -> Self {
        self.children.extend(children);
        self
    }

    pub fn is_empty(&self) -> bool {
        self.children.is_empty()
    }

    /// The document.
    pub fn print(&self) -> String {
        let mut out = String::new();
        self.write(&mut out, 0);
        out
    }

    /// Depth is that of the mechanism's tree, which importers limit.
    fn write(&self, out: &mut String, depth: usize) {
        let indent = "  ".repeat(depth);
        let _ = write!(out, "{indent}<{}", self.name);
        for (key, value) in &self.attributes {
            let _ = write!(out, " {key}=\"{}\"", escaped(value));
        }
        if self.children.is_empty() {
            out.push_str("/>\n");
            return;
        }
        out.push_str(">\n");
        for child in &self.children {
            child.write(out, depth + 1);
        }
        let _ = writeln!(out, "{indent}</{}>", self.name);
    }
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\r' | '\t' => out.push(' '),
            c => out.push(c),
        }
    }
    out
}
