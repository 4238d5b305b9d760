//! One row per step as CSV (RFC 4180).

use crate::csv::quoted;
use crate::failure::{Failure, usage};
use linkwork::inverse::Forces;
use linkwork::joints::Unit;
use linkwork::model::Model;
use linkwork_record::StepRecord;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

const WRENCH: [(&str, &str); 6] = [
    ("fx", "N"),
    ("fy", "N"),
    ("fz", "N"),
    ("tx", "N m"),
    ("ty", "N m"),
    ("tz", "N m"),
];

/// Writes the file.
pub struct Columns {
    out: BufWriter<File>,
    path: PathBuf,
}

impl Columns {
    /// Create the file and write its header.
    pub fn create(path: &Path, model: &Model) -> Result<Self, Failure> {
        let refused = |e| usage(format!("cannot write '{}': {e}", path.display()));
        let mut columns = Self {
            out: BufWriter::new(File::create(path).map_err(refused)?),
            path: path.to_owned(),
        };
        columns.header(model).map_err(|e| columns.failed(&e))?;
        Ok(columns)
    }

    fn header(&mut self, model: &Model) -> std::io::Result<()> {
        let out = &mut self.out;
        write!(out, "time (s),unexplained,contact force (N)")?;
        for name in coordinate_names(model) {
            write!(out, ",{}", quoted(&name))?;
        }
        for body in model.bodies() {
            for (part, unit) in WRENCH {
                let column = format!("{} residual {part} ({unit})", body.name);
                write!(out, ",{}", quoted(&column))?;
            }
        }
        writeln!(out)
    }

    /// Writes the result for a recorded step.
    pub fn row(&mut self, record: &StepRecord, found: &Forces) -> Result<(), Failure> {
        let written = self.write(record, found);
        written.map_err(|e| self.failed(&e))
    }

    fn write(&mut self, record: &StepRecord, found: &Forces) -> std::io::Result<()> {
        let out = &mut self.out;
        let contact = contact_force(found);
        write!(
            out,
            "{:?},{:?},{contact:?}",
            record.state.time, found.unexplained
        )?;
        for torque in found.torques() {
            write!(out, ",{torque:?}")?;
        }
        for wrench in &found.residual {
            for x in wrench.force.iter().chain(wrench.torque.iter()) {
                write!(out, ",{x:?}")?;
            }
        }
        writeln!(out)
    }

    /// Writes buffered data.
    pub fn finish(mut self) -> Result<(), Failure> {
        let flushed = self.out.flush();
        flushed.map_err(|e| self.failed(&e))
    }

    fn failed(&self, error: &std::io::Error) -> Failure {
        let path = self.path.display();
        Failure::Run(format!("writing '{path}' failed: {error}"))
    }
}

/// Sum of the sizes of all contact forces, N.
pub fn contact_force(found: &Forces) -> f64 {
    let sizes = found.contacts.iter().map(|c| c.impulse.norm());
    sizes.sum::<f64>() / found.duration
}

/// Joint, coordinate and unit of its torque, in the order of the state.
pub fn coordinate_names(model: &Model) -> Vec<String> {
    let mut names = Vec::new();
    for joint in model.joints() {
        for (coordinate, unit) in joint.kind.coordinates() {
            let unit = match unit {
                Unit::Length => "N",
                Unit::Angle => "N m",
            };
            names.push(format!("{}.{coordinate} ({unit})", joint.name));
        }
    }
    names
}
