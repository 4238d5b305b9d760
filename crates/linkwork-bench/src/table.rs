//! Tables, printed as text here and as HTML by the report.

use serde::{Deserialize, Serialize};

/// How a column is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Align {
    /// Words.
    Left,
    /// Numbers.
    Right,
}

/// A table with a title.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Table {
    /// What it shows.
    pub title: String,
    /// Head of every column, with the unit.
    pub columns: Vec<(String, Align)>,
    /// Cells, each row as long as `columns`.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// A table without rows. The first column is for words, the others for numbers.
    pub fn new(title: impl Into<String>, columns: &[&str]) -> Self {
        let align = |i| if i == 0 { Align::Left } else { Align::Right };
        let columns = columns.iter().enumerate();
        Self {
            title: title.into(),
            columns: columns.map(|(i, c)| ((*c).to_owned(), align(i))).collect(),
            rows: Vec::new(),
        }
    }

    /// Add a row; cells that are missing are empty.
    pub fn row(&mut self, cells: impl IntoIterator<Item = impl Into<String>>) {
        let mut row: Vec<String> = cells.into_iter().map(Into::into).collect();
        row.resize(self.columns.len(), String::new());
        self.rows.push(row);
    }

    /// The table as text, ending with a newline.
    pub fn text(&self) -> String {
        let count = |text: &String| text.chars().count();
        let widths: Vec<usize> = (0..self.columns.len())
            .map(|i| {
                let cells = self.rows.iter().map(|r| count(&r[i]));
                cells.fold(count(&self.columns[i].0), usize::max)
            })
            .collect();
        let line = |cells: &mut dyn Iterator<Item = &String>| {
            let mut text = String::new();
            for ((cell, width), (_, align)) in cells.zip(&widths).zip(&self.columns) {
                let pad = " ".repeat(width - count(cell));
                text += "  ";
                text += &match align {
                    Align::Left => format!("{cell}{pad}"),
                    Align::Right => format!("{pad}{cell}"),
                };
            }
            text.truncate(text.trim_end().len());
            text + "\n"
        };
        let mut text = format!("{}\n", self.title);
        text += &line(&mut self.columns.iter().map(|(head, _)| head));
        for row in &self.rows {
            text += &line(&mut row.iter());
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up_and_short_rows_are_filled() {
        let mut table = Table::new("T", &["name", "ρ"]);
        table.row(["a", "1.25"]);
        table.row(["long name"]);
        assert_eq!(
            table.text(),
            "T\n  name          ρ\n  a          1.25\n  long name\n"
        );
    }
}
