//! HTML by construction: every element is closed, every text and attribute escaped.

mod figure;
mod grid;
mod heat;
mod page;

pub use figure::{figure, figures};
pub use grid::{Cell, Grid};
pub use heat::{heat_cell, scale_bar};
pub use page::{Section, page};

/// Elements within a line of text, where a line break would show as a space.
const INLINE: [&str; 5] = ["a", "code", "small", "span", "strong"];

/// A piece of a page, or of a drawing in it.
#[derive(Clone, Debug, Default)]
pub struct Html(String);

impl Html {
    /// Nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Text, escaped.
    pub fn text(&mut self, text: &str) -> &mut Self {
        escape_into(&mut self.0, text);
        self
    }

    /// Markup that another piece has escaped.
    pub fn add(&mut self, piece: Html) -> &mut Self {
        self.0 += &piece.0;
        self
    }

    /// Text of ours that must not be escaped: style sheets.
    pub fn verbatim(&mut self, text: &str) -> &mut Self {
        self.0 += text;
        self
    }

    /// An element with what `inner` puts into it.
    pub fn element(
        &mut self,
        name: &str,
        attributes: &[(&str, &str)],
        inner: impl FnOnce(&mut Html),
    ) -> &mut Self {
        self.open(name, attributes);
        self.0.push('>');
        inner(self);
        self.0 += "</";
        self.0 += name;
        self.0.push('>');
        if !INLINE.contains(&name) {
            self.0.push('\n');
        }
        self
    }

    /// An element with text.
    pub fn leaf(&mut self, name: &str, attributes: &[(&str, &str)], text: &str) -> &mut Self {
        self.element(name, attributes, |h| {
            h.text(text);
        })
    }

    /// An element without contents, as `<path …/>` or `<img …/>`.
    pub fn empty(&mut self, name: &str, attributes: &[(&str, &str)]) -> &mut Self {
        self.open(name, attributes);
        self.0 += "/>\n";
        self
    }

    /// A paragraph of text.
    pub fn p(&mut self, text: &str) -> &mut Self {
        self.leaf("p", &[], text)
    }

    /// A paragraph which states that a part of the benchmark has not been run, and the command that runs it.
    pub fn missing(&mut self, what: &str, command: &str) -> &mut Self {
        self.element("p", &[("class", "missing")], |h| {
            h.text(what).text(" Make it with ");
            h.leaf("code", &[], command);
            h.text(" and write the report again.");
        })
    }

    /// The text so far.
    pub fn into_string(self) -> String {
        self.0
    }

    fn open(&mut self, name: &str, attributes: &[(&str, &str)]) {
        self.0.push('<');
        self.0 += name;
        // An empty attribute is one that does not apply.
        for (key, value) in attributes.iter().filter(|(_, value)| !value.is_empty()) {
            self.0.push(' ');
            self.0 += key;
            self.0 += "=\"";
            escape_into(&mut self.0, value);
            self.0.push('"');
        }
    }
}

/// Escapes for text and for attributes in double quotes. Control characters, which no page may hold, are
/// replaced.
fn escape_into(out: &mut String, text: &str) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' | '\t' => out.push(c),
            c if c.is_control() => out.push('\u{FFFD}'),
            c => out.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_and_attributes_cannot_break_out() {
        let mut html = Html::new();
        html.leaf("b", &[("title", "\"><i>"), ("id", "")], "a<b>&'\u{1}");
        assert_eq!(
            html.into_string(),
            "<b title=\"&quot;&gt;&lt;i&gt;\">a&lt;b&gt;&amp;&#39;\u{FFFD}</b>\n"
        );
    }
}
