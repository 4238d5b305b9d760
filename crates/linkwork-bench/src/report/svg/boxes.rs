//! Box plots, one below the other: least, quartiles, median, greatest.

use super::frame::Area;
use super::scale::Scale;
use super::{coordinate, shortened};
use crate::plot::Axis;
use crate::report::data::quantile;
use crate::report::html::Html;
use crate::report::numbers::short;

const HEIGHT: f64 = 28.0;

/// The spread of each named group of values over one axis.
pub fn boxes(title: &str, axis: &Axis, groups: &[(String, Vec<f64>)]) -> Html {
    let area = Area {
        left: 134.0,
        right: 386.0,
        top: 8.0,
        bottom: 8.0 + HEIGHT * groups.len() as f64,
    };
    let values = || groups.iter().flat_map(|(_, values)| values).copied();
    let scale = Scale::over(axis.log, values(), area.across());
    let view = format!("0 0 400 {}", area.bottom + 46.0);
    let attributes = [
        ("viewBox", view.as_str()),
        ("role", "img"),
        ("aria-label", title),
    ];
    let mut html = Html::new();
    html.element("div", &[("class", "plot")], |h| {
        h.element("svg", &attributes, |h| {
            h.leaf("title", &[], title);
            let Some(scale) = &scale else {
                h.leaf("text", &[("x", "8"), ("y", "24")], "nothing to draw");
                return;
            };
            area.draw_x(h, scale, axis);
            for (i, (name, values)) in groups.iter().enumerate() {
                let middle = area.top + HEIGHT * (i as f64 + 0.5);
                draw_box(h, name, values, scale, (area.left, middle));
            }
            area.draw_border(h);
        });
    });
    html
}

fn draw_box(html: &mut Html, name: &str, values: &[f64], scale: &Scale, (left, y): (f64, f64)) {
    let (x, base) = (coordinate(left - 6.0), coordinate(y + 4.0));
    let place = [("x", x.as_str()), ("y", &base), ("text-anchor", "end")];
    html.leaf("text", &place, &shortened(name, 18));
    let shown: Vec<f64> = values
        .iter()
        .copied()
        .filter(|v| scale.at(*v).is_some())
        .collect();
    let at = |q: f64| {
        quantile(&shown, q)
            .and_then(|v| scale.at(v))
            .map(coordinate)
    };
    let places = [0.0, 0.25, 0.5, 0.75, 1.0].map(at);
    let [
        Some(least),
        Some(low),
        Some(median),
        Some(high),
        Some(greatest),
    ] = &places
    else {
        return;
    };
    let [y, top] = [y, y - 8.0].map(coordinate);
    html.element("g", &[], |h| {
        let value = |q| quantile(&shown, q).map_or_else(String::new, short);
        let [a, b, c] = [0.0, 0.5, 1.0].map(value);
        h.leaf(
            "title",
            &[],
            &format!("{name}: {a} … {c}, median {b}, {} values", shown.len()),
        );
        let line = format!("M{least} {y}H{low}M{high} {y}H{greatest}");
        h.empty("path", &[("class", "whisker"), ("d", &line)]);
        let line = format!("M{low} {top}H{high}v16H{low}Z");
        h.empty("path", &[("class", "box"), ("d", &line)]);
        h.empty(
            "path",
            &[("class", "median"), ("d", &format!("M{median} {top}v16"))],
        );
    });
}
