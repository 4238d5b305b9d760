//! Curves, stairs and dots over two axes.

use super::coordinate;
use super::frame::Area;
use super::legend::legend;
use super::scale::Scale;
use crate::plot::{Axis, Plot, Style};
use crate::report::html::Html;

/// Strokes there are before they repeat: colours, and dashes of each.
const COLOURS: usize = 8;
const DASHES: usize = 6;
/// Maximum number of curves that can be distinguished without a large legend.
const MAX_LEGEND: usize = 64;

/// Colour and dash of a curve, as numbers of the style sheet's classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stroke {
    /// Colour.
    pub colour: usize,
    /// Dash; 0 is a whole line.
    pub dash: usize,
}

/// What is drawn with one stroke.
#[derive(Clone, Debug)]
pub struct Curve {
    /// Curves of one key are highlighted together.
    pub key: usize,
    /// Name in the legend.
    pub name: String,
    /// Said after the name.
    pub note: String,
    /// Its heading in the legend; may be empty.
    pub family: String,
    /// Points (x, y).
    pub points: Vec<(f64, f64)>,
    /// Line, stair or dots.
    pub style: Style,
    /// Colour and dash.
    pub stroke: Stroke,
}

impl Curve {
    /// Classes of the style sheet.
    pub fn class(&self) -> String {
        let Stroke { colour, dash } = self.stroke;
        let dots = if self.is_dots() { "dots " } else { "" };
        // Dots are lines of no length: a dash would swallow them.
        let dash = if self.is_dots() { 0 } else { dash % DASHES };
        format!("{dots}c{} d{dash}", colour % COLOURS)
    }

    /// Whether it is a cloud of dots.
    pub fn is_dots(&self) -> bool {
        self.style == Style::Dots
    }
}

/// How large a chart is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// As wide as the page allows, with a legend beside it.
    Large,
    /// One of several side by side, without a legend: it is that of the large chart above.
    Small,
}

/// Curves over two axes.
#[derive(Clone, Debug)]
pub struct Chart {
    /// Read out in place of the picture.
    pub title: String,
    /// Across.
    pub x: Axis,
    /// Up.
    pub y: Axis,
    /// What is drawn, the most important first.
    pub curves: Vec<Curve>,
    /// Ends of the axis up, where they do not follow from the values.
    pub y_range: Option<(f64, f64)>,
    /// A level to compare with.
    pub mark: Option<f64>,
    /// Whether keys are those of solvers.
    pub by_solver: bool,
    /// How large.
    pub size: Size,
}

impl Chart {
    /// A chart without curves.
    pub fn new(title: impl Into<String>, x: Axis, y: Axis) -> Self {
        Self {
            title: title.into(),
            x,
            y,
            curves: Vec::new(),
            y_range: None,
            mark: None,
            by_solver: false,
            size: Size::Large,
        }
    }

    /// A plot that came as data.
    pub fn of(plot: &Plot) -> Self {
        let mut chart = Self::new(plot.title.clone(), plot.x.clone(), plot.y.clone());
        let series = plot.series.iter().enumerate();
        chart.curves = series
            .map(|(i, series)| Curve {
                key: i,
                name: series.name.clone(),
                note: String::new(),
                family: String::new(),
                points: series.points.clone(),
                style: series.style,
                stroke: Stroke {
                    colour: i % (COLOURS - 1),
                    dash: i / (COLOURS - 1),
                },
            })
            .collect();
        chart
    }

    /// The drawing, and its legend where it has one.
    pub fn html(&self) -> Html {
        let mut html = Html::new();
        let class = if self.by_solver {
            "plot by-solver"
        } else {
            "plot"
        };
        html.element("div", &[("class", class)], |h| {
            self.draw(h);
            let few = (1..=MAX_LEGEND).contains(&self.curves.len());
            if self.size == Size::Large && few {
                h.add(legend(&self.curves));
            }
        });
        html
    }

