//! Quantities over time as a CSV file (RFC 4180): one row at the start and one after every step, the time first.

use linkwork::model::Model;
use linkwork::{Moment, plain_time};
use linkwork_record::{Quantity, Signals, StepRecord};
use std::io::{Result, Write};

/// Writes the file.
pub struct Columns<W: Write> {
    out: W,
    quantities: Vec<Quantity>,
    joint_forces: bool,
}

impl<W: Write> Columns<W> {
    /// Write the header.
    pub fn new(mut out: W, quantities: Vec<Quantity>) -> Result<Self> {
        write!(out, "time (s)")?;
        for q in &quantities {
            let unit = match q.unit() {
                "" => String::new(),
                unit => format!(" ({unit})"),
            };
            write!(out, ",{}", quoted(&format!("{}{unit}", q.name())))?;
        }
        writeln!(out)?;
        Ok(Self {
            out,
            joint_forces: quantities.iter().any(Quantity::is_joint_force),
            quantities,
        })
    }

    /// Write a row: the values at a moment of a run.
    pub fn moment(&mut self, moment: &Moment, signals: &dyn Signals) -> Result<()> {
        let step = match self.joint_forces {
            true => StepRecord::with(moment, signals),
            false => StepRecord::without_joint_forces(moment, signals),
        };
        self.row(moment.simulator.model(), &step)
    }

    /// Write a row: the values at a recorded step. Numbers are the shortest text that reads back to the same bits, except
    /// for the time, which is a sum of steps.
    pub fn row(&mut self, model: &Model, step: &StepRecord) -> Result<()> {
        write!(self.out, "{:?}", plain_time(step.state.time))?;
        for q in &self.quantities {
            match q.of(model, step) {
                count if q.is_count() => write!(self.out, ",{count}")?,
                value => write!(self.out, ",{value:?}")?,
            }
        }
        writeln!(self.out)
    }

    /// Writes buffered data.
    pub fn finish(mut self) -> Result<()> {
        self.out.flush()
    }
}

/// A field, in quotes if its text needs them.
pub fn quoted(field: &str) -> String {
    if field.contains(['"', ',', '\n', '\r']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use linkwork::math::MassProperties;
    use linkwork::model::{BodyDef, ModelBuilder};
    use linkwork::{Run, Settings, Simulator};
    use linkwork_record::trajectory;

    #[test]
    fn names_are_quoted_and_rows_are_as_wide_as_the_header() {
        let mut b = ModelBuilder::new();
        let mass = MassProperties::solid_sphere(1.0, 0.1);
        b.add_body(BodyDef::new("a \"big\" one", mass));
        let model = b.build().unwrap();
        let mut text = Vec::new();
        let mut csv = Columns::new(&mut text, trajectory(&model, &[])).unwrap();
        let simulator = Simulator::new(model.clone(), Settings::default()).unwrap();
        let mut run = Run::new(simulator, None);
        for step in 0..3 {
            let report = (step > 0).then(|| run.step().unwrap());
            let record = StepRecord::of(&run.moment(step, report.as_ref()));
            csv.row(&model, &record).unwrap();
        }
        csv.finish().unwrap();
        let text = String::from_utf8(text).unwrap();
        let lines: Vec<&str> = text.split_terminator('\n').collect();
        assert_eq!(lines.len(), 4);
        assert!(lines[0].starts_with("time (s),\"a \"\"big\"\" one.x (m)\","));
        for line in &lines {
            assert_eq!(line.split(',').count(), 1 + 13 + 8);
        }
        assert!(lines[1].ends_with(",NaN,NaN"), "{}", lines[1]);
        assert!(lines[3].ends_with(",0,0"), "{}", lines[3]);
    }
}
