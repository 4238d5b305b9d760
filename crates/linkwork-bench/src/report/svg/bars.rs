//! Stacked bars, one below the other.

use super::frame::Area;
use super::scale::Scale;
use super::{coordinate, shortened};
use crate::plot::Axis;
use crate::report::data::median;
use crate::report::html::Html;
use crate::report::numbers::short;

const HEIGHT: f64 = 22.0;
/// How many times the median bar is shown at most.
const CUT: f64 = 6.0;

/// A bar of parts; a part that is not finite or negative is left out.
pub struct Bar {
    /// Name beside it.
    pub name: String,
    /// Lengths of its parts.
    pub parts: Vec<f64>,
}

impl Bar {
    fn total(&self) -> f64 {
        self.parts.iter().filter(|p| is_length(**p)).sum()
    }
}

/// Bars of `parts` with their sums, and a legend below. Bars much longer than most are cut; otherwise the others would
/// not be visible.
pub fn bars(title: &str, axis: &Axis, parts: &[&str], all: &[Bar]) -> Html {
    let area = Area {
        left: 120.0,
        right: 700.0,
        top: 8.0,
        bottom: 8.0 + HEIGHT * all.len() as f64,
    };
    let view = format!("0 0 780 {}", area.bottom + 46.0);
    let totals: Vec<f64> = all.iter().map(Bar::total).collect();
    let most = totals.iter().copied().fold(0.0, f64::max);
    let end = most.min(CUT * median(&totals).unwrap_or(0.0));
    let end = if end > 0.0 { 1.02 * end } else { 1.0 };
    let scale = Scale::exact(false, (0.0, end), area.across());
    let mut html = Html::new();
    html.element("div", &[("class", "plot")], |h| {
        let attributes = [
            ("viewBox", view.as_str()),
            ("role", "img"),
            ("aria-label", title),
        ];
        h.element("svg", &attributes, |h| {
            h.leaf("title", &[], title);
            area.draw_x(h, &scale, axis);
            for (i, bar) in all.iter().enumerate() {
                let top = area.top + HEIGHT * i as f64;
                draw_bar(h, bar, parts, &scale, (area.left, top));
                draw_total(h, bar.total(), end, &scale, top);
            }
            area.draw_border(h);
        });
        h.add(names(parts));
    });
    html
}

fn draw_bar(html: &mut Html, bar: &Bar, parts: &[&str], scale: &Scale, (left, top): (f64, f64)) {
    let (x, y) = (coordinate(left - 6.0), coordinate(top + 15.0));
    let place = [("x", x.as_str()), ("y", &y), ("text-anchor", "end")];
    html.leaf("text", &place, &shortened(&bar.name, 17));
    let mut from = 0.0;
    for (i, (length, part)) in bar.parts.iter().zip(parts).enumerate() {
        if !is_length(*length) {
            continue;
        }
        let ends = (scale.at(from), scale.at(from + length));
        from += length;
        let (Some(start), Some(end)) = ends else {
            continue;
        };
        let [l, r, t] = [start, end, top + 3.0].map(coordinate);
        let line = format!("M{l} {t}H{r}v{}H{l}Z", HEIGHT - 6.0);
        let class = format!("f{}", i % 8);
        html.element("path", &[("class", &class), ("d", &line)], |h| {
            let title = format!("{}, {part}: {}", bar.name, short(*length));
            h.leaf("title", &[], &title);
        });
    }
}

/// The sum at the end of a bar, with an arrow where the bar is cut.
fn draw_total(html: &mut Html, total: f64, end: f64, scale: &Scale, top: f64) {
    if let Some(at) = scale.at(total) {
        let cut = if total > end { "▸ " } else { "" };
        let (x, y) = (coordinate(at + 5.0), coordinate(top + 15.0));
        let place = [("class", "tick"), ("x", x.as_str()), ("y", &y)];
        html.leaf("text", &place, &format!("{cut}{}", short(total)));
    }
}

fn names(parts: &[&str]) -> Html {
    let mut html = Html::new();
    html.element("ul", &[("class", "legend")], |h| {
        for (i, part) in parts.iter().enumerate() {
            h.element("li", &[], |h| {
                let view = [("viewBox", "0 0 36 10"), ("aria-hidden", "true")];
                h.element("svg", &view, |h| {
                    let class = format!("f{}", i % 8);
                    h.empty("path", &[("class", &class), ("d", "M0 0H36V10H0Z")]);
                });
                h.text(part);
            });
        }
    });
    html
}

fn is_length(part: f64) -> bool {
    part.is_finite() && part >= 0.0
}