    fn draw(&self, html: &mut Html) {
        let (width, height) = match self.size {
            Size::Large => (780.0, 430.0),
            Size::Small => (400.0, 270.0),
        };
        let area = Area {
            left: 54.0,
            right: width - 14.0,
            top: 26.0,
            bottom: height - 46.0,
        };
        let view = format!("0 0 {width} {height}");
        let attributes = [
            ("viewBox", view.as_str()),
            ("role", "img"),
            ("aria-label", &self.title),
        ];
        html.element("svg", &attributes, |h| {
            h.leaf("title", &[], &self.title);
            match self.scales(&area) {
                Some((x, y)) => self.draw_on(h, &area, &x, &y),
                None => {
                    h.leaf(
                        "text",
                        &[("x", "60"), ("y", "60")],
                        "nothing to draw: no value is positive or finite",
                    );
                }
            }
        });
    }

    fn scales(&self, area: &Area) -> Option<(Scale, Scale)> {
        // Only points with both coordinates are drawn, and only those count.
        let both = |p: &&(f64, f64)| {
            let shown = |v: f64, axis: &Axis| v.is_finite() && (!axis.log || v > 0.0);
            shown(p.0, &self.x) && shown(p.1, &self.y)
        };
        let points = || self.curves.iter().flat_map(|c| &c.points).filter(both);
        let x = Scale::over(self.x.log, points().map(|p| p.0), area.across())?;
        let y = match self.y_range {
            Some(range) => Scale::exact(self.y.log, range, area.up()),
            None => {
                let marks = self.mark.into_iter();
                Scale::over(self.y.log, points().map(|p| p.1).chain(marks), area.up())?
            }
        };
        Some((x, y))
    }

    fn draw_on(&self, html: &mut Html, area: &Area, x: &Scale, y: &Scale) {
        area.draw_x(html, x, &self.x);
        area.draw_y(html, y, &self.y);
        area.draw_border(html);
        if let Some(level) = self.mark.and_then(|m| y.at(m)) {
            let [l, r, at] = [area.left, area.right, level].map(coordinate);
            html.empty(
                "path",
                &[("class", "mark"), ("d", &format!("M{l} {at}H{r}"))],
            );
        }
        // The first last, on top.
        for curve in self.curves.iter().rev() {
            let class = format!("k k{} {}", curve.key, curve.class());
            let line = path(curve, x, y);
            if line.is_empty() {
                continue;
            }
            html.element("path", &[("class", &class), ("d", &line)], |h| {
                let title = format!("{} {}", curve.name, curve.note);
                h.leaf("title", &[], title.trim());
            });
        }
    }
}

/// The points as a path; one that cannot be shown leaves a gap, and one where the last was is dropped.
fn path(curve: &Curve, x: &Scale, y: &Scale) -> String {
    let mut line = String::new();
    let mut piece: Vec<(String, String)> = Vec::new();
    for &(px, py) in &curve.points {
        match (x.at(px), y.at(py)) {
            (Some(at_x), Some(at_y)) => {
                let point = (coordinate(at_x), coordinate(at_y));
                if piece.last() != Some(&point) {
                    piece.push(point);
                }
            }
            _ => line += &piece_path(curve.style, &std::mem::take(&mut piece)),
        }
    }
    line + &piece_path(curve.style, &piece)
}

/// A piece without gaps.
fn piece_path(style: Style, piece: &[(String, String)]) -> String {
    if style == Style::Dots {
        return piece.iter().map(|(x, y)| format!("M{x} {y}h0")).collect();
    }
    match piece {
        [] => String::new(),
        // A line through one point would not be seen: a short dash.
        [(x, y)] => format!("M{x} {y}m-3 0h6"),
        [(x, y), rest @ ..] => {
            let mut line = format!("M{x} {y}");
            let mut last = y;
            for (x, y) in rest {
                line += &match style {
                    Style::Line | Style::Dots => format!("L{x} {y}"),
                    Style::Steps if last == y => format!("H{x}"),
                    Style::Steps => format!("H{x}V{y}"),
                };
                last = y;
            }
            line
        }
    }
}
