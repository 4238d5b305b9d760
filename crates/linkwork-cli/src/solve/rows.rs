//! The comparison as a CSV file (RFC 4180): a row a problem and solver, on the disk as soon as it is
//! known.

use super::outcome::Outcome;
use crate::csv::quoted;
use std::fs::File;
use std::io::{Result, Write};
use std::path::Path;

const HEADER: &str = "problem,solver,tolerance,claimed,residual_scaled,residual_rel,residual_unit,\
                      iterations,factorizations,wall_ms,rows,contacts";

/// Writes the file.
pub struct CsvFile(File);

impl CsvFile {
    /// Create the file and write its header.
    pub fn create(path: &Path) -> Result<Self> {
        let mut file = File::create(path)?;
        writeln!(file, "{HEADER}")?;
        Ok(Self(file))
    }

    /// Write a row. What a solver did not do is empty.
    pub fn row(&mut self, o: &Outcome) -> Result<()> {
        let effort = o.effort.map_or(",,,,,".to_owned(), |e| {
            format!(
                "{:e},{:e},{:e},{},{},{}",
                e.residual_scaled,
                e.residual_rel,
                e.residual_unit,
                e.iterations,
                e.factorizations,
                e.wall_ms
            )
        });
        let head = format!(
            "{},{},{:e},{}",
            quoted(&o.problem),
            o.solver,
            o.tolerance,
            o.claimed
        );
        // One write a row: the file holds whole rows whenever the command is stopped.
        let row = format!("{head},{effort},{},{}\n", o.rows, o.contacts);
        self.0.write_all(row.as_bytes())
    }
}
