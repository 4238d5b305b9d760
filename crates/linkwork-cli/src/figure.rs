//! Figures of curves over time as SVG or PNG files, without a browser.
//!
//! One panel for every unit, stacked over a common time axis.

mod panel;

use panel::Panel;
use plotters::coord::Shift;
use plotters::prelude::*;
use std::error::Error;
use std::io::BufWriter;
use std::path::Path;
use std::sync::Once;

/// The name of the font in all figures.
pub const FONT: &str = "sans-serif";
/// Colours that can be distinguished by colour-blind readers too [Okabe & Ito], in the order of use.
pub const COLOURS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(230, 159, 0),
    RGBColor(0, 0, 0),
];
const TITLE_HEIGHT: u32 = 40;

/// A quantity over time.
pub struct Curve {
    /// What it is, e.g. "crank.angle".
    pub name: String,
    /// Its unit, e.g. "rad"; curves of one unit share a panel.
    pub unit: String,
    /// Whether its magnitude matters: residuals and errors.
    pub logarithmic: bool,
    /// Time (s) and value; values that are not finite leave a gap.
    pub points: Vec<(f64, f64)>,
}

/// What kind of file to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Scalable.
    Svg,
    /// Pixels.
    Png,
}

impl Format {
    /// By the ending of the file's name.
    pub fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()? {
            "svg" => Some(Format::Svg),
            "png" => Some(Format::Png),
            _ => None,
        }
    }
}

/// Sets the font of the drawing library, which SVG needs for measuring and PNG for drawing.
pub fn prepare_font() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let font = epaint_default_fonts::UBUNTU_LIGHT;
        // The font is known to be a font.
        let _ = plotters::style::register_font(FONT, FontStyle::Normal, font);
    });
}

/// Number of panels the curves need.
pub fn panels(curves: &[Curve]) -> usize {
    Panel::group(curves).len()
}

/// Draw the curves and write the file; `size` in pixels.
pub fn write(
    path: &Path,
    format: Format,
    title: &str,
    curves: &[Curve],
    size: (u32, u32),
) -> Result<(), Box<dyn Error>> {
    prepare_font();
    match format {
        Format::Svg => {
            let mut text = String::new();
            let area = SVGBackend::with_string(&mut text, size).into_drawing_area();
            draw(&area, format, title, curves)?;
            drop(area);
            Ok(std::fs::write(path, text)?)
        }
        Format::Png => {
            let (width, height) = size;
            let mut pixels = vec![255; 3 * width as usize * height as usize];
            let area = BitMapBackend::with_buffer(&mut pixels, size).into_drawing_area();
            draw(&area, format, title, curves)?;
            drop(area);
            let file = BufWriter::new(std::fs::File::create(path)?);
            let mut encoder = png::Encoder::new(file, width, height);
            encoder.set_color(png::ColorType::Rgb);
            encoder.write_header()?.write_image_data(&pixels)?;
            Ok(())
        }
    }
}

fn draw<B: DrawingBackend>(
    root: &DrawingArea<B, Shift>,
    format: Format,
    title: &str,
    curves: &[Curve],
) -> Result<(), Box<dyn Error>>
where
    B::ErrorType: 'static,
{
    root.fill(&WHITE)?;
    let (head, body) = root.split_vertically(TITLE_HEIGHT);
    head.draw(&Text::new(title.to_owned(), (16, 12), (FONT, 20)))?;
    let panels = Panel::group(curves);
    for (i, (panel, area)) in panels
        .iter()
        .zip(body.split_evenly((panels.len(), 1)))
        .enumerate()
    {
        let lowest = i + 1 == panels.len();
        panel.draw(&area, (lowest, format == Format::Png))?;
    }
    root.present()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A decaying error with exact zeros in it and an oscillation, as both kinds of file.
    #[test]
    fn figures_have_curves_and_names() {
        let curve = |name: &str, unit: &str, logarithmic, f: fn(f64) -> f64| Curve {
            name: name.to_owned(),
            unit: unit.to_owned(),
            logarithmic,
            points: (0..500)
                .map(|i| (0.01 * i as f64, f(0.01 * i as f64)))
                .collect(),
        };
        let curves = [
            curve("closure_error", "m", true, |t| {
                1e-9 * (-t).exp() * t.round()
            }),
            curve("crank.angle", "rad", false, |t| (3.0 * t).sin()),
            curve("rocker.angle", "rad", false, |t| (2.0 * t).cos()),
        ];
        let path = |end: &str| {
            std::env::temp_dir().join(format!("linkwork-figure-{}.{end}", std::process::id()))
        };
        let (svg, png) = (path("svg"), path("png"));
        for path in [&svg, &png] {
            let format = Format::of(path).unwrap();
            write(path, format, "a figure", &curves, (900, 600)).unwrap();
        }
        let text = std::fs::read_to_string(&svg).unwrap();
        for part in [
            "closure_error",
            "crank.angle",
            "time (s)",
            "a figure",
            "1e-10",
        ] {
            assert!(text.contains(part), "{part}");
        }
        let file = std::io::BufReader::new(std::fs::File::open(&png).unwrap());
        let mut reader = png::Decoder::new(file).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut pixels).unwrap();
        // The second curve of a panel has the second colour: it crosses some hundred columns.
        let orange = pixels
            .chunks_exact(3)
            .filter(|p| **p == [213, 94, 0])
            .count();
        assert!(orange > 300, "{orange}");
        std::fs::remove_file(&svg).unwrap();
        std::fs::remove_file(&png).unwrap();
    }
}
