//! One panel of a figure: the curves of one unit.

use super::{COLOURS, Curve, FONT};
use plotters::coord::Shift;
use plotters::coord::ranged1d::{Ranged, ValueFormatter};
use plotters::prelude::*;
use std::error::Error;
use std::ops::Range;

/// Curves with more points are drawn as the minimum and maximum of neighbouring points.
const MAX_POINTS: usize = 4000;
const LEGEND_HEIGHT: u32 = 22;
/// Exact zeros, which a logarithm cannot show, lie this factor below the least value.
const BELOW: f64 = 0.3;

/// Curves that share a unit and a scale.
pub struct Panel<'a> {
    curves: Vec<&'a Curve>,
    logarithmic: bool,
}

impl<'a> Panel<'a> {
    /// The curves by unit, in the order of appearance; the scale is logarithmic only if all of a panel's curves are and
    /// a value is positive.
    pub fn group(curves: &'a [Curve]) -> Vec<Self> {
        let mut panels: Vec<Panel<'a>> = Vec::new();
        for curve in curves {
            let positive = curve.points.iter().any(|p| p.1 > 0.0);
            let logarithmic = curve.logarithmic && positive;
            let same =
                |p: &&mut Panel| p.curves[0].unit == curve.unit && p.logarithmic == logarithmic;
            match panels.iter_mut().find(same) {
                Some(panel) => panel.curves.push(curve),
                None => panels.push(Panel {
                    curves: vec![curve],
                    logarithmic,
                }),
            }
        }
        panels
    }

    /// Draw it, in pixels or not; the lowest panel of a figure names the time.
    pub fn draw<B: DrawingBackend>(
        &self,
        area: &DrawingArea<B, Shift>,
        (lowest, pixels): (bool, bool),
    ) -> Result<(), Box<dyn Error>>
    where
        B::ErrorType: 'static,
    {
        let (legend, area) = area.split_vertically(LEGEND_HEIGHT);
        self.draw_legend(&legend)?;
        let (time, values) = (self.times(), self.values());
        if self.logarithmic {
            self.draw_on(&area, (lowest, pixels), time, values.log_scale())
        } else {
            self.draw_on(&area, (lowest, pixels), time, values)
        }
    }

    fn draw_on<B, Y>(
        &self,
        area: &DrawingArea<B, Shift>,
        (lowest, pixels): (bool, bool),
        time: Range<f64>,
        values: Y,
    ) -> Result<(), Box<dyn Error>>
    where
        B: DrawingBackend,
        B::ErrorType: 'static,
        Y: plotters::coord::ranged1d::AsRangedCoord<Value = f64>,
        Y::CoordDescType: Ranged<ValueType = f64> + ValueFormatter<f64>,
    {
        let mut chart = ChartBuilder::on(area)
            .margin_left(8)
            .margin_right(24)
            .margin_bottom(6)
            .x_label_area_size(if lowest { 44 } else { 24 })
            .y_label_area_size(84)
            .build_cartesian_2d(time, values)?;
        let unit = &self.curves[0].unit;
        let format = |y: &f64| number(*y);
        let mut mesh = chart.configure_mesh();
        mesh.y_desc(unit.as_str())
            .axis_desc_style((FONT, 15))
            .label_style((FONT, 13))
            .x_label_formatter(&format)
            .y_label_formatter(&format)
            .x_labels(12)
            .y_labels(6)
            .x_max_light_lines(1)
            .y_max_light_lines(1)
            .light_line_style(RGBColor(244, 244, 244))
            .bold_line_style(RGBColor(220, 220, 220));
        if lowest {
            mesh.x_desc("time (s)");
        }
        mesh.draw()?;
        let floor = self.floor();
        for (k, curve) in self.curves.iter().enumerate() {
            let style = COLOURS[k % COLOURS.len()].stroke_width(2);
            for line in lines(&thinned(&curve.points), self.logarithmic.then_some(floor)) {
                let pieces = if pixels { segments(&line) } else { vec![line] };
                chart.draw_series(pieces.into_iter().map(|p| PathElement::new(p, style)))?;
            }
        }
        Ok(())
    }

    fn draw_legend<B: DrawingBackend>(
        &self,
        area: &DrawingArea<B, Shift>,
    ) -> Result<(), Box<dyn Error>>
    where
        B::ErrorType: 'static,
    {
        let mut x = 96;
        for (k, curve) in self.curves.iter().enumerate() {
            let style = COLOURS[k % COLOURS.len()].stroke_width(3);
            area.draw(&PathElement::new(vec![(x, 12), (x + 22, 12)], style))?;
            area.draw(&Text::new(curve.name.clone(), (x + 28, 4), (FONT, 15)))?;
            let (width, _) = area.estimate_text_size(&curve.name, &(FONT, 15).into())?;
            x += 28 + width as i32 + 24;
        }
        Ok(())
    }

    fn times(&self) -> Range<f64> {
        let times = || self.curves.iter().flat_map(|c| &c.points).map(|p| p.0);
        widened(
            times().fold(f64::INFINITY, f64::min),
            times().fold(f64::NEG_INFINITY, f64::max),
            0.0,
        )
    }

    fn values(&self) -> Range<f64> {
        let values = || self.curves.iter().flat_map(|c| &c.points).map(|p| p.1);
        let finite = || values().filter(|y| y.is_finite());
        let most = finite().fold(f64::NEG_INFINITY, f64::max);
        if self.logarithmic {
            return BELOW * self.floor()..3.0 * most;
        }
        widened(finite().fold(f64::INFINITY, f64::min), most, 0.06)
    }

