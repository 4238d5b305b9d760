//! The part of YAML that loop files use: maps, lists, both also inline, plain and quoted scalars,
//! comments. Every value knows its line. Anchors, tags, block scalars and several documents are refused.

mod block;
mod flow;
mod lines;

use crate::limits;
use crate::suggest;
use crate::{Fault, ImportError, Place};
use linkwork::math::Vec3;
use std::path::Path;

/// Deepest nesting.
const MAX_DEPTH: usize = 32;
/// Most values.
const MAX_VALUES: usize = 500_000;

/// A value and where it begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Node {
    pub value: Value,
    pub place: Place,
}

/// What a value is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    /// Nothing, as after `key:` without a value.
    Empty,
    Scalar(String),
    List(Vec<Node>),
    Map(Vec<(String, Node)>),
}

/// Parse the text of `file`.
pub(crate) fn parse(file: &Path, bytes: &[u8]) -> Result<Node, ImportError> {
    let place = Place::file(file);
    let text = std::str::from_utf8(bytes).map_err(|e| {
        let what = format!("byte {} is not UTF-8", e.valid_up_to());
        ImportError::new(&place, Fault::Syntax, what, "save the file as UTF-8")
    })?;
    limits::pieces(bytes, b",[{:-\n", MAX_VALUES, &place)?;
    block::document(lines::Lines::of(text, &place)?)
}

impl Node {
    /// An error at this value.
    pub fn error(&self, fault: Fault, what: impl Into<String>, remedy: &str) -> ImportError {
        ImportError::new(&self.place, fault, what, remedy)
    }

    /// The entries of a map, whose keys must be among `known`.
    pub fn map(&self, known: &[&str]) -> Result<&[(String, Node)], ImportError> {
        let entries = self.entries()?;
        for (key, value) in entries {
            if !known.contains(&key.as_str()) {
                let what = format!("unknown key '{key}'");
                let remedy = suggest::remedy(key, known);
                return Err(value.error(Fault::UnknownAttribute, what, &remedy));
            }
        }
        Ok(entries)
    }

    /// The entries of a map with any keys; none of an empty value.
    pub fn entries(&self) -> Result<&[(String, Node)], ImportError> {
        match &self.value {
            Value::Map(entries) => Ok(entries),
            Value::Empty => Ok(&[]),
            _ => Err(self.error(Fault::BadValue, "not a map", "write key: value")),
        }
    }

    /// A value of a map.
    pub fn get(&self, key: &str) -> Option<&Node> {
        match &self.value {
            Value::Map(entries) => entries.iter().find(|(k, _)| k == key).map(|(_, v)| v),
            _ => None,
        }
    }

    /// The items of a list; none of an empty value.
    pub fn list(&self) -> Result<&[Node], ImportError> {
        match &self.value {
            Value::List(items) => Ok(items),
            Value::Empty => Ok(&[]),
            _ => Err(self.error(Fault::BadValue, "not a list", "write [a, b, …]")),
        }
    }

    /// A word.
    pub fn word(&self) -> Result<&str, ImportError> {
        match &self.value {
            Value::Scalar(text) => Ok(text),
            _ => Err(self.error(Fault::BadValue, "not a word", "write one word here")),
        }
    }

    /// `true` or `false`.
    pub fn flag(&self) -> Result<bool, ImportError> {
        match self.word()? {
            "true" => Ok(true),
            "false" => Ok(false),
            other => {
                let what = format!("'{other}' is neither true nor false");
                Err(self.error(Fault::BadValue, what, "write true or false"))
            }
        }
    }

    /// Three finite numbers.
    pub fn vec3(&self) -> Result<Vec3, ImportError> {
        let bad = |what: String| self.error(Fault::BadValue, what, "write [x, y, z]");
        let items = self.list()?;
        let [x, y, z] = items else {
            return Err(bad(format!("{} value(s), 3 needed", items.len())));
        };
        let number = |node: &Node| {
            let word = node.word()?;
            let value = word.parse::<f64>().ok().filter(|v| v.is_finite());
            value.ok_or_else(|| bad(format!("'{word}' is not a finite number")))
        };
        Ok(Vec3::new(number(x)?, number(y)?, number(z)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Node, ImportError> {
        parse(Path::new("x.yaml"), text.as_bytes())
    }

    #[test]
    fn blocks_and_inline_values_nest() {
        let text = "# top\nloops: # three\n  - {a: 'x: # y', b: [1, -2e-3, 3]}\n  - a: z\n    b:\n      - 1\nlong:\n  [\n    \"p\", # one\n    [q, r],\n  ]\nempty:\n";
        let root = read(text).unwrap();
        let loops = root.get("loops").unwrap().list().unwrap();
        assert_eq!(loops[0].get("a").unwrap().word().unwrap(), "x: # y");
        let b = loops[0].get("b").unwrap().vec3().unwrap();
        assert_eq!(b, Vec3::new(1.0, -2e-3, 3.0));
        assert_eq!(loops[1].get("a").unwrap().word().unwrap(), "z");
        assert_eq!(loops[1].get("b").unwrap().place.line, 6);
        let long = root.get("long").unwrap().list().unwrap();
        assert_eq!(long[0].word().unwrap(), "p");
        assert_eq!(long[1].list().unwrap()[1].word().unwrap(), "r");
        assert_eq!(long[1].place.line, 10);
        assert_eq!(root.get("empty").unwrap().value, Value::Empty);
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        let cases = [
            ("a: [1, 2\nb: 3\n", Fault::Syntax, 2),
            ("a: 'x\n", Fault::Syntax, 1),
            ("a: 1\n   b: 2\n", Fault::Syntax, 2),
            ("a:\n\t- 1\n", Fault::Syntax, 2),
            ("a: 1\na: 2\n", Fault::Duplicate, 2),
            ("a: &x 1\n", Fault::Unsupported, 1),
            ("a: |\n  text\n", Fault::Unsupported, 1),
            ("a: [1] 2\n", Fault::Syntax, 1),
            ("- 1\nb: 2\n", Fault::Syntax, 2),
        ];
        for (text, fault, line) in cases {
            let e = read(text).unwrap_err();
            assert_eq!((e.fault, e.place.line), (fault, line), "{text:?}: {e}");
        }
        for deep in [
            "[".repeat(100_000),
            "- ".repeat(100_000),
            "{a: ".repeat(100_000),
        ] {
            assert_eq!(read(&deep).unwrap_err().fault, Fault::TooLarge);
        }
    }
}
