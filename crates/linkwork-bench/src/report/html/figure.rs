//! A drawing with its title and caption.

use super::Html;

/// A drawing (with its legend, if it has one) under its title, and how to read it below.
pub fn figure(title: &str, drawing: Html, caption: &str) -> Html {
    let mut html = Html::new();
    html.element("figure", &[], |h| {
        h.leaf("h4", &[], title);
        h.add(drawing);
        if !caption.is_empty() {
            h.leaf("figcaption", &[], caption);
        }
    });
    html
}

/// Small figures side by side.
pub fn figures(all: impl IntoIterator<Item = Html>) -> Html {
    let mut html = Html::new();
    html.element("div", &[("class", "figures")], |h| {
        for one in all {
            h.add(one);
        }
    });
    html
}