    /// Where exact zeros lie on a logarithmic scale.
    fn floor(&self) -> f64 {
        let values = self.curves.iter().flat_map(|c| &c.points).map(|p| p.1);
        let positive = values.filter(|y| *y > 0.0 && y.is_finite());
        // Normal numbers only: the axis divides by it.
        BELOW * positive.fold(f64::INFINITY, f64::min).max(1e-300)
    }
}

/// A range that is never empty, enlarged by a share of its length on both sides.
fn widened(min: f64, max: f64, share: f64) -> Range<f64> {
    if !(min.is_finite() && max.is_finite()) {
        return 0.0..1.0;
    }
    let (length, size) = (max - min, min.abs().max(max.abs()));
    // Differences in the last digits are noise, and their ticks would all read the same.
    let margin = if length > 1e-6 * size {
        share * length
    } else if size > 0.0 {
        0.1 * size
    } else {
        1.0
    };
    min - margin..max + margin
}

/// A line piece by piece. The drawing library has no limit for mitred corners of pixel lines, so spikes would leave the
/// panel.
fn segments(line: &[(f64, f64)]) -> Vec<Vec<(f64, f64)>> {
    match line {
        [point] => vec![vec![*point, *point]],
        _ => line.windows(2).map(<[_]>::to_vec).collect(),
    }
}

/// The points without gaps in them; zeros are lifted to `floor` if there is one.
fn lines(points: &[(f64, f64)], floor: Option<f64>) -> Vec<Vec<(f64, f64)>> {
    let shown = |&(t, y): &(f64, f64)| (t, floor.map_or(y, |floor| y.max(floor)));
    points
        .split(|p| !p.1.is_finite())
        .filter(|line| !line.is_empty())
        .map(|line| line.iter().map(shown).collect())
        .collect()
}

/// At most [`MAX_POINTS`] points: the least and the greatest of each bucket, in order.
fn thinned(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    if points.len() <= MAX_POINTS {
        return points.to_vec();
    }
    let size = points.len().div_ceil(MAX_POINTS / 2);
    let mut kept = Vec::with_capacity(MAX_POINTS);
    for bucket in points.chunks(size) {
        let by_value = |a: &&(f64, f64), b: &&(f64, f64)| a.1.total_cmp(&b.1);
        let least = bucket.iter().min_by(by_value).expect("not empty");
        let most = bucket.iter().max_by(by_value).expect("not empty");
        let (first, second) = if least.0 <= most.0 {
            (least, most)
        } else {
            (most, least)
        };
        kept.extend([*first, *second]);
    }
    kept
}

/// A number on an axis: short, in powers of ten if it is far from one.
fn number(x: f64) -> String {
    let size = x.abs();
    if size < 1e-300 {
        return "0".to_owned();
    }
    if !(1e-3..1e5).contains(&size) {
        let text = format!("{x:.2e}");
        let (digits, power) = text.split_once('e').unwrap_or((&text, "0"));
        return format!("{}e{power}", trimmed(digits));
    }
    trimmed(&format!("{x:.6}")).to_owned()
}

fn trimmed(digits: &str) -> &str {
    if digits.contains('.') {
        digits.trim_end_matches('0').trim_end_matches('.')
    } else {
        digits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(unit: &str, logarithmic: bool, values: &[f64]) -> Curve {
        Curve {
            name: unit.to_owned(),
            unit: unit.to_owned(),
            logarithmic,
            points: values
                .iter()
                .enumerate()
                .map(|(i, y)| (i as f64, *y))
                .collect(),
        }
    }

    #[test]
    fn thinning_keeps_the_extremes_and_the_order() {
        let mut points: Vec<(f64, f64)> = (0..100_000).map(|i| (i as f64, 0.0)).collect();
        points[77_777].1 = 5.0;
        points[12_345].1 = -3.0;
        let kept = thinned(&points);
        assert!(kept.len() <= MAX_POINTS && kept.is_sorted_by(|a, b| a.0 <= b.0));
        assert!(kept.contains(&(77_777.0, 5.0)) && kept.contains(&(12_345.0, -3.0)));
    }

    #[test]
    fn gaps_stay_gaps_and_zeros_have_a_place_on_a_logarithmic_scale() {
        let points = [
            (0.0, f64::NAN),
            (1.0, 0.0),
            (2.0, 1e-9),
            (3.0, f64::NAN),
            (4.0, 1e-8),
        ];
        let found = lines(&points, Some(1e-10));
        assert_eq!(found, [vec![(1.0, 1e-10), (2.0, 1e-9)], vec![(4.0, 1e-8)]]);
    }

    #[test]
    fn curves_of_a_unit_share_a_panel_unless_their_scales_differ() {
        let curves = [
            curve("m", true, &[1e-9, 0.0]),
            curve("J", false, &[1.0]),
            curve("m", true, &[1e-8]),
            curve("m", false, &[1.0]),
            curve("m", true, &[0.0]),
        ];
        let sizes: Vec<_> = Panel::group(&curves)
            .iter()
            .map(|p| p.curves.len())
            .collect();
        assert_eq!(sizes, [2, 1, 2]);
    }

    #[test]
    fn numbers_are_short() {
        let shown = [0.0, 1.0, -0.25, 1e-9, 3.0e7, 12.5].map(number);
        assert_eq!(shown, ["0", "1", "-0.25", "1e-9", "3e7", "12.5"]);
    }
}
