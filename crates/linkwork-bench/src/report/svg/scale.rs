//! From values to places along an axis, and where its ticks are.

use crate::report::numbers::{power_of_ten, short, tick};

/// Values beyond this would overflow when subtracted.
const HUGE: f64 = 1e300;

/// An axis: values `min` … `max` lie at places `from` … `to`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    log: bool,
    min: f64,
    max: f64,
    from: f64,
    to: f64,
}

impl Scale {
    /// The scale that shows all `values` it can, with a little room; `None` where there are none.
    pub fn over(
        log: bool,
        values: impl Iterator<Item = f64>,
        (from, to): (f64, f64),
    ) -> Option<Self> {
        let shown = values.filter(|v| is_shown(log, *v));
        let (min, max) = shown.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), v| {
            (a.min(v), b.max(v))
        });
        if min > max {
            return None;
        }
        let (min, max) = if log {
            // A single value gets a decade; room is a share of the decades.
            let decades = max.log10() - min.log10();
            let room = if decades < 0.2 {
                0.5
            } else {
                (0.03 * decades).clamp(0.02, 0.5)
            };
            let room = 10f64.powf(room);
            ((min / room).max(1.0 / HUGE), (max * room).min(HUGE))
        } else {
            let size = min.abs().max(max.abs());
            // Differences in the last digits are noise, and their ticks would all read the same.
            let room = if max - min > 1e-5 * size {
                0.04 * (max - min)
            } else if size > 0.0 {
                0.1 * size
            } else {
                1.0
            };
            // Counts and times begin at zero, not a little below.
            let least = if min >= 0.0 && min < 0.3 * max {
                0.0
            } else {
                min - room
            };
            (least, max + room)
        };
        Some(Self {
            log,
            min,
            max,
            from,
            to,
        })
    }

    /// A scale from `min` to `max` exactly.
    pub fn exact(log: bool, (min, max): (f64, f64), (from, to): (f64, f64)) -> Self {
        Self {
            log,
            min,
            max,
            from,
            to,
        }
    }

    /// Where a value lies; `None` if the axis cannot show it.
    pub fn at(&self, value: f64) -> Option<f64> {
        if !is_shown(self.log, value) {
            return None;
        }
        let share = if self.log {
            (value.ln() - self.min.ln()) / (self.max.ln() - self.min.ln())
        } else {
            (value - self.min) / (self.max - self.min)
        };
        // A scale given by its ends may have values outside: they stay in the frame.
        Some(self.from + share.clamp(0.0, 1.0) * (self.to - self.from))
    }

    /// About `count` ticks with their labels.
    pub fn ticks(&self, count: usize) -> Vec<(f64, String)> {
        let values = if self.log {
            self.log_ticks(count)
        } else {
            self.linear_ticks(count)
        };
        let place = |(v, label)| self.at(v).map(|at| (at, label));
        values.into_iter().filter_map(place).collect()
    }

    fn linear_ticks(&self, count: usize) -> Vec<(f64, String)> {
        let rough = (self.max - self.min) / count.max(1) as f64;
        let decade = 10f64.powf(rough.log10().floor());
        let nice = [1.0, 2.0, 5.0, 10.0].map(|m| m * decade);
        let step = nice
            .into_iter()
            .find(|s| *s >= rough * 0.999)
            .unwrap_or(rough);
        let first = (self.min / step - 1e-9).ceil();
        (0..=2 * count)
            .map(|i| (first + i as f64) * step)
            .take_while(|v| *v <= self.max + 1e-9 * step)
            .map(|v| (v, tick(v, step)))
            .collect()
    }

    fn log_ticks(&self, count: usize) -> Vec<(f64, String)> {
        let (low, high) = (self.min.log10(), self.max.log10());
        let inside = |v: &f64| (self.min * 0.999..=self.max * 1.001).contains(v);
        if high - low < 2.5 {
            let decades = low.floor() as i32..=high.ceil() as i32;
            let all = decades.flat_map(|d| [1.0, 2.0, 5.0].map(|m| m * 10f64.powi(d)));
            return all.filter(inside).map(|v| (v, short(v))).collect();
        }
        let stride = ((high - low) / count.max(1) as f64).ceil().max(1.0) as i32;
        let first = (low - 1e-9).ceil() as i32;
        let first = first + (stride - first.rem_euclid(stride)) % stride;
        (first..=(high + 1e-9).floor() as i32)
            .step_by(stride as usize)
            .map(|d| (10f64.powi(d), power_of_ten(d)))
            .collect()
    }
}

fn is_shown(log: bool, value: f64) -> bool {
    let least = if log { 1.0 / HUGE } else { -HUGE };
    (least..=HUGE).contains(&value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(scale: &Scale) -> Vec<String> {
        scale.ticks(6).into_iter().map(|t| t.1).collect()
    }

    #[test]
    fn ticks_are_round_numbers() {
        let scale = Scale::exact(false, (0.0, 1.0), (0.0, 100.0));
        assert_eq!(labels(&scale), ["0", "0.2", "0.4", "0.6", "0.8", "1"]);
        let scale = Scale::exact(true, (1e-9, 1e3), (0.0, 100.0));
        assert_eq!(labels(&scale), ["10⁻⁸", "10⁻⁶", "10⁻⁴", "0.01", "1", "100"]);
        let scale = Scale::exact(true, (1.0, 30.0), (0.0, 100.0));
        assert_eq!(labels(&scale), ["1", "2", "5", "10", "20"]);
    }

    #[test]
    fn what_an_axis_cannot_show_has_no_place() {
        let values = [f64::NAN, 0.0, -1.0, f64::INFINITY, 1e-3, 10.0];
        let scale = Scale::over(true, values.into_iter(), (0.0, 1.0)).unwrap();
        let shown = values.map(|v| scale.at(v).is_some());
        assert_eq!(shown, [false, false, false, false, true, true]);
        assert_eq!(
            Scale::over(true, values[..4].iter().copied(), (0.0, 1.0)),
            None
        );
    }

    /// One value, zeros, the largest numbers: no division by zero, and every tick inside.
    #[test]
    fn degenerate_ranges_have_ticks_in_the_frame() {
        let cases: [(bool, &[f64]); 5] = [
            (false, &[0.0]),
            (false, &[3.0, 3.0]),
            (true, &[1e-9]),
            (false, &[-f64::MAX, 1e300, -1e300]),
            (true, &[f64::MIN_POSITIVE, 1e-300, 1e300]),
        ];
        for (log, values) in cases {
            let scale = Scale::over(log, values.iter().copied(), (10.0, 20.0)).unwrap();
            let ticks = scale.ticks(6);
            assert!(
                !ticks.is_empty() && ticks.len() <= 13,
                "{values:?}: {ticks:?}"
            );
            assert!(
                ticks.iter().all(|t| (10.0..=20.0).contains(&t.0)),
                "{values:?}"
            );
        }
    }
}
