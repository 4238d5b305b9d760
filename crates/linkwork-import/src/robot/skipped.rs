//! Elements and attributes without effect, and unusual ones, listed once per kind.

use crate::suggest;
use crate::xml::Element;
use crate::{Notices, Place};

/// One kind of element, reported at its first position.
struct Kind {
    what: String,
    remedy: String,
    /// Odd, rather than merely without effect.
    odd: bool,
    place: Place,
    count: usize,
}

/// Collects skipped elements, in the order of first appearance.
#[derive(Default)]
pub(crate) struct Skipped(Vec<Kind>);

impl Skipped {
    /// Children of `parent` that are not in `known`.
    pub fn children(&mut self, parent: &Element, known: &[&str]) {
        for child in &parent.children {
            if !known.contains(&child.name.as_str()) {
                let what = format!("<{}> in <{}> has no effect", child.name, parent.name);
                self.misspelt(what, &child.name, known, &child.place);
            }
        }
    }

    /// Attributes of `element` that are not in `known`.
    pub fn attributes(&mut self, element: &Element, known: &[&str]) {
        for a in &element.attributes {
            if !known.contains(&a.name.as_str()) {
                let what = format!("attribute '{}' of <{}> has no effect", a.name, element.name);
                self.misspelt(what, &a.name, known, &a.place);
            }
        }
    }

    /// Something else without effect.
    pub fn note(&mut self, what: impl Into<String>, place: &Place) {
        self.add(what.into(), String::new(), false, place);
    }

    /// An element interpreted differently from the file.
    pub fn odd(&mut self, what: impl Into<String>, remedy: &str, place: &Place) {
        self.add(what.into(), remedy.to_owned(), true, place);
    }

    fn misspelt(&mut self, what: String, name: &str, known: &[&str], place: &Place) {
        match suggest::nearest(name, known.iter().copied()) {
            Some(near) => self.add(what, format!("did you mean '{near}'?"), true, place),
            None => self.add(what, String::new(), false, place),
        }
    }

    fn add(&mut self, what: String, remedy: String, odd: bool, place: &Place) {
        if let Some(kind) = self.0.iter_mut().find(|k| k.what == what) {
            kind.count += 1;
            return;
        }
        self.0.push(Kind {
            what,
            remedy,
            odd,
            place: place.clone(),
            count: 1,
        });
    }

    /// One notice a kind.
    pub fn tell(self, notices: &mut Notices) {
        for kind in self.0 {
            let what = match kind.count {
                1 => kind.what,
                n => format!("{} ({n} times)", kind.what),
            };
            if kind.odd {
                notices.warn(&kind.place, what, kind.remedy);
            } else {
                notices.ignored(&kind.place, what);
            }
        }
    }
}
