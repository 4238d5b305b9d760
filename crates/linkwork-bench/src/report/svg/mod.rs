//! Drawings as inline SVG: curves over two axes, stacked bars, box plots. Colours are classes of the page's
//! style sheet, so that a drawing follows its theme.

mod bars;
mod boxes;
mod chart;
mod frame;
mod legend;
mod scale;

pub use bars::{Bar, bars};
pub use boxes::boxes;
pub use chart::{Chart, Curve, Size, Stroke};

/// A coordinate: tenths of a unit are finer than a pixel.
fn coordinate(x: f64) -> String {
    let text = format!("{x:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

/// At most `most` characters.
fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most - 1).chain(['…']).collect()
}
