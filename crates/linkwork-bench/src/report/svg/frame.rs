//! The frame of a drawing: grid lines, ticks, names of the axes.

use super::scale::Scale;
use super::{coordinate, shortened};
use crate::plot::Axis;
use crate::report::html::Html;

/// Where the values are drawn in the view box.
#[derive(Clone, Copy, Debug)]
pub struct Area {
    pub left: f64,
    pub right: f64,
    pub top: f64,
    pub bottom: f64,
}

impl Area {
    /// The places of an axis across.
    pub fn across(&self) -> (f64, f64) {
        (self.left, self.right)
    }

    /// The places of an axis that goes up.
    pub fn up(&self) -> (f64, f64) {
        (self.bottom, self.top)
    }

    /// Vertical grid lines with their ticks, and the name of the axis below.
    pub fn draw_x(&self, html: &mut Html, scale: &Scale, axis: &Axis) {
        let count = ((self.right - self.left) / 70.0) as usize;
        let below = coordinate(self.bottom + 16.0);
        for (x, label) in scale.ticks(count.max(2)) {
            let x = coordinate(x);
            let line = format!("M{x} {}V{}", coordinate(self.bottom), coordinate(self.top));
            html.empty("path", &[("class", "grid"), ("d", &line)]);
            let place = [("x", x.as_str()), ("y", &below), ("text-anchor", "middle")];
            html.leaf("text", &[&[("class", "tick")], &place[..]].concat(), &label);
        }
        let (x, y) = ((self.left + self.right) / 2.0, self.bottom + 36.0);
        let place = [("x", coordinate(x)), ("y", coordinate(y))];
        let place = place.each_ref().map(|(k, v)| (*k, v.as_str()));
        let most = ((self.right - self.left) / 6.2) as usize;
        let label = shortened(&axis.label, most.max(8));
        html.leaf(
            "text",
            &[&place[..], &[("text-anchor", "middle")]].concat(),
            &label,
        );
    }

    /// Horizontal grid lines with their ticks, and the name of the axis above them.
    pub fn draw_y(&self, html: &mut Html, scale: &Scale, axis: &Axis) {
        let count = ((self.bottom - self.top) / 42.0) as usize;
        for (y, label) in scale.ticks(count.max(2)) {
            let line = format!(
                "M{} {}H{}",
                coordinate(self.left),
                coordinate(y),
                coordinate(self.right)
            );
            html.empty("path", &[("class", "grid"), ("d", &line)]);
            let (x, y) = (coordinate(self.left - 6.0), coordinate(y + 4.0));
            let place = [("x", x.as_str()), ("y", &y), ("text-anchor", "end")];
            html.leaf("text", &[&[("class", "tick")], &place[..]].concat(), &label);
        }
        // Level, at the top: no need to turn one's head.
        let most = ((self.right) / 6.6) as usize;
        let label = shortened(&axis.label, most.max(8));
        html.leaf("text", &[("x", "2"), ("y", "13")], &label);
    }

    /// The frame itself.
    pub fn draw_border(&self, html: &mut Html) {
        let [l, r, t, b] = [self.left, self.right, self.top, self.bottom].map(coordinate);
        let line = format!("M{l} {t}V{b}H{r}");
        html.empty("path", &[("class", "frame"), ("d", &line)]);
    }
}
