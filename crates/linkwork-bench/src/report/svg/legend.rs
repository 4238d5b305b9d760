//! The legend beside a drawing: a list in families, which wraps below where the page is narrow.

use super::chart::Curve;
use crate::report::html::Html;

/// Names of the curves with their strokes; curves of a family stand together under its name.
pub fn legend(curves: &[Curve]) -> Html {
    let mut html = Html::new();
    html.element("div", &[("class", "legend")], |h| {
        for family in families(curves) {
            h.element("ul", &[("aria-label", family)], |h| {
                if !family.is_empty() {
                    h.leaf("li", &[("class", "family")], family);
                }
                for curve in curves.iter().filter(|c| c.family == family) {
                    entry(h, curve);
                }
            });
        }
    });
    html
}

/// The families in the order of their first curves.
fn families(curves: &[Curve]) -> Vec<&str> {
    let mut found: Vec<&str> = Vec::new();
    for curve in curves {
        if !found.contains(&curve.family.as_str()) {
            found.push(&curve.family);
        }
    }
    found
}

fn entry(html: &mut Html, curve: &Curve) {
    let class = format!("k k{}", curve.key);
    let title = format!("{} {}", curve.name, curve.note);
    html.element("li", &[("class", &class), ("title", title.trim())], |h| {
        let view = [("viewBox", "0 0 36 10"), ("aria-hidden", "true")];
        h.element("svg", &view, |h| {
            let stroke = format!("swatch {}", curve.class());
            let line = if curve.is_dots() {
                "M18 5h0"
            } else {
                "M0 5H36"
            };
            h.empty("path", &[("class", &stroke), ("d", line)]);
        });
        h.text(&curve.name);
        if !curve.note.is_empty() {
            h.leaf("span", &[("class", "soft")], &format!(" {}", curve.note));
        }
    });
}
