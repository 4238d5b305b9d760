//! A CSV file of chosen quantities, from those that `linkwork record quantities` lists, after the time.

use crate::csv::quoted;
use linkwork::model::Model;
use linkwork::plain_time;
use linkwork_record::{Quantity, StepRecord};
use std::io::{Result, Write};

/// Writes the file.
pub struct Columns<W: Write> {
    out: W,
    quantities: Vec<Quantity>,
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
        Ok(Self { out, quantities })
    }

    /// Write a row: the values at a step.
    pub fn row(&mut self, model: &Model, step: &StepRecord) -> Result<()> {
        write!(self.out, "{:?}", plain_time(step.state.time))?;
        for q in &self.quantities {
            write!(self.out, ",{:?}", q.of(model, step))?;
        }
        writeln!(self.out)
    }

    /// Writes buffered data.
    pub fn finish(mut self) -> Result<()> {
        self.out.flush()
    }
}
