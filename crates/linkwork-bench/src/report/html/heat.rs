//! Cells coloured by a value. Bright is good, dark is bad, in print and on a dark page alike.

use super::{Cell, Html};

/// Cividis at even steps: rises in lightness, and looks the same to the colour-blind
/// [Nuñez, Anderton & Renslow 2018].
const CIVIDIS: [[f64; 3]; 9] = [
    [0.0, 34.0, 78.0],
    [26.0, 56.0, 111.0],
    [65.0, 77.0, 107.0],
    [94.0, 98.0, 110.0],
    [124.0, 123.0, 120.0],
    [154.0, 145.0, 116.0],
    [187.0, 171.0, 107.0],
    [221.0, 199.0, 87.0],
    [254.0, 232.0, 56.0],
];

/// A cell with the colour of `goodness`, 0 … 1. A goodness that is not a number is the worst.
pub fn heat_cell(text: impl Into<String>, goodness: f64) -> Cell {
    Cell {
        style: colours(goodness),
        ..Cell::new(text)
    }
}

/// The scale of a heat map: the meaning of its ends.
pub fn scale_bar(worst: &str, best: &str) -> Html {
    let mut html = Html::new();
    html.element("p", &[("class", "scale")], |h| {
        h.text(worst);
        for step in 0..=8 {
            let style = colours(f64::from(step) / 8.0);
            h.leaf("span", &[("style", &style), ("aria-hidden", "true")], " ");
        }
        h.text(best);
    });
    html
}

fn colours(goodness: f64) -> String {
    let at = if goodness.is_finite() {
        8.0 * goodness.clamp(0.0, 1.0)
    } else {
        0.0
    };
    let low = (at as usize).min(7);
    let mix = |i: usize| {
        let (a, b) = (CIVIDIS[low][i], CIVIDIS[low + 1][i]);
        a + (at - low as f64) * (b - a)
    };
    let [r, g, b] = [mix(0), mix(1), mix(2)];
    // Dark ink where the background is bright [ITU-R BT.709 luma].
    let luma = 0.2126 * r + 0.7152 * g + 0.0722 * b;
    let ink = if luma > 118.0 { "#000" } else { "#fff" };
    format!("background:rgb({r:.0},{g:.0},{b:.0});color:{ink}")
}
