//! Controls over time from a CSV file.

use super::channel::{Channel, find};
use serde::{Deserialize, Serialize};

/// Values of some channels at ascending times.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Table {
    /// Channel of each column.
    columns: Vec<usize>,
    /// Time of each row, s.
    times: Vec<f64>,
    /// The controls of each row.
    rows: Vec<Vec<f64>>,
    /// Whether a row holds until the next, without interpolation.
    hold: bool,
}

impl Table {
    /// Reads a table: a header with `time` and names of actuators, and rows of numbers. An error names line and remedy.
    pub fn parse(text: &str, channels: &[Channel], hold: bool) -> Result<Self, String> {
        let mut lines = text.lines().enumerate();
        let mut lines =
            std::iter::from_fn(|| lines.find(|(_, l)| !l.trim().is_empty() && !l.starts_with('#')));
        let (_, head) = lines.next().ok_or("the table is empty; its first line must be 'time' and names of actuators, separated by commas")?;
        let names = head.split(',').map(name);
        let names = names.collect::<Result<Vec<_>, _>>()?;
        if names[0] != "time" {
            let first = names[0];
            return Err(format!(
                "the first column is '{first}'; it must be 'time', in s"
            ));
        }
        let mut columns = Vec::new();
        for name in &names[1..] {
            let i = find(channels, name)?;
            if columns.contains(&i) {
                return Err(format!("there are two columns of actuator '{name}'"));
            }
            columns.push(i);
        }
        if columns.is_empty() {
            return Err("no column names an actuator".to_owned());
        }
        let (mut times, mut rows): (Vec<f64>, Vec<Vec<f64>>) = (Vec::new(), Vec::new());
        for (i, line) in lines {
            let at = i + 1;
            let mut numbers = Vec::with_capacity(names.len());
            for word in line.split(',') {
                let number = word.trim().parse::<f64>().ok().filter(|x| x.is_finite());
                let bad = || format!("line {at}: '{}' is not a finite number", word.trim());
                numbers.push(number.ok_or_else(bad)?);
            }
            if numbers.len() != names.len() {
                let (have, want) = (numbers.len(), names.len());
                return Err(format!(
                    "line {at} has {have} values, but the first line names {want} columns"
                ));
            }
            if times.last().is_some_and(|last| *last >= numbers[0]) {
                return Err(format!(
                    "line {at}: times must ascend, {} s does not",
                    numbers[0]
                ));
            }
            times.push(numbers[0]);
            rows.push(numbers.split_off(1));
        }
        if rows.is_empty() {
            return Err("there is no row below the names".to_owned());
        }
        Ok(Self {
            columns,
            times,
            rows,
            hold,
        })
    }

    /// The channels it has columns of.
    pub fn channels(&self) -> impl Iterator<Item = usize> {
        self.columns.iter().copied()
    }

    /// Sets the controls at a time, s: interpolated between the rows around it, or those of the row before. The first
    /// row holds before its time, the last one after it.
    pub fn set(&self, time: f64, controls: &mut [f64]) {
        let after = self.times.partition_point(|t| *t <= time);
        let before = after.saturating_sub(1);
        let share = match self.times.get(after) {
            Some(next) if after > 0 && !self.hold => {
                (time - self.times[before]) / (next - self.times[before])
            }
            _ => 0.0,
        };
        let to = self.rows.get(after).unwrap_or(&self.rows[before]);
        for (k, &i) in self.columns.iter().enumerate() {
            let from = self.rows[before][k];
            controls[i] = from + share * (to[k] - from);
        }
    }
}

/// Units that values may have; they are not converted.
const UNITS: [&str; 7] = ["N", "N m", "m", "rad", "m/s", "rad/s", "1"];

/// A name in the first line, without quotes, unit, or the `control` of `linkwork run --out`.
fn name(field: &str) -> Result<&str, String> {
    let field = field.trim().trim_matches('"').trim();
    let field = field.strip_prefix("control ").unwrap_or(field);
    match field.rsplit_once(" (") {
        Some((name, unit)) if unit.ends_with(')') => {
            let unit = unit.trim_end_matches(')');
            match name {
                "time" if unit == "s" => Ok(name),
                "time" => Err(format!("column '{field}': times must be in s")),
                _ if UNITS.contains(&unit) => Ok(name),
                _ => Err(format!(
                    "column '{field}' is in {unit}; give values in N, N m, m, rad, m/s or rad/s"
                )),
            }
        }
        _ => Ok(field),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn motors(names: &[&str]) -> Vec<Channel> {
        let motor = |name: &&str| Channel {
            name: (*name).to_owned(),
            range: None,
            target: None,
        };
        names.iter().map(motor).collect()
    }

    #[test]
    fn controls_lie_on_the_lines_between_the_rows_or_hold() {
        let text = "time (s),\"b\",control a (N m)\n0.5,1,-1\n1.5,3,-1\n\n2,3,4\n";
        let table = |hold| Table::parse(text, &motors(&["a", "b"]), hold).unwrap();
        let at = |hold, time| {
            let mut controls = [9.0; 2];
            table(hold).set(time, &mut controls);
            controls
        };
        assert_eq!(at(false, 0.0), [-1.0, 1.0], "before the first row");
        assert_eq!(at(false, 0.5), [-1.0, 1.0]);
        assert_eq!(at(false, 1.0), [-1.0, 2.0]);
        assert_eq!(at(false, 1.75), [1.5, 3.0]);
        assert_eq!(at(false, 7.0), [4.0, 3.0], "after the last row");
        assert_eq!(at(true, 1.4), [-1.0, 1.0]);
        assert_eq!(at(true, 1.5), [-1.0, 3.0]);
    }

    #[test]
    fn what_is_no_table_is_refused_with_its_line() {
        let cases = [
            ("", "empty"),
            ("t,a\n0,1\n", "must be 'time'"),
            ("time\n0\n", "no column"),
            ("time,wheel\n0,1\n", "choose one of a, b"),
            ("time,a,a\n0,1,1\n", "two columns"),
            ("time,a\n", "no row"),
            ("time,a\n0,1\n1\n", "line 3 has 1 values"),
            ("time,a\n0,x\n", "line 2: 'x'"),
            ("time,a\n0,inf\n", "line 2: 'inf'"),
            ("time,a\n1,1\n1,2\n", "ascend"),
            ("time (ms),a\n0,1\n", "must be in s"),
            ("time,a (deg)\n0,1\n", "is in deg"),
        ];
        for (text, reason) in cases {
            let error = Table::parse(text, &motors(&["a", "b"]), false).unwrap_err();
            assert!(error.contains(reason), "{text:?}: {error}");
        }
    }
}
