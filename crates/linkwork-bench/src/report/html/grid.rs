//! Tables with a caption, heads for rows and columns, and cells that can be marked.

use super::Html;
use crate::table::{Align, Table};

/// A cell.
#[derive(Clone, Debug, Default)]
pub struct Cell {
    /// Its text.
    pub text: String,
    /// A second, smaller line.
    pub small: String,
    /// A third line, in red: false convergence.
    pub alarm: String,
    /// Shown when pointed at.
    pub title: String,
    /// Class of its style: `bad`, `ok`, `refused`, …
    pub class: &'static str,
    /// Background and ink, as CSS, for heat maps.
    pub style: String,
    /// Its target.
    pub link: String,
    /// A picture, as a `data:` address; the tooltip describes it.
    pub image: String,
}

impl Cell {
    /// A plain cell.
    pub fn new(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            ..Self::default()
        }
    }

    /// The same with a class.
    pub fn class(mut self, class: &'static str) -> Self {
        self.class = class;
        self
    }

    /// The same with a tooltip.
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = title.into();
        self
    }

    /// A number of false convergences: red where there are any.
    pub fn alarms(count: usize) -> Self {
        let class = if count > 0 { "alarm" } else { "" };
        Self::new(count.to_string()).class(class)
    }

    fn write(&self, html: &mut Html, tag: &str, attributes: &[(&str, &str)]) {
        let mut all = attributes.to_vec();
        all.extend([("title", self.title.as_str()), ("style", &self.style)]);
        html.element(tag, &all, |h| {
            if self.link.is_empty() {
                h.text(&self.text);
            } else {
                h.leaf("a", &[("href", &self.link)], &self.text);
            }
            if !self.image.is_empty() {
                h.empty("img", &[("src", &self.image), ("alt", &self.title)]);
            }
            if !self.small.is_empty() {
                h.leaf("small", &[], &self.small);
            }
            if !self.alarm.is_empty() {
                h.leaf("small", &[("class", "alarm")], &self.alarm);
            }
        });
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self::new(text)
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}

/// A row; its first cell is its head.
#[derive(Clone, Debug, Default)]
pub struct Row {
    /// Class by which a solver's rows are highlighted, e.g. `k k3`.
    pub class: String,
    /// Cells, at most as many as there are columns.
    pub cells: Vec<Cell>,
}

/// A table.
#[derive(Clone, Debug, Default)]
pub struct Grid {
    /// What it shows.
    pub caption: String,
    /// Class of the table: `heat`.
    pub class: &'static str,
    /// Head of every column.
    pub head: Vec<(String, Align)>,
    /// Rows in groups, each with a heading that may be empty.
    pub groups: Vec<(String, Vec<Row>)>,
}

impl Grid {
    /// A table without rows; the first `left` columns are for words, the others for numbers.
    pub fn new(caption: impl Into<String>, head: &[&str], left: usize) -> Self {
        let align = |i| if i < left { Align::Left } else { Align::Right };
        let head = head.iter().enumerate();
        Self {
            caption: caption.into(),
            head: head.map(|(i, h)| ((*h).to_owned(), align(i))).collect(),
            ..Self::default()
        }
    }

    /// Begin a group of rows.
    pub fn group(&mut self, heading: impl Into<String>) {
        self.groups.push((heading.into(), Vec::new()));
    }

    /// Add a row to the last group.
    pub fn row(&mut self, cells: Vec<Cell>) {
        self.row_of("", cells);
    }

    /// Add a row with a class.
    pub fn row_of(&mut self, class: impl Into<String>, cells: Vec<Cell>) {
        if self.groups.is_empty() {
            self.group("");
        }
        let class = class.into();
        if let Some((_, rows)) = self.groups.last_mut() {
            rows.push(Row { class, cells });
        }
    }

    /// The table in a frame that scrolls where the page is narrow, which keys can reach.
    pub fn html(&self) -> Html {
        let mut html = Html::new();
        let label = self.caption.as_str();
        let frame = [("class", "scroll"), ("tabindex", "0")];
        let named = [("role", "region"), ("aria-label", label)];
        html.element("div", &[frame, named].concat(), |h| {
            h.element("table", &[("class", self.class)], |h| {
                h.leaf("caption", &[], &self.caption);
                h.element("thead", &[], |h| self.write_head(h));
                for (heading, rows) in self.groups.iter().filter(|(_, rows)| !rows.is_empty()) {
                    h.element("tbody", &[], |h| self.write_group(h, heading, rows));
                }
            });
        });
        html
    }

    fn write_head(&self, html: &mut Html) {
        html.element("tr", &[], |h| {
            for (text, align) in &self.head {
                // Long names may break after an underscore.
                let text = text.replace('_', "_\u{200B}");
                h.leaf(
                    "th",
                    &[("scope", "col"), ("class", class_of(*align))],
                    &text,
                );
            }
        });
    }

    fn write_group(&self, html: &mut Html, heading: &str, rows: &[Row]) {
        if !heading.is_empty() {
            let span = self.head.len().to_string();
            let attributes = [("colspan", span.as_str()), ("scope", "rowgroup")];
            html.element("tr", &[("class", "heading")], |h| {
                h.leaf("th", &attributes, heading);
            });
        }
        for row in rows {
            html.element("tr", &[("class", &row.class)], |h| {
                for (i, (cell, (_, align))) in row.cells.iter().zip(&self.head).enumerate() {
                    let class = format!("{} {}", class_of(*align), cell.class);
                    let class = ("class", class.trim());
                    if i == 0 {
                        cell.write(h, "th", &[("scope", "row"), class]);
                    } else {
                        cell.write(h, "td", &[class]);
                    }
                }
            });
        }
    }
}

impl From<&Table> for Grid {
    fn from(table: &Table) -> Self {
        let mut grid = Self {
            caption: table.title.clone(),
            head: table.columns.clone(),
            ..Self::default()
        };
        for row in &table.rows {
            grid.row(row.iter().map(|text| Cell::new(text.clone())).collect());
        }
        grid
    }
}

fn class_of(align: Align) -> &'static str {
    match align {
        Align::Left => "",
        Align::Right => "n",
    }
}
